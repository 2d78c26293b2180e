// A lesson as a sheet of parts, and its conversion to Markdown and HTML.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "lessons/catalogue.h"

namespace terminal {

/// Contents of a sheet: questions, answers and explanations; a handout with space for answers; or only the answer key.
enum class Sheet { all, handout, key };

struct ExportRequest {
  std::filesystem::path folder;
  Sheet sheet = Sheet::all;
  lessons::Language language = lessons::Language::en;
  std::string student;  ///< printed at the top; may be empty
  std::string own;      ///< folder of own lessons; empty if built in
};

/// A part of a sheet. `lines` keeps its line breaks; a table has its rows as in lessons/page.h; `picture` is a path,
/// with `text` as its alternative text.
struct SheetPart {
  enum Kind { title, heading, paragraph, item, quote, table, lines, picture } kind = paragraph;
  std::string text, path = {};
};
using SheetParts = std::vector<SheetPart>;

/// File name of the picture of a step.
std::string picture_name(const lessons::WrittenLesson& written, const lessons::Step& step);

/// The parts of one lesson; `pictures`: with a picture of each step.
SheetParts sheet_parts(const lessons::WrittenLesson& written, const ExportRequest& request, bool pictures);

std::string markdown_of(const SheetParts& parts);
/// A complete page including its style, ready to open, print or put on a server.
std::string html_of(const SheetParts& parts, lessons::Language language);

// flashscope lesson --export DIR: lessons as Markdown and HTML with a picture of each step, to print, project or edit.

/// Writes NN-slug.md and NN-slug.html for each lesson, and pictures/NN-slug-STEP.png. If the drawing program is not
/// built, warns and writes links instead of pictures. All files are replaced, or all are unchanged.
void export_lessons(const std::vector<lessons::WrittenLesson>& all, const ExportRequest& request);

}  // namespace terminal

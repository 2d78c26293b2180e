// A lesson as a sheet: its parts, and what Markdown and HTML make of them.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "lessons/catalogue.h"

namespace terminal {

/// With questions, answers and explanations; as a handout, with room instead of answers; or the answers alone.
enum class Sheet { all, handout, key };

struct ExportRequest {
  std::filesystem::path folder;
  Sheet sheet = Sheet::all;
  lessons::Language language = lessons::Language::en;
  std::string student;  ///< printed on top; empty for nobody
  std::string own;      ///< folder of own lessons; empty for the built-in ones
};

/// A part of a sheet. `lines` keeps its line ends; a table has its rows as in lessons/page.h; `picture` is the path of
/// one, with `text` for those who do not see it.
struct SheetPart {
  enum Kind { title, heading, paragraph, item, quote, table, lines, picture } kind = paragraph;
  std::string text, path = {};
};
using SheetParts = std::vector<SheetPart>;

/// The name of the file with the picture of a step.
std::string picture_name(const lessons::WrittenLesson& written, const lessons::Step& step);

/// One lesson; `pictures`: with that of each step.
SheetParts sheet_parts(const lessons::WrittenLesson& written, const ExportRequest& request, bool pictures);

std::string markdown_of(const SheetParts& parts);
/// A whole page, with its style in it: it can be opened, printed and put on a server as it is.
std::string html_of(const SheetParts& parts, lessons::Language language);

}  // namespace terminal

// flashscope lesson --export DIR: lessons as Markdown with a picture of each step, to be printed, projected or changed.
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
};

/// Writes NN-slug.md for each lesson and pictures/NN-slug-STEP.png beside them. Where the program that draws is not
/// built, a warning says so and the sheets have links alone. All files are new at the end, or all are as they were.
void export_lessons(const std::vector<lessons::WrittenLesson>& all, const ExportRequest& request);

/// One lesson as Markdown; `pictures`: with a line for each step's picture.
std::string sheet_text(const lessons::WrittenLesson& written, const ExportRequest& request, bool pictures);

}  // namespace terminal

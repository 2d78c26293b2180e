// flashscope lesson --export DIR: lessons as Markdown and HTML with a picture of each step, to be printed, projected or
// changed.
#pragma once
#include <filesystem>

#include "viz/terminal/lesson/sheet.h"

namespace terminal {

/// Writes NN-slug.md and NN-slug.html for each lesson and pictures/NN-slug-STEP.png beside them. Where the program that
/// draws is not built, a warning says so and the sheets have links alone. All files are new at the end, or all are as
/// they were.
void export_lessons(const std::vector<lessons::WrittenLesson>& all, const ExportRequest& request);

}  // namespace terminal

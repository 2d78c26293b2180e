// flashscope lesson --export DIR: lessons as Markdown and HTML with a picture of each step, to print, project or edit.
#pragma once
#include <filesystem>

#include "viz/terminal/lesson/sheet.h"

namespace terminal {

/// Writes NN-slug.md and NN-slug.html for each lesson, and pictures/NN-slug-STEP.png. If the drawing program is not
/// built, warns and writes links instead of pictures. All files are replaced, or all are unchanged.
void export_lessons(const std::vector<lessons::WrittenLesson>& all, const ExportRequest& request);

}  // namespace terminal

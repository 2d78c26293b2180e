#include "viz/files/output_set.h"

#include <algorithm>

namespace files {

void OutputSet::use_folder(std::filesystem::path folder, std::string command) {
  folder_.emplace(std::move(folder));
  command_ = std::move(command);
}

OutputFile& OutputSet::add(std::filesystem::path path) { return files_.emplace_back(std::move(path)); }

OutputFile& OutputSet::add_in_folder(const std::string& name) {
  OutputFile& file = add(folder_->path() / name);
  if (!mark_) mark_.emplace(folder_->path(), command_);  // after add(): errors then name the file
  return file;
}

void OutputSet::leave_out(const OutputFile& file) {
  files_.remove_if([&](const OutputFile& each) { return &each == &file; });
}

void OutputSet::commit() {
  for (OutputFile& file : files_) file.prepare();
  if (mark_) mark_->prepare(files_);
  const SignalsWait wait;
  replace_all();
  for (OutputFile& file : files_) file.settle();
  if (mark_) mark_->settle();
}

void OutputSet::replace_all() {
  try {
    if (mark_) mark_->begin();
    for (OutputFile& file : files_) file.replace();
    if (mark_) mark_->end();
  } catch (...) {
    std::for_each(files_.rbegin(), files_.rend(), [](OutputFile& file) { file.take_back(); });
    if (mark_) mark_->take_back();
    throw;
  }
}

}  // namespace files

#include "viz/files/output_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <utility>

#include "sim/base/check.h"
#include "viz/files/temporaries.h"

namespace files {

namespace fs = std::filesystem;

OutputFolder::OutputFolder(fs::path path) : path_(std::move(path)) {
  sim::require(!path_.empty(), "output-dir: \"\" is not the name of a folder");
  constexpr int most_tries = 100;  // another process may remove a folder between creation and lock
  FolderLock::Result locked = FolderLock::Result::gone;
  for (int n = 0; n < most_tries && locked == FolderLock::Result::gone; ++n) {
    create();
    locked = lock_.take(path_, false);
  }
  if (locked == FolderLock::Result::busy) {
    created_.clear();  // the other process uses the folder: it must not be removed
    throw sim::Error("output-dir ", path_.string(),
                     ": another process of FlashScope writes into it: wait for its end, or name another folder");
  }
  remove_left_behind(path_);
}

void OutputFolder::create() {
  std::error_code error;
  fs::path part;
  for (const fs::path& name : path_) {
    part /= name;
    if (fs::create_directory(part, error)) created_.push_back(part);
    if (error) break;
  }
  if (!error && fs::is_directory(path_, error)) return;
  const std::string reason = !error || error == std::errc::file_exists ? "is a file, not a folder" : error.message();
  remove_created();
  throw sim::Error("output-dir ", path_.string(), ": ", reason);
}

OutputFolder::~OutputFolder() { remove_created(); }

void OutputFolder::remove_created() {
  std::error_code ignored;
  std::reverse(created_.begin(), created_.end());  // innermost first
  for (const fs::path& folder : created_) fs::remove(folder, ignored);
  created_.clear();
}

void sync_folder_of(const fs::path& file) noexcept {
  int descriptor = -1;
  try {
    const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
    descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  } catch (const std::bad_alloc&) {  // the file is complete anyway; the caller must continue
  }
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace files

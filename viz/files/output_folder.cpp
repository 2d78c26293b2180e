#include "viz/files/output_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <utility>

#include "sim/base/check.h"

namespace files {

namespace fs = std::filesystem;

OutputFolder::OutputFolder(fs::path path) : path_(std::move(path)) {
  sim::require(!path_.empty(), "output-dir: \"\" is not the name of a folder");
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
  throw sim::Error("output-dir " + path_.string() + ": " + reason);
}

OutputFolder::~OutputFolder() { remove_created(); }

void OutputFolder::remove_created() {
  std::error_code ignored;
  std::reverse(created_.begin(), created_.end());  // innermost first
  for (const fs::path& folder : created_) fs::remove(folder, ignored);
}

void sync_folder_of(const fs::path& file) noexcept {
  int descriptor = -1;
  try {
    const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
    descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  } catch (const std::bad_alloc&) {  // the file is whole without; what comes after must be done
  }
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace files

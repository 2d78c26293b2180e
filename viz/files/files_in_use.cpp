#include "viz/files/files_in_use.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/check.h"

namespace files {

namespace fs = std::filesystem;

namespace {

struct Input {
  std::string option;
  fs::path path;
  FilePlace place;
};

std::mutex mutex;
std::vector<Input> inputs;
std::vector<const OutputClaim*> outputs;

std::optional<FilePlace::Inode> inode_of(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return FilePlace::Inode{status.st_dev, status.st_ino};
}

/// The file that `path` refers to through symbolic links, whether it exists or not.
fs::path behind_links(fs::path path) {
  std::error_code error;
  if (fs::path real = fs::canonical(path, error); !error) return real;
  for (int links = 0; links < 40 && fs::is_symlink(path, error); ++links) {
    path = path.parent_path() / fs::read_symlink(path, error);
  }
  return path;
}

/// Keeps a file open, so that its inode number is not reused even if its name goes away.
void hold_open(const fs::path& path) { static_cast<void>(::open(path.c_str(), O_PATH | O_CLOEXEC)); }

/// "standard output" or "standard error" if that is redirected to this file; "" for /dev/stdout, which is intended.
std::string_view stream_to(const FilePlace& place, const fs::path& path) {
  if (!place.file || path.string().starts_with("/dev/") || path.string().starts_with("/proc/")) return "";
  for (const auto& [descriptor, name] : {std::pair(1, "standard output"), {2, "standard error"}}) {
    struct stat status {};
    if (::fstat(descriptor, &status) == 0 && place.file == FilePlace::Inode{status.st_dev, status.st_ino}) return name;
  }
  return "";
}

void check_streams(const std::string& name, const FilePlace& place, const fs::path& path) {
  const std::string_view stream = stream_to(place, path);
  sim::require(stream.empty(), name, ": is the file that ", stream, " goes to: send it elsewhere");
}

}  // namespace

bool FilePlace::same_name(const FilePlace& other) const {
  return folder && folder == other.folder && target.filename() == other.target.filename();
}

bool FilePlace::same_file(const FilePlace& other) const { return (file && file == other.file) || same_name(other); }

FilePlace place_of(const fs::path& path) {
  FilePlace place;
  place.target = behind_links(path);
  std::error_code none;
  if (fs::is_other(place.target, none) || fs::is_directory(place.target, none)) return place;
  place.folder = inode_of(place.target.has_parent_path() ? place.target.parent_path() : ".");
  place.file = inode_of(place.target);
  return place;
}

void note_input(const std::string& option, const fs::path& path) {
  FilePlace place = place_of(path);
  check_streams(option + ": " + path.string(), place, path);
  const std::lock_guard lock(mutex);
  for (const OutputClaim* output : outputs) {
    sim::require(!place.same_file(output->place()), option, ": ", path.string(), ": is also the ", output->name(),
                 " of this command, which would replace it: write to another name");
  }
  const bool known = std::any_of(inputs.begin(), inputs.end(), [&](const Input& input) {
    return input.place.file == place.file && input.place.same_name(place);
  });
  if (known) return;
  hold_open(path);
  inputs.push_back({option, path, std::move(place)});
}

OutputClaim::OutputClaim(std::string what, fs::path path)
    : what_(std::move(what)), path_(std::move(path)), place_(place_of(path_)) {
  check_streams(name(), place_, path_);
  const std::lock_guard lock(mutex);
  for (const Input& input : inputs) {
    sim::require(!place_.same_file(input.place), name(), ": is the file that ", input.option, " reads, ",
                 input.path.string(), ", and would replace it: write to another name");
  }
  for (const OutputClaim* other : outputs) {
    sim::require(!place_.same_file(other->place_), name(), ": is the same file as the ", other->name(),
                 " of this command: each needs its own name");
  }
  outputs.push_back(this);
}

OutputClaim::OutputClaim(OutputClaim&& other) noexcept
    : what_(std::move(other.what_)), path_(std::move(other.path_)), place_(std::move(other.place_)) {
  const std::lock_guard lock(mutex);
  std::replace(outputs.begin(), outputs.end(), static_cast<const OutputClaim*>(&other),
               static_cast<const OutputClaim*>(this));
}

void OutputClaim::fail(const char* what, const char* reason) const {
  throw sim::Error(name(), ": ", what, ": ", reason);
}

OutputClaim::~OutputClaim() {
  const std::lock_guard lock(mutex);
  outputs.erase(std::remove(outputs.begin(), outputs.end(), this), outputs.end());
}

}  // namespace files

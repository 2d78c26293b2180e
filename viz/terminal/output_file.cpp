#include "viz/terminal/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "sim/base/check.h"

namespace terminal {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const fs::path& path, const char* what) {
  throw sim::Error(sim::text("output ", path.string(), ": ", what, ": ", std::strerror(errno)));
}

/// The file that `path` names through symbolic links, whether it exists or not.
fs::path behind_links(fs::path path) {
  std::error_code ignored;
  if (fs::exists(path, ignored)) return fs::canonical(path);
  for (int links = 0; links < 40 && fs::is_symlink(path, ignored); ++links) {
    path = path.parent_path() / fs::read_symlink(path, ignored);
  }
  return path;
}

}  // namespace

OutputFile::OutputFile(fs::path target) : asked_(std::move(target)), target_(asked_) {
  sim::require(asked_.has_filename(), "output \"", asked_.string(), "\": is not the name of a file");
  std::error_code error;
  const fs::file_status status = fs::status(asked_, error);
  sim::require(status.type() != fs::file_type::none, "output ", asked_.string(), ": ", error.message());
  sim::require(!fs::is_directory(status), "output ", asked_.string(), ": is a directory, not a file");
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    direct_ = true;
    descriptor_ = ::open(asked_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail(asked_, "cannot be written");
    return;
  }
  target_ = behind_links(asked_);
  if (fs::exists(status) && ::access(target_.c_str(), W_OK) != 0) fail(asked_, "cannot be written");
  const fs::path folder = target_.has_parent_path() ? target_.parent_path() : ".";
  descriptor_ =
      ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);  // no name: a kill leaves nothing behind
  if (descriptor_ >= 0) return;
  std::string name = temporary_name();  // a file system without nameless files
  descriptor_ = ::mkstemp(name.data());
  if (descriptor_ < 0) fail(asked_, "cannot be written");
  temporary_ = name;
}

std::string OutputFile::temporary_name() const { return (target_.parent_path() / ".flashscope.XXXXXX").string(); }

bool OutputFile::link_as(const fs::path& name) const {
  const std::string descriptor = "/proc/self/fd/" + std::to_string(descriptor_);
  return ::linkat(AT_FDCWD, descriptor.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

void OutputFile::give_name() {
  if (link_as(target_)) return;  // there was none: in one step
  for (int attempt = 0; attempt < 100 && errno == EEXIST; ++attempt) {
    std::string name = temporary_name();
    name.replace(name.size() - 6, 6, std::to_string(::getpid()) + "-" + std::to_string(attempt));
    if (link_as(name)) {
      temporary_ = name;
      return;
    }
  }
  fail(asked_, "cannot be completed");
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : asked_(std::move(other.asked_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)),
      direct_(other.direct_) {}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail(asked_, "cannot be written");
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void OutputFile::write(std::string_view text) { write(std::as_bytes(std::span(text.data(), text.size()))); }

void OutputFile::commit() {
  if (direct_) return;
  struct stat old {};
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const mode_t mode = ::stat(target_.c_str(), &old) == 0 ? old.st_mode & 07777 : 0666 & ~mask;
  if (::fchmod(descriptor_, mode) != 0 || ::fsync(descriptor_) != 0) fail(asked_, "cannot be completed");
  if (temporary_.empty()) give_name();
  // At once: a kill in between is the one that leaves the temporary.
  if (!temporary_.empty() && ::rename(temporary_.c_str(), target_.c_str()) != 0) fail(asked_, "cannot be replaced");
  temporary_.clear();
  if (::close(std::exchange(descriptor_, -1)) != 0) fail(asked_, "cannot be completed");
}

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

}  // namespace terminal

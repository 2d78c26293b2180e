#include "viz/files/output_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <mutex>
#include <set>
#include <utility>

#include "sim/base/check.h"
#include "viz/files/checksum.h"
#include "viz/files/output_folder.h"

namespace files {

namespace fs = std::filesystem;

namespace {

/// Where a nameless file gets its name.
constexpr const char* open_files = "/proc/self/fd";

/// True if the folder has the sticky bit, as /tmp: only its owner, the file's owner and root may replace the file.
bool is_held_by_sticky_folder(const fs::path& file) {
  struct stat folder {
  }, there{};
  if (::stat(file.parent_path().c_str(), &folder) != 0 || ::stat(file.c_str(), &there) != 0) return false;
  const uid_t we = ::geteuid();
  return (folder.st_mode & S_ISVTX) != 0 && we != 0 && we != folder.st_uid && we != there.st_uid;
}

/// Removes leftover temporaries of a folder, once per run.
void remove_left_behind_once(const fs::path& folder) {
  static std::mutex for_seen;
  static std::set<fs::path> seen;
  const std::lock_guard guard(for_seen);
  if (seen.insert(folder).second) remove_left_behind(folder);
}

}  // namespace

OutputFile::OutputFile(fs::path target) : claim_("output", std::move(target)) {
  sim::require(path().has_filename(), "output \"", path().string(), "\": is not the name of a file");
  std::error_code error;
  const fs::file_status status = fs::status(path(), error);
  sim::require(status.type() != fs::file_type::none, "output ", path().string(), ": ", error.message());
  sim::require(!fs::is_directory(status), "output ", path().string(), ": is a directory, not a file");
  direct_ = fs::exists(status) && !fs::is_regular_file(status);
  if (direct_) {
    descriptor_ = ::open(path().c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) claim_.fail("cannot be written");
    return;
  }
  if (fs::exists(status) && ::access(claim_.target().c_str(), W_OK) != 0) claim_.fail("cannot be written");
  if (fs::exists(status) && is_held_by_sticky_folder(claim_.target()))
    claim_.fail("cannot be replaced", "its folder lets only its owner do that: write to another name");
  remove_left_behind_once(folder());
  open_temporary();
}

fs::path OutputFile::folder() const { return claim_.target().has_parent_path() ? claim_.target().parent_path() : "."; }

void OutputFile::open_temporary() {
  if (::access(open_files, X_OK) == 0)
    descriptor_ = ::open(folder().c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);  // no name: a kill leaves nothing
  if (descriptor_ >= 0) return;
  std::string name = temporary_in(folder());  // without /proc, or if the file system has no nameless files
  const SignalsWait wait;                     // until the name is registered for removal by a signal
  descriptor_ = ::open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (descriptor_ < 0) claim_.fail("cannot be written");
  temporary_ = TemporaryName(std::move(name));
  keep_alive();
}

/// Locks a named temporary until it is gone, so that no other process takes it for a leftover.
void OutputFile::keep_alive() {
  if (alive_ >= 0 || ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) return;
  alive_ = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
}

bool OutputFile::link_as(const fs::path& name) const {
  const std::string descriptor = std::string(open_files) + "/" + std::to_string(descriptor_);
  return ::linkat(AT_FDCWD, descriptor.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : claim_(std::move(other.claim_)),
      temporary_(std::move(other.temporary_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      alive_(std::exchange(other.alive_, -1)),
      direct_(other.direct_),
      replaced_(other.replaced_),
      size_(other.size_),
      checksum_(other.checksum_) {}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (alive_ >= 0) ::close(alive_);
}

void OutputFile::write(std::span<const std::byte> bytes) {
  size_ += bytes.size();
  checksum_ = files::checksum(checksum_, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) claim_.fail("cannot be written");
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void OutputFile::write(std::string_view text) { write(std::as_bytes(std::span(text.data(), text.size()))); }

/// Copies owner and mode from the replaced file. If refused, fewer users than before can read the file, never more.
void OutputFile::keep_owner_and_mode() const {
  struct stat old {
  }, now{};
  const mode_t mask = ::umask(0);
  ::umask(mask);
  mode_t mode = 0666 & ~mask;
  if (::stat(claim_.target().c_str(), &old) == 0 && ::fstat(descriptor_, &now) == 0) {
    mode = old.st_mode & 0777;  // without setuid bits: the new contents must not run as the owner
    const bool ours = old.st_uid == now.st_uid && old.st_gid == now.st_gid;
    if (!ours && ::fchown(descriptor_, old.st_uid, old.st_gid) != 0 &&
        ::fchown(descriptor_, static_cast<uid_t>(-1), old.st_gid) != 0)
      mode = (mode & 0707) | (mode & (mode << 3) & 070);  // our group gets the rights common to group and others
  }
  static_cast<void>(::fchmod(descriptor_, mode));
}

void OutputFile::prepare() {
  if (direct_) return;
  keep_owner_and_mode();
  if (::fsync(descriptor_) != 0) claim_.fail("cannot be completed");
  if (temporary_.empty()) {
    const fs::path name = temporary_in(folder());
    TemporaryName temporary(name);
    keep_alive();
    if (!link_as(name)) claim_.fail("cannot be completed");
    temporary_ = std::move(temporary);
  }
  if (::close(std::exchange(descriptor_, -1)) != 0) claim_.fail("cannot be completed");
}

void OutputFile::replace() {
  if (direct_) return;
  const char* target = claim_.target().c_str();
  struct stat there {};
  if (::lstat(target, &there) == 0 && !S_ISREG(there.st_mode))
    claim_.fail("cannot be replaced", "it is no longer a file");
  if (::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target, RENAME_EXCHANGE) == 0) {
    replaced_ = Replaced::exchanged;
    return;
  }
  replaced_ = errno == ENOENT ? Replaced::new_name : Replaced::lost;  // lost: the file system cannot exchange names
  if (::rename(temporary_.c_str(), target) == 0) return;
  replaced_ = Replaced::no;
  claim_.fail("cannot be replaced");
}

void OutputFile::take_back() noexcept {
  const char* target = claim_.target().c_str();
  if (replaced_ == Replaced::new_name) ::unlink(target);
  if (replaced_ == Replaced::exchanged) ::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target, RENAME_EXCHANGE);
  replaced_ = Replaced::no;
}

void OutputFile::settle() noexcept {
  if (direct_) return;
  temporary_ = TemporaryName();
  sync_folder_of(claim_.target());
}

void OutputFile::commit() {
  prepare();
  const SignalsWait wait;
  replace();
  settle();
}

}  // namespace files

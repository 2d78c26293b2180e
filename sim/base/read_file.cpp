#include "sim/base/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

namespace sim {
namespace {

/// An open file, closed with the object.
struct OpenFile {
  int descriptor;
  explicit OpenFile(int opened) : descriptor(opened) {}
  ~OpenFile() {
    if (descriptor >= 0) ::close(descriptor);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
};

[[noreturn]] void fail(const std::string& name, int reason) {
  if (reason == ENOMEM) throw std::bad_alloc();
  if (reason == EAGAIN || reason == EWOULDBLOCK)
    throw FileError(Sentence::of(name, ": has no end, its reader waits for more: name a file that is complete"), false);
  const bool missing = reason == ENOENT || reason == ENOTDIR;
  throw FileError(Sentence::of(name, ": cannot be read: ", missing ? "no such file" : std::strerror(reason)), missing);
}

/// Reads up to `size` bytes to the end of `bytes`; false at the end of the file.
bool read_more(const OpenFile& file, std::size_t size, std::string& bytes, const std::string& name) {
  const std::size_t before = bytes.size();
  bytes.resize(before + size);
  ssize_t length = 0;
  do {
    length = ::read(file.descriptor, bytes.data() + before, size);
  } while (length < 0 && errno == EINTR);
  if (length < 0) fail(name, errno);
  bytes.resize(before + static_cast<std::size_t>(length));
  return length > 0;
}

}  // namespace

std::string read_file(const std::string& path, std::int64_t limit, const std::string& name) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) fail(name, errno);
  if (!S_ISREG(status.st_mode))
    throw FileError(Sentence::of(name, ": is not a regular file"), false);  // opening may have effects
  const OpenFile file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (file.descriptor < 0 || ::fstat(file.descriptor, &status) != 0) fail(name, errno);
  if (!S_ISREG(status.st_mode)) throw FileError(Sentence::of(name, ": is not a regular file"), false);
  require(status.st_size <= limit, name, ": has ", status.st_size, " bytes, allowed are at most ", limit);
  constexpr std::int64_t least = 1 << 16, most = std::int64_t{1} << 30;  // bytes of a read
  std::string bytes;
  std::int64_t rest = status.st_size + 1;  // the byte too many shows the end
  bytes.reserve(static_cast<std::size_t>(rest));
  while (read_more(file, static_cast<std::size_t>(rest > 0 ? std::min(rest, most) : least), bytes, name)) {
    const auto size = static_cast<std::int64_t>(bytes.size());
    require(size <= limit, name, ": has more than ", limit, " bytes");
    rest = status.st_size + 1 - size;  // files of /proc have a size of 0
  }
  return bytes;
}

}  // namespace sim

#include "viz/files/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <mutex>
#include <utility>

namespace files {
namespace {

using FolderInode = std::pair<dev_t, ino_t>;

std::mutex lock_mutex;
std::map<FolderInode, std::weak_ptr<const int>> locks;

/// A descriptor that is closed with its last owner, which releases the lock.
std::shared_ptr<const int> closing(int descriptor) {
  return {new int(descriptor), [](const int* owned) {
            ::close(*owned);
            delete owned;
          }};
}

int lock_folder(int descriptor, bool wait) {
  int result = 0;
  do {
    result = ::flock(descriptor, LOCK_EX | (wait ? 0 : LOCK_NB));
  } while (result != 0 && errno == EINTR);
  return result;
}

}  // namespace

FolderLock::Result FolderLock::take(const std::filesystem::path& folder, bool wait) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno == ENOENT ? Result::gone : Result::held;  // the writer reports the error
  const std::shared_ptr<const int> owned = closing(descriptor);
  struct stat opened {
  }, named{};
  if (::fstat(descriptor, &opened) != 0) return Result::held;
  const std::lock_guard guard(lock_mutex);
  std::weak_ptr<const int>& known = locks[{opened.st_dev, opened.st_ino}];
  if ((descriptor_ = known.lock())) return Result::held;
  if (lock_folder(descriptor, wait) != 0) return errno == EWOULDBLOCK ? Result::busy : Result::held;
  // The previous holder of the lock may have removed the folder.
  if (::stat(folder.c_str(), &named) != 0 || named.st_dev != opened.st_dev || named.st_ino != opened.st_ino)
    return Result::gone;
  known = descriptor_ = owned;
  return Result::held;
}

}  // namespace files

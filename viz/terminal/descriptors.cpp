#include "viz/terminal/descriptors.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>

namespace terminal {
namespace {

bool is_closed(int descriptor) { return ::fcntl(descriptor, F_GETFD) == -1 && errno == EBADF; }

}  // namespace

void fill_closed_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (!is_closed(descriptor)) continue;
    // Opens a path only, for neither reading nor writing; it takes the lowest free number, which is this one.
    [[maybe_unused]] const int filled = ::open("/", O_PATH);
  }
}

bool output_is_closed() {
  const int flags = ::fcntl(STDOUT_FILENO, F_GETFL);
  return flags == -1 || (flags & O_PATH) != 0;
}

}  // namespace terminal

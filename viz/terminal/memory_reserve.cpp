#include "viz/terminal/memory_reserve.h"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include "viz/files/temporaries.h"
#include "viz/terminal/command.h"

namespace terminal {
namespace {

std::atomic<void*> reserve = nullptr;

const char* last_words = "";

[[noreturn]] void release_reserve() {
  std::free(reserve.exchange(nullptr));
  throw std::bad_alloc();
}

/// Terminate handler for a destructor that runs out of memory, such as that of a JSON value. No other destructor runs.
[[noreturn]] void end() {
  if (reserve != nullptr) std::abort();  // terminated for another reason
  files::remove_temporaries();
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, last_words, std::strlen(last_words));
  ::_exit(exit_missing_capability);
}

}  // namespace

void keep_memory_reserve(const char* message) {
  constexpr std::size_t size = std::size_t{4} << 20;  // address space only: never written
  reserve = std::malloc(size);
  last_words = message;
  std::set_new_handler(release_reserve);
  std::set_terminate(end);
}

}  // namespace terminal

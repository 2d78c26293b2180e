#include "viz/terminal/stack.h"

#include <pthread.h>
#include <sys/resource.h>

#include <cstring>

#include "sim/base/check.h"

namespace terminal {
namespace {

constexpr std::size_t large = std::size_t{8} << 20;  // bytes, the usual system default

bool is_large() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= large;
}

/// Sets the stack size of threads, which otherwise is the limit of the main thread.
int set_size_of_threads(pthread_attr_t& attributes) {
  if (const int error = ::pthread_attr_setstacksize(&attributes, large)) return error;
#ifdef __GLIBC__
  return ::pthread_setattr_default_np(&attributes);
#else
  return 0;
#endif
}

struct Run {
  const std::function<int()>& work;
  int result = 0;
};

void* run(void* argument) {
  Run& one = *static_cast<Run*>(argument);
  one.result = one.work();
  return nullptr;
}

}  // namespace

int with_large_stack(const std::function<int()>& work) {
  if (is_large()) return work();
  pthread_attr_t attributes;
  Run one{work};
  pthread_t thread{};
  int error = ::pthread_attr_init(&attributes);
  if (error == 0) {
    error = set_size_of_threads(attributes);
    if (error == 0) error = ::pthread_create(&thread, &attributes, run, &one);
    ::pthread_attr_destroy(&attributes);
  }
  sim::require(error == 0, "stack: the limit (ulimit -s) is too low, and no thread with a larger one can be started: ",
               std::strerror(error));
  ::pthread_join(thread, nullptr);
  return one.result;
}

}  // namespace terminal

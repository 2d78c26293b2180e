// ThreadSanitizer, if the build has it: must know which fiber runs, else it reports alternating fibers as races.
#pragma once

#if defined(__SANITIZE_THREAD__)
#define WITH_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WITH_TSAN 1
#endif
#endif

#ifdef WITH_TSAN
#include <sanitizer/tsan_interface.h>

#include <memory>
#endif

namespace emulator {

/// A fiber as registered with ThreadSanitizer; empty in other builds.
class TsanFiber {
 public:
#ifdef WITH_TSAN
  /// Called just before control enters the fiber, and before it leaves.
  void enter() {
    outside_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(inside_.get(), 0);
  }
  void leave() { __tsan_switch_to_fiber(outside_, 0); }

 private:
  std::unique_ptr<void, void (*)(void*)> inside_{__tsan_create_fiber(0), __tsan_destroy_fiber};
  void* outside_ = nullptr;
#else
  void enter() {}
  void leave() {}
#endif
};

}  // namespace emulator

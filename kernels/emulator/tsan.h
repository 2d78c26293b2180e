// ThreadSanitizer where the build has it: it is told which fiber runs, or takes what two of them do in turn for races.
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

/// A fiber as ThreadSanitizer knows it; nothing elsewhere.
class TsanFiber {
 public:
#ifdef WITH_TSAN
  /// Just before control goes in, and out.
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

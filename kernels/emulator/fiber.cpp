#include "kernels/emulator/fiber.h"

#include <sys/mman.h>
#include <unistd.h>

#include <bit>
#include <mutex>
#include <utility>
#include <vector>

#include "kernels/dev/device.h"
#include "kernels/emulator/asan.h"
#include "sim/base/check.h"

namespace emulator {
namespace {

constexpr std::size_t stack_bytes = std::size_t{128} * 1024;

/// Announces a switch to a stack; `left` receives the state of the stack left behind (null: it ends here).
void begin_switch([[maybe_unused]] void** left, [[maybe_unused]] const void* bottom,
                  [[maybe_unused]] std::size_t size) {
#ifdef WITH_ASAN
  __sanitizer_start_switch_fiber(left, bottom, size);
#endif
}

/// Completes a switch: restores the state saved in `left`, and returns the stack that control came from.
void end_switch([[maybe_unused]] void* left, [[maybe_unused]] const void** bottom, [[maybe_unused]] std::size_t* size) {
#ifdef WITH_ASAN
  __sanitizer_finish_switch_fiber(left, bottom, size);
#endif
}

std::size_t page_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

/// Pool of stacks, kept for the next launch: mapping one costs far more than a short block.
class StackMemory {
 public:
  StackMemory() = default;
  StackMemory(const StackMemory&) = delete;
  StackMemory& operator=(const StackMemory&) = delete;
  ~StackMemory() {
    for (char* mapped : free_) munmap(mapped, page_bytes() + stack_bytes);
  }
  char* take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
      free_.reserve(std::bit_ceil(mapped_ + 1));  // give() then needs no memory: destructors call it
      char* const mapped = map();
      ++mapped_;
      return mapped;
    }
    char* const mapped = free_.back();
    free_.pop_back();
    return mapped;
  }
  void give(char* mapped) {
    const std::lock_guard lock(mutex_);
    free_.push_back(mapped);
  }

 private:
  static char* map() {
    void* mapped =
        mmap(nullptr, page_bytes() + stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
      throw dev::DeviceError(dev::DeviceError::Kind::missing,
                             sim::text("emulated device: no memory for the stack of a thread (", stack_bytes,
                                       " bytes): raise the limit (ulimit -v) or take fewer --workers"));
    mprotect(mapped, page_bytes(), PROT_NONE);
    return static_cast<char*>(mapped);
  }
  std::mutex mutex_;
  std::vector<char*> free_;
  std::size_t mapped_ = 0;
};

StackMemory& stack_memory() {
  static StackMemory memory;
  return memory;
}

/// Stack allocator that frees nothing: the stack belongs to the fiber, not to the context on it.
struct KeepStack {
  void deallocate(boost::context::stack_context&) {}
};

}  // namespace

Stack::Stack(std::size_t stagger) : mapped_(stack_memory().take()) {
  bottom_ = mapped_ + page_bytes();
  top_ = bottom_ + stack_bytes - stagger % 64 * 64;
}

Stack::~Stack() {
  if (mapped_ != nullptr) stack_memory().give(mapped_);
}

Stack::Stack(Stack&& other) noexcept
    : mapped_(std::exchange(other.mapped_, nullptr)), bottom_(other.bottom_), top_(other.top_) {}

void Fiber::start(std::function<void()> body) {
  namespace context = boost::context;
  ASAN_UNPOISON_MEMORY_REGION(stack_.bottom(), stack_.size());  // left poisoned by an earlier body
  body_ = std::move(body);
  context::stack_context whole;
  whole.sp = stack_.top();
  whole.size = stack_.size();
  inside_ = context::fiber(std::allocator_arg, context::preallocated(whole.sp, whole.size, whole), KeepStack{},
                           [this](context::fiber&& outside) { return enter(std::move(outside)); });
}

boost::context::fiber Fiber::enter(boost::context::fiber&& outside) {
  end_switch(nullptr, &outside_bottom_, &outside_size_);
  outside_ = std::move(outside);
  body_();
  begin_switch(nullptr, outside_bottom_, outside_size_);
  tsan_.leave();
  return std::move(outside_);
}

void Fiber::resume() {
  begin_switch(&outside_fake_stack_, stack_.bottom(), stack_.size());
  tsan_.enter();
  inside_ = std::move(inside_).resume();
  end_switch(outside_fake_stack_, nullptr, nullptr);
}

void Fiber::suspend() {
  begin_switch(&inside_fake_stack_, outside_bottom_, outside_size_);
  tsan_.leave();
  outside_ = std::move(outside_).resume();
  end_switch(inside_fake_stack_, &outside_bottom_, &outside_size_);
}

}  // namespace emulator

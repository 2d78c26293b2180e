// A function on its own stack that suspends and resumes: one thread of a block. Switches cost a few nanoseconds
// (Boost.Context); AddressSanitizer and ThreadSanitizer are notified of them.
#pragma once
#include <boost/context/fiber.hpp>
#include <cstddef>
#include <functional>

#include "kernels/emulator/tsan.h"

namespace emulator {

/// Stack memory above a guard page. `stagger` shifts the top, so that stacks of many fibers do not share cache sets.
class Stack {
 public:
  explicit Stack(std::size_t stagger);
  ~Stack();
  Stack(Stack&& other) noexcept;
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;
  Stack& operator=(Stack&&) = delete;
  char* bottom() const { return bottom_; }
  char* top() const { return top_; }
  std::size_t size() const { return static_cast<std::size_t>(top_ - bottom_); }

 private:
  char *mapped_ = nullptr, *bottom_ = nullptr, *top_ = nullptr;
};

/// Suspendable function; stays on the OS thread that started it.
class Fiber {
 public:
  explicit Fiber(std::size_t stagger) : stack_(stagger) {}
  const Stack& stack() const { return stack_; }

  /// Called from outside: makes `body` ready to run; it must not throw.
  void start(std::function<void()> body);
  /// Called from outside: runs until the body suspends or ends.
  void resume();
  /// Called from the body: returns control to the caller of resume().
  void suspend();

 private:
  boost::context::fiber enter(boost::context::fiber&& outside);

  Stack stack_;
  TsanFiber tsan_;
  std::function<void()> body_;
  boost::context::fiber inside_, outside_;
  void *inside_fake_stack_ = nullptr, *outside_fake_stack_ = nullptr;  // used by AddressSanitizer
  const void* outside_bottom_ = nullptr;
  std::size_t outside_size_ = 0;
};

}  // namespace emulator

// Cancellation of long work: code that computes values checks at each step whether to continue.
#pragma once

namespace sim {

/// A callback that throws if the work of its thread must end.
using Interrupt = void (*)();

/// Scope in which check_interrupt() on this thread calls `interrupt`.
class Interruptible {
 public:
  explicit Interruptible(Interrupt interrupt);
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

 private:
  Interrupt before_;
};

/// Called by long work many times a second; does nothing unless the thread is Interruptible.
void check_interrupt();

}  // namespace sim

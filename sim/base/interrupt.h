// Ending long work early: what computes values asks at each step whether it is to go on.
#pragma once

namespace sim {

/// Throws where the work of its thread is to end.
using Interrupt = void (*)();

/// While it lives, check_interrupt() of its thread calls `interrupt`.
class Interruptible {
 public:
  explicit Interruptible(Interrupt interrupt);
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

 private:
  Interrupt before_;
};

/// Called by long work, many times a second: costs nothing where the thread is not Interruptible.
void check_interrupt();

}  // namespace sim

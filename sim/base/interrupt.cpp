#include "sim/base/interrupt.h"

#include <utility>

namespace sim {
namespace {

thread_local Interrupt of_this_thread = nullptr;

}  // namespace

Interruptible::Interruptible(Interrupt interrupt) : before_(std::exchange(of_this_thread, interrupt)) {}

Interruptible::~Interruptible() { of_this_thread = before_; }

void check_interrupt() {
  if (of_this_thread != nullptr) of_this_thread();
}

}  // namespace sim

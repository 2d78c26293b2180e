// A sufficiently large stack, independent of the shell's limit.
#pragma once
#include <functional>

namespace terminal {

/// Runs `work` and returns its result: if the stack limit (ulimit -s) is too low, on a thread with a larger stack,
/// which then also applies to all later threads. Throws sim::Error if the thread cannot be created.
int with_large_stack(const std::function<int()>& work);

}  // namespace terminal

// A stack that is large enough, whatever the limit of the shell.
#pragma once
#include <functional>

namespace terminal {

/// Runs `work` and returns its result: on a thread of its own where the limit of the stack (ulimit -s) is too low, as
/// for every thread that is started then. Throws sim::Error if there is no such thread.
int with_large_stack(const std::function<int()>& work);

}  // namespace terminal

// Runs work on several threads, on fewer if the machine gives no more. Separate from the kernels: commands without them
// use threads as well, and sim/ does not.
#pragma once
#include <functional>

namespace threads {

/// Number of cores of this machine that this process may use.
int all_cores();

/// Runs `work(0)` on this thread and `work(1)`, `work(2)` ... on `threads` - 1 others until all have returned; it must
/// not throw. If the machine gives fewer threads, only a quarter of those that started run, at most one per core, so
/// that memory is left for the work. Returns how many ran.
int run(int threads, const std::function<void(int)>& work);

}  // namespace threads

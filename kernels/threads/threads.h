// Work on several threads, on fewer where the machine gives no more. Apart from the kernels: commands without them run
// on threads as well, and sim/ has none.
#pragma once
#include <functional>

namespace threads {

/// The cores of this machine that this process may use.
int all_cores();

/// Runs `work(0)` on this thread and `work(1)`, `work(2)` ... on `threads` - 1 others until all have returned; it must
/// not throw. Where the machine gives fewer threads than that, a quarter of those that it gave go on, one for each core
/// at most, so that the others' memory is left for the work. Returns how many ran.
int run(int threads, const std::function<void(int)>& work);

}  // namespace threads

// The engine of a sweep: rows on all cores, in order.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

namespace terminal {

/// Makes the rows [first, last) on `threads` threads and hands them over one by one, in order. Returns how many; fewer
/// than all when Ctrl-C (SIGINT) came, then without those that were not begun. The first exception of a row or of
/// `take` ends it, after all rows before.
std::int64_t run_in_order(std::int64_t first, std::int64_t last, int threads,
                          const std::function<std::string(std::int64_t)>& make,
                          const std::function<void(const std::string&)>& take);

/// The cores of this machine that this process may use.
int all_cores();

}  // namespace terminal

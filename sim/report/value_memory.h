// Limit on the memory of computed values.
#pragma once
#include <cstdint>

namespace report {

/// Returns the limit in bytes: 8 GiB, or the memory of this machine if that is less.
std::int64_t value_memory_limit();

}  // namespace report

// How much memory values may take.
#pragma once
#include <cstdint>

namespace report {

/// What values may take: 8 GiB, or the memory of this machine where that is less.
std::int64_t value_memory_limit();

}  // namespace report

// Memory reserve for handling exhausted memory.
#pragma once

namespace terminal {

/// Holds back some memory until an allocation fails for the first time. It then throws std::bad_alloc, and the reserve
/// becomes available for clean-up: some destructors allocate (those of JSON values). If it does not suffice, the
/// program ends with exit_missing_capability and `message` on stderr; incomplete results are removed.
void keep_memory_reserve(const char* message);

}  // namespace terminal

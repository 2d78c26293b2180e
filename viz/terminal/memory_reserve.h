// Memory for the way out when memory runs out.
#pragma once

namespace terminal {

/// Keeps some memory back until an allocation fails for the first time. That one throws std::bad_alloc, and what is
/// kept is free for those who clean up after it: some destructors allocate (those of JSON values do). Where even that
/// is not enough, the program ends with exit_missing_capability and `message` on stderr; results are not complete then,
/// so nothing of them is left.
void keep_memory_reserve(const char* message);

}  // namespace terminal

// A loop of a program as data: recorded by a counted run.
#pragma once
#include <cstdint>

namespace sim {

/// Axis of a loop: blocks of queries or keys, chunks, or the query heads of the CTA's group.
enum class Over : std::uint8_t { queries, keys, chunks, heads };

struct CountedLoop {
  std::int32_t line = 0;    ///< line of the listing; identifies the loop
  std::int32_t around = 0;  ///< line of the enclosing loop; 0: none
  Over over = Over::keys;
  bool down = false;      ///< from the last block to the first
  std::uint8_t role = 0;  ///< role of the CTA that runs it; the first of several equal ones
};

}  // namespace sim

// A loop of a program as data: what a counted run says of the loops that it met.
#pragma once
#include <cstdint>

namespace sim {

/// An axis that a loop goes over: blocks of queries or keys, or the query heads of the CTA's group.
enum class Over : std::uint8_t { queries, keys, chunks, heads };

struct CountedLoop {
  std::int32_t line = 0;    ///< of the listing; names the loop
  std::int32_t around = 0;  ///< the loop around it; 0: none
  Over over = Over::keys;
  bool down = false;  ///< from the last block to the first
};

}  // namespace sim

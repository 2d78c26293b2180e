// A loop of a program as data: recorded by a counted run.
#pragma once
#include <cstdint>

namespace sim {

/// Axis of a loop: blocks of queries or keys, chunks, or the query heads of the CTA's group.
enum class Over : std::uint8_t { queries, keys, chunks, heads };

/// Order in which CTAs visit blocks: from the first up, from the last down, or up in the CTAs of even waves and down in
/// those of odd ones. A wave is as many CTAs, in issue order, as the GPU holds at a time.
enum class BlockOrder : std::uint8_t { up, down, sawtooth };

/// True if the CTAs of a wave visit blocks from the last to the first.
constexpr bool goes_down(BlockOrder order, std::int64_t wave) {
  return order == BlockOrder::down || (order == BlockOrder::sawtooth && wave % 2 != 0);
}

struct CountedLoop {
  std::int32_t line = 0;    ///< line of the listing; identifies the loop
  std::int32_t around = 0;  ///< line of the enclosing loop; 0: none
  Over over = Over::keys;
  BlockOrder order = BlockOrder::up;
  std::uint8_t role = 0;  ///< role of the CTA that runs it; the first of several equal ones
};

}  // namespace sim

// Tiles that a CTA holds in shared memory and registers, each from the event that makes it to the end of its last use.
// Level and bytes are those of the simulation's ledger (Trace::occupancy).
//
// Inaccuracies: the simulation knows the size of a tile, not its address. Addresses are those of a first-fit allocator;
// each stage of a ring has its own.
#pragma once
#include <vector>

#include "sim/trace/trace.h"

namespace explorer {

struct ChipTile {
  std::int32_t event = -1;    ///< event that makes it: a load, a fill, a product
  bool in_registers = false;  ///< otherwise in shared memory, the only memory of the papers' two-level model
  bool is_vector = false;     ///< one fp32 number per row, m or l: the ledger omits them, and they have no address
  std::int64_t bytes = 0;
  std::int64_t address = 0;  ///< offset in the CTA's part of that memory, in bytes
  sim::Cycles begin, end;
};

class TilesOnChip {
 public:
  TilesOnChip() = default;
  explicit TilesOnChip(const sim::Trace& trace);  ///< O(events log events)

  /// All tiles, by start.
  const std::vector<ChipTile>& tiles() const { return tiles_; }
  /// Indices of the tiles alive at a time, or at some time in [from, to), by start. O(log tiles + found).
  std::vector<std::int32_t> at(sim::Cycles time) const;
  std::vector<std::int32_t> within(sim::Cycles from, sim::Cycles to) const;
  /// The last event that has begun to write a tile: P is written in place of S. O(log writers).
  std::int32_t writer(std::int32_t tile, sim::Cycles time) const;
  /// The tile that holds the result of an event, or -1 if the result left the chip or took no space.
  std::int32_t holder(std::int32_t event) const { return holders_[static_cast<std::size_t>(event)]; }
  std::int64_t count_in_smem() const { return count_in_smem_; }
  /// The end of the highest region ever used, in bytes.
  std::int64_t smem_extent() const { return extents_[0]; }
  std::int64_t register_extent() const { return extents_[1]; }

 private:
  void make_tiles();
  void narrow_operand(const sim::Event& product);
  void sort_by_time();
  void give_places();
  void make_keyframes();

  const sim::Trace* trace_ = nullptr;
  std::vector<ChipTile> tiles_;
  std::vector<std::vector<std::int32_t>> keyframes_;            // tiles alive at the start of every 64th tile
  std::vector<std::pair<std::int32_t, std::int32_t>> writers_;  // (tile, event), sorted by tile and time
  std::vector<std::int32_t> holders_;                           // by event index
  std::int64_t count_in_smem_ = 0;
  std::int64_t extents_[2] = {0, 0};
};

}  // namespace explorer

// What a CTA holds in shared memory and in registers: each tile from the event that makes it to the end of its last
// use. Level and bytes are those of the simulation's ledger (Trace::occupancy).
//
// Inaccuracies: the simulation knows how much a tile takes, not where it lies. Places are those of an allocator that
// takes the first gap that is free at that time.
#pragma once
#include <vector>

#include "sim/trace/trace.h"

namespace explorer {

struct ChipTile {
  std::int32_t event = -1;    ///< that makes it: a load, a fill, a product
  bool in_registers = false;  ///< else in shared memory; the papers' machine has one memory, that one
  bool is_vector = false;     ///< one fp32 number per row, m or l: the ledger leaves them out, and they have no place
  std::int64_t bytes = 0;
  std::int64_t address = 0;  ///< bytes from the start of the CTA's part of that memory
  sim::Cycles begin, end;
};

class TilesOnChip {
 public:
  TilesOnChip() = default;
  explicit TilesOnChip(const sim::Trace& trace);  ///< O(events log events)

  /// In the order in which they come.
  const std::vector<ChipTile>& tiles() const { return tiles_; }
  /// Indices of the tiles that live at a time, or at some time in [from, to), in that order. O(log tiles + found).
  std::vector<std::int32_t> at(sim::Cycles time) const;
  std::vector<std::int32_t> within(sim::Cycles from, sim::Cycles to) const;
  /// The last event that has begun to write a tile: S becomes P in its place. O(log writers).
  std::int32_t writer(std::int32_t tile, sim::Cycles time) const;
  /// The tile that keeps what an event made, or -1: it left the chip, or took no room.
  std::int32_t holder(std::int32_t event) const { return holders_[static_cast<std::size_t>(event)]; }
  std::int64_t count_in_smem() const { return count_in_smem_; }
  /// The end of the highest place that is ever taken, in bytes.
  std::int64_t smem_extent() const { return extents_[0]; }
  std::int64_t register_extent() const { return extents_[1]; }

 private:
  void make_tiles();
  void sort_by_time();
  void give_places();
  void make_keyframes();

  const sim::Trace* trace_ = nullptr;
  std::vector<ChipTile> tiles_;
  std::vector<std::vector<std::int32_t>> keyframes_;            // those that live when every 64th tile comes
  std::vector<std::pair<std::int32_t, std::int32_t>> writers_;  // (tile, event), sorted by tile and time
  std::vector<std::int32_t> holders_;                           // by event
  std::int64_t count_in_smem_ = 0;
  std::int64_t extents_[2] = {0, 0};
};

}  // namespace explorer

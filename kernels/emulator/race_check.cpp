#include "kernels/emulator/race_check.h"

#include <algorithm>
#include <bit>

#include "sim/base/check.h"

namespace emulator {
namespace {

constexpr std::size_t cell_bytes = 2, copy_bytes = 16;
constexpr unsigned first_byte = 1, second_byte = 2, both_bytes = 3;
constexpr std::uint32_t last_epoch = (1u << 27) - 1;
constexpr std::size_t most_threads = most_warps * warp_size;

template <class Stamp>
bool same(const Stamp& a, const Stamp& b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

void merge(WarpClock& into, const WarpClock& other) {
  for (std::size_t n = 0; n < into.size(); ++n) into[n] = std::max(into[n], other[n]);
}

/// Mask of the bytes of cell `n` that are in [begin, end), which overlaps it.
unsigned bytes_of_cell(std::size_t n, std::size_t begin, std::size_t end) {
  return (begin <= n * cell_bytes ? first_byte : 0) | (end > n * cell_bytes + 1 ? second_byte : 0);
}

}  // namespace

RaceCheck::RaceCheck(std::int64_t shared_bytes, int threads)
    : cells_((static_cast<std::size_t>(shared_bytes) + cell_bytes - 1) / cell_bytes),
      written_(cells_.size()),
      clocks_(static_cast<std::size_t>((threads + warp_size - 1) / warp_size)),
      order_(clocks_.size()),
      now_(static_cast<std::size_t>(threads)),
      fenced_(now_.size()) {}

void RaceCheck::block_begins(std::int64_t block) {
  std::fill(clocks_.begin(), clocks_.end(), Clock{});
  std::fill(written_.begin(), written_.end(), 0);
  std::fill(fenced_.begin(), fenced_.end(), 0);
  block_met();
  first_epoch_ = synced_;
  copies_.fill(synced_);
  access_ = 0;
  block_ = block;
  seen_ = 0;
}

/// An epoch above all that any warp or copy has had.
std::uint32_t RaceCheck::next_epoch() const {
  std::uint32_t last = *std::max_element(copies_.begin(), copies_.end());
  for (std::size_t warp = 0; warp < order_.size(); ++warp) last = std::max(last, order_[warp][warp]);
  return last + 1;
}

void RaceCheck::block_met() {
  synced_ = next_epoch();
  if (synced_ >= last_epoch - (last_epoch >> 2)) {
    std::fill(cells_.begin(), cells_.end(), Cell{});
    synced_ = first_epoch_ = 1;
    copies_.fill(1);
    std::fill(order_.begin(), order_.end(), WarpClock{});
  }
  WarpClock all{};
  for (const WarpClock& clock : order_) merge(all, clock);
  std::fill(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(order_.size()), synced_);
  std::fill(order_.begin(), order_.end(), all);
  for (std::size_t thread = 0; thread < now_.size(); ++thread) restamp(thread);
}

void RaceCheck::warp_met(int warp, std::uint32_t mask) {
  Clock& clock = clocks_[static_cast<std::size_t>(warp)];
  std::array<std::uint32_t, warp_size> all{};
  for (std::size_t lane = 0; lane < warp_size; ++lane) {
    if ((mask >> lane & 1u) == 0) continue;
    ++clock[lane][lane];
    for (std::size_t n = 0; n < warp_size; ++n) all[n] = std::max(all[n], clock[lane][n]);
  }
  for (std::size_t lane = 0; lane < warp_size; ++lane) {
    if ((mask >> lane & 1u) == 0) continue;
    clock[lane] = all;
    restamp(static_cast<std::size_t>(warp) * warp_size + lane);
  }
}

void RaceCheck::restamp(std::size_t thread) {
  const std::size_t warp = thread / warp_size, lane = thread % warp_size;
  Stamp& stamp = now_[thread];
  stamp.thread = thread & 0x7ffu;
  stamp.epoch = order_[warp][warp] & last_epoch;
  stamp.lane_epoch = clocks_[warp][lane][lane] & 0xfffffu;
  stamp.bytes = both_bytes;
  stamp.valid = 1;
}

void RaceCheck::restamp_warp(std::size_t warp) {
  const std::size_t end = std::min(now_.size(), (warp + 1) * warp_size);
  for (std::size_t thread = warp * warp_size; thread < end; ++thread) restamp(thread);
}

void RaceCheck::release(int thread, WarpClock& barrier) {
  const auto warp = static_cast<std::size_t>(thread / warp_size);
  ++order_[warp][warp];
  merge(barrier, order_[warp]);
  restamp_warp(warp);
}

void RaceCheck::acquire(int thread, const WarpClock& barrier) {
  const auto warp = static_cast<std::size_t>(thread / warp_size);
  const std::uint32_t own = order_[warp][warp];
  merge(order_[warp], barrier);
  order_[warp][warp] = own;
}

void RaceCheck::phase_ends(std::size_t mbarrier, WarpClock& clock) {
  clock[most_warps + mbarrier] = ++copies_[mbarrier];
}

bool RaceCheck::conflicting(const Stamp& before, const Stamp& me) const {
  if (before.valid == 0 || before.thread == me.thread || (before.bytes & me.bytes) == 0) return false;
  const std::size_t other = before.thread / warp_size, mine = me.thread / warp_size;
  if (other < most_warps && before.epoch < synced_) return false;
  if (other >= most_warps && before.epoch < first_epoch_) return false;
  if (other == mine) return !ordered_by_warp(before, static_cast<int>(me.thread));
  return before.epoch >= order_[mine][other];
}

bool RaceCheck::ordered_by_warp(const Stamp& before, int thread) const {
  const Clock& clock = clock_of(thread);
  return before.lane_epoch < clock[static_cast<std::size_t>(thread % warp_size)][before.thread % warp_size];
}

bool RaceCheck::under_way(const Cell& cell) const {
  return cell.writer.under_way != 0 && cell.writer.epoch >= first_epoch_;
}

void RaceCheck::access(int thread, std::uintptr_t pc, std::size_t offset, std::size_t bytes, AccessKind kind) {
  Stamp me = now_[static_cast<std::size_t>(thread)];
  me.atomic = kind == AccessKind::atomic;
  ++access_;
  const std::size_t last = (offset + bytes - 1) / cell_bytes;
  for (std::size_t n = offset / cell_bytes; n <= last; ++n) {
    me.bytes = bytes_of_cell(n, offset, offset + bytes) & both_bytes;
    if (kind == AccessKind::read) {
      read(cells_[n], me, pc);
    } else {
      write(cells_[n], me, pc);
      written_[n] = access_;
    }
  }
}

void RaceCheck::copy_issued(int thread, std::uintptr_t pc, std::size_t offset) {
  Stamp me = now_[static_cast<std::size_t>(thread)];
  me.under_way = 1;
  for (std::size_t n = offset / cell_bytes; n < (offset + copy_bytes) / cell_bytes; ++n) write(cells_[n], me, pc);
}

void RaceCheck::copy_landed(int thread, std::size_t offset) {
  for (std::size_t n = offset / cell_bytes; n < (offset + copy_bytes) / cell_bytes; ++n)
    cells_[n].writer = now_[static_cast<std::size_t>(thread)];
}

void RaceCheck::bulk_issued(int thread, std::uintptr_t pc, std::size_t offset, std::size_t bytes,
                            std::size_t mbarrier) {
  const Stamp me = now_[static_cast<std::size_t>(thread)];
  Stamp copy = me;
  copy.thread = (most_threads + mbarrier * warp_size) & 0x7ffu;
  copy.epoch = copies_[mbarrier] & last_epoch;
  copy.under_way = 1;
  copied_by_[mbarrier] = thread;
  for (std::size_t n = offset / cell_bytes; n < (offset + bytes) / cell_bytes; ++n) {
    write(cells_[n], me, pc);
    cells_[n].writer = copy;
    written_[n] = 0;
  }
}

void RaceCheck::bulk_landed(std::size_t offset, std::size_t bytes) {
  for (std::size_t n = offset / cell_bytes; n < (offset + bytes) / cell_bytes; ++n) cells_[n].writer.under_way = 0;
}

int RaceCheck::async_read(int thread, std::uintptr_t pc, std::size_t offset, std::size_t bytes) {
  Stamp me = now_[static_cast<std::size_t>(thread)];
  me.under_way = 1;
  int unfenced = -1;
  for (std::size_t n = offset / cell_bytes; n < (offset + bytes) / cell_bytes; ++n) {
    read(cells_[n], me, pc);
    const auto writer = static_cast<std::size_t>(cells_[n].writer.thread);
    if (written_[n] == 0 || cells_[n].writer.valid == 0 || writer >= fenced_.size()) continue;
    if (written_[n] >= std::max(fenced_[writer], fenced_[me.thread])) unfenced = static_cast<int>(writer);
  }
  return unfenced;
}

void RaceCheck::async_read_ended(int thread, std::size_t offset, std::size_t bytes) {
  for (std::size_t n = offset / cell_bytes; n < (offset + bytes) / cell_bytes; ++n) {
    for (Stamp& reader : cells_[n].readers) {
      if (reader.under_way != 0 && static_cast<int>(reader.thread) == thread)
        reader = now_[static_cast<std::size_t>(thread)];
    }
  }
}

void RaceCheck::read(Cell& cell, const Stamp& me, std::uintptr_t pc) {
  if (under_way(cell)) return report(cell, cell.writer, me, pc, read_of_copy);
  if (same(cell.readers[0], me)) return;  // recorded since the last write
  const bool of_copy = cell.writer.thread >= most_threads;
  if (conflicting(cell.writer, me)) report(cell, cell.writer, me, pc, of_copy ? read_after_copy : read_after_write);
  if (cell.readers[0].under_way != 0 && cell.readers[0].thread != me.thread) {  // stays until it has ended
    cell.readers[1] = me;
    return;
  }
  if (cell.readers[0].thread != me.thread) cell.readers[1] = cell.readers[0];
  cell.readers[0] = me;
}

void RaceCheck::write(Cell& cell, const Stamp& me, std::uintptr_t pc) {
  if (under_way(cell)) {
    report(cell, cell.writer, me, pc, write_of_copy);
  } else if (conflicting(cell.writer, me) && !(cell.writer.atomic != 0 && me.atomic != 0)) {
    report(cell, cell.writer, me, pc, cell.writer.thread >= most_threads ? write_after_copy : write_after_write);
  }
  for (Stamp& reader : cell.readers) {
    if (reader.under_way != 0 && reader.valid != 0 && reader.epoch >= first_epoch_) {
      report(cell, reader, me, pc, write_of_source);
    } else if (conflicting(reader, me)) {
      report(cell, reader, me, pc, write_after_read);
    }
    if ((reader.bytes & me.bytes) != 0) reader = {};
  }
  cell.writer = me;
}

void RaceCheck::report(const Cell& cell, const Stamp& before, const Stamp& me, std::uintptr_t pc, Conflict conflict) {
  if (races_.count({pc, conflict}) > 0) return;
  const bool reads = conflict == read_of_copy || conflict == read_after_write || conflict == read_after_copy;
  const std::int64_t byte = (&cell - cells_.data()) * static_cast<std::int64_t>(cell_bytes);
  races_[{pc, conflict}] = {
      block_, seen_++,
      sim::text("race in block ", block_, ": thread ", static_cast<int>(me.thread), reads ? " reads" : " writes",
                " byte ", byte, " of shared memory", other_access(before, conflict))};
}

/// Describes the earlier access of a conflict, after "thread 1 reads byte 2 of shared memory".
std::string RaceCheck::other_access(const Stamp& before, Conflict conflict) const {
  const bool bulk = before.thread >= most_threads;
  const int other = bulk ? copied_by_[(before.thread - most_threads) / warp_size] : static_cast<int>(before.thread);
  switch (conflict) {
    case read_of_copy:
    case write_of_copy:
      return sim::text(" while a copy of thread ", other, " is under way to it");
    case write_of_source:
      return sim::text(" while a bulk copy or wgmma of thread ", other, " reads it");
    case read_after_copy:
    case write_after_copy:
      return sim::text(", to which thread ", other, " copied, with no wait for its mbarrier between");
    case write_after_read:
      return sim::text(", which thread ", other, " read, with no barrier between");
    case read_after_write:
    case write_after_write:
      break;
  }
  return sim::text(", which thread ", other, " wrote, with no barrier between");
}

}  // namespace emulator

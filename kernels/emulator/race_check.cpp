#include "kernels/emulator/race_check.h"

#include <algorithm>
#include <bit>

#include "sim/base/check.h"

namespace emulator {
namespace {

constexpr std::size_t cell_bytes = 2, copy_bytes = 16;
constexpr unsigned first_byte = 1, second_byte = 2, both_bytes = 3;
constexpr std::uint64_t last_block_epoch = (1u << 28) - 1;

template <class Stamp>
bool same(const Stamp& a, const Stamp& b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// Mask of the bytes of cell `n` that are in [begin, end), which overlaps it.
unsigned bytes_of_cell(std::size_t n, std::size_t begin, std::size_t end) {
  return (begin <= n * cell_bytes ? first_byte : 0) | (end > n * cell_bytes + 1 ? second_byte : 0);
}

}  // namespace

RaceCheck::RaceCheck(std::int64_t shared_bytes, int threads)
    : cells_((static_cast<std::size_t>(shared_bytes) + cell_bytes - 1) / cell_bytes),
      clocks_(static_cast<std::size_t>((threads + warp_size - 1) / warp_size)),
      now_(static_cast<std::size_t>(threads)) {}

void RaceCheck::block_begins(std::int64_t block) {
  std::fill(clocks_.begin(), clocks_.end(), Clock{});
  block_met();
  first_epoch_ = block_epoch_;
  block_ = block;
  seen_ = 0;
}

void RaceCheck::block_met() {
  if (block_epoch_ == last_block_epoch) {
    std::fill(cells_.begin(), cells_.end(), Cell{});
    block_epoch_ = first_epoch_ = 0;
  }
  ++block_epoch_;
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
  const std::size_t lane = thread % warp_size;
  Stamp& stamp = now_[thread];
  stamp.thread = thread & 0x3ffu;
  stamp.block_epoch = block_epoch_ & last_block_epoch;
  stamp.warp_epoch = clocks_[thread / warp_size][lane][lane] & 0x1fffffu;
  stamp.bytes = both_bytes;
  stamp.valid = 1;
}

bool RaceCheck::conflicting(const Stamp& before, const Stamp& me) const {
  if (before.valid == 0 || before.block_epoch != block_epoch_ || before.thread == me.thread) return false;
  return (before.bytes & me.bytes) != 0 && !ordered_by_warp(before, static_cast<int>(me.thread));
}

bool RaceCheck::ordered_by_warp(const Stamp& before, int thread) const {
  if (static_cast<int>(before.thread) / warp_size != thread / warp_size) return false;
  const Clock& clock = clock_of(thread);
  return before.warp_epoch < clock[static_cast<std::size_t>(thread % warp_size)][before.thread % warp_size];
}

bool RaceCheck::under_way(const Cell& cell) const {
  return cell.writer.under_way != 0 && cell.writer.block_epoch >= first_epoch_;
}

void RaceCheck::access(int thread, std::uintptr_t pc, std::size_t offset, std::size_t bytes, AccessKind kind) {
  Stamp me = now_[static_cast<std::size_t>(thread)];
  me.atomic = kind == AccessKind::atomic;
  const std::size_t last = (offset + bytes - 1) / cell_bytes;
  for (std::size_t n = offset / cell_bytes; n <= last; ++n) {
    me.bytes = bytes_of_cell(n, offset, offset + bytes) & both_bytes;
    if (kind == AccessKind::read) {
      read(cells_[n], me, pc);
    } else {
      write(cells_[n], me, pc);
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

void RaceCheck::read(Cell& cell, const Stamp& me, std::uintptr_t pc) {
  if (under_way(cell)) return report(cell, cell.writer, me, pc, read_of_copy);
  if (same(cell.readers[0], me)) return;  // recorded since the last write
  if (conflicting(cell.writer, me)) report(cell, cell.writer, me, pc, read_after_write);
  if (cell.readers[0].thread != me.thread) cell.readers[1] = cell.readers[0];
  cell.readers[0] = me;
}

void RaceCheck::write(Cell& cell, const Stamp& me, std::uintptr_t pc) {
  if (under_way(cell)) {
    report(cell, cell.writer, me, pc, write_of_copy);
  } else if (conflicting(cell.writer, me) && !(cell.writer.atomic != 0 && me.atomic != 0)) {
    report(cell, cell.writer, me, pc, write_after_write);
  }
  for (Stamp& reader : cell.readers) {
    if (conflicting(reader, me)) report(cell, reader, me, pc, write_after_read);
    if ((reader.bytes & me.bytes) != 0) reader = {};
  }
  cell.writer = me;
}

void RaceCheck::report(const Cell& cell, const Stamp& before, const Stamp& me, std::uintptr_t pc, Conflict conflict) {
  if (races_.count({pc, conflict}) > 0) return;
  const char* does = conflict == read_of_copy || conflict == read_after_write ? " reads" : " writes";
  const std::int64_t byte = (&cell - cells_.data()) * static_cast<std::int64_t>(cell_bytes);
  std::string line = sim::text("race in block ", block_, ": thread ", static_cast<int>(me.thread), does, " byte ", byte,
                               " of shared memory");
  const auto other = static_cast<int>(before.thread);
  if (conflict == read_of_copy || conflict == write_of_copy) {
    line += sim::text(" while a copy of thread ", other, " is under way to it");
  } else {
    line += sim::text(", which thread ", other, conflict == write_after_read ? " read" : " wrote",
                      ", with no barrier between");
  }
  races_[{pc, conflict}] = {block_, seen_++, line};
}

}  // namespace emulator

#include "kernels/emulator/warp_log.h"

namespace emulator {

void WarpLog::meet(std::uint32_t mask) {
  const std::uintptr_t pc = LaneAccess::meeting + meetings_++;
  each_lane(mask, [&](std::size_t lane) {
    add({pc, logs_[lane].place(), LaneAccess::in_shared, 0, AccessKind::read, static_cast<std::uint8_t>(lane)});
  });
}

std::uint32_t WarpLog::at(std::uint32_t lanes, std::uintptr_t pc) const {
  std::uint32_t found = 0;
  each_lane(lanes, [&](std::size_t lane) {
    if (logs_[lane].next().pc == pc) found |= 1u << lane;
  });
  return found;
}

std::uint32_t WarpLog::lowest(std::uint32_t lanes) const {
  std::uintptr_t lowest = ~std::uintptr_t{0};
  each_lane(lanes, [&](std::size_t lane) { lowest = std::min(lowest, logs_[lane].next().pc); });
  return at(lanes, lowest);
}

int WarpLog::iteration_of(std::uint32_t lanes) const {
  int iteration = 0;
  each_lane(lanes, [&](std::size_t lane) { iteration = std::max(iteration, logs_[lane].iteration()); });
  return iteration;
}

std::optional<std::uint32_t> WarpLog::behind(std::uint32_t lanes, std::uint32_t first, std::uint32_t parked) const {
  const int iteration = iteration_of(first);
  const std::uintptr_t pc = pc_of(first);
  std::uint32_t found = 0;
  bool known = true;
  each_lane(lanes & ~first, [&](std::size_t lane) {
    const LaneLog& log = logs_[lane];
    if (log.iteration() >= iteration) return;
    const LaneLog::Comes comes = log.comes_to(pc);
    if (comes == LaneLog::Comes::back) found |= 1u << lane;
    if (comes == LaneLog::Comes::not_known && (parked >> lane & 1u) != 0 && log.some_taken()) known = false;
  });
  return known ? std::optional(found) : std::nullopt;
}

std::uint32_t WarpLog::next_lanes(std::uint32_t parked) const {
  std::uint32_t waiting = 0;
  for (std::size_t lane = 0; lane < warp_size; ++lane) {
    if (!logs_[lane].empty()) waiting |= 1u << lane;
  }
  if (waiting == 0 || (parked & ~waiting) != 0) return 0;
  std::uint32_t first = lowest(waiting);
  for (std::uint32_t earlier = waiting; earlier != 0;) {
    first = lowest(earlier);
    const std::optional<std::uint32_t> found = behind(earlier, first, parked);
    if (!found) return 0;
    earlier = *found;
  }
  return at(waiting, pc_of(first));
}

void WarpLog::forget(bool all_met) {
  for (LaneLog& log : logs_) {
    log.forget_taken();
    if (all_met) log.restart();
  }
}

}  // namespace emulator

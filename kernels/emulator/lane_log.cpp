#include "kernels/emulator/lane_log.h"

namespace emulator {

LaneAccess LaneLog::take(int iteration) {
  const LaneAccess& access = accesses_[taken_++];
  iteration_ = iteration;
  last_ = access.pc < LaneAccess::meeting ? access.pc : access.address;
  return access;
}

LaneLog::Comes LaneLog::comes_to(std::uintptr_t pc) const {
  for (std::size_t n = taken_ + 1; n < accesses_.size(); ++n) {
    const std::uintptr_t later = accesses_[n].pc;
    if (later <= pc || later >= LaneAccess::meeting) return later == pc ? Comes::back : Comes::elsewhere;
  }
  return Comes::not_known;
}

void LaneLog::forget_taken() {
  accesses_.erase(accesses_.begin(), accesses_.begin() + static_cast<std::ptrdiff_t>(taken_));
  taken_ = 0;
}

}  // namespace emulator

// Accesses of one lane of a warp that are not yet merged with those of the other lanes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace emulator {

enum class AccessKind : std::uint8_t { read, write, atomic };

/// One access of one lane.
struct LaneAccess {
  std::uintptr_t pc;       ///< distinguishes instructions
  std::uintptr_t address;  ///< address of an access; for a meeting, the pc at which the lane reached it
  std::int16_t tensor;     ///< index of the allocation; `in_shared`: shared memory
  std::uint8_t bytes;      ///< 16 at most
  AccessKind kind;
  std::uint8_t lane;
  static constexpr std::int16_t in_shared = -1;
  /// First pc above all code: from here on a pc is a meeting of lanes. Earlier meetings have lower values.
  static constexpr std::uintptr_t meeting = ~(~std::uintptr_t{0} >> 1);
};

/// Accesses in program order. Taken ones are kept until forget_taken() drops them all at once.
class LaneLog {
 public:
  void add(const LaneAccess& access) { accesses_.push_back(access); }
  std::size_t size() const { return accesses_.size(); }
  bool empty() const { return taken_ == accesses_.size(); }
  bool some_taken() const { return taken_ > 0; }
  const LaneAccess& next() const { return accesses_[taken_]; }

  /// Number of backward jumps of the lane up to its next access: its loop iteration.
  int iteration() const { return iteration_ + (next().pc <= last_ ? 1 : 0); }
  /// Takes the next access; `iteration` is the iteration that the lanes of the instruction agree on.
  LaneAccess take(int iteration);
  /// Returns `back` if, after its next access, the lane reaches `pc` before an earlier instruction or a meeting;
  /// `not_known` if the log ends first.
  enum class Comes { back, elsewhere, not_known };
  Comes comes_to(std::uintptr_t pc) const;

  void forget_taken();
  /// Records that the lane has reached a meeting at `pc`.
  void arrived(std::uintptr_t pc) { place_ = pc; }
  std::uintptr_t place() const { return place_; }
  /// Restarts the iteration count, after all lanes have met at place().
  void restart() { iteration_ = 0, last_ = place_; }

 private:
  std::vector<LaneAccess> accesses_;
  std::size_t taken_ = 0;
  std::uintptr_t last_ = 0;  // pc taken last, or of the last meeting
  std::uintptr_t place_ = 0;
  int iteration_ = 0;
};

}  // namespace emulator

// What one lane of a warp has accessed and is still to be put together with what the others have.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace emulator {

enum class AccessKind : std::uint8_t { read, write, atomic };

/// One access of one lane.
struct LaneAccess {
  std::uintptr_t pc;       ///< tells instructions apart
  std::uintptr_t address;  ///< of a meeting: the pc where the lane came to it
  std::int16_t tensor;     ///< index of the allocation; `in_shared`: shared memory
  std::uint8_t bytes;      ///< 16 at most
  AccessKind kind;
  std::uint8_t lane;
  static constexpr std::int16_t in_shared = -1;
  /// A pc after all of the code, and all above: not an access, but lanes that have met. The earliest is the lowest.
  static constexpr std::uintptr_t meeting = ~(~std::uintptr_t{0} >> 1);
};

/// Accesses in their order. Those that are taken out stay until they are forgotten all at once.
class LaneLog {
 public:
  void add(const LaneAccess& access) { accesses_.push_back(access); }
  std::size_t size() const { return accesses_.size(); }
  bool empty() const { return taken_ == accesses_.size(); }
  bool some_taken() const { return taken_ > 0; }
  const LaneAccess& next() const { return accesses_[taken_]; }

  /// How often the lane has gone back in the code when it makes its next access: which turn of a loop it is in.
  int turn() const { return turn_ + (next().pc <= last_ ? 1 : 0); }
  /// Takes out the next access, made in a turn that the lanes of the instruction agree upon.
  LaneAccess take(int turn);
  /// After its next access, does the lane come to `pc` before it comes to what lies before that, or meets others?
  /// `not_known` where the log ends first.
  enum class Comes { back, elsewhere, not_known };
  Comes comes_to(std::uintptr_t pc) const;

  void forget_taken();
  /// The lane has come to where it meets others, at `pc`.
  void arrived(std::uintptr_t pc) { place_ = pc; }
  std::uintptr_t place() const { return place_; }
  /// All lanes have met there, and count turns from there on.
  void begin_anew() { turn_ = 0, last_ = place_; }

 private:
  std::vector<LaneAccess> accesses_;
  std::size_t taken_ = 0;
  std::uintptr_t last_ = 0;  // pc of what was taken last, or where lanes met
  std::uintptr_t place_ = 0;
  int turn_ = 0;
};

}  // namespace emulator

// mbarriers: words of shared memory that count arrivals and bytes of copies, phase by phase. Source: PTX ISA,
// "mbarrier". A phase is over when no arrival is pending and the bytes expected have come; a wait for a parity passes
// if the phase of that parity is over, so on a new barrier a wait for parity 1 passes at once. Refused: use before
// fence.mbarrier_init; more arrivals than the count; a phase that ends before any thread has waited for the one before
// it, as its waiters could then wait for ever.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kernels/emulator/race_check.h"

namespace emulator {

struct Thread;

struct Mbarrier {
  std::size_t number;  ///< in order of initialisation
  std::size_t offset;  ///< in shared memory
  int count, pending;
  int initialised_by;
  std::int64_t tx = 0;      ///< bytes expected and not yet there; negative if more came
  std::int64_t phases = 0;  ///< that are over; the parity of the phase under way is that of this number
  bool fenced = false;      ///< fence.mbarrier_init since its initialisation
  bool seen = true;         ///< some thread has waited for the phase that ended last
  std::vector<Thread*> waiting{};
  WarpClock arrived{}, over{};  ///< clocks of the phase under way, and of the one that ended last

  bool parity() const { return phases % 2 != 0; }
  bool passes(bool wanted) const { return parity() != wanted; }
  std::uint64_t word() const;  ///< as it stands in shared memory
  std::string text() const;
};

/// The mbarriers of a block.
class Mbarriers {
 public:
  void clear() { all_.clear(); }
  void init(const void* word, int count);
  void fence_init();
  /// Finds the barrier for `operation`. Throws dev::DeviceError if there is none, it is not fenced, or was overwritten.
  Mbarrier& at(const char* operation, const void* word);
  /// Bytes of a copy have landed.
  void complete(Mbarrier& barrier, std::int64_t bytes);
  void arrive(const char* operation, Mbarrier& barrier, std::int64_t expected, bool arrives);

 private:
  void settle(const char* operation, Mbarrier& barrier);
  std::map<std::size_t, Mbarrier> all_;  // by offset
};

void mbarrier_init(void* word, int count);
void fence_mbarrier_init();
void mbarrier_arrive(void* word);
void mbarrier_expect(void* word, int bytes);
void mbarrier_arrive_expect(void* word, int bytes);
void mbarrier_wait(const void* word, bool parity);

}  // namespace emulator

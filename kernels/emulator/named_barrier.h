// Named barriers 1 to 15 of a block: bar.sync arrives and waits, bar.arrive only arrives. A barrier is complete when
// the given number of threads has arrived, and can then be used again. Source: PTX ISA, "bar, barrier". A thread
// may arrive and then wait, as one that gives itself the first turn does; to arrive twice is refused, and so is barrier
// 0, that of __syncthreads.
#pragma once
#include <array>
#include <bitset>
#include <string>
#include <vector>

#include "kernels/emulator/race_check.h"

namespace emulator {

struct Thread;

class NamedBarriers {
 public:
  void clear() { all_ = {}; }
  /// The current thread arrives at barrier `id` of `threads` threads, and waits for the others if it `waits`.
  void arrive(int id, int threads, bool waits);

 private:
  struct Barrier {
    int threads = 0, arrived = 0;  // threads: 0 until the first arrives
    std::bitset<most_warps * warp_size> who{};
    std::vector<Thread*> waiting{};
    WarpClock clock{};
  };
  void complete(Barrier& barrier);
  std::array<Barrier, 16> all_{};
};

void named_barrier_sync(int id, int threads);
void named_barrier_arrive(int id, int threads);

}  // namespace emulator

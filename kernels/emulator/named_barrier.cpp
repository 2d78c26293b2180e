#include "kernels/emulator/named_barrier.h"

#include "kernels/emulator/block.h"
#include "kernels/emulator/recorder.h"

namespace emulator {
namespace {

void check(const char* operation, int id, int threads) {
  if (id < 1 || id > 15) fail(sim::text(operation, ": barrier ", id, "; allowed are 1 to 15 (0 is __syncthreads)"));
  if (threads < warp_size || threads % warp_size != 0 || threads > current->block.shape().block)
    fail(sim::text(operation, " of barrier ", id, ": ", threads, " threads; allowed are multiples of 32 up to ",
                   current->block.shape().block));
}

}  // namespace

void NamedBarriers::arrive(int id, int threads, bool waits) {
  const char* operation = waits ? "bar.sync" : "bar.arrive";
  check(operation, id, threads);
  Barrier& barrier = all_[static_cast<std::size_t>(id)];
  if (barrier.threads == 0) barrier.threads = threads;
  if (barrier.threads != threads)
    fail(sim::text(operation, " of barrier ", id, ": ", threads, " threads, where others wait for ", barrier.threads));
  const auto me = static_cast<std::size_t>(current->index);
  if (barrier.who[me] && !waits)
    fail(sim::text(operation, " of barrier ", id, ": arrives twice before the barrier is complete"));
  barrier.who[me] = true;
  ++barrier.arrived;
  Recorder* recorder = current->block.recorder();
  if (recorder != nullptr) recorder->races().release(current->index, barrier.clock);
  if (waits) {
    if (recorder != nullptr) recorder->arrived(*current);
    barrier.waiting.push_back(current);
  }
  if (barrier.arrived == threads) return complete(barrier);
  if (!waits) return;
  current->block.wait(*current, "bar.sync", [&barrier, id] {
    return sim::text(" of barrier ", id, ", where ", barrier.arrived, " of ", barrier.threads, " have arrived");
  });
}

/// Lets all that wait go on, ordered after all that have arrived.
void NamedBarriers::complete(Barrier& barrier) {
  const Barrier done = std::exchange(barrier, {});
  std::array<std::uint32_t, most_warps> lanes{};
  Recorder* recorder = current->block.recorder();
  for (Thread* thread : done.waiting) {
    lanes[static_cast<std::size_t>(thread->warp())] |= 1u << thread->lane();
    if (recorder != nullptr) recorder->races().acquire(thread->index, done.clock);
    if (thread != current) thread->block.wake(*thread);
  }
  for (std::size_t warp = 0; warp < lanes.size() && recorder != nullptr; ++warp) {
    if (lanes[warp] != 0)
      recorder->warp_met(current->block.thread(static_cast<int>(warp) * warp_size), lanes[warp], true);
  }
}

void named_barrier_sync(int id, int threads) {
  meets_at(__builtin_return_address(0));
  current->block.named_barriers.arrive(id, threads, true);
}

void named_barrier_arrive(int id, int threads) {
  meets_at(__builtin_return_address(0));
  current->block.named_barriers.arrive(id, threads, false);
}

}  // namespace emulator

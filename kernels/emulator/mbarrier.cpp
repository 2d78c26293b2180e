#include "kernels/emulator/mbarrier.h"

#include <cstring>

#include "kernels/emulator/block.h"
#include "kernels/emulator/recorder.h"

namespace emulator {
namespace {

constexpr int most_arrivals = (1 << 20) - 1;

std::size_t offset_of(const void* word) {
  return reinterpret_cast<std::uintptr_t>(word) - reinterpret_cast<std::uintptr_t>(shared_memory());
}

void store_word(const Mbarrier& barrier) {
  const std::uint64_t word = barrier.word();
  std::memcpy(shared_memory() + barrier.offset, &word, sizeof word);
}

void note_access(const void* word, AccessKind kind) {
  if (Recorder* recorder = current->block.recorder()) recorder->barrier_word(*current, word, kind);
}

Mbarrier& barrier_at(const char* operation, const void* word) {
  note_access(word, AccessKind::atomic);
  return current->block.mbarriers.at(operation, word);
}

/// The barrier lets the current thread pass.
void passed(Mbarrier& barrier) {
  barrier.seen = true;
  if (Recorder* recorder = current->block.recorder()) recorder->races().acquire(current->index, barrier.over);
}

}  // namespace

std::uint64_t Mbarrier::word() const {
  return std::uint64_t{parity()} << 63 | static_cast<std::uint64_t>(count) << 42 |
         static_cast<std::uint64_t>(pending) << 22 | (static_cast<std::uint64_t>(tx) & 0x3fffffu);
}

std::string Mbarrier::text() const {
  return sim::text("mbarrier at byte ", offset, " of shared memory: its phase of parity ", parity() ? 1 : 0, " has ",
                   pending, " of ", count, " arrivals pending, tx ", tx, " bytes");
}

void Mbarriers::init(const void* word, int count) {
  const std::size_t offset = offset_of(word);
  if (count < 1 || count > most_arrivals)
    fail(sim::text("mbarrier.init: a count of ", count, "; allowed are 1 to ", most_arrivals));
  if (offset % 8 != 0 || offset + 8 > static_cast<std::size_t>(current->block.shape().smem))
    fail(sim::text("mbarrier.init: byte ", static_cast<std::ptrdiff_t>(offset),
                   " is no multiple of 8 in shared memory"));
  const auto known = all_.find(offset);
  const std::size_t number = known == all_.end() ? all_.size() : known->second.number;
  if (number == most_barriers) fail(sim::text("mbarrier.init: the emulated device has ", most_barriers, " in a block"));
  all_.insert_or_assign(offset, Mbarrier{number, offset, count, count, current->index});
  store_word(all_.at(offset));
}

void Mbarriers::fence_init() {
  for (auto& [offset, barrier] : all_) barrier.fenced = barrier.fenced || barrier.initialised_by == current->index;
}

Mbarrier& Mbarriers::at(const char* operation, const void* word) {
  const auto found = all_.find(offset_of(word));
  if (found == all_.end()) fail(sim::text(operation, ": no mbarrier was initialised at this address"));
  Mbarrier& barrier = found->second;
  if (!barrier.fenced)
    fail(sim::text(operation, ": the mbarrier at byte ", barrier.offset,
                   " of shared memory is used without fence.mbarrier_init after its mbarrier.init"));
  const std::uint64_t expected = barrier.word();
  if (std::memcmp(word, &expected, sizeof expected) != 0)
    fail(sim::text(operation, ": the mbarrier at byte ", barrier.offset, " of shared memory was overwritten"));
  return barrier;
}

void Mbarriers::arrive(const char* operation, Mbarrier& barrier, std::int64_t expected, bool arrives) {
  barrier.tx += expected;
  if (arrives) {
    if (barrier.pending == 0) fail(sim::text(operation, ": overrun: one arrival too many at the ", barrier.text()));
    --barrier.pending;
    if (Recorder* recorder = current->block.recorder()) recorder->races().release(current->index, barrier.arrived);
  }
  settle(operation, barrier);
}

void Mbarriers::complete(Mbarrier& barrier, std::int64_t bytes) {
  barrier.tx -= bytes;
  settle("a bulk copy", barrier);
}

/// Ends the phase if nothing is pending, and lets its waiters go on.
void Mbarriers::settle(const char* operation, Mbarrier& barrier) {
  if (barrier.pending == 0 && barrier.tx == 0) {
    if (!barrier.seen)
      fail(sim::text(operation, ": overrun: a second phase ends before a thread has waited for the first at the ",
                     barrier.text()));
    ++barrier.phases;
    barrier.pending = barrier.count;
    if (Recorder* recorder = current->block.recorder()) recorder->races().phase_ends(barrier.number, barrier.arrived);
    barrier.over = barrier.arrived;
    barrier.seen = false;
    for (Thread* thread : std::exchange(barrier.waiting, {})) thread->block.wake(*thread);
  }
  store_word(barrier);
}

void mbarrier_init(void* word, int count) {
  meets_at(__builtin_return_address(0));
  current->block.mbarriers.init(word, count);
  note_access(word, AccessKind::write);
}

void fence_mbarrier_init() { current->block.mbarriers.fence_init(); }

void mbarrier_arrive(void* word) {
  meets_at(__builtin_return_address(0));
  current->block.mbarriers.arrive("mbarrier.arrive", barrier_at("mbarrier.arrive", word), 0, true);
}

void mbarrier_expect(void* word, int bytes) {
  meets_at(__builtin_return_address(0));
  current->block.mbarriers.arrive("mbarrier.expect_tx", barrier_at("mbarrier.expect_tx", word), bytes, false);
}

void mbarrier_arrive_expect(void* word, int bytes) {
  meets_at(__builtin_return_address(0));
  Mbarrier& barrier = barrier_at("mbarrier.arrive.expect_tx", word);
  current->block.mbarriers.arrive("mbarrier.arrive.expect_tx", barrier, bytes, true);
}

void mbarrier_wait(const void* word, bool parity) {
  meets_at(__builtin_return_address(0));
  Mbarrier& barrier = barrier_at("mbarrier.try_wait", word);
  while (!barrier.passes(parity)) {
    barrier.waiting.push_back(current);
    current->block.wait(*current, "mbarrier.try_wait", [&barrier, parity] {
      return sim::text(" for parity ", parity ? 1 : 0, " of the ", barrier.text());
    });
  }
  passed(barrier);
}

}  // namespace emulator

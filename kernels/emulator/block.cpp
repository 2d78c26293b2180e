#include "kernels/emulator/block.h"

#include <cstring>
#include <map>
#include <new>

#include "kernels/emulator/recorder.h"

namespace emulator {
namespace {

/// Unwinds a thread's stack after its block has failed; never leaves the block.
struct Unwind {};

/// Alignment of shared memory, as swizzled tiles require.
constexpr std::align_val_t shared_alignment{1024};

std::uint32_t bit(int lane) { return 1u << lane; }

dev::DeviceError failure(const std::string& what) {
  return {dev::DeviceError::Kind::failed, place_of(*current) + ": " + what};
}

}  // namespace

constinit thread_local Thread* current = nullptr;

std::string place_of(const Thread& thread) {
  return sim::text("kernel ", thread.block.shape().kernel, ", block ", thread.block.index(), ", thread ", thread.index);
}

void fail(const std::string& what) { throw failure(what); }

void Block::Free::operator()(unsigned char* memory) const { ::operator delete(memory, shared_alignment); }

Block::Block(const LaunchShape& shape, Order order, Recorder* recorder)
    : shape_(shape), order_(order), recorder_(recorder), random_(order.seed) {
  shared_.reset(static_cast<unsigned char*>(::operator new(static_cast<std::size_t>(shape.smem), shared_alignment)));
  for (int n = 0; n < shape.block; ++n) threads_.push_back(std::make_unique<Thread>(*this, n));
  warps_.resize(static_cast<std::size_t>((shape.block + warp_size - 1) / warp_size));
}

void Block::run(std::int64_t index, const std::function<void()>& body) {
  index_ = index;
  if (order_.random) random_.seed(order_.seed + static_cast<std::uint64_t>(index));  // independent of the worker
  std::memset(shared_.get(), 0xff, static_cast<std::size_t>(shape_.smem));
  if (recorder_ != nullptr) recorder_->block_begins(index, shared_.get());
  start(body);
  while (ended_ < shape_.block && !error_) {
    if (!run_some() && !advance_copy(0)) report_deadlock();
  }
  if (!error_) end_copies();
  if (error_) {
    unwind();
    std::rethrow_exception(std::exchange(error_, nullptr));
  }
  if (recorder_ != nullptr) recorder_->block_ends();
}

void Block::start(const std::function<void()>& body) {
  met_ = ended_ = 0;
  for (Warp& warp : warps_) warp = {};
  mbarriers.clear();
  named_barriers.clear();
  bulk_copies.clear();
  warpgroups.begin(shape_.block);
  for (auto& thread : threads_) {
    thread->ended = false;
    thread->waits_in = nullptr;
    thread->open_copies.clear();
    thread->copy_groups.clear();
    thread->bulk_groups = 0;
    warps_[static_cast<std::size_t>(thread->warp())].ready |= bit(thread->lane());
    thread->fiber.start([this, &thread = *thread, &body] { run_body(thread, body); });
  }
}

void Block::run_body(Thread& thread, const std::function<void()>& body) {
  try {
    if (!unwinding_) body();
    if (!unwinding_ && !error_) finish(thread);
  } catch (const Unwind&) {
  } catch (const dev::DeviceError&) {
    if (!error_) error_ = std::current_exception();
  } catch (const std::bad_alloc&) {
    if (!error_) error_ = std::current_exception();
  } catch (const std::exception& error) {
    if (!error_) error_ = std::make_exception_ptr(failure(error.what()));
  }
  thread.ended = true;
}

/// Marks a thread as ended: no other thread waits for it any more.
void Block::finish(Thread& thread) {
  if (recorder_ != nullptr) recorder_->thread_ended(thread);
  Warp& warp = warps_[static_cast<std::size_t>(thread.warp())];
  warp.ended |= bit(thread.lane());
  warp.ready &= ~bit(thread.lane());
  ++ended_;
  for (std::size_t n = warp.meetings.size(); n-- > 0;) {
    const Meeting& meeting = warp.meetings[n];
    if (meeting.arrived == (meeting.wanted & ~warp.ended)) close(warp, n, thread);
  }
  release_block_if_all_met();
}

/// Runs threads in order: a warp runs until all its lanes wait, then the next one. False if none can run.
bool Block::run_some() {
  if (order_.random) return run_any();
  bool ran = false;
  for (std::size_t w = 0; w < warps_.size(); ++w) {
    while ((warps_[w].ready != 0 || catch_up(w)) && !error_) {
      resume(*threads_[w * warp_size + static_cast<std::size_t>(std::countr_zero(warps_[w].ready))]);
      ran = true;
    }
  }
  return ran;
}

/// Runs one ready lane, or takes a bulk copy a step further, drawn at random.
bool Block::run_any() {
  std::vector<int> ready;
  for (const auto& thread : threads_) {
    if (!thread->ended && thread->waits_in == nullptr) ready.push_back(thread->index);
  }
  if (ready.empty() && catch_up_all()) return true;
  const std::size_t choices = ready.size() + bulk_copies.under_way();
  if (choices == 0) return false;
  const std::size_t n = draw() % choices;
  if (n >= ready.size()) return advance_copy(n - ready.size());
  resume(thread(ready[n]));
  return true;
}

/// Takes bulk copy n a step further; false if there is none.
bool Block::advance_copy(std::size_t n) {
  if (n >= bulk_copies.under_way()) return false;
  try {
    bulk_copies.advance(n);
  } catch (const dev::DeviceError&) {
    error_ = std::current_exception();
  }
  current = nullptr;
  return true;
}

void Block::end_copies() {
  try {
    bulk_copies.block_ends();
  } catch (const dev::DeviceError&) {
    error_ = std::current_exception();
  }
  current = nullptr;
}

void Block::resume(Thread& thread) {
  current = &thread;
  thread.fiber.resume();
  current = nullptr;
}

void Block::wait(Thread& thread, const char* name, std::function<std::string()> waits_for) {
  thread.waits_in = name;
  thread.waits_for = std::move(waits_for);
  warps_[static_cast<std::size_t>(thread.warp())].ready &= ~bit(thread.lane());
  thread.fiber.suspend();
  if (unwinding_) throw Unwind{};
}

void Block::wake(Thread& thread) {
  thread.waits_in = nullptr;
  warps_[static_cast<std::size_t>(thread.warp())].ready |= bit(thread.lane());
}

void Block::preempt(Thread& thread) {
  thread.fiber.suspend();
  if (unwinding_) throw Unwind{};
}

void Block::park(Thread& thread) {
  warps_[static_cast<std::size_t>(thread.warp())].parked |= bit(thread.lane());
  wait(thread, "the trace");
}

bool Block::catch_up(std::size_t number) {
  Warp& warp = warps_[number];
  if (warp.parked == 0) return false;
  recorder_->catch_up(number, warp.parked);
  for (int lane = 0; lane < warp_size; ++lane) {
    if ((warp.parked & bit(lane)) == 0) continue;
    Thread& parked = thread(static_cast<int>(number) * warp_size + lane);
    if (recorder_->full(parked)) continue;
    parked.waits_in = nullptr;
    warp.parked &= ~bit(lane);
    warp.ready |= bit(lane);
  }
  return true;
}

bool Block::catch_up_all() {
  bool some = false;
  for (std::size_t w = 0; w < warps_.size(); ++w) some = catch_up(w) || some;
  return some;
}

void Block::meet_block(Thread& thread) {
  if (recorder_ != nullptr) recorder_->arrived(thread);
  ++met_;
  thread.waits_in = "__syncthreads";
  if (met_ + ended_ < shape_.block) return wait(thread, "__syncthreads");
  release_block_if_all_met();
}

void Block::release_block_if_all_met() {
  if (met_ == 0 || met_ + ended_ < shape_.block) return;
  met_ = 0;
  if (recorder_ != nullptr) recorder_->block_met();
  for (auto& thread : threads_) {
    if (!thread->ended && thread->waits_in != nullptr) wake(*thread);
  }
}

void Block::meet_warp(Thread& thread, const char* name, std::uint32_t mask, void* operand,
                      void (*compute)(const Lanes&)) {
  Warp& warp = warps_[static_cast<std::size_t>(thread.warp())];
  if ((mask & bit(thread.lane())) == 0) fail(sim::text(name, ": lane ", thread.lane(), " is not in its own mask"));
  if (recorder_ != nullptr) recorder_->arrived(thread);
  auto meeting = warp.meetings.begin();
  while (meeting != warp.meetings.end() && meeting->wanted != mask) ++meeting;
  if (meeting == warp.meetings.end()) {
    warp.meetings.push_back({name, compute, mask});
    meeting = warp.meetings.end() - 1;
  }
  if (meeting->compute != compute)
    fail(sim::text("lane ", thread.lane(), " is in ", name, " while others of its mask are in ", meeting->name));
  meeting->arrived |= bit(thread.lane());
  meeting->lanes.operand[static_cast<std::size_t>(thread.lane())] = operand;
  if (meeting->arrived != (mask & ~warp.ended)) return wait(thread, name);
  close(warp, static_cast<std::size_t>(meeting - warp.meetings.begin()), thread);
}

void Block::close(Warp& warp, std::size_t number, Thread& last) {
  Meeting meeting = warp.meetings[number];
  warp.meetings.erase(warp.meetings.begin() + static_cast<std::ptrdiff_t>(number));
  meeting.lanes.mask = meeting.arrived;
  if (recorder_ != nullptr) recorder_->warp_met(last, meeting.arrived, meeting.compute == nullptr);
  if (meeting.compute != nullptr) meeting.compute(meeting.lanes);
  for (int lane = 0; lane < warp_size; ++lane) {
    if ((meeting.arrived & bit(lane)) == 0) continue;
    wake(thread(last.index - last.lane() + lane));
  }
}

/// Throws Unwind in every thread that has not ended, so that its destructors run.
void Block::unwind() {
  unwinding_ = true;
  for (auto& thread : threads_) {
    while (!thread->ended) resume(*thread);
  }
  unwinding_ = false;
}

void Block::report_deadlock() {
  std::map<std::string, int> waiting;
  for (const auto& thread : threads_) {
    if (!thread->ended) ++waiting[thread->waits_in + (thread->waits_for ? thread->waits_for() : std::string())];
  }
  std::string what = sim::text("kernel ", shape_.kernel, ", block ", index_, ": deadlock: of ", shape_.block,
                               " threads ", ended_, " have ended");
  for (const auto& [name, count] : waiting) what += sim::text(", ", count, " wait in ", name);
  unwind();
  throw dev::DeviceError(dev::DeviceError::Kind::failed, what);
}

}  // namespace emulator

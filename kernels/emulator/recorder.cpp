#include "kernels/emulator/recorder.h"

#include <algorithm>

#include "kernels/emulator/block.h"
#include "kernels/emulator/warp_instruction.h"
#include "sim/machine/warp_access.h"

namespace emulator {
namespace {

constexpr std::size_t most_bytes = 16;         // per load or store
constexpr std::uint64_t preempt_one_in = 256;  // accesses, in a random order

std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

const char* word(AccessKind kind) {
  return kind == AccessKind::read ? "read" : kind == AccessKind::write ? "write" : "atomic";
}

bool on_stack_of(const Thread& thread, std::uintptr_t address) {
  const Stack& stack = thread.fiber.stack();
  return address - number(stack.bottom()) < stack.size();
}

std::size_t warp_of(const Thread& thread) { return static_cast<std::size_t>(thread.warp()); }

/// Mask of the lanes of a warp beyond the last thread of the block.
std::uint32_t never_there(int threads, std::size_t warp) {
  const int lanes = threads - static_cast<int>(warp) * warp_size;
  return lanes >= warp_size ? 0 : ~0u << lanes;
}

}  // namespace

Recorder::Recorder(const LaunchShape& shape, const Arena& arena)
    : map_(shape, arena),
      races_(shape.smem, shape.block),
      logs_(static_cast<std::size_t>((shape.block + warp_size - 1) / warp_size)),
      gone_(logs_.size()),
      traffic_(map_.tensors().size()),
      threads_(shape.block) {
  report_.kernel = shape.kernel;
}

void Recorder::block_begins(std::int64_t block, const unsigned char* shared) {
  map_.shared_begins(shared);
  races_.block_begins(block);
  for (std::size_t warp = 0; warp < gone_.size(); ++warp) gone_[warp] = never_there(threads_, warp);
}

void Recorder::block_met() {
  merge_all();
  races_.block_met();
}

void Recorder::thread_ended(const Thread& thread) { gone_[warp_of(thread)] |= 1u << thread.lane(); }

void Recorder::arrived(const Thread& thread) { logs_[warp_of(thread)].arrived(thread.lane(), thread.pc); }

void Recorder::warp_met(const Thread& thread, std::uint32_t mask, bool orders_memory) {
  if (orders_memory) races_.warp_met(thread.warp(), mask);
  if ((mask | gone_[warp_of(thread)]) == ~0u) return catch_up(warp_of(thread), 0);
  logs_[warp_of(thread)].meet(mask);
}

void Recorder::access(Thread& thread, std::uintptr_t pc, const void* address, std::size_t bytes, AccessKind kind) {
  if (thread.block.random() && thread.block.draw() % preempt_one_in == 0) thread.block.preempt(thread);
  if (full(thread)) thread.block.park(thread);
  const std::uintptr_t at = number(address);
  if (map_.in_shared(at, bytes)) return in_shared(thread, pc, at, bytes, kind);
  if (on_stack_of(thread, at)) return;
  if (const std::size_t tensor = map_.tensor_at(at, bytes); tensor != AddressMap::none)
    return in_tensor(thread, pc, at, bytes, kind, tensor);
  if (kind == AccessKind::read && map_.readable(at, bytes)) return;
  out_of_bounds(at, bytes, kind);
}

/// Clang calls this for 16 bytes that it knows to be 8-byte aligned, as structures on a thread's own stack may be.
void Recorder::aligned_access(Thread& thread, std::uintptr_t pc, const void* address, std::size_t bytes,
                              AccessKind kind) {
  if ((number(address) & (bytes - 1)) != 0 && !on_stack_of(thread, number(address)))
    fail(sim::text("MISALIGNED ", word(kind), " of ", bytes, " bytes, ", map_.place_of(number(address), bytes)));
  access(thread, pc, address, bytes, kind);
}

void Recorder::in_shared(const Thread& thread, std::uintptr_t pc, std::uintptr_t address, std::size_t bytes,
                         AccessKind kind) {
  races_.access(thread.index, pc, map_.shared_offset(address), bytes, kind);
  shared_bytes_[static_cast<std::size_t>(kind)] += static_cast<std::int64_t>(bytes);
  log(thread, pc, map_.shared_offset(address), bytes, kind, LaneAccess::in_shared);
}

void Recorder::in_tensor(const Thread& thread, std::uintptr_t pc, std::uintptr_t address, std::size_t bytes,
                         AccessKind kind, std::size_t tensor) {
  const auto count = static_cast<std::int64_t>(bytes);
  dev::Traffic& traffic = traffic_[tensor];
  if (kind != AccessKind::write) traffic.read_bytes += count;
  if (kind != AccessKind::read) traffic.write_bytes += count;
  if (kind == AccessKind::atomic) traffic.atomic_bytes += count;
  log(thread, pc, address, bytes, kind, static_cast<std::int16_t>(tensor));
}

/// Splits a copy of a structure, one range, into pieces as the hardware does.
void Recorder::log(const Thread& thread, std::uintptr_t pc, std::uintptr_t address, std::size_t bytes, AccessKind kind,
                   std::int16_t tensor) {
  for (const std::uintptr_t end = address + bytes; address < end;) {
    const std::size_t piece = std::min(most_bytes - address % most_bytes, end - address);
    logs_[warp_of(thread)].add(
        {pc, address, tensor, static_cast<std::uint8_t>(piece), kind, static_cast<std::uint8_t>(thread.lane())});
    address += piece;
  }
}

void Recorder::copy_issued(Thread& thread, std::uintptr_t pc, const void* to, const void* from) {
  if (from != nullptr) access(thread, pc, from, most_bytes, AccessKind::read);
  if (!map_.in_shared(number(to), most_bytes)) out_of_bounds(number(to), most_bytes, AccessKind::write);
  races_.copy_issued(thread.index, pc, map_.shared_offset(number(to)));
}

void Recorder::copy_landed(const Thread& thread, std::uintptr_t pc, const void* to) {
  const std::uintptr_t offset = map_.shared_offset(number(to));
  races_.copy_landed(thread.index, offset);
  shared_bytes_[static_cast<std::size_t>(AccessKind::write)] += most_bytes;
  log(thread, pc, offset, most_bytes, AccessKind::write, LaneAccess::in_shared);
}

void Recorder::matrix_rows(const Thread& thread, const std::array<const void*, warp_size>& rows, int count,
                           AccessKind kind) {
  const std::uintptr_t pc = thread.pc;
  std::array<LaneAccess, warp_size> accesses;
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(count); ++lane) {
    const std::uintptr_t row = number(rows[lane]), offset = map_.shared_offset(row);
    if (!map_.in_shared(row, most_bytes)) out_of_bounds(row, most_bytes, kind);
    races_.access(thread.index - thread.lane() + static_cast<int>(lane), pc, offset, most_bytes, kind);
    shared_bytes_[static_cast<std::size_t>(kind)] += most_bytes;
    accesses[lane] = {pc, offset, LaneAccess::in_shared, most_bytes, kind, static_cast<std::uint8_t>(lane)};
  }
  count_wavefronts({accesses.data(), static_cast<std::size_t>(count)});
}

void Recorder::barrier_word(const Thread& thread, const void* word, AccessKind kind) {
  constexpr std::size_t bytes = sizeof(std::uint64_t);
  if (!map_.in_shared(number(word), bytes)) out_of_bounds(number(word), bytes, kind);
  races_.access(thread.index, thread.pc, map_.shared_offset(number(word)), bytes, kind);
}

void Recorder::bulk_issued(const Thread& thread, const void* to, std::size_t bytes, std::size_t mbarrier) {
  races_.bulk_issued(thread.index, thread.pc, map_.shared_offset(number(to)), bytes, mbarrier);
}

void Recorder::bulk_landed(const void* to, std::size_t bytes) {
  races_.bulk_landed(map_.shared_offset(number(to)), bytes);
  count_whole_lines(bytes, AccessKind::write);
}

void Recorder::async_source(const char* operation, const Thread& thread, const void* from, std::size_t bytes) {
  const std::uintptr_t offset = map_.shared_offset(number(from));
  if (const int writer = races_.async_read(thread.index, thread.pc, offset, bytes); writer >= 0)
    fail(sim::text(operation, " reads bytes ", offset, " to ", offset + bytes - 1, " of shared memory, where thread ",
                   writer, " wrote without fence.proxy.async since"));
}

void Recorder::bulk_source_read(const Thread& thread, const void* from, std::size_t bytes) {
  races_.async_read_ended(thread.index, map_.shared_offset(number(from)), bytes);
}

void Recorder::bulk_tensor(const void* address, std::size_t bytes, AccessKind kind) {
  const std::uintptr_t at = number(address), last = (at + bytes - 1) / sector_bytes;
  const std::size_t tensor = map_.tensor_at(at, bytes);
  if (tensor == AddressMap::none) out_of_bounds(at, bytes, kind);
  const auto sectors = static_cast<std::int64_t>(last - at / sector_bytes + 1),
             count = static_cast<std::int64_t>(bytes);
  dev::Traffic traffic;
  if (kind != AccessKind::write) traffic.read_bytes = count, traffic.read_sectors = sectors;
  if (kind != AccessKind::read) traffic.write_bytes = count, traffic.write_sectors = sectors;
  if (kind == AccessKind::atomic) traffic.atomic_bytes = count;
  traffic_[tensor] += traffic;
}

void Recorder::count_whole_lines(std::size_t bytes, AccessKind kind) {
  shared_bytes_[static_cast<std::size_t>(kind)] += static_cast<std::int64_t>(bytes);
  const auto passes = static_cast<std::int64_t>((bytes + 127) / 128);
  report_.wavefronts += passes;
  report_.ideal_wavefronts += passes;
}

bool Recorder::full(const Thread& thread) const { return logs_[warp_of(thread)].full(thread.lane()); }

void Recorder::catch_up(std::size_t warp, std::uint32_t parked) {
  logs_[warp].merge(parked, [this](std::span<const LaneAccess> accesses) { count_instruction(accesses); });
}

void Recorder::merge_all() {
  for (std::size_t warp = 0; warp < logs_.size(); ++warp) catch_up(warp, 0);
}

void Recorder::count_wavefronts(std::span<const LaneAccess> accesses) {
  const sim::Wavefronts passes = sim::wavefronts(accesses);
  report_.wavefronts += passes.taken;
  report_.ideal_wavefronts += passes.ideal;
}

void Recorder::count_instruction(std::span<const LaneAccess> accesses) {
  const auto shared = [](const LaneAccess& access) { return access.tensor == LaneAccess::in_shared; };
  if (std::all_of(accesses.begin(), accesses.end(), shared)) return count_wavefronts(accesses);
  std::vector<LaneAccess> some;
  std::copy_if(accesses.begin(), accesses.end(), std::back_inserter(some), shared);
  if (!some.empty()) count_wavefronts(some);
  each_sector(accesses, [&](const LaneAccess& access) {
    if (shared(access)) return;
    dev::Traffic& traffic = traffic_[static_cast<std::size_t>(access.tensor)];
    if (access.kind != AccessKind::write) ++traffic.read_sectors;
    if (access.kind != AccessKind::read) ++traffic.write_sectors;
  });
}

const dev::LaunchReport& Recorder::counts() {
  const auto [read, written, atomic] = shared_bytes_;
  report_.shared_read_bytes = read + atomic;
  report_.shared_write_bytes = written + atomic;
  for (std::size_t n = 0; n < traffic_.size(); ++n) {
    const dev::Traffic traffic = std::exchange(traffic_[n], {});
    if (traffic.read_bytes + traffic.write_bytes > 0) report_.tensors[map_.tensors()[n].name] += traffic;
  }
  return report_;
}

void Recorder::out_of_bounds(std::uintptr_t address, std::size_t bytes, AccessKind kind) const {
  fail(sim::text("OUT OF BOUNDS ", word(kind), " of ", bytes, " bytes, ", map_.place_of(address, bytes)));
}

}  // namespace emulator

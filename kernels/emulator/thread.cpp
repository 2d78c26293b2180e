#include "kernels/emulator/thread.h"

#include <atomic>
#include <cstring>

#include "kernels/emulator/block.h"
#include "kernels/emulator/recorder.h"

namespace emulator {
namespace {

Index3 along_x(std::int64_t x) { return {static_cast<unsigned>(x), 0, 0}; }
Index3 size_along_x(std::int64_t x) { return {static_cast<unsigned>(x), 1, 1}; }

std::uintptr_t caller(const void* return_address) { return reinterpret_cast<std::uintptr_t>(return_address); }

void land(const PendingCopy& copy, std::uintptr_t pc) {
  if (Recorder* recorder = current->block.recorder()) recorder->copy_landed(*current, pc, copy.to);
  if (copy.from == nullptr) {
    std::memset(copy.to, 0, 16);
  } else {
    std::memcpy(copy.to, copy.from, 16);
  }
}

}  // namespace

Index3 thread_index() { return along_x(current->index); }
Index3 block_index() { return along_x(current->block.index()); }
Index3 block_size() { return size_along_x(current->block.shape().block); }
Index3 grid_size() { return size_along_x(current->block.shape().grid); }
unsigned char* shared_memory() { return current->block.shared(); }

void sync_block() {
  meets_at(__builtin_return_address(0));
  current->block.meet_block(*current);
}

void sync_warp(std::uint32_t mask) {
  meets_at(__builtin_return_address(0));
  collective("__syncwarp", mask, nullptr, nullptr);
}

void atomic_add(float* address, float value) {
  if (Recorder* recorder = current->block.recorder())
    recorder->aligned_access(*current, caller(__builtin_return_address(0)), address, 4, AccessKind::atomic);
  std::atomic_ref<float>(*address).fetch_add(value, std::memory_order_relaxed);
}

void copy_async(void* to, const void* from, bool valid) {
  if (reinterpret_cast<std::uintptr_t>(to) % 16 != 0)
    fail("cp.async: the destination in shared memory is not 16-byte aligned");
  if (valid && reinterpret_cast<std::uintptr_t>(from) % 16 != 0) fail("cp.async: the source is not 16-byte aligned");
  if (!valid) from = nullptr;
  if (Recorder* recorder = current->block.recorder())
    recorder->copy_issued(*current, caller(__builtin_return_address(0)), to, from);
  std::memset(to, 0xff, 16);  // a read before the wait finds NaN
  current->open_copies.push_back({to, from});
}

void commit_copies() { current->copy_groups.push_back(std::exchange(current->open_copies, {})); }

void wait_copies(int pending) {
  auto& groups = current->copy_groups;
  while (groups.size() > static_cast<std::size_t>(pending)) {
    for (const PendingCopy& copy : groups.front()) land(copy, caller(__builtin_return_address(0)));
    groups.erase(groups.begin());
  }
}

}  // namespace emulator

// Bulk copies between HBM and shared memory (TMA): boxes of a tensor, and sums of fp32. Source: PTX ISA,
// "cp.async.bulk.tensor", "cp.reduce.async.bulk". Elements outside the tensor are loaded as zeros and not stored.
// Late: a box lands, its source in shared memory is read, and HBM changes at a step drawn at random, or when no thread
// can run; at the latest when waited for. Until a box lands, its place holds NaN.
#pragma once
#include <cstdint>
#include <vector>

#include "kernels/dev/tensor_map.h"
#include "kernels/emulator/race_check.h"

namespace emulator {

struct Thread;
struct Mbarrier;

using BoxPosition = std::array<int, 4>;

/// One copy under way.
struct BulkCopy {
  enum class Kind : std::uint8_t { load, store, add } kind;
  Thread* thread;
  std::uintptr_t pc;
  unsigned char* shared;
  std::int64_t bytes;                   ///< of shared memory
  dev::TiledTensor tensor{};            ///< load, store
  BoxPosition at{};                     ///< of the box in the tensor
  float* sum = nullptr;                 ///< add: its destination
  Mbarrier* mbarrier = nullptr;         ///< load
  std::int64_t group = 0;               ///< store, add: of its thread
  bool source_read = false;             ///< store, add
  std::vector<unsigned char> source{};  ///< once read
};

/// The bulk copies of a block that are under way.
class BulkCopies {
 public:
  void clear() { copies_.clear(); }
  std::size_t under_way() const { return copies_.size(); }
  void issue(BulkCopy copy);
  /// Takes copy n one step further.
  void advance(std::size_t n);
  /// Waits for all but the `pending` newest groups of the current thread, or only until their sources are read.
  void wait(std::int64_t pending, bool only_read);
  /// Ends all copies, after the last thread. Throws dev::DeviceError if one should have been waited for.
  void block_ends();

 private:
  void finish(std::size_t n, bool only_read);
  std::vector<BulkCopy> copies_;  // the oldest first
};

void tma_load(void* to, const dev::TiledTensor& tensor, void* mbarrier, BoxPosition at);
void tma_store(const dev::TiledTensor& tensor, const void* from, BoxPosition at);
void bulk_add(float* to, const void* from, int bytes);
void bulk_commit();
void bulk_wait(int pending, bool only_read);
/// Only checks the map.
void prefetch_tensor_map(const dev::TiledTensor& tensor);
void fence_proxy_async();

}  // namespace emulator

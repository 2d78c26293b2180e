// What the traced flavour is told while a block runs. One recorder per worker; null in plain runs.
#pragma once
#include <cstdint>

#include "kernels/emulator/warp.h"

namespace emulator {

struct Thread;

enum class AccessKind { read, write, atomic };

class Recorder {
 public:
  virtual ~Recorder() = default;
  virtual void block_begins(std::int64_t block, unsigned char* shared, std::int64_t shared_bytes) = 0;
  /// One load or store of one thread, anywhere: shared memory, a tensor, its own stack, or out of bounds. `pc` tells
  /// instructions apart.
  virtual void access(Thread& thread, std::uintptr_t pc, const void* address, int bytes, AccessKind kind) = 0;
  /// ldmatrix: 16 bytes of shared memory read by each lane of `count` groups of eight; `rows` by lane.
  virtual void matrix_rows(Thread& thread, std::uintptr_t pc, const Lanes& rows, int count) = 0;
  /// The lanes of `mask` of one warp have met; `orders_memory`: __syncwarp, not a shuffle or mma.
  virtual void warp_met(Thread& thread, std::uint32_t mask, bool orders_memory) = 0;
  virtual void block_met() = 0;
  virtual void thread_ended(Thread& thread) = 0;
  virtual void block_ends() = 0;
};

}  // namespace emulator

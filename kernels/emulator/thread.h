// Services of the emulated device for a kernel's thread: its index, barriers, atomics, background copies; and launches.
#pragma once
#include <cstdint>
#include <functional>

#include "kernels/dev/device.h"

namespace emulator {

struct Index3 {
  unsigned x = 0, y = 0, z = 0;
};
Index3 thread_index();
Index3 block_index();
Index3 block_size();
Index3 grid_size();

/// Dynamic shared memory of the block: 1024-byte aligned, filled with NaN (bytes 0xff) when the block starts.
unsigned char* shared_memory();

/// Waits for all threads of the block that have not ended.
void sync_block();
/// Waits for the lanes of `mask` that have not ended.
void sync_warp(std::uint32_t mask);

void atomic_add(float* address, float value);

/// Copies 16 bytes to shared memory, landing as late as allowed: when its group is waited for. Until then the
/// destination holds NaN. If not `valid`, stores zeros and reads nothing.
void copy_async(void* to, const void* from, bool valid);
void commit_copies();
void wait_copies(int pending);

struct LaunchShape {
  const char* kernel;
  std::int64_t grid;                 ///< CTAs
  int block;                         ///< threads per block
  std::int64_t smem;                 ///< bytes of dynamic shared memory per block
  bool traced;                       ///< compiled with the hooks of the trace
  const void* parameters = nullptr;  ///< the kernel and its arguments, which every thread may read
  std::size_t parameter_bytes = 0;
};

/// Runs body(shape.parameters) once per thread of the grid. Throws dev::DeviceError with the kernel, block and thread.
void launch(dev::Stream stream, const LaunchShape& shape, void (*body)(const void* parameters));

}  // namespace emulator

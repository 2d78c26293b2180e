// Small test kernels by name, in both flavours of the emulated device. Each takes two tensors and a number.
#pragma once
#include <string_view>
#include <vector>

#include "kernels/emulator/device.h"
#include "kernels/tile/arguments.h"
#include "kernels/tile/paged_batch.h"
#include "kernels/tile/ragged_batch.h"

namespace test_kernels {

struct TestKernel {
  const char* name;
  void (*run)(dev::Stream stream, float* in, float* out, int n);
};

/// A kernel of a program with one word of its source changed.
struct FaultyKernel {
  std::string_view fault;
  std::string_view launch;  ///< the program's kernel that it replaces
  void (*run)(dev::Stream stream, const kernels::Arguments& arguments);
  /// The version for a ragged batch, which replaces `run`.
  void (*run_ragged)(dev::Stream stream, const kernels::Arguments& arguments,
                     const kernels::RaggedBatch& batch) = nullptr;
  /// The version for K and V in pages, likewise.
  void (*run_paged)(dev::Stream stream, const kernels::Arguments& arguments,
                    const kernels::PagedBatch& batch) = nullptr;
};

/// Returns the kernel with this fault, in the traced flavour.
const FaultyKernel& faulty_kernel(std::string_view fault);

/// Runs the kernel in the flavour of the device.
void run(dev::Device& device, std::string_view name, float* in, float* out, int n = 0);

/// A tensor on a device for the lifetime of this object. Contains 0, 1, 2 ... unless set.
class OnDevice {
 public:
  OnDevice(dev::Device& device, const char* name, std::size_t floats);
  ~OnDevice() { device_.release(memory_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  float* memory() const { return static_cast<float*>(memory_); }
  std::vector<float> values() const;

 private:
  dev::Device& device_;
  std::size_t floats_;
  void* memory_;
};

/// The floats in `out` after a kernel, and its report if the device is traced.
struct Outcome {
  std::vector<float> out;
  dev::LaunchReport report;
};
Outcome outcome(std::string_view name, std::size_t in_floats, std::size_t out_floats, int n = 0,
                const emulator::Options& options = {.workers = 1, .traced = true});

/// The message that the kernel fails with; empty if it succeeds.
std::string failure(std::string_view name, std::size_t in_floats, std::size_t out_floats, int n = 0,
                    const emulator::Options& options = {.workers = 1, .traced = true});

}  // namespace test_kernels

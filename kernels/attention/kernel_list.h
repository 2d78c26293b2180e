// Catalogue of kernels: the kernel that matches each launch of a program, in each flavour.
#pragma once
#include <string_view>
#include <vector>

#include "kernels/dev/device.h"
#include "kernels/tile/arguments.h"
#include "kernels/tile/paged_batch.h"
#include "kernels/tile/ragged_batch.h"

namespace kernels {

/// The kernel that matches one launch of a program.
struct MatchingKernel {
  std::string_view kernel;  ///< family, as in --kernel: "flash2_mma"
  std::string_view launch;  ///< launch of the program: "flash2_forward"
  void (*run)(dev::Stream stream, const Arguments& arguments);
  void (*check)(const Arguments& arguments) = nullptr;  ///< throws sim::Error for arguments it was not compiled for
  /// Runs batch entries of different lengths; null if the kernel cannot.
  void (*run_ragged)(dev::Stream stream, const Arguments& arguments, const RaggedBatch& batch) = nullptr;
  std::int64_t local_bytes = 0;  ///< local memory per thread: L2 counts its stores among those of the kernel
  bool modifies = false;         ///< takes softcap, ALiBi and sinks if its launch does
  /// Runs with K and V in pages; null if the kernel cannot. Alone, without `run`, it takes entries of any lengths.
  void (*run_paged)(dev::Stream stream, const Arguments& arguments, const PagedBatch& batch) = nullptr;
  /// Throws sim::Error for pages, or arguments with pages, that it was not compiled for.
  void (*check_paged)(const Arguments& arguments, std::int32_t page_rows) = nullptr;
  bool takes_lengths() const { return run_ragged != nullptr || run == nullptr; }
};

/// True if a family of kernels is written for tensor cores. The others, named after their algorithm, are plain: written
/// for readability.
inline bool on_tensor_cores(std::string_view kernel) { return kernel.find("mma") != std::string_view::npos; }

/// Kernels of a flavour; empty for Flavour::cuda if the project was built without nvcc.
const std::vector<MatchingKernel>& matching_kernels(dev::Flavour flavour);

}  // namespace kernels

// The kernels that there are: the twin of each kernel of a program, in each flavour.
#pragma once
#include <string_view>
#include <vector>

#include "kernels/dev/device.h"
#include "kernels/tile/arguments.h"
#include "kernels/tile/ragged_batch.h"

namespace kernels {

/// The twin of one kernel of a program.
struct Twin {
  std::string_view kernel;  ///< what --kernel calls the family: "flash2_mma"
  std::string_view launch;  ///< the program's kernel: "flash2_forward"
  void (*run)(dev::Stream stream, const Arguments& arguments);
  void (*check)(const Arguments& arguments) = nullptr;  ///< throws sim::Error for what it was not compiled for
  /// Runs batch entries with lengths of their own; null where no kernel does.
  void (*run_ragged)(dev::Stream stream, const Arguments& arguments, const RaggedBatch& batch) = nullptr;
  std::int64_t local_bytes = 0;  ///< local memory of a thread: L2 counts its stores among those of the kernel
};

/// Is a family of kernels written for tensor cores? The others, named as their algorithm, are plain: written to be
/// read.
inline bool on_tensor_cores(std::string_view kernel) { return kernel.find("_mma") != std::string_view::npos; }

/// The twins of a flavour; empty for Flavour::cuda where the project was built without nvcc.
const std::vector<Twin>& twins(dev::Flavour flavour);

}  // namespace kernels

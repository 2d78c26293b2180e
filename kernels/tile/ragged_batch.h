// A ragged batch as the host knows it: classes of batch entries that are alike, and where their table is.
#pragma once
#include <cstdint>
#include <vector>

namespace kernels {

/// Classes that a launch takes; they are parameters of the kernel, of which there are 4 KiB. A power of two.
inline constexpr int most_ragged_classes = 256;

/// Batch entries that are alike.
struct RaggedClass {
  std::int32_t first_entry, entries, seqlen_q, seqlen_k;
};

/// The classes in the order in which their CTAs are issued, at most most_ragged_classes.
struct RaggedBatch {
  std::vector<RaggedClass> classes;
  std::int64_t query_rows = 0;              ///< of all entries
  const std::int32_t* sequences = nullptr;  ///< in device memory, tile/ragged.h
};

}  // namespace kernels

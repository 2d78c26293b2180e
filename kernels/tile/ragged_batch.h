// Ragged batch on the host: classes of equal batch entries, and the address of their table.
#pragma once
#include <cstdint>
#include <vector>

namespace kernels {

/// Maximum number of classes in a launch; they are kernel parameters, of which there are 4 KiB. A power of two.
inline constexpr int most_ragged_classes = 256;

/// Batch entries of equal lengths.
struct RaggedClass {
  std::int32_t first_entry, entries, seqlen_q, seqlen_k;
};

/// Classes in the order in which their CTAs are issued, at most most_ragged_classes.
struct RaggedBatch {
  std::vector<RaggedClass> classes;
  std::int64_t query_rows = 0;              ///< query rows of all entries
  const std::int32_t* sequences = nullptr;  ///< in device memory, tile/ragged.h
};

}  // namespace kernels

// Eigen, with the same products on every processor: it asks the processor for the sizes of its caches and splits long
// sums by them, so that their last bits would differ between two models (seen with 32 and 48 KiB of L1 from 512 terms
// on).
#pragma once
#include <Eigen/Core>

namespace sim {

/// Products are split for 32 KiB of L1, 256 KiB of L2, 2 MiB of L3. Set before main(), wherever Eigen is used.
inline const bool products_are_split_alike = (Eigen::setCpuCacheSizes(32 << 10, 256 << 10, 2 << 20), true);

}  // namespace sim

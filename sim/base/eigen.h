// Eigen, with bit-identical products on every processor. By default Eigen queries the cache sizes and splits long sums
// by them, so that the last bits would differ between processor models (seen with 32 and 48 KiB of L1 from 512 terms
// on).
#pragma once
#include <Eigen/Core>

namespace sim {

/// Products are split for 32 KiB of L1, 256 KiB of L2, 2 MiB of L3. Initialised before main() in every unit that uses
/// Eigen.
inline const bool products_are_split_alike = (Eigen::setCpuCacheSizes(32 << 10, 256 << 10, 2 << 20), true);

}  // namespace sim

// On-chip memory that the tiles of a CTA may take.
#pragma once
#include <string>

#include "sim/base/dtype.h"
#include "sim/base/units.h"

namespace sim {

/// Capacity for the tiles of one CTA. In the papers' two-level model there is one memory of M bytes for shared memory
/// and registers together, every element has the size of the dtype, and overflow is only recorded.
struct Capacity {
  std::string listing;  ///< the program file that error messages name
  bool paper = false;
  Bytes smem, registers;
  Dtype dtype = Dtype::fp16;
};

}  // namespace sim

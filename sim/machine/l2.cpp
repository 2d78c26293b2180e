#include "sim/machine/l2.h"

#include <algorithm>

namespace sim {

HbmBytes hbm_bytes(const TensorReuse& tensor, bool resident) {
  const Bytes once_read = std::min(tensor.tile_read, tensor.compulsory_read);
  const Bytes once_written = std::min(tensor.tile_written, tensor.compulsory_written);
  if (resident) return {once_read, once_written};
  return {std::max(once_read, Bytes(ceil_div(tensor.tile_read.count(), tensor.sharers))), tensor.tile_written};
}

}  // namespace sim

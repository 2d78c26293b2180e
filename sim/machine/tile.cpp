#include "sim/machine/tile.h"

#include <algorithm>

namespace sim {
namespace {

std::string kib(Bytes bytes) {
  const std::int64_t tenths = (bytes.count() * 10 + 512) / 1024;
  return text(tenths / 10, ".", tenths % 10, " KiB");
}

}  // namespace

Bytes Space::bytes_of(Level level, Tensor tensor, std::int64_t rows, std::int64_t cols) const {
  if (capacity_.paper && tensor == Tensor::PV) return Bytes{};
  const bool as_dtype = capacity_.paper || level == Level::smem;
  return Bytes(product(rows, cols, as_dtype ? size_of(capacity_.dtype) : 4));
}

void Space::take(Level level, Tensor tensor, std::int64_t rows, std::int64_t cols, Line line) {
  const std::size_t s = slot(level);
  const Bytes need = bytes_of(level, tensor, rows, cols);
  const Bytes limit = s == 0 ? capacity_.smem : capacity_.registers;
  if (!capacity_.paper && used_[s] + need > limit) {
    throw TileOverflow(text(capacity_.listing, ":", line.number, ": ", name_of(tensor), " tile (", rows, ", ", cols,
                            ") ", level == Level::smem ? name_of(capacity_.dtype) : "fp32", " needs ", kib(need), ", ",
                            kib(limit - used_[s]), " of ", kib(limit), level == Level::smem ? " SMEM" : " registers",
                            " are free"));
  }
  used_[s] += need;
  peak_[s] = std::max(peak_[s], used_[s]);
}

void Space::give_back(Level level, Bytes bytes) { used_[slot(level)] = used_[slot(level)] - bytes; }

}  // namespace sim

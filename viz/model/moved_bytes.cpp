#include "viz/model/moved_bytes.h"

#include <algorithm>

namespace explorer {
namespace {

using sim::Bytes;
using sim::Direction;

Crossed crossed_by(const sim::Event& event, bool from_hbm, bool to_hbm) {
  const bool reads = event.moves(Direction::read), writes = event.moves(Direction::write);
  const Bytes bytes(event.bytes);
  Crossed crossed;
  if (reads) crossed.tile.read = bytes;
  if (writes) crossed.tile.written = bytes;
  if (reads && from_hbm) crossed.hbm.read = bytes;
  if (writes && to_hbm) crossed.hbm.written = bytes;
  crossed.operands = Bytes(event.smem_bytes);
  return crossed;
}

}  // namespace

MovedBytes::MovedBytes(const sim::Trace& trace, const CopySources& sources) {
  for (std::size_t n = 0; n < trace.events.size(); ++n) {
    const auto event = static_cast<std::int32_t>(n);
    const Crossed crossed = crossed_by(trace.events[n], sources.read_from_hbm(event), sources.written_to_hbm(event));
    if (crossed != Crossed{}) arrivals_.push_back({trace.events[n].end, crossed});
  }
  std::stable_sort(arrivals_.begin(), arrivals_.end(),
                   [](const Arrival& a, const Arrival& b) { return a.time < b.time; });
  Crossed sum;
  for (Arrival& arrival : arrivals_) {
    sum.hbm += arrival.sum.hbm;
    sum.tile += arrival.sum.tile;
    sum.operands += arrival.sum.operands;
    arrival.sum = sum;
  }
}

Crossed MovedBytes::at(sim::Cycles time) const {
  const auto after = std::partition_point(arrivals_.begin(), arrivals_.end(),
                                          [&](const Arrival& arrival) { return arrival.time <= time; });
  return after == arrivals_.begin() ? Crossed{} : std::prev(after)->sum;
}

}  // namespace explorer

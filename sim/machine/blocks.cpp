#include "sim/machine/blocks.h"

#include <algorithm>
#include <array>

namespace sim {

Interval Blocking::elements(std::int64_t index) const { return {index * size, std::min(extent, (index + 1) * size)}; }

Interval Blocking::touching(Interval range) const {
  range = overlap(range, {0, extent});
  if (range.empty()) return {};
  return {range.begin / size, ceil_div(range.end, size)};
}

Interval Blocking::inside(Interval range) const {
  range = overlap(range, {0, extent});
  if (range.empty()) return {};
  const std::int64_t end = range.end == extent ? count() : range.end / size;  // the short last block ends at extent
  const Interval whole{ceil_div(range.begin, size), end};
  return whole.empty() ? Interval{} : whole;
}

Block make_block(const Blocking& blocking, std::int64_t index, Origin origin) {
  return make_group(blocking, {index, index + 1}, origin);
}

Block make_group(const Blocking& blocking, Interval members, Origin origin) {
  const Interval range = blocking.elements(members.begin);
  return {{members.begin, range.begin, range.size(), origin, blocking.size}, members, false};
}

std::vector<Block> equal_blocks(const Blocking& blocking, Interval indices, Origin origin) {
  std::vector<Block> blocks;
  if (indices.empty()) return blocks;
  const bool short_last = blocking.ragged() && indices.end == blocking.count();
  const Interval sets[] = {{indices.begin, indices.begin + 1}, {indices.begin + 1, indices.end - short_last}};
  for (const Interval set : sets) {
    if (!set.empty()) blocks.push_back(make_group(blocking, set, origin));
  }
  if (short_last && indices.size() > 1) blocks.push_back(make_block(blocking, indices.end - 1, origin));
  return blocks;
}

/// Adds iterations that are all of one kind.
void KindCounter::add_range(Interval indices, const Visit& visit) {
  if (indices.empty()) return;
  const bool first = indices.begin == visit.live.begin;
  const bool is_short = blocking_.elements(indices.end - 1).size() != blocking_.size;
  const bool masked = !visit.full.contains(indices), last = visit.last.contains(indices);
  Kind& kind = kinds_[(last ? 8 : 0) + (is_short ? 4 : 0) + (masked ? 2 : 0) + (first ? 0 : 1)];
  if (kind.count == 0) kind.representative = indices.begin;
  kind.count = checked_add(kind.count, indices.size());
}

void KindCounter::add(const Visit& visit) {
  const Interval live = visit.live;
  if (live.empty()) return;
  std::array<std::int64_t, 8> cuts = {live.begin,   live.begin + 1, visit.full.begin, visit.full.end,
                                      live.end - 1, live.end,       visit.last.begin, visit.last.end};
  for (std::int64_t& cut : cuts) cut = std::clamp(cut, live.begin, live.end);
  std::sort(cuts.begin(), cuts.end());
  for (std::size_t n = 1; n < cuts.size(); ++n) add_range({cuts[n - 1], cuts[n]}, visit);
}

std::vector<Iteration> KindCounter::iterations(std::int64_t multiplicity) const {
  std::vector<Iteration> iterations;
  for (int index = 0; index < 16; ++index) {
    const Kind& kind = kinds_[index];
    if (kind.count == 0) continue;
    Iteration iteration{make_block(blocking_, kind.representative, origin_),
                        checked_multiply(kind.count, multiplicity)};
    iteration.block.masked = (index & 2) != 0;
    iteration.block.last = (index & 8) != 0;
    iterations.push_back(iteration);
  }
  return iterations;
}

}  // namespace sim

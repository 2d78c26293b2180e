#include "sim/machine/blocks.h"

#include <algorithm>
#include <array>

#include "sim/base/block_mask.h"

namespace sim {

Interval Blocking::elements(std::int64_t index) const {
  return {std::min(extent, index * size), std::min(extent, (index + 1) * size)};
}

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

std::int64_t Visit::count() const {
  std::int64_t blocks = 0;
  each_piece([&](Interval piece) { blocks += piece.size(); });
  return blocks;
}

std::int64_t Visit::count_full() const {
  std::int64_t blocks = 0;
  each_piece([&](Interval piece) { blocks += overlap(piece, full).size(); });
  return blocks;
}

bool Visit::visits(std::int64_t index) const {
  const Interval one{index, index + 1};
  return live.contains(one) && (pieces.empty() || !touching(pieces, one).empty());
}

Visit cut_by(const Visit& visit, std::span<const Interval> pattern) {
  Visit cut = visit;
  cut.pieces = visit.live.empty() ? std::span<const Interval>{} : touching(pattern, visit.live);
  cut.live = cut.pieces.empty() ? Interval{} : overlap(visit.live, {cut.pieces.front().begin, cut.pieces.back().end});
  return cut;
}

namespace {

/// Calls add(indices) for ranges of a piece of the visited blocks that are of one kind, except possibly the first
/// block.
template <class Add>
void each_stretch(const Visit& visit, Interval live, Add add) {
  if (live.empty()) return;
  if (visit.full.contains(live) && overlap(live, visit.last).empty()) {  // most pieces of a pattern
    const bool more = live.size() > 1;
    const std::int64_t cuts[] = {live.begin, live.begin + 1, std::max(live.begin + 1, live.end - 1), live.end};
    for (std::size_t n = 1; n < (more ? 4u : 2u); ++n) {
      if (cuts[n] > cuts[n - 1]) add(Interval{cuts[n - 1], cuts[n]});
    }
    return;
  }
  std::array<std::int64_t, 8> cuts = {live.begin,   live.begin + 1, visit.full.begin, visit.full.end,
                                      live.end - 1, live.end,       visit.last.begin, visit.last.end};
  for (std::int64_t& cut : cuts) cut = std::clamp(cut, live.begin, live.end);
  std::sort(cuts.begin(), cuts.end());
  for (std::size_t n = 1; n < cuts.size(); ++n) {
    if (cuts[n] > cuts[n - 1]) add(Interval{cuts[n - 1], cuts[n]});
  }
}

}  // namespace

Visit ending(Visit visit) {
  if (visit.live.empty()) return visit;
  visit.last =
      visit.down ? Interval{visit.live.begin, visit.live.begin + 1} : Interval{visit.live.end - 1, visit.live.end};
  return visit;
}

std::vector<Block> equal_blocks(const Blocking& blocking, const Visit& visit, Origin origin) {
  std::vector<Block> blocks;
  visit.each_piece([&](Interval piece) {
    each_stretch(visit, piece, [&](Interval indices) {
      blocks.push_back(make_group(blocking, indices, origin));
      blocks.back().masked = !visit.full.contains(indices);
      blocks.back().last = visit.last.contains(indices);
    });
  });
  return blocks;
}

/// Adds iterations that are all of one kind.
void KindCounter::add_kind(std::int64_t representative, std::int64_t count, bool first, bool last, const Visit& visit) {
  if (count == 0) return;
  const bool is_short = blocking_.elements(representative).size() != blocking_.size;
  const bool masked = !visit.full.contains({representative, representative + 1});
  Kind& kind = kinds_[(last ? 8 : 0) + (is_short ? 4 : 0) + (masked ? 2 : 0) + (first ? 0 : 1)];
  if (kind.count == 0) kind.representative = representative;
  kind.count = checked_add(kind.count, count);
}

void KindCounter::add(const Visit& visit) {
  visit.each_piece([&](Interval piece) {
    each_stretch(visit, piece, [&](Interval indices) {
      const bool first = visit.down ? indices.end == visit.live.end : indices.begin == visit.live.begin;
      add_kind(indices.begin, indices.size(), first, visit.last.contains(indices), visit);
    });
  });
}

namespace {

/// Indices of a range that leave `rest` when they are divided by `piece`: the first of them, and their number.
struct Residues {
  std::int64_t first = 0, count = 0;
};

Residues residues(Interval range, std::int64_t piece, std::int64_t rest) {
  const std::int64_t first = range.begin + (rest - range.begin % piece + piece) % piece;
  return {first, first < range.end ? (range.end - 1 - first) / piece + 1 : 0};
}

}  // namespace

void KindCounter::add_pieces(const Visit& visit, std::int64_t piece) {
  const auto begins = [&](std::int64_t index) { return index == visit.live.begin || index % piece == 0; };
  const auto ends = [&](std::int64_t index) { return index == visit.live.end - 1 || index % piece == piece - 1; };
  each_stretch(ending(visit), visit.live, [&](Interval indices) {
    if (piece == 1 || indices.size() == 1) {  // the ends of the visit are stretches of one block
      add_kind(indices.begin, indices.size(), begins(indices.begin), ends(indices.begin), visit);
      return;
    }
    const Residues firsts = residues(indices, piece, 0), lasts = residues(indices, piece, piece - 1);
    const std::int64_t others = indices.size() - firsts.count - lasts.count;
    std::int64_t other = indices.begin;
    while (others > 0 && (begins(other) || ends(other))) ++other;  // at most two steps
    add_kind(firsts.first, firsts.count, true, false, visit);
    add_kind(lasts.first, lasts.count, false, true, visit);
    add_kind(other, others, false, false, visit);
  });
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

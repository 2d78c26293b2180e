// Reuse in kernels whose CTAs take one block of an axis and loop over the other one, which streams past them. CTAs of a
// wave that begin at the same block read the same tile in the same iteration, so one group represents them: its first
// CTA touches the tile in the LRU stack; each other one repeats that access, at the reuse distance between two CTAs of
// the group; then the tile is the most recently used. So an iteration costs the same for two CTAs and for two hundred.
//
// Example: FlashAttention-2, one head, four blocks of queries and of keys, two CTAs in flight. Q_i takes 512 bytes, K_j
// and V_j (KV_j) take 1,024 together, O_i and L_i 576. The L2 holds 3,072 bytes:
//
//            iteration 0                     iteration 1     iteration 2     iteration 3
//   wave 0   Q0, KV0 miss, KV0 hit, Q1       KV1 miss, hit   KV2 miss, hit   KV3 miss, hit, O0, O1
//   wave 1   Q2, KV0 miss, KV0 hit, Q3       KV1 miss, hit   KV2 miss, hit   KV3 miss, hit, O2, O3
//
// Eight of 16 accesses to K and V miss. When wave 1 returns to KV1, the stack has KV2 KV3 O0 O1 Q2 KV0 Q3 above it:
// with KV1 that is a reuse distance of 6,272 bytes, the longest of all. An L2 of that size leaves four misses. (A
// kernel this small is not merged: each CTA is a group of its own, and the result is the same.)
//
// Cost: O(1) amortised for each group, iteration and bundle; l2_waves.h keeps their number small.
#include <algorithm>

#include "sim/model/l2_waves.h"

namespace sim {
namespace {

/// One iteration of a group in the loop that is stage `stage`, and the accesses around it.
struct Iteration {
  std::size_t stage = 0;
  std::size_t from = 0, to = 0;  ///< stages [from, stage) come before it, ]stage, to) after it in the CTAs that end
  std::int64_t looped = 0;       ///< query head, if the CTA loops over heads
  std::int64_t nth = 0;          ///< iteration of the loop, counted from the lowest blocks
  Interval active;               ///< blocks of the CTAs whose loops still run
  std::int64_t ending = 0;       ///< number of the first of them whose loop ends now
};

class StreamReuse {
 public:
  explicit StreamReuse(L2Waves waves);
  L2Tally run();

 private:
  bool iteration(WaveGroup& group, std::int64_t iteration);
  void make_accesses(WaveGroup& group, const Iteration& now);
  void once(const WaveGroup& group, std::size_t from, std::size_t to, Interval blocks, bool dead);
  std::int32_t item_outside_of_loops(const BundleUse& use, const WaveGroup& group, std::int64_t block);
  void own_tile(const BundleUse& use, WaveGroup& group, const Iteration& now, Interval blocks);
  void share(const BundleUse& use, const WaveGroup& group, const Iteration& now);
  void come_after(const BundleUse& use, std::int32_t item, const WaveGroup& group, const Iteration& now);
  std::int32_t shared_item(const BundleUse& use, const WaveGroup& group, const Iteration& now) const;
  double width(const WaveGroup& group, const Iteration& now) const;
  double rows(Interval blocks) const { return static_cast<double>(waves_.rows(blocks)); }
  double reuse_distance(const WaveGroup& group, const Iteration& now, std::int64_t cta, bool after_end) const;
  double shared_bytes(const Iteration& now) const;
  bool always_hits(const WaveGroup& group) const {
    return longest_distance_ * static_cast<double>(group.neighbours) <= waves_.scene().capacity;
  }
  const AccessPattern& pattern() const { return waves_.scene().pattern; }
  const LoopRange& longest(const WaveGroup& group) const { return waves_.range_of(group.past - 1); }
  const Stage& stage_of(const Iteration& now) const { return pattern().stages[now.stage]; }
  Scope scope(const BundleUse& use) const { return pattern().scopes[static_cast<std::size_t>(use.bundle)]; }
  bool is_met(const BundleUse& use) const { return scope(use) == Scope::own_tile || scope(use) == Scope::own_part; }
  /// Elements in one iteration of a CTA with `height` rows, over `width` elements of the streamed axis.
  double elements(const BundleUse& use, double height, double width) const {
    if (scope(use) == Scope::own_part) return waves_.by_row() ? height : width;
    return scope(use) == Scope::own_tile ? height * width : width;
  }
  bool is_own(const BundleUse& use) const { return scope(use) == Scope::own || scope(use) == Scope::own_rows; }
  double bytes(const BundleUse& use) const { return pattern().bundles[static_cast<std::size_t>(use.bundle)].bytes(); }

  L2Waves waves_;
  double longest_distance_ = 0;        ///< largest number of bytes between CTAs of a group, without other heads
  std::vector<std::int32_t> shared_;   ///< first shared item of each bundle
  std::vector<std::int32_t> brought_;  ///< most recently shared item of each bundle
  L2 l2_;
};

StreamReuse::StreamReuse(L2Waves waves)
    : waves_(std::move(waves)), l2_(waves_.scene().capacity, waves_.scene().pattern.bundles) {
  const std::int64_t height = waves_.ctas().size, width = waves_.streamed().size;
  for (const Stage& stage : pattern().stages) {
    for (const BundleUse& use : stage.uses) {
      longest_distance_ +=
          bytes(use) * (is_own(use) ? static_cast<double>(height)
                                    : elements(use, static_cast<double>(height), static_cast<double>(width)));
    }
  }
}

L2Tally StreamReuse::run() {
  brought_.assign(pattern().bundles.size(), -1);
  for (std::size_t n = 0; n < pattern().bundles.size(); ++n) {
    const Scope scope = pattern().scopes[n];
    const bool is_shared = scope == Scope::keys || scope == Scope::queries;
    const std::int64_t copies =
        scope == Scope::queries ? product(waves_.units(), waves_.heads_per_kv_head()) : waves_.units();
    const std::int64_t row_blocks = product(waves_.row_blocks(), waves_.units(), waves_.heads_of_unit());
    const std::int64_t items = is_shared                  ? product(waves_.iterations(), copies)
                               : scope == Scope::own_rows ? row_blocks
                                                          : 0;
    shared_.push_back(items > 0 ? l2_.add(static_cast<int>(n), items) : 0);
  }
  L2Tally before;
  for (std::int64_t number = 0; number < waves_.waves(); ++number) {
    if (number == waves_.warm_up()) before = l2_.tally();
    std::vector<WaveGroup> groups = waves_.wave(number);
    bool running = true;
    for (std::int64_t step = 0; running; ++step) {
      running = false;
      for (WaveGroup& group : groups) running = iteration(group, step) || running;
    }
  }
  return before.plus(l2_.tally().plus(before, -1), waves_.repeats());
}

/// Runs one iteration of all CTAs of a group; false if there was none left.
bool StreamReuse::iteration(WaveGroup& group, std::int64_t iteration) {
  const std::size_t stages = pattern().stages.size();
  const std::int64_t iterations = longest(group).iterations();
  if (iterations == 0) {
    if (iteration == 0) once(group, 0, stages, {group.first, group.past}, true);
    return false;
  }
  if (iteration >= iterations * waves_.rounds()) return false;
  Iteration now;
  now.looped = iteration / iterations % waves_.looped_heads();
  const std::int64_t step = iteration % iterations;
  const std::size_t loop = static_cast<std::size_t>(iteration / iterations / waves_.looped_heads());
  now.stage = waves_.loops()[loop];
  now.nth = stage_of(now).down ? iterations - 1 - step : step;
  now.from = iteration == 0 ? 0 : now.stage;
  now.active = {group.first + group.done, group.past};
  const bool ends = waves_.rounds() == 1 || (step + 1 == iterations && now.looped + 1 == waves_.looped_heads());
  now.to = !ends ? now.stage : loop + 1 < waves_.loops().size() ? waves_.loops()[loop + 1] : stages;
  if (ends && waves_.rounds() > 1) now.ending = now.active.size();
  while (waves_.rounds() == 1 && now.ending < now.active.size() &&
         waves_.range_of(now.active.begin + now.ending).iterations() == step + 1) {
    ++now.ending;
  }
  make_accesses(group, now);
  if (waves_.rounds() == 1) group.done += now.ending;
  return true;
}

/// Every CTA in turn accesses the stages before the loop, its own tile, the shared tile, and the stages after the loop.
/// Each of them accesses the shared tile again, so it stays above the accesses of earlier ones.
void StreamReuse::make_accesses(WaveGroup& group, const Iteration& now) {
  const Interval first{now.active.begin, waves_.joined() == 1 ? now.active.begin + 1 : now.active.end};
  const Interval others{first.end, now.active.end};
  once(group, now.from, now.stage, first, false);
  for (const BundleUse& use : stage_of(now).uses) {
    if (is_met(use)) {
      own_tile(use, group, now, first);
    } else {
      share(use, group, now);
    }
  }
  once(group, now.from, now.stage, others, false);
  for (const BundleUse& use : stage_of(now).uses) {
    if (is_met(use) && !others.empty()) own_tile(use, group, now, others);
  }
  const bool all_end = now.ending == now.active.size();
  const std::int64_t last = now.active.end - 1, ended = now.active.begin + now.ending - (all_end ? 1 : 0);
  once(group, now.stage + 1, now.to, {now.active.begin, ended}, false);
  if (now.active.size() > 1) {
    for (const BundleUse& use : stage_of(now).uses) {
      if (!is_met(use)) l2_.refresh(shared_item(use, group, now));
    }
  }
  if (all_end) once(group, now.stage + 1, now.to, {last, last + 1}, false);
}

/// Returns the item of a CTA's own block: new, or shared with the CTAs of the other parts of the keys.
std::int32_t StreamReuse::item_outside_of_loops(const BundleUse& use, const WaveGroup& group, std::int64_t block) {
  if (scope(use) != Scope::own_rows) return l2_.add(use.bundle, 1);
  return shared_[static_cast<std::size_t>(use.bundle)] +
         static_cast<std::int32_t>(group.head * waves_.row_blocks() + block / waves_.parts());
}

/// Accesses of CTAs of these blocks outside loops, stages [from, to). CTAs that see nothing (`dead`) only write.
void StreamReuse::once(const WaveGroup& group, std::size_t from, std::size_t to, Interval blocks, bool dead) {
  for (std::size_t n = from; n < to && !blocks.empty(); ++n) {
    const Stage& stage = pattern().stages[n];
    if (stage.loop()) continue;
    for (const BundleUse& use : stage.uses) {
      if (dead && use.move.writes == 0) continue;
      const std::int32_t item = item_outside_of_loops(use, group, blocks.begin);
      l2_.touch(item, rows(blocks), dead ? Move{0, use.move.writes} : use.move);
      if (use.rereads != 0 && !dead) l2_.repeat(item, rows(blocks), {use.rereads, 0}, 1, use.between);
    }
  }
}

/// Number of elements of the streamed axis in one iteration.
double StreamReuse::width(const WaveGroup& group, const Iteration& now) const {
  const LoopRange& range = longest(group);
  if (!range.steps.empty()) return static_cast<double>(range.steps[static_cast<std::size_t>(now.nth)].elements);
  const std::int64_t size = waves_.joined() * waves_.streamed().size, at = range.begin + now.nth;
  return static_cast<double>(overlap({at * size, (at + 1) * size}, range.elements).size());
}

void StreamReuse::own_tile(const BundleUse& use, WaveGroup& group, const Iteration& now, Interval blocks) {
  group.own.resize(2 * pattern().bundles.size(), -1);  // the first CTA and the others
  const bool first = blocks.begin == now.active.begin;
  const std::int64_t iterations = longest(group).iterations();
  std::int32_t& items = group.own[2 * static_cast<std::size_t>(use.bundle) + (first ? 0 : 1)];
  if (items < 0) items = l2_.add(use.bundle, iterations * waves_.looped_heads());
  // A CTA that represents several has a part of each of them; an iteration over several blocks of keys has one part
  // of each block.
  const double parts = static_cast<double>(waves_.by_row() ? waves_.joined() : blocks.size() * waves_.stacked());
  l2_.touch(items + static_cast<std::int32_t>(now.looped * iterations + now.nth),
            elements(use, rows(blocks), width(group, now)) * (scope(use) == Scope::own_part ? parts : 1), use.move);
}

/// Accesses the shared tile: the first CTA of a group loads it, the others access it one by one.
void StreamReuse::share(const BundleUse& use, const WaveGroup& group, const Iteration& now) {
  const double elements = width(group, now);
  const std::int32_t item = shared_item(use, group, now);
  std::int32_t& brought = brought_[static_cast<std::size_t>(use.bundle)];
  if (brought == item && waves_.joined() > 1) {  // query heads of one KV head share each of the joined blocks
    l2_.repeat(item, elements, use.move, 1, reuse_distance(group, now, now.active.begin, false));
    l2_.refresh(item);
  } else {
    l2_.touch(item, elements, use.move);
  }
  brought = item;
  come_after(use, item, group, now);
}

/// Accesses of all CTAs of a group but the first. The last block may be short, so its CTA is handled separately.
void StreamReuse::come_after(const BundleUse& use, std::int32_t item, const WaveGroup& group, const Iteration& now) {
  const std::int64_t ctas = now.active.size() * waves_.stacked();
  if (ctas == 1) return;
  const double elements = width(group, now);
  const auto repeat = [&](std::int64_t times, double distance) {
    if (times > 0) l2_.repeat(item, elements, use.move, static_cast<double>(times), distance);
  };
  const std::int64_t later = std::min(ctas - 2, waves_.splits(now.active));
  if (later > 0) {
    const auto tiles = static_cast<double>(group.tiles_at_once * waves_.streamed().size);
    repeat(later, tiles * shared_bytes(now));
  }
  if (always_hits(group)) return repeat(ctas - 1 - later, 0);
  const std::int64_t between = ctas - 2 - later, after_end = std::min(between, now.ending);
  repeat(after_end, reuse_distance(group, now, now.active.begin, true));
  repeat(between - after_end, reuse_distance(group, now, now.active.begin, false));
  repeat(1, reuse_distance(group, now, now.active.end - 1, now.ending >= now.active.size() - 1));
}

std::int32_t StreamReuse::shared_item(const BundleUse& use, const WaveGroup& group, const Iteration& now) const {
  const std::int64_t unit = group.head / waves_.heads_of_unit(), at = longest(group).at(now.nth);
  const std::int64_t of = scope(use) == Scope::keys ? unit
                          : waves_.by_row()         ? group.head
                                                    : unit * waves_.heads_per_kv_head() + now.looped;
  return shared_[static_cast<std::size_t>(use.bundle)] + static_cast<std::int32_t>(of * waves_.iterations() + at);
}

/// Bytes of a row of all tensors that CTAs share in an iteration.
double StreamReuse::shared_bytes(const Iteration& now) const {
  double sum = 0;
  for (const BundleUse& use : stage_of(now).uses) sum += is_met(use) ? 0 : bytes(use);
  return sum;
}

/// Bytes between the access of one CTA of a group to a shared tile and that of the next, `cta`: an iteration of that
/// CTA with its accesses before the loop, and those of the previous CTA when its loop ends (`after_end`), times the
/// number of heads whose CTAs are issued in between.
double StreamReuse::reuse_distance(const WaveGroup& group, const Iteration& now, std::int64_t cta,
                                   bool after_end) const {
  const double tile = std::min(static_cast<double>(waves_.streamed().size), width(group, now));
  const double height = rows({cta, cta + 1}), height_before = rows({now.active.begin, now.active.begin + 1});
  double sum = 0;
  for (std::size_t n = now.from; n < (after_end ? std::max(now.to, now.stage + 1) : now.stage + 1); ++n) {
    for (const BundleUse& use : pattern().stages[n].uses) {
      sum += bytes(use) * (n < now.stage ? height : n > now.stage ? height_before : elements(use, height, tile));
    }
  }
  const bool leads = waves_.heads_first() || group.head % waves_.heads_of_unit() == 0;
  return leads ? sum * static_cast<double>(group.neighbours) : sum;
}

}  // namespace

L2Tally reuse_in_streams(const L2Scene& scene) {
  L2Waves waves(scene);
  if (!waves.apart()) return StreamReuse(std::move(waves)).run();
  if (const std::optional<L2Tally> decided = reuse_by_bounds(waves)) return *decided;
  waves.thin_out();
  return reuse_apart(waves);
}

}  // namespace sim

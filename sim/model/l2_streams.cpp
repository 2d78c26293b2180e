// The walk over kernels whose CTAs take one block of an axis and walk the other axis. CTAs of one head that begin at
// the same block march past the same tiles at the same time: one marcher stands for them.
#include <algorithm>

#include "sim/model/l2_marches.h"

namespace sim {
namespace {

/// One turn of a marcher: step `step` of the loop that is stage `stage`, and what comes with it.
struct Turn {
  std::size_t stage = 0;
  std::size_t from = 0, to = 0;  ///< stages [from, stage) come before it, ]stage, to) after it in the CTAs that end
  std::int64_t looped = 0;       ///< query head of a CTA that loops over them
  std::int64_t step = 0;
  Interval active;          ///< blocks of the CTAs that still march
  std::int64_t ending = 0;  ///< the first of them, whose loop ends
};

class StreamWalk {
 public:
  explicit StreamWalk(const L2Scene& scene);
  L2Tally run();

 private:
  bool turn(Marcher& marcher, std::int64_t turn);
  void march_on(Marcher& marcher, const Turn& now);
  void once(std::size_t from, std::size_t to, Interval blocks, bool dead);
  void own_tiles(Marcher& marcher, const Turn& now, Interval blocks);
  void share(const Marcher& marcher, const Turn& now);
  void come_after(const BundleUse& use, std::int32_t item, const Marcher& marcher, const Turn& now);
  std::int32_t shared_item(const BundleUse& use, const Marcher& marcher, const Turn& now) const;
  double width(const Marcher& marcher, const Turn& now) const;
  double rows(Interval blocks) const;
  double apart(const Marcher& marcher, const Turn& now, std::int64_t cta, bool after_end) const;
  double shared_bytes(const Turn& now) const;
  bool always_near(const Marcher& marcher) const {
    return most_apart_ * static_cast<double>(marcher.neighbours) <= marches_.scene().capacity;
  }
  const AccessPattern& pattern() const { return marches_.scene().pattern; }
  const March& longest(const Marcher& marcher) const { return marches_.of(marcher.past - 1); }
  const Stage& stage_of(const Turn& now) const { return pattern().stages[now.stage]; }
  Scope scope(const BundleUse& use) const { return pattern().scopes[static_cast<std::size_t>(use.bundle)]; }
  double bytes(const BundleUse& use) const { return pattern().bundles[static_cast<std::size_t>(use.bundle)].bytes(); }

  Marches marches_;
  double most_apart_ = 0;              ///< no two CTAs of a marcher come further apart, unless heads come in between
  std::vector<std::int32_t> shared_;   ///< first item of each bundle
  std::vector<std::int32_t> brought_;  ///< of each bundle the item that was shared last
  L2 l2_;
};

StreamWalk::StreamWalk(const L2Scene& scene) : marches_(scene), l2_(marches_.scene().capacity, scene.pattern.bundles) {
  const std::int64_t height = marches_.ctas().size, width = marches_.walked().size;
  for (const Stage& stage : scene.pattern.stages) {
    for (const BundleUse& use : stage.uses) {
      const bool own = scope(use) == Scope::own, matrix = scope(use) == Scope::own_tile;
      most_apart_ +=
          bytes(use) * static_cast<double>(own ? height : width) * (matrix ? static_cast<double>(height) : 1);
    }
  }
}

L2Tally StreamWalk::run() {
  brought_.assign(pattern().bundles.size(), -1);
  for (std::size_t n = 0; n < pattern().bundles.size(); ++n) {
    const Scope scope = pattern().scopes[n];
    const bool is_shared = scope == Scope::keys || scope == Scope::queries;
    const std::int64_t copies =
        scope == Scope::queries ? product(marches_.units(), marches_.group()) : marches_.units();
    shared_.push_back(is_shared ? l2_.add(static_cast<int>(n), product(marches_.turns(), copies)) : 0);
  }
  L2Tally before;
  for (std::int64_t number = 0; number < marches_.waves(); ++number) {
    if (number == marches_.warm_up()) before = l2_.tally();
    std::vector<Marcher> marchers = marches_.wave(number);
    bool marching = true;
    for (std::int64_t step = 0; marching; ++step) {
      marching = false;
      for (Marcher& marcher : marchers) marching = turn(marcher, step) || marching;
    }
  }
  return before.plus(l2_.tally().plus(before, -1), marches_.repeats());
}

/// One turn of all CTAs of a marcher; false when there was none left.
bool StreamWalk::turn(Marcher& marcher, std::int64_t turn) {
  const std::size_t stages = pattern().stages.size();
  const std::int64_t turns = longest(marcher).turns();
  if (turns == 0) {
    if (turn == 0) once(0, stages, {marcher.first, marcher.past}, true);
    return false;
  }
  if (turn >= turns * marches_.rounds()) return false;
  Turn now;
  now.looped = turn / turns % marches_.looped_heads();
  now.step = turn % turns;
  const std::size_t loop = static_cast<std::size_t>(turn / turns / marches_.looped_heads());
  now.stage = marches_.loops()[loop];
  now.from = turn == 0 ? 0 : now.stage;
  now.active = {marcher.first + marcher.done, marcher.past};
  const bool ends = marches_.rounds() == 1 || (now.step + 1 == turns && now.looped + 1 == marches_.looped_heads());
  now.to = !ends ? now.stage : loop + 1 < marches_.loops().size() ? marches_.loops()[loop + 1] : stages;
  if (ends && marches_.rounds() > 1) now.ending = now.active.size();
  while (marches_.rounds() == 1 && now.ending < now.active.size() &&
         marches_.of(now.active.begin + now.ending).turns() == now.step + 1) {
    ++now.ending;
  }
  march_on(marcher, now);
  if (marches_.rounds() == 1) marcher.done += now.ending;
  return true;
}

/// Every CTA does in turn what comes before the loop, its own tile, the shared tile, and what comes after the loop. As
/// the shared tile comes past again with each of them, it stays above what the earlier ones did.
void StreamWalk::march_on(Marcher& marcher, const Turn& now) {
  const Interval first{now.active.begin, marches_.joined() == 1 ? now.active.begin + 1 : now.active.end};
  const Interval others{first.end, now.active.end};
  once(now.from, now.stage, first, false);
  own_tiles(marcher, now, first);
  share(marcher, now);
  once(now.from, now.stage, others, false);
  own_tiles(marcher, now, others);
  const bool all_end = now.ending == now.active.size();
  const std::int64_t last = now.active.end - 1, ended = now.active.begin + now.ending - (all_end ? 1 : 0);
  once(now.stage + 1, now.to, {now.active.begin, ended}, false);
  if (now.active.size() > 1) {
    for (const BundleUse& use : stage_of(now).uses) {
      if (scope(use) != Scope::own_tile) l2_.refresh(shared_item(use, marcher, now));
    }
  }
  if (all_end) once(now.stage + 1, now.to, {last, last + 1}, false);
}

/// What CTAs of these blocks do outside of loops, stages [from, to). Where they see nothing (`dead`) they only write.
void StreamWalk::once(std::size_t from, std::size_t to, Interval blocks, bool dead) {
  for (std::size_t n = from; n < to && !blocks.empty(); ++n) {
    const Stage& stage = pattern().stages[n];
    if (stage.loop()) continue;
    for (const BundleUse& use : stage.uses) {
      if (dead && use.move.writes == 0) continue;
      const std::int32_t item = l2_.add(use.bundle, 1);
      l2_.touch(item, rows(blocks), dead ? Move{0, use.move.writes} : use.move);
      if (use.rereads != 0 && !dead) l2_.repeat(item, rows(blocks), {use.rereads, 0}, 1, use.between);
    }
  }
}

/// The elements of the walked axis in one turn.
double StreamWalk::width(const Marcher& marcher, const Turn& now) const {
  const March& march = longest(marcher);
  const std::int64_t size = marches_.joined() * marches_.walked().size, at = march.begin + now.step;
  return static_cast<double>(overlap({at * size, (at + 1) * size}, march.elements).size());
}

void StreamWalk::own_tiles(Marcher& marcher, const Turn& now, Interval blocks) {
  for (const BundleUse& use : stage_of(now).uses) {
    if (scope(use) != Scope::own_tile || blocks.empty()) continue;
    marcher.own.resize(2 * pattern().bundles.size(), -1);  // the first CTA and the others
    const bool first = blocks.begin == now.active.begin;
    const std::int64_t turns = longest(marcher).turns();
    std::int32_t& items = marcher.own[2 * static_cast<std::size_t>(use.bundle) + (first ? 0 : 1)];
    if (items < 0) items = l2_.add(use.bundle, turns * marches_.looped_heads());
    l2_.touch(items + static_cast<std::int32_t>(now.looped * turns + now.step), width(marcher, now) * rows(blocks),
              use.move);
  }
}

/// The first CTA of a marcher brings the shared tile, the others come to it one by one.
void StreamWalk::share(const Marcher& marcher, const Turn& now) {
  const double elements = width(marcher, now);
  for (const BundleUse& use : stage_of(now).uses) {
    if (scope(use) == Scope::own_tile) continue;
    const std::int32_t item = shared_item(use, marcher, now);
    std::int32_t& brought = brought_[static_cast<std::size_t>(use.bundle)];
    if (brought == item && marches_.joined() > 1) {  // query heads of one KV head share each of the joined blocks
      l2_.repeat(item, elements, use.move, 1, apart(marcher, now, now.active.begin, false));
      l2_.refresh(item);
    } else {
      l2_.touch(item, elements, use.move);
    }
    brought = item;
    come_after(use, item, marcher, now);
  }
}

/// The accesses of all CTAs of a marcher but the first. The last block may be short, so its CTA is told apart.
void StreamWalk::come_after(const BundleUse& use, std::int32_t item, const Marcher& marcher, const Turn& now) {
  const std::int64_t ctas = now.active.size() * marches_.stacked();
  if (ctas == 1) return;
  const double elements = width(marcher, now);
  const auto repeat = [&](std::int64_t times, double distance) {
    if (times > 0) l2_.repeat(item, elements, use.move, static_cast<double>(times), distance);
  };
  const std::int64_t later = std::min(ctas - 2, marches_.partings(now.active));
  if (later > 0) {
    const auto tiles = static_cast<double>(marcher.tiles_at_once * marches_.walked().size);
    repeat(later, tiles * shared_bytes(now));
  }
  if (always_near(marcher)) return repeat(ctas - 1 - later, 0);
  const std::int64_t between = ctas - 2 - later, after_end = std::min(between, now.ending);
  repeat(after_end, apart(marcher, now, now.active.begin, true));
  repeat(between - after_end, apart(marcher, now, now.active.begin, false));
  repeat(1, apart(marcher, now, now.active.end - 1, now.ending >= now.active.size() - 1));
}

std::int32_t StreamWalk::shared_item(const BundleUse& use, const Marcher& marcher, const Turn& now) const {
  const std::int64_t unit = marcher.head / marches_.heads_of_unit(), at = longest(marcher).begin + now.step;
  const std::int64_t of = scope(use) == Scope::keys ? unit
                          : marches_.by_row()       ? marcher.head
                                                    : unit * marches_.group() + now.looped;
  return shared_[static_cast<std::size_t>(use.bundle)] + static_cast<std::int32_t>(of * marches_.turns() + at);
}

double StreamWalk::rows(Interval blocks) const {
  return static_cast<double>(marches_.ctas().elements(blocks.end - 1).end -
                             marches_.ctas().elements(blocks.begin).begin);
}

/// Bytes of a row of all tensors that CTAs share in a turn.
double StreamWalk::shared_bytes(const Turn& now) const {
  double sum = 0;
  for (const BundleUse& use : stage_of(now).uses) sum += scope(use) == Scope::own_tile ? 0 : bytes(use);
  return sum;
}

/// Bytes between the access of one CTA of a marcher to a shared tile and that of the next, `cta`: a turn of that CTA
/// with what it does before the loop, and what the one before it does when its loop ends (`after_end`), times the heads
/// whose CTAs come in between.
double StreamWalk::apart(const Marcher& marcher, const Turn& now, std::int64_t cta, bool after_end) const {
  const double tile = std::min(static_cast<double>(marches_.walked().size), width(marcher, now));
  const double height = rows({cta, cta + 1}), height_before = rows({now.active.begin, now.active.begin + 1});
  double sum = 0;
  for (std::size_t n = now.from; n < (after_end ? std::max(now.to, now.stage + 1) : now.stage + 1); ++n) {
    for (const BundleUse& use : pattern().stages[n].uses) {
      const bool own_tile = scope(use) == Scope::own_tile;
      sum += bytes(use) * (n < now.stage ? height : n > now.stage ? height_before : own_tile ? height * tile : tile);
    }
  }
  const bool leads = marches_.heads_first() || marcher.head % marches_.heads_of_unit() == 0;
  return leads ? sum * static_cast<double>(marcher.neighbours) : sum;
}

}  // namespace

L2Tally walk_streams(const L2Scene& scene) {
  StreamWalk walk(scene);
  return walk.run();
}

}  // namespace sim

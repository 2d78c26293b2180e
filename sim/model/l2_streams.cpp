// The walk over kernels whose CTAs take one block of an axis and walk the other axis. CTAs of one head that begin at
// the same block march past the same tiles at the same time: one marcher stands for them.
#include <algorithm>

#include "sim/model/l2_walks.h"

namespace sim {
namespace {

/// Where the CTAs of one block march: turns [begin, end) of joined blocks, elements of the axis that they walk.
struct March {
  std::int64_t begin = 0, end = 0;
  Interval elements;
  std::int64_t turns() const { return end - begin; }
};

/// CTAs of neighbouring blocks of one head that begin together, in issue order; later ones march as long or longer.
struct Marcher {
  std::int64_t head = 0, first = 0, past = 0;
  std::int64_t neighbours = 1;    ///< heads between which its CTAs take turns
  std::int64_t done = 0;          ///< CTAs that are through
  std::vector<std::int32_t> own;  ///< first item of each bundle of its own tiles
};

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
  const L2Tally& run();

 private:
  bool by_row() const { return scene_.grid.cuts_rows(); }
  bool heads_first() const { return scene_.grid.raster == Raster::head_outermost; }
  /// Heads of the grid in one unit, which is what shares a KV head; query heads that one CTA loops over.
  std::int64_t heads_of_unit() const { return by_row() ? group_ : 1; }
  std::int64_t looped_heads() const { return by_row() ? 1 : group_; }
  std::int64_t rounds() const { return static_cast<std::int64_t>(loops_.size()) * looped_heads(); }
  const March& march(std::int64_t block) const { return marches_[static_cast<std::size_t>(block)]; }
  bool together(std::int64_t a, std::int64_t b) const;
  void join_blocks(std::int64_t by);
  std::int64_t accesses_of_unit() const;
  void choose_size();
  void let_one_stand_for(std::int64_t heads);
  std::vector<Marcher> wave(std::int64_t first, std::int64_t past) const;
  void add_run(std::vector<Marcher>& marchers, Marcher run) const;
  bool turn(Marcher& marcher, std::int64_t turn);
  void march_on(Marcher& marcher, const Turn& now);
  void once(std::size_t from, std::size_t to, Interval blocks, bool dead);
  void own_tiles(Marcher& marcher, const Turn& now, Interval blocks);
  void share(const Marcher& marcher, const Turn& now);
  std::int32_t shared_item(const BundleUse& use, const Marcher& marcher, const Turn& now) const;
  double width(const Marcher& marcher, const Turn& now) const;
  double rows(Interval blocks) const;
  double apart(const Marcher& marcher, const Turn& now, std::int64_t cta, bool after_end) const;
  const Stage& stage_of(const Turn& now) const { return scene_.pattern.stages[now.stage]; }
  Scope scope(const BundleUse& use) const { return scene_.pattern.scopes[static_cast<std::size_t>(use.bundle)]; }
  double bytes(const BundleUse& use) const {
    return scene_.pattern.bundles[static_cast<std::size_t>(use.bundle)].bytes();
  }

  L2Scene scene_;
  std::int64_t group_, units_;
  Blocking ctas_, walked_;
  bool one_by_one_ = false;  ///< no CTAs are merged
  std::int64_t joined_ = 1;  ///< blocks of the walked axis that one turn stands for
  std::vector<March> marches_;
  std::vector<std::size_t> loops_;    ///< their stages
  std::vector<std::int32_t> shared_;  ///< first item of each bundle
  L2 l2_;
};

StreamWalk::StreamWalk(const L2Scene& scene)
    : scene_(scene),
      group_(scene.shape.heads / scene.shape.kv_heads),
      units_(scene.shape.batch * scene.shape.kv_heads),
      ctas_{by_row() ? scene.shape.seqlen_q : scene.shape.seqlen_k, by_row() ? scene.grid.br : scene.grid.bc},
      walked_{by_row() ? scene.shape.seqlen_k : scene.shape.seqlen_q, by_row() ? scene.grid.bc : scene.grid.br},
      l2_(0, {}) {
  for (std::size_t n = 0; n < scene.pattern.stages.size(); ++n) {
    if (scene.pattern.stages[n].loop()) loops_.push_back(n);
  }
  join_blocks(1);
  choose_size();
}

/// Turns of `by` blocks each.
void StreamWalk::join_blocks(std::int64_t by) {
  joined_ = by;
  marches_.clear();
  for (std::int64_t block = 0; block < ctas_.count(); ++block) {
    Interval live{0, walked_.count()};
    if (scene_.grid.skips) {
      live = by_row() ? visit_keys(scene_.shape, scene_.grid, block).live
                      : visit_queries(scene_.shape, scene_.grid, block).live;
    }
    if (live.empty()) {
      marches_.emplace_back();
    } else {
      const Interval elements{walked_.elements(live.begin).begin, walked_.elements(live.end - 1).end};
      marches_.push_back({live.begin / by, ceil_div(live.end, by), elements});
    }
  }
}

/// Do CTAs of these blocks march past the same tiles at the same time? With more than one loop they must also end
/// together, or they would part at the second one.
bool StreamWalk::together(std::int64_t a, std::int64_t b) const {
  const March &first = march(a), &second = march(b);
  if (first.turns() == 0 || second.turns() == 0) return first.turns() == second.turns();
  return first.begin == second.begin && (rounds() == 1 || first.end == second.end);
}

std::int64_t StreamWalk::accesses_of_unit() const {
  std::int64_t accesses = 0, since = 0;
  for (std::int64_t block = 0; block < ctas_.count(); ++block) {
    const bool last = block + 1 == ctas_.count();
    if (++since == scene_.in_flight || last || !together(block, block + 1)) {
      accesses += march(block).turns() + 2;
      since = 0;
    }
  }
  return checked_multiply(accesses, rounds() * heads_of_unit());
}

/// Few accesses are made one by one. Otherwise blocks are joined until a unit is walked within the budget, then as many
/// units are taken as it allows.
void StreamWalk::choose_size() {
  std::int64_t turns = 0;
  for (const March& march : marches_) turns = checked_add(turns, march.turns() + 2);
  one_by_one_ = product(turns, rounds(), heads_of_unit(), units_) <= walk_budget;
  if (one_by_one_) return;
  while (accesses_of_unit() > walk_budget / 4 && ceil_div(walked_.count(), joined_) > 16) join_blocks(2 * joined_);
  const std::int64_t most = std::clamp<std::int64_t>(walk_budget / accesses_of_unit(), 1, units_);
  const std::int64_t at_once = std::min(units_, ceil_div(scene_.in_flight, ctas_.count() * heads_of_unit()));
  if (!heads_first()) {
    if (most < units_) let_one_stand_for(units_);
  } else {
    if (most < 4 * at_once && most < units_) let_one_stand_for(ceil_div(4 * at_once, most));
    units_ = std::min(units_, most);
  }
}

/// Heads in flight move alike: one stands for some of them, with its part of the L2 and of the chip.
void StreamWalk::let_one_stand_for(std::int64_t heads) {
  heads = std::min(heads, scene_.in_flight);
  for (std::int64_t more = heads; more < 2 * heads; ++more) {  // without a rest, if there is a divisor near
    if (scene_.in_flight % more != 0) continue;
    heads = more;
    break;
  }
  scene_.capacity /= static_cast<double>(heads);
  scene_.in_flight = std::max<std::int64_t>(1, scene_.in_flight / heads);
  units_ = std::max<std::int64_t>(1, units_ / heads);
}

const L2Tally& StreamWalk::run() {
  l2_ = L2(scene_.capacity, scene_.pattern.bundles);
  const std::int64_t turns = ceil_div(walked_.count(), joined_);
  for (std::size_t n = 0; n < scene_.pattern.bundles.size(); ++n) {
    const Scope scope = scene_.pattern.scopes[n];
    const bool is_shared = scope == Scope::keys || scope == Scope::queries;
    const std::int64_t copies = scope == Scope::queries ? units_ * group_ : units_;
    shared_.push_back(is_shared ? l2_.add(static_cast<int>(n), turns * copies) : 0);
  }
  const std::int64_t ctas = ctas_.count() * units_ * heads_of_unit();
  for (std::int64_t first = 0; first < ctas; first += scene_.in_flight) {
    std::vector<Marcher> marchers = wave(first, std::min(ctas, first + scene_.in_flight));
    bool marching = true;
    for (std::int64_t step = 0; marching; ++step) {
      marching = false;
      for (Marcher& marcher : marchers) marching = turn(marcher, step) || marching;
    }
  }
  return l2_.flush();
}

/// The marchers of CTAs [first, past) in issue order.
std::vector<Marcher> StreamWalk::wave(std::int64_t first, std::int64_t past) const {
  std::vector<Marcher> marchers;
  const std::int64_t blocks = ctas_.count(), heads = units_ * heads_of_unit();
  if (one_by_one_) {
    for (std::int64_t cta = first; cta < past; ++cta) {
      const std::int64_t block = heads_first() ? cta % blocks : cta / heads;
      marchers.push_back({heads_first() ? cta / blocks : cta % heads, block, block + 1, 1, 0, {}});
    }
    return marchers;
  }
  if (heads_first()) {
    for (std::int64_t cta = first; cta < past;) {
      const std::int64_t head = cta / blocks, end = std::min(past, (head + 1) * blocks);
      add_run(marchers, {head, cta % blocks, (end - 1) % blocks + 1, 1, 0, {}});
      cta = end;
    }
    return marchers;
  }
  for (std::int64_t cta = first; cta < std::min(past, first + heads); ++cta) {
    const std::int64_t later = (past - 1 - cta) / heads;  // CTAs of the same head that follow in this wave
    add_run(marchers, {cta % heads, cta / heads, cta / heads + later + 1, std::min(heads, past - first), 0, {}});
  }
  return marchers;
}

/// Cuts CTAs of one head where they do not march together.
void StreamWalk::add_run(std::vector<Marcher>& marchers, Marcher run) const {
  for (std::int64_t block = run.first; block < run.past; ++block) {
    if (block + 1 < run.past && together(block, block + 1)) continue;
    Marcher part = run;
    part.past = block + 1;
    marchers.push_back(part);
    run.first = block + 1;
  }
}

/// One turn of all CTAs of a marcher; false when there was none left.
bool StreamWalk::turn(Marcher& marcher, std::int64_t turn) {
  const std::size_t stages = scene_.pattern.stages.size();
  const std::int64_t turns = march(marcher.past - 1).turns();
  if (turns == 0) {
    if (turn == 0) once(0, stages, {marcher.first, marcher.past}, true);
    return false;
  }
  if (turn >= turns * rounds()) return false;
  Turn now;
  now.looped = turn / turns % looped_heads();
  now.step = turn % turns;
  const std::size_t loop = static_cast<std::size_t>(turn / turns / looped_heads());
  now.stage = loops_[loop];
  now.from = turn == 0 ? 0 : now.stage;
  now.active = {marcher.first + marcher.done, marcher.past};
  const bool ends = rounds() == 1 || (now.step + 1 == turns && now.looped + 1 == looped_heads());
  now.to = !ends ? now.stage : loop + 1 < loops_.size() ? loops_[loop + 1] : stages;
  if (ends && rounds() > 1) now.ending = now.active.size();
  while (rounds() == 1 && now.ending < now.active.size() &&
         march(now.active.begin + now.ending).turns() == now.step + 1) {
    ++now.ending;
  }
  march_on(marcher, now);
  if (rounds() == 1) marcher.done += now.ending;
  return true;
}

/// Every CTA does in turn what comes before the loop, its own tile, the shared tile, and what comes after the loop. As
/// the shared tile comes past again with each of them, it stays above what the earlier ones did.
void StreamWalk::march_on(Marcher& marcher, const Turn& now) {
  const Interval first{now.active.begin, now.active.begin + 1}, others{first.end, now.active.end};
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
    const Stage& stage = scene_.pattern.stages[n];
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
  const March& longest = march(marcher.past - 1);
  const std::int64_t size = joined_ * walked_.size, at = longest.begin + now.step;
  return static_cast<double>(overlap({at * size, (at + 1) * size}, longest.elements).size());
}

void StreamWalk::own_tiles(Marcher& marcher, const Turn& now, Interval blocks) {
  for (const BundleUse& use : stage_of(now).uses) {
    if (scope(use) != Scope::own_tile || blocks.empty()) continue;
    marcher.own.resize(2 * scene_.pattern.bundles.size(), -1);  // the first CTA and the others
    const bool first = blocks.begin == now.active.begin;
    const std::int64_t turns = march(marcher.past - 1).turns();
    std::int32_t& items = marcher.own[2 * static_cast<std::size_t>(use.bundle) + (first ? 0 : 1)];
    if (items < 0) items = l2_.add(use.bundle, turns * looped_heads());
    l2_.touch(items + static_cast<std::int32_t>(now.looped * turns + now.step), width(marcher, now) * rows(blocks),
              use.move);
  }
}

/// The first CTA of a marcher brings the shared tile, the others come to it one by one. The last block may be short.
void StreamWalk::share(const Marcher& marcher, const Turn& now) {
  const double elements = width(marcher, now);
  const std::int64_t between = std::max<std::int64_t>(0, now.active.size() - 2);  // neither the first CTA nor the last
  const std::int64_t after_end = std::min(between, now.ending), last = now.active.end - 1;
  for (const BundleUse& use : stage_of(now).uses) {
    if (scope(use) == Scope::own_tile) continue;
    const std::int32_t item = shared_item(use, marcher, now);
    l2_.touch(item, elements, use.move);
    const auto repeat = [&](std::int64_t times, std::int64_t cta, bool after) {
      if (times > 0) l2_.repeat(item, elements, use.move, static_cast<double>(times), apart(marcher, now, cta, after));
    };
    repeat(after_end, now.active.begin, true);
    repeat(between - after_end, now.active.begin, false);
    repeat(now.active.size() > 1 ? 1 : 0, last, now.ending >= now.active.size() - 1);
  }
}

std::int32_t StreamWalk::shared_item(const BundleUse& use, const Marcher& marcher, const Turn& now) const {
  const std::int64_t unit = marcher.head / heads_of_unit(), at = march(marcher.past - 1).begin + now.step;
  const std::int64_t of = scope(use) == Scope::keys ? unit : by_row() ? marcher.head : unit * group_ + now.looped;
  return shared_[static_cast<std::size_t>(use.bundle)] +
         static_cast<std::int32_t>(of * ceil_div(walked_.count(), joined_) + at);
}

double StreamWalk::rows(Interval blocks) const {
  return static_cast<double>(ctas_.elements(blocks.end - 1).end - ctas_.elements(blocks.begin).begin);
}

/// Bytes between the access of one CTA of a marcher to a shared tile and that of the next, `cta`: a turn of that CTA
/// with what it does before the loop, and what the one before it does when its loop ends (`after_end`), times the heads
/// whose CTAs come in between.
double StreamWalk::apart(const Marcher& marcher, const Turn& now, std::int64_t cta, bool after_end) const {
  const double tile = std::min(static_cast<double>(walked_.size), width(marcher, now));
  const double height = rows({cta, cta + 1}), height_before = rows({now.active.begin, now.active.begin + 1});
  double sum = 0;
  for (std::size_t n = now.from; n < (after_end ? std::max(now.to, now.stage + 1) : now.stage + 1); ++n) {
    for (const BundleUse& use : scene_.pattern.stages[n].uses) {
      const bool own_tile = scope(use) == Scope::own_tile;
      sum += bytes(use) * (n < now.stage ? height : n > now.stage ? height_before : own_tile ? height * tile : tile);
    }
  }
  const bool leads = heads_first() || marcher.head % heads_of_unit() == 0;
  return leads ? sum * static_cast<double>(marcher.neighbours) : sum;
}

}  // namespace

L2Tally walk_streams(const L2Scene& scene) {
  StreamWalk walk(scene);
  return walk.run();
}

}  // namespace sim

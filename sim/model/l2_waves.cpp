#include "sim/model/l2_waves.h"

#include <algorithm>
#include <tuple>

namespace sim {
namespace {

constexpr std::int64_t most_stacks = 1024, fewest_in_flight = 8;

}  // namespace

L2Waves::L2Waves(const L2Scene& scene)
    : scene_(scene),
      heads_per_kv_head_(scene.shape.heads / scene.shape.kv_heads),
      units_(scene.shape.batch * scene.shape.kv_heads),
      streamed_{by_row() ? scene.shape.seqlen_k : scene.shape.seqlen_q, by_row() ? scene.grid.bc : scene.grid.br} {
  for (std::size_t n = 0; n < scene.pattern.stages.size(); ++n) {
    if (scene.pattern.stages[n].loop()) loops_.push_back(n);
  }
  stack_ctas();
  find_ranges();
  choose_size();
}

/// Merges `stacked_` neighbouring CTAs into one of their total height, if there are very many short ones.
void L2Waves::stack_ctas() {
  if (scene_.grid.is_split()) {
    const std::int64_t rows = std::min(scene_.grid.br, scene_.shape.seqlen_q);
    parts_ = scene_.grid.cta_columns(scene_.shape).count();
    ctas_ = {product(scene_.grid.cta_rows(scene_.shape).count(), parts_, rows), rows};
    return;
  }
  const Mask& mask = scene_.shape.mask;
  const bool of_one = mask.blocks || (goes_down() && (mask.causal || mask.window));
  if (of_one && scene_.grid.skips) {  // no stacking: a pattern, or CTAs that are each at a different block
    ctas_ =
        by_row() ? Blocking{scene_.shape.seqlen_q, scene_.grid.br} : Blocking{scene_.shape.seqlen_k, scene_.grid.bc};
    return;
  }
  std::int64_t& size = by_row() ? scene_.grid.br : scene_.grid.bc;
  const std::int64_t extent = by_row() ? scene_.shape.seqlen_q : scene_.shape.seqlen_k;
  stacked_ = std::clamp<std::int64_t>(ceil_div(extent, size) / most_stacks, 1,
                                      std::max<std::int64_t>(1, scene_.in_flight / fewest_in_flight));
  size = checked_multiply(size, stacked_);
  scene_.in_flight /= stacked_;
  ctas_ = {extent, size};
}

std::int64_t L2Waves::rows(Interval ctas) const {
  if (!scene_.grid.is_split()) return ctas_.elements(ctas.end - 1).end - ctas_.elements(ctas.begin).begin;
  const Blocking rows = scene_.grid.cta_rows(scene_.shape);
  std::int64_t sum = 0;
  for (std::int64_t cta = ctas.begin; cta < ctas.end; ++cta) sum += rows.elements(cta / parts_).size();
  return sum;
}

Visit L2Waves::visit_of(std::int64_t block) const {
  const auto& [shape, grid] = std::tie(scene_.shape, scene_.grid);
  const Interval all{0, streamed_.count()};
  if (!grid.skips) return {all, all};
  return by_row() ? visit_of_cta(shape, grid, block / parts_, block % parts_) : visit_of_cta(shape, grid, 0, block);
}

void L2Waves::find_ranges() {
  for (std::int64_t block = 0; block < ctas_.count(); ++block) {
    const Visit visit = visit_of(block);
    const Interval live = visit.live;
    gaps_ = gaps_ || visit.pieces.size() > 1;
    LoopRange range;
    if (!live.empty()) {
      range.live = live;
      range.elements = {streamed_.elements(live.begin).begin, streamed_.elements(live.end - 1).end};
    }
    ranges_.push_back(range);
  }
  join_blocks(0);
  for (std::int64_t block = 0; block < ctas_.count(); ++block) {
    const std::int64_t before = block == 0 ? 0 : splits_before_.back();
    splits_before_.push_back(block > 0 && !together(block - 1, block) ? before + 1 : before);
  }
}

std::int64_t L2Waves::splits(Interval blocks) const {
  return splits_before_[static_cast<std::size_t>(blocks.end - 1)] -
         splits_before_[static_cast<std::size_t>(blocks.begin)];
}

/// Makes iterations of 2^log blocks each.
void L2Waves::join_blocks(int log) {
  log_joined_ = log;
  if (gaps_) return join_steps();
  for (LoopRange& range : ranges_) {
    range.begin = range.live.begin >> log;
    range.end = (range.live.end + joined() - 1) >> log;
  }
}

/// Joins pairs of adjacent blocks into one, unless no blocks are joined yet.
void L2Waves::join_steps() {
  for (std::size_t block = 0; block < ranges_.size(); ++block) {
    LoopRange& range = ranges_[block];
    if (log_joined_ == 0) range.steps = steps_of(static_cast<std::int64_t>(block));
    std::size_t kept = 0;
    for (LoopRange::Step step : range.steps) {
      if (log_joined_ > 0) step.at /= 2;
      if (kept > 0 && range.steps[kept - 1].at == step.at) {
        range.steps[kept - 1].elements += step.elements;
      } else {
        range.steps[kept++] = step;
      }
    }
    range.steps.resize(kept);
    range.begin = 0;
    range.end = static_cast<std::int64_t>(kept);
  }
}

/// Returns the blocks that a pattern leaves, one by one.
std::vector<LoopRange::Step> L2Waves::steps_of(std::int64_t block) const {
  std::vector<LoopRange::Step> steps;
  visit_of(block).each_piece([&](Interval piece) {
    for (std::int64_t at = piece.begin; at < piece.end; ++at) steps.push_back({at, streamed_.elements(at).size()});
  });
  return steps;
}

bool L2Waves::goes_down() const {
  return std::any_of(loops_.begin(), loops_.end(), [&](std::size_t loop) { return scene_.pattern.stages[loop].down; });
}

/// True if CTAs of these blocks loop over the same tiles at the same time. With more than one loop they must also end
/// together, otherwise they would separate in the second one.
bool L2Waves::together(std::int64_t a, std::int64_t b) const {
  const LoopRange &first = range_of(a), &second = range_of(b);
  if (first.iterations() == 0 || second.iterations() == 0) return first.iterations() == second.iterations();
  if (!first.steps.empty() || !second.steps.empty()) return first.steps == second.steps;
  return first.begin == second.begin && ((rounds() == 1 && !goes_down()) || first.end == second.end);
}

/// Estimated accesses of a unit: a group of CTAs makes one access per iteration.
std::int64_t L2Waves::accesses_of_unit() const {
  const std::int64_t heads = heads_first() ? 1 : units_ * heads_of_unit();
  const std::int64_t most = std::max<std::int64_t>(1, scene_.in_flight / heads);  // CTAs of one head in a wave
  std::int64_t accesses = 0, since = 0;
  for (std::int64_t block = 0; block < ctas_.count(); ++block) {
    const bool last = block + 1 == ctas_.count();
    if (++since == most || last || !together(block, block + 1)) {
      accesses = checked_add(accesses, range_of(block).iterations() + 2);
      since = 0;
    }
  }
  return checked_multiply(accesses, rounds() * heads_of_unit());
}

bool L2Waves::small() const {
  std::int64_t iterations = 0;
  for (const LoopRange& range : ranges_) iterations = checked_add(iterations, range.iterations() + 2);
  const std::int64_t budget = !heads_first() ? 16 * access_budget : gaps_ ? 8 * access_budget : access_budget;
  return iterations <= budget && heads_per_kv_head_ <= budget && units_ <= budget &&
         product(iterations, static_cast<std::int64_t>(loops_.size()), heads_per_kv_head_) <= budget / units_;
}

/// Chooses the size of the simulation. A small kernel is simulated access by access. Otherwise blocks are joined until
/// a unit fits its part of the budget; then the number of units that the budget allows is simulated.
void L2Waves::choose_size() {
  apart_ = goes_down() && rounds() == 1 && splits({0, ctas_.count()}) > 0;
  one_by_one_ = !apart_ && small();
  if (apart_ || one_by_one_) return;
  const bool abreast = together(0, ctas_.count() - 1);  // otherwise joined blocks hide the order of CTAs
  // With gaps, few CTAs share tiles and joined blocks hide which ones do: run fewer waves instead.
  const std::int64_t most = gaps_ ? 16 * access_budget : abreast ? access_budget / 4 : access_budget;
  while (accesses_of_unit() > most && iterations() > 16) join_blocks(log_joined_ + 1);
  const std::int64_t too_many = accesses_of_unit() / (8 * access_budget);
  if (!by_row() && too_many > 0) heads_per_kv_head_ = std::max<std::int64_t>(1, heads_per_kv_head_ / (too_many + 1));
  stride_ = accesses_of_unit() / (2 * access_budget) + 1;
  choose_units((heads_first() ? 1 : 16) * access_budget, accesses_of_unit() / stride_ + 1);
}

/// Selects the number of units that the budget allows, of `accesses` each.
void L2Waves::choose_units(std::int64_t budget, std::int64_t accesses) {
  const std::int64_t fewest = std::min<std::int64_t>(2, units_);
  const std::int64_t most = std::clamp(budget / accesses, fewest, units_);
  if (!heads_first()) {
    if (most < units_) let_one_stand_for(ceil_div(units_, most));
    return;
  }
  const std::int64_t at_once = std::min(units_, units_in_flight());
  if (most < 4 * at_once && most < units_) let_one_stand_for(std::min(at_once, ceil_div(4 * at_once, most)));
  take_units(most);
}

void L2Waves::take_units(std::int64_t most) {
  if (!heads_first() || most >= units_) return;
  whole_ = false;
  repeats_ *= static_cast<double>(units_ - 1) / static_cast<double>(most - 1);
  units_ = most;
}

/// Lets one head represent several in flight, which all move alike, with its part of the L2 and of the chip.
void L2Waves::let_one_stand_for(std::int64_t heads) {
  heads = std::min(heads, scene_.in_flight);
  for (std::int64_t more = heads; more < 2 * heads; ++more) {  // prefers a nearby divisor of in_flight
    if (scene_.in_flight % more != 0) continue;
    heads = more;
    break;
  }
  scene_.capacity /= static_cast<double>(heads);
  scene_.in_flight = std::max<std::int64_t>(1, scene_.in_flight / heads);
  units_ = std::max<std::int64_t>(1, units_ / heads);
}

std::int64_t L2Waves::waves() const {
  const std::int64_t waves = ceil_div(all_ctas(), scene_.in_flight);
  return whole_ ? ceil_div(waves, stride_) : std::max(warm_up() + 1, all_ctas() / scene_.in_flight / stride_);
}

std::int64_t L2Waves::warm_up() const {
  return whole_ ? 0 : product(ctas_.count(), heads_of_unit()) / scene_.in_flight / stride_;
}

BlockOfHead L2Waves::place_of(std::int64_t cta) const {
  const std::int64_t blocks = ctas_.count(), heads = units_ * heads_of_unit();
  BlockOfHead place = heads_first() ? BlockOfHead{cta / blocks, cta % blocks} : BlockOfHead{cta % heads, cta / heads};
  if (scene_.last_block_first) place.block = blocks - 1 - place.block;
  return place;
}

Interval L2Waves::ctas_of_wave(std::int64_t number) const {
  const std::int64_t first = number * stride_ * scene_.in_flight;
  return {first, std::min(all_ctas(), first + scene_.in_flight)};
}

/// Returns the groups of one wave in issue order.
std::vector<WaveGroup> L2Waves::wave(std::int64_t number) const {
  std::vector<WaveGroup> groups = cut_wave(number);
  std::int64_t abreast = 0;
  for (const WaveGroup& group : groups) abreast += splits({group.first, group.past}) + 1;
  for (WaveGroup& group : groups) group.tiles_at_once = abreast;
  return groups;
}

std::vector<WaveGroup> L2Waves::cut_wave(std::int64_t number) const {
  std::vector<WaveGroup> groups;
  const std::int64_t blocks = ctas_.count(), heads = units_ * heads_of_unit();
  const auto [first, past] = ctas_of_wave(number);
  if (one_by_one_) {
    for (std::int64_t cta = first; cta < past; ++cta) {
      const BlockOfHead at = place_of(cta);
      groups.push_back({at.head, at.block, at.block + 1, 1, 1, 0, {}});
    }
    return groups;
  }
  if (heads_first()) {
    for (std::int64_t cta = first; cta < past;) {
      const std::int64_t head = cta / blocks, end = std::min(past, (head + 1) * blocks);
      add_groups(groups, {head, cta % blocks, (end - 1) % blocks + 1, 1, 1, 0, {}});
      cta = end;
    }
    return groups;
  }
  for (std::int64_t cta = first; cta < std::min(past, first + heads); ++cta) {
    const std::int64_t later = (past - 1 - cta) / heads;  // CTAs of the same head that follow in this wave
    add_groups(groups, {cta % heads, cta / heads, cta / heads + later + 1, std::min(heads, past - first), 1, 0, {}});
  }
  return groups;
}

/// Splits the CTAs of one head into groups that begin together.
void L2Waves::add_groups(std::vector<WaveGroup>& groups, WaveGroup run) const {
  for (std::int64_t block = run.first; block < run.past; ++block) {
    if (block + 1 < run.past && together(block, block + 1)) continue;
    WaveGroup part = run;
    part.past = block + 1;
    groups.push_back(part);
    run.first = block + 1;
  }
}

}  // namespace sim

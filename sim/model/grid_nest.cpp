// Steps are iterations of the innermost loop. Accesses outside of loops happen in the step next to them: before the
// first loop in step 0, later in the last step of the loop before. CTAs that see nothing make one step and only write.
//
//   a CTA of       steps
//   a block        blocks that it sees, for each loop and each query head that it loops over
//   a tile         slices of the head dimension
//   a head         the fill of whole tensors, a block each; then a sweep over rows for each block of keys
//
// Sampling of a head's sweeps: those of every n-th block of keys represent all, because a row is revisited after one
// sweep in either case.
#include "sim/model/grid_nest.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace sim {
namespace {

constexpr std::int64_t section_bytes = 32 << 20, section_bytes_backward = 40 << 20;
/// Waves that a sample takes: of heads, of row blocks of one head, of CTAs that are heads, and of a ragged batch.
constexpr std::int64_t waves = 12, waves_of_rows = 6, waves_of_heads = 4, waves_of_classes = 48;
constexpr std::int64_t slots_of_part = 16, most_sweeps = 16, fewest_tile_rows = 4;
constexpr std::int64_t fewest_grouped_heads = 32, most_looped_steps = 1 << 17;
constexpr std::int64_t most_grouped_units = 512;  ///< of a group that is taken as a whole
constexpr std::int64_t most_slots = 256, fewest_slots = 8, most_stacks = 4096, fewest_stacks = 16, fewest_rows = 16;

double real(std::int64_t n) { return static_cast<double>(n); }

/// Axis whose items take `bytes` for each element of their block.
NestAxis along(const Blocking& blocks, double bytes) {
  const std::int64_t last = blocks.count() - 1;
  return {blocks.count(), 1, bytes * real(std::min(blocks.size, blocks.extent)),
          bytes * real(blocks.elements(last).size())};
}

}  // namespace

std::int64_t kv_heads_of_section(const Problem& problem, bool backward) {
  const Shape& shape = problem.shape;
  const std::int64_t row = product(shape.head_dim + shape.value_dim(), size_of(problem.dtype));
  const std::int64_t row_of_group =
      product(shape.heads / shape.kv_heads, row + product(shape.head_dim, size_of(Dtype::fp32)));
  const std::int64_t head = backward ? product(shape.seqlen_q, row_of_group) : product(shape.seqlen_k, row);
  const std::int64_t section = backward ? section_bytes_backward : section_bytes;
  const auto heads =
      static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(std::max<std::int64_t>(1, section / head))));
  if (problem.ragged) return std::gcd(heads, shape.kv_heads);  // of one entry
  return std::min(heads, product(shape.batch, shape.kv_heads));
}

Visit GridNest::Class::visit(std::int64_t block) const {
  const Interval all{0, streamed().count()};
  if (!grid.skips) return {all, all};
  return by_row() ? visit_of_cta(shape, grid, block / width(), block % width()) : visit_of_cta(shape, grid, 0, block);
}

/// Blocks of keys over which a CTA of a head sweeps.
Interval GridNest::Class::live_keys() const {
  return grid.all_keys ? Interval{0, keys().count()} : keys().touching(shape.live_keys({0, shape.seqlen_q}));
}

GridNest::GridNest(const Plan& plan, const Launch& launch, std::vector<AccessPattern> patterns,
                   std::int64_t in_flight) {
  for (std::size_t n = 0; n < patterns.size(); ++n) {
    const Plan& c = classes_of(plan, launch)[n];
    const Launch& of_class = &c == &plan ? launch : launch_of(c, launch);
    add_class(c.problem, of_class, std::move(patterns[n]));
    if (launch.longest_first)
      classes_.back().heads_together = kv_heads_of_section(c.problem, launch.writes(Tensor::dK));
  }
  stack(in_flight);
  for (Class& c : classes_) take_group(c, in_flight / stacked_);
  in_wave_ = ceil_div(launch.in_flight, stacked_);
  const bool longest = plan.scenario.issue == IssueOrder::longest;
  take_sample(in_flight / stacked_, longest);
  issue(longest, launch.grid.raster);
  number_axes();
  for (const Class& c : classes_) whole_ = whole_ && c.taken_units == c.units && c.taken_blocks == c.blocks;
  whole_ = whole_ && stacked_ * parts_ * sweep_stride_ == 1;
}

void GridNest::add_class(const Problem& problem, const Launch& launch, AccessPattern pattern) {
  const Shape& shape = problem.shape;
  const GridShape& grid = launch.grid;
  Class c{shape,
          grid,
          std::move(pattern),
          problem.key_sections,
          launch.reads(Tensor::V) ? shape.value_dim() : shape.head_dim,
          launch.tiling.slice};
  if (c.sections.empty() || !c.by_row() || grid.of_heads() || grid.of_tiles()) c.sections = {{{0, shape.seqlen_k}, 1}};
  for (const KeySection& section : c.sections) {
    const std::int64_t group = section.entries < shape.batch ? checked_multiply(section.entries, shape.kv_heads) : 0;
    if (c.shares_keys()) c.together = std::max({c.together, shape.kv_heads, group <= most_grouped_units ? group : 0});
  }
  c.units = c.taken_units = product(shape.batch, shape.kv_heads);
  const std::int64_t rows = grid.cta_rows(shape).count(), cols = grid.cta_columns(shape).count();
  c.blocks = c.taken_blocks = grid.of_heads() ? 1 : checked_multiply(rows, cols);
  classes_.push_back(std::move(c));
}

/// Stacks neighbouring CTAs if the chip holds very many at a time, a head has very many, or they have few rows.
void GridNest::stack(std::int64_t in_flight) {
  std::int64_t wanted = in_flight / most_slots, most = std::max<std::int64_t>(1, in_flight / fewest_slots);
  for (const Class& c : classes_) {
    const bool of_blocks = c.grid.of_rows() || c.grid.of_columns(), pattern = c.shape.mask.blocks && c.grid.skips;
    if (!of_blocks || pattern) return;
    const std::int64_t rows = c.by_row() ? c.grid.br : c.grid.bc;
    wanted = std::max({wanted, ceil_div(c.blocks, most_stacks), ceil_div(fewest_rows, rows)});
    most = std::min(most, c.blocks / fewest_stacks);
  }
  stacked_ = std::max<std::int64_t>(1, std::min(wanted, most));
  for (Class& c : classes_) {
    std::int64_t& size = c.by_row() ? c.grid.br : c.grid.bc;
    size = checked_multiply(size, stacked_);
    c.blocks = c.taken_blocks = ceil_div(c.by_row() ? c.grid.queries_of(c.shape) : c.shape.seqlen_k, size);
  }
}

/// Takes some of the query heads of each KV head if they are more than fill some waves, or than a CTA may loop over.
void GridNest::take_group(Class& c, std::int64_t in_flight) {
  const std::int64_t sweeps = c.grid.of_heads() ? std::min(most_sweeps, c.keys().count()) : c.blocks;
  const std::int64_t steps = checked_multiply(sweeps, c.grid.of_heads() ? c.rows().count() : c.streamed().count());
  const std::int64_t most = c.grid.by_kv_head()
                                ? std::max(fewest_grouped_heads, most_looped_steps / std::max<std::int64_t>(1, steps))
                            : c.grid.of_heads() ? fewest_grouped_heads
                                                : checked_multiply(waves, in_flight) / c.blocks + 2;
  if (c.group() <= most) return;
  c.shape.heads = checked_multiply(c.shape.kv_heads, most);
  whole_ = false;
}

/// Takes a prefix of the heads of each class, in the same proportion; of one class, enough for some waves. Longest
/// first, all heads are in flight together, of one class as of several.
void GridNest::take_sample(std::int64_t in_flight, bool longest) {
  if (classes_.size() > 1 || longest) return take_heads_of_classes(in_flight);
  Class& c = classes_[0];
  if (c.grid.of_heads()) return take_heads_in_parts(in_flight);
  const bool equal = c.grid.of_tiles() || !c.grid.skips || !c.shape.mask.any();
  const std::int64_t of_rows = checked_multiply(waves_of_rows, std::max<std::int64_t>(1, in_flight));
  if (equal && c.blocks > (c.grid.of_tiles() ? 1 : 2) * of_rows && c.heads_together <= 1) {
    c.taken_units = 1;
    c.taken_blocks = std::min(c.blocks, std::max(ceil_div(of_rows, c.width()), fewest_tile_rows) * c.width());
    return;
  }
  const std::int64_t units = checked_multiply(waves, in_flight) / checked_multiply(c.blocks, c.heads_of_unit()) + 2;
  const std::int64_t section = std::max<std::int64_t>(1, c.heads_together);
  c.taken_units = c.sample_of(ceil_div(units, section) * section);
}

void GridNest::take_heads_of_classes(std::int64_t in_flight) {
  double all = 0;
  for (const Class& c : classes_) all += real(c.units) * real(c.heads_of_unit()) * real(c.blocks);
  const double part = real(waves_of_classes) * real(in_flight) / all;
  for (Class& c : classes_) {
    const auto units = static_cast<std::int64_t>(std::ceil(real(c.units) * std::min(1.0, part)));
    const std::int64_t section = std::max<std::int64_t>(1, c.heads_together);  // whose heads alternate
    c.taken_units = c.sample_of(std::max<std::int64_t>(1, ceil_div(units, section) * section));
  }
}

/// Runs as many heads at a time as fill a part of the chip, which they share with no others.
void GridNest::take_heads_in_parts(std::int64_t in_flight) {
  Class& c = classes_[0];
  const std::int64_t at_once = std::min(in_flight, checked_multiply(c.units, c.heads_of_unit()));
  parts_ = std::max<std::int64_t>(1, at_once / std::max(slots_of_part, 2 * c.heads_of_unit()));
  const std::int64_t wanted =
      ceil_div(waves_of_heads * std::max<std::int64_t>(1, in_flight / parts_), c.heads_of_unit());
  c.taken_units = std::clamp<std::int64_t>((c.units + parts_ / 2) / parts_, 1, wanted);
  sweep_stride_ = std::max<std::int64_t>(1, c.live_keys().size() * c.looped_heads() / most_sweeps);
}

/// Runs of neighbouring blocks that make equally many steps, of the sampled heads of a class.
std::vector<GridNest::Piece> GridNest::runs_of(std::size_t of_class) const {
  const Class& c = classes_[of_class];
  std::vector<Piece> runs;
  std::int64_t before = -1;
  for (std::int64_t block = 0; block < c.blocks; ++block) {
    const std::int64_t steps = c.grid.of_heads() ? 0 : c.visit(block).count();
    if (steps != before) runs.push_back({of_class, block, 0, c.taken_units * c.heads_of_unit(), 1, false, 0});
    ++runs.back().blocks;
    before = steps;
  }
  return runs;
}

/// Lists the CTAs in the order of issue: class after class, or longest first, by CTA or, in sections of heads, by
/// entry.
void GridNest::issue(bool longest, Raster raster) {
  for (std::size_t n = 0; n < classes_.size(); ++n) {
    const Class& c = classes_[n];
    if (c.taken_units == 0) continue;
    const std::int64_t heads = c.taken_units * c.heads_of_unit();
    const std::int64_t together = c.heads_together > 0                ? c.heads_together * c.heads_of_unit()
                                  : raster == Raster::block_outermost ? heads
                                                                      : 1;
    if (longest && c.heads_together == 0) {
      for (const Piece& run : runs_of(n)) pieces_.push_back(run);
    } else {
      pieces_.push_back({n, 0, c.taken_blocks, heads, together, c.heads_together > 0 && c.by_row(), 0});
    }
  }
  const auto steps = [&](const Piece& piece) {
    const Class& c = classes_[piece.of_class];
    const std::int64_t first = piece.last_first ? piece.blocks - 1 : piece.first_block;
    return c.grid.of_heads() ? steps_of_head(c) : c.visit(first).count();
  };
  if (longest) std::stable_sort(pieces_.begin(), pieces_.end(), [&](auto& a, auto& b) { return steps(a) > steps(b); });
  for (Piece& piece : pieces_) {
    piece.first_cta = ctas_;
    ctas_ = checked_add(ctas_, product(piece.blocks, piece.heads));
  }
}

std::int64_t GridNest::steps_of_head(const Class& c) const {
  if (c.grid.of_tiles()) return checked_multiply(c.taken_blocks, c.slices());
  std::int64_t steps = 0;
  if (c.grid.of_heads()) {
    const Interval keys = c.live_keys();
    for (std::int64_t key = keys.begin; key < keys.end; key += sweep_stride_)
      steps = checked_add(steps, visit_queries(c.shape, c.grid, key).count() * c.looped_heads());
    return steps;
  }
  if (!c.grid.skips) return product(c.blocks, c.streamed().count(), c.looped_heads());
  for (std::int64_t block = 0; block < c.blocks; ++block)
    steps = checked_add(steps, c.visit(block).count() * c.looped_heads());
  return steps;
}

/// Axis of a bundle that several CTAs access, or one CTA of a head.
NestAxis GridNest::axis_of(const Class& c, std::size_t bundle) const {
  const double bytes = c.pattern.bundles[bundle].bytes();
  const bool keys = c.pattern.scopes[bundle] == Scope::keys;
  NestAxis axis = along(keys ? c.keys() : c.rows(), bytes);
  if (c.grid.of_tiles()) {
    axis.items = checked_multiply(axis.items, c.slices());
    axis.short_items = c.slices();
    for (double* each : {&axis.item_bytes, &axis.short_bytes}) *each *= real(c.depth) / real(c.slices());
  }
  if (c.grid.of_heads() && keys) axis.items = ceil_div(axis.items, sweep_stride_);
  return axis;
}

void GridNest::number_axes() {
  for (Class& c : classes_) {
    c.first_use = static_cast<std::int32_t>(uses_.size());
    std::vector<unsigned> written(c.pattern.bundles.size(), 0);
    for (const Stage& stage : c.pattern.stages) {
      for (const BundleUse& use : stage.uses) written[static_cast<std::size_t>(use.bundle)] |= use.move.writes;
    }
    double of_step = 0;
    std::int64_t loop_uses = 0;
    for (const Stage& stage : c.pattern.stages) {
      double bytes = 0;
      for (const BundleUse& use : stage.uses) {
        const auto bundle = static_cast<std::size_t>(use.bundle);
        const bool alone = is_alone(c.pattern.scopes[bundle]);
        uses_.push_back({use, &c.pattern.bundles[bundle], bundles_ + use.bundle, alone,
                         static_cast<std::size_t>(&c - classes_.data()), written[bundle]});
        if (!alone) bytes += axis_of(c, bundle).item_bytes;
        if (stage.loop()) ++loop_uses;
      }
      if (stage.loop()) of_step = std::max(of_step, bytes);
    }
    step_bytes_ = std::max(step_bytes_, of_step);
    bundles_ += static_cast<std::int32_t>(c.pattern.bundles.size());
    accesses_ = checked_add(accesses_, product(steps_of_head(c), c.taken_units, c.heads_of_unit(), loop_uses));
    for (std::size_t bundle = 0; bundle < c.pattern.bundles.size(); ++bundle) {
      c.first_axes.push_back(static_cast<std::int32_t>(axes_.size()));
      if (!is_alone(c.pattern.scopes[bundle])) add_axes(c, bundle);
    }
  }
}

/// Adds the axes of a bundle that several CTAs access: of each query head, or for each section of the keys, of each KV
/// head of those who hold it.
void GridNest::add_axes(const Class& c, std::size_t bundle) {
  const auto add = [&](std::int64_t count, const NestAxis& axis) {
    axes_.insert(axes_.end(), static_cast<std::size_t>(count), axis);
  };
  if (c.pattern.scopes[bundle] != Scope::keys)
    return add(checked_multiply(c.taken_units, c.group()), axis_of(c, bundle));
  if (!c.shares_keys()) return add(c.taken_units, axis_of(c, bundle));
  const double bytes = c.pattern.bundles[bundle].bytes();
  for (const KeySection& section : c.sections) {
    NestAxis axis = along({section.keys.size(), c.grid.bc}, bytes);
    if (section.keys.begin % c.grid.bc != 0) {  // its first block is a part: all take their mean
      const std::int64_t items = c.blocks_of(section).size();
      const double mean = bytes * real(section.keys.size()) / real(items);
      axis = {items, 1, mean, mean};
    }
    add(c.axes_of(section), axis);
  }
}

Interval GridNest::Class::blocks_of(const KeySection& section) const {
  return {section.keys.begin / grid.bc, ceil_div(section.keys.end, grid.bc)};
}

std::int64_t GridNest::Class::holder_of(const KeySection& section, std::int64_t unit) const {
  const std::int64_t entry = unit / shape.kv_heads;
  return entry / section.entries * shape.kv_heads + unit % shape.kv_heads;
}

std::int64_t GridNest::Class::axes_of(const KeySection& section) const {
  return (holder_of(section, taken_units - 1) / shape.kv_heads + 1) * shape.kv_heads;
}

/// The second half of a sample without its last part, which is the only one that nothing follows.
Interval GridNest::Class::late() const {
  const std::int64_t of_part = takes_rows() ? 1 : together;
  const std::int64_t parts = (takes_rows() ? taken_blocks / width() : taken_units) / of_part;
  return parts == 1 ? Interval{0, of_part} : Interval{(parts - 1) / 2 * of_part, (parts - 1) * of_part};
}

/// Whole groups of the entries that share keys, three or more: the middle one is neither the first nor the last to
/// touch what all share. Of a very large group nearly all entries find keys that others have touched; of it some are
/// taken.
std::int64_t GridNest::Class::sample_of(std::int64_t wanted) const {
  return std::min(units, ceil_div(std::max(wanted, together > 1 ? 3 * together : 1), together) * together);
}

double GridNest::ctas_after(std::size_t of_class) const {
  const Class& c = classes_[of_class];
  const double all = real(c.units) * real(c.blocks), taken = real(c.taken_units) * real(c.taken_blocks);
  const double part = c.takes_rows() ? real(c.taken_units) * real(c.width()) : real(c.blocks);
  return (all - taken) / (real(c.late().size()) * part);
}

GridNest::Place GridNest::place_of(std::int64_t cta, CtaWalks& out) const {
  const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), cta,
                                      [](std::int64_t number, const Piece& piece) { return number < piece.first_cta; });
  const Piece& piece = *(after - 1);
  const Class& c = classes_[piece.of_class];
  const std::int64_t number = cta - piece.first_cta, of_section = piece.together * piece.blocks;
  const std::int64_t first = number / of_section * piece.together, rest = number % of_section;
  const std::int64_t heads = std::min(piece.together, piece.heads - first), nth = rest / heads;
  const std::int64_t block = piece.first_block + (piece.last_first ? piece.blocks - 1 - nth : nth);
  const Place place{c, first + rest % heads, block, in_wave_ == 0 ? 0 : cta / in_wave_};
  out.of_class = piece.of_class;
  const std::int64_t part = c.takes_rows() ? block / c.width() : place.unit();
  out.late = c.late().contains({part, part + 1});
  return place;
}

void GridNest::walks_of(std::int64_t cta, CtaWalks& out) const {
  const Place place = place_of(cta, out);
  out.walks.clear();
  out.own.assign(place.c.pattern.bundles.size(), {});
  out.steps = 0;
  if (place.c.grid.of_heads()) {
    nested(place, out);
  } else if (place.c.grid.of_tiles()) {
    tile(place, out);
  } else {
    stream(place, out);
  }
}

std::int32_t GridNest::shared_axis(const Place& place, std::size_t bundle, std::int64_t looped_head) const {
  const std::int64_t head = place.c.grid.by_kv_head() ? place.unit() * place.c.group() + looped_head : place.head;
  const bool keys = place.c.pattern.scopes[bundle] == Scope::keys;
  return place.c.first_axes[bundle] + static_cast<std::int32_t>(keys ? place.unit() : head);
}

/// A CTA of a block: loops one after the other, with accesses around them.
void GridNest::stream(const Place& place, CtaWalks& out) const {
  const Class& c = place.c;
  const Visit visit = c.visit(place.block);
  const std::int64_t row = place.block / c.width();
  const double height = real((c.by_row() ? c.rows() : c.keys()).elements(row).size());
  const bool dead = visit.count() == 0;
  std::int32_t use_number = c.first_use;
  for (std::size_t n = 0; n < c.pattern.stages.size(); ++n) {
    const Stage& stage = c.pattern.stages[n];
    if (stage.loop() && !dead) {
      for (std::int64_t head = 0; head < c.looped_heads(); ++head) loop(place, n, visit, head, out);
    }
    for (const BundleUse& use : stage.uses) {
      const std::int32_t number = use_number++;
      if (stage.loop() || (dead && use.move.writes == 0)) continue;
      const auto bundle = static_cast<std::size_t>(use.bundle);
      const bool shared = c.pattern.scopes[bundle] == Scope::own_rows;
      const double bytes = c.pattern.bundles[bundle].bytes() * height;
      out.own[bundle] = {1, 1, bytes, bytes};
      NestWalk walk{shared ? shared_axis(place, bundle, 0) : use.bundle, number, !shared};
      walk.from = shared ? row : 0;
      walk.first_step = std::max<std::int64_t>(0, out.steps - 1);
      out.walks.push_back(walk);
    }
  }
  out.steps = std::max<std::int64_t>(1, out.steps);
}

/// Items that only one CTA accesses, one in each step of a loop: entries of a matrix, or rows of a part of a tensor.
NestAxis GridNest::Class::own_axis(std::size_t bundle, double height, const Visit& visit) const {
  const bool entries = pattern.scopes[bundle] != Scope::own_part;
  double elements = 0;
  visit.each_piece([&](Interval piece) {
    elements += real(streamed().elements(piece.end - 1).end - streamed().elements(piece.begin).begin);
  });
  const double width = elements / real(visit.count());
  const double bytes = pattern.bundles[bundle].bytes() * (entries ? height * width : by_row() ? height : width);
  return {visit.count() * looped_heads(), 1, bytes, bytes};
}

/// A loop over the blocks that a CTA sees, for one query head.
void GridNest::loop(const Place& place, std::size_t stage_number, const Visit& visit, std::int64_t head,
                    CtaWalks& out) const {
  const Class& c = place.c;
  const Stage& stage = c.pattern.stages[stage_number];
  std::int32_t number = c.first_use;
  for (std::size_t n = 0; n < stage_number; ++n) number += static_cast<std::int32_t>(c.pattern.stages[n].uses.size());
  const Blocking across = c.by_row() ? c.rows() : c.keys();
  const std::int64_t count = visit.count(), row = place.block / c.width();
  const double height = real(across.elements(row).size());
  const bool down = goes_down(stage.order, place.wave);
  for (const BundleUse& use : stage.uses) {
    const auto bundle = static_cast<std::size_t>(use.bundle);
    const Scope scope = c.pattern.scopes[bundle];
    if (is_alone(scope)) {
      out.own[bundle] = c.own_axis(bundle, height, visit);
      out.walks.push_back({use.bundle, number++, true, down, head * count + (down ? count - 1 : 0), count, out.steps});
      continue;
    }
    std::int64_t before = 0;
    visit.each_piece([&](Interval piece) {
      const std::int64_t first = down ? count - before - piece.size() : before;
      const NestWalk walk{shared_axis(place, bundle, head),
                          number,
                          false,
                          down,
                          down ? piece.end - 1 : piece.begin,
                          piece.size(),
                          out.steps + first};
      if (scope == Scope::keys && c.shares_keys()) {
        loop_of_keys(place, bundle, piece, walk, out);
      } else {
        out.walks.push_back(walk);
      }
      before += piece.size();
    });
    ++number;
  }
  out.steps += count;
}

/// The walk over a piece of the key blocks, as one walk for each section of the keys: entries hold them together.
void GridNest::loop_of_keys(const Place& place, std::size_t bundle, Interval piece, const NestWalk& walk,
                            CtaWalks& out) const {
  const Class& c = place.c;
  std::int64_t first_axis = c.first_axes[bundle];
  for (const KeySection& section : c.sections) {
    const Interval all = c.blocks_of(section), blocks = overlap(all, piece);
    NestWalk part = walk;
    part.axis = static_cast<std::int32_t>(first_axis + c.holder_of(section, place.unit()));
    part.from = (walk.down ? blocks.end - 1 : blocks.begin) - all.begin;
    part.count = blocks.size();
    part.first_step += walk.down ? piece.end - blocks.end : blocks.begin - piece.begin;
    if (!blocks.empty()) out.walks.push_back(part);
    first_axis += c.axes_of(section);
  }
}

/// A CTA of a head: whole tensors are filled block by block, then each block of keys meets the rows that see it.
void GridNest::nested(const Place& place, CtaWalks& out) const {
  const Class& c = place.c;
  std::int32_t number = c.first_use;
  for (const Stage& stage : c.pattern.stages) {
    for (const BundleUse& use : stage.uses) {
      const std::int32_t use_number = number++;
      if (stage.loop()) continue;
      const auto bundle = static_cast<std::size_t>(use.bundle);
      const std::int64_t heads = c.pattern.scopes[bundle] == Scope::keys ? 1 : c.looped_heads();
      for (std::int64_t head = 0; head < heads; ++head) {
        const std::int32_t axis = shared_axis(place, bundle, head);
        const std::int64_t items = axes_[static_cast<std::size_t>(axis)].items;
        out.walks.push_back({axis, use_number, false, false, 0, items, 0});
        out.steps = std::max(out.steps, items);
      }
    }
  }
  const Interval keys = c.live_keys();
  for (std::int64_t key = keys.begin + (sweep_stride_ - 1) / 2; key < keys.end; key += sweep_stride_)
    sweep(place, key, out);
  out.steps = std::max<std::int64_t>(1, out.steps);
}

/// A block of keys and the rows that see it, for each query head.
void GridNest::sweep(const Place& place, std::int64_t key, CtaWalks& out) const {
  const Class& c = place.c;
  const Visit visit = visit_queries(c.shape, c.grid, key);
  const std::int64_t count = visit.count(), steps = count * c.looped_heads();
  if (count == 0 && !c.grid.all_keys) return;
  const auto deepest = std::max_element(c.pattern.stages.begin(), c.pattern.stages.end(),
                                        [](const Stage& a, const Stage& b) { return a.depth < b.depth; });
  const bool of_rows = c.pattern.scopes[static_cast<std::size_t>(deepest->uses[0].bundle)] != Scope::keys;
  std::int32_t number = c.first_use;
  for (auto stage = c.pattern.stages.begin(); stage != c.pattern.stages.end(); ++stage) {
    for (const BundleUse& use : stage->uses) {
      const std::int32_t use_number = number++;
      const auto bundle = static_cast<std::size_t>(use.bundle);
      if (!stage->loop()) continue;
      if (stage != deepest || !of_rows) {
        out.walks.push_back({shared_axis(place, bundle, 0), use_number, false, false, key / sweep_stride_, 1,
                             out.steps + (stage < deepest ? 0 : std::max<std::int64_t>(1, steps) - 1)});
        continue;
      }
      for (std::int64_t head = 0; head < c.looped_heads(); ++head) {
        std::int64_t before = head * count;
        visit.each_piece([&](Interval piece) {
          out.walks.push_back({shared_axis(place, bundle, head), use_number, false, false, piece.begin, piece.size(),
                               out.steps + before});
          before += piece.size();
        });
      }
    }
  }
  out.steps += std::max<std::int64_t>(1, steps);
}

/// A CTA of a tile of a matrix: slices of a block of rows and of a block of keys; entries of the tile at the end.
void GridNest::tile(const Place& place, CtaWalks& out) const {
  const Class& c = place.c;
  const std::int64_t row = place.block / c.width(), col = place.block % c.width();
  const double entries = real(c.rows().elements(row).size()) * real(c.keys().elements(col).size());
  const bool loops = std::any_of(c.pattern.stages.begin(), c.pattern.stages.end(), [](auto& s) { return s.loop(); });
  out.steps = loops ? c.slices() : 1;
  std::int32_t number = c.first_use;
  for (const Stage& stage : c.pattern.stages) {
    for (const BundleUse& use : stage.uses) {
      const auto bundle = static_cast<std::size_t>(use.bundle);
      NestWalk walk{use.bundle, number++, true};
      if (stage.loop()) {
        const std::int64_t block = c.pattern.scopes[bundle] == Scope::keys ? col : row;
        walk = {shared_axis(place, bundle, 0), walk.use, false, false, block * c.slices(), c.slices()};
      } else {
        const double bytes = c.pattern.bundles[bundle].bytes() * entries;
        out.own[bundle] = {1, 1, bytes, bytes};
        walk.first_step = use.move.reads != 0 ? 0 : out.steps - 1;
      }
      out.walks.push_back(walk);
    }
  }
}

}  // namespace sim

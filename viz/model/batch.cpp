#include "viz/model/batch.h"

#include <algorithm>
#include <numeric>

#include "sim/programs/ragged.h"
#include "viz/model/comparison.h"
#include "viz/model/model.h"

namespace explorer {
namespace {

/// Number of tiles of each block of a head.
std::vector<std::int64_t> tiles_of_blocks(const sim::Shape& shape, const sim::GridShape& grid) {
  std::vector<std::int64_t> tiles;
  for (const sim::Run& run : sim::make_grid(shape, grid).runs)
    tiles.insert(tiles.end(), static_cast<std::size_t>(run.count), run.key.full_tiles + run.key.masked_tiles);
  return tiles;
}

}  // namespace

std::vector<sim::OptionValues> packings_beside(const sim::Scenario& ragged) {
  const sim::SequenceSizes most = sim::sizes_of(*ragged.sequences);
  return {{{"batch", sim::text(most.entries)},
           {"seqlen-q", sim::text(most.most_queries)},
           {"seqlen-k", sim::text(most.most_keys)}},
          {{"issue", ragged.issue == sim::IssueOrder::longest ? "file" : "longest"}}};
}

std::optional<Packing> packing_of(const Subject& run, const Subject& ragged) {
  if (!ragged.is_ragged()) return {};
  const bool longest = ragged.scenario().issue == sim::IssueOrder::longest;
  const std::vector<sim::OptionValues> beside = packings_beside(ragged.scenario());
  if (run.options == ragged.options) return longest ? Packing::longest : Packing::file;
  if (run.options == changed(ragged.options, beside[0])) return Packing::padded;
  if (run.options == changed(ragged.options, beside[1])) return longest ? Packing::file : Packing::longest;
  return {};
}

std::vector<std::size_t> lane_order(const Model& model) {
  std::vector<std::size_t> order(model.world.subjects());
  std::iota(order.begin(), order.end(), std::size_t{});
  const auto place = [&](std::size_t n) {
    const auto packing = packing_of(model.world.subject(n), model.world.subject(0));
    return packing ? static_cast<int>(*packing) : static_cast<int>(Packing::longest) + 1;
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
  return order;
}

sim::SequenceClasses sequences_of(const sim::Simulation& simulation) {
  const sim::Plan& plan = simulation.plan;
  if (plan.scenario.sequences != nullptr) return *plan.scenario.sequences;
  const sim::Shape& shape = plan.problem.shape;
  return {{shape.batch, shape.seqlen_q, shape.seqlen_k}};
}

bool has_entries_of(const Subject& run, const Subject& ragged) {
  const sim::SequenceClasses own = sequences_of(run.simulation()), entries = sequences_of(ragged.simulation());
  if (own == entries) return true;
  const sim::SequenceSizes most = sim::sizes_of(entries);
  return own == sim::SequenceClasses{{most.entries, most.most_queries, most.most_keys}};
}

const sim::SequenceClass& class_of_entry(const sim::SequenceClasses& classes, std::int64_t entry) {
  for (const sim::SequenceClass& c : classes) {
    if (entry < c.count) return c;
    entry -= c.count;
  }
  throw sim::Error("batch: its classes have fewer entries than requested");
}

sim::SequenceClasses with_lengths(const sim::SequenceClasses& classes, std::int64_t entry, std::int64_t queries,
                                  std::int64_t keys) {
  sim::SequenceClasses changed;
  for (const sim::SequenceClass& c : classes) {
    const bool inside = entry >= 0 && entry < c.count;
    const std::int64_t before = inside ? entry : c.count, after = c.count - before - (inside ? 1 : 0);
    if (before > 0) changed.push_back({before, c.seqlen_q, c.seqlen_k});
    if (inside) changed.push_back({1, queries, keys});
    if (after > 0) changed.push_back({after, c.seqlen_q, c.seqlen_k});
    entry -= c.count;
  }
  return changed;
}

std::vector<float> ranks_of(const sim::SequenceClasses& classes) {
  const auto size = [](const sim::SequenceClass& c) { return std::pair(c.seqlen_k, c.seqlen_q); };
  std::vector<std::pair<std::int64_t, std::int64_t>> sizes;
  for (const sim::SequenceClass& c : classes) sizes.push_back(size(c));
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  std::vector<float> ranks;
  for (const sim::SequenceClass& c : classes) {
    const auto rank = std::lower_bound(sizes.begin(), sizes.end(), size(c)) - sizes.begin();
    ranks.push_back(sizes.size() == 1 ? 1 : static_cast<float>(rank) / static_cast<float>(sizes.size() - 1));
  }
  return ranks;
}

UsefulParts::UsefulParts(const sim::Simulation& padded, const sim::Simulation& packed, std::size_t kernel) {
  const sim::Launch& launch = padded.plan.launches.at(kernel);
  const bool loops = padded.kernels.at(kernel).iterations > 1;
  const sim::CtaPlace size = grid_of(padded, kernel);
  const std::vector<std::int64_t> all = tiles_of_blocks(padded.plan.problem.shape, launch.grid);
  cols_ = size.col;
  std::int64_t entries = 0;
  for (const sim::Plan& c : sim::classes_of(packed.plan)) {
    const sim::GridShape& grid = sim::launch_of(c, launch).grid;
    const sim::CtaPlace own = grid_of(c.problem.shape, grid);
    const std::vector<std::int64_t> tiles = tiles_of_blocks(c.problem.shape, grid);
    std::vector<float> parts(all.size());
    for (std::int64_t row = 0; row < std::min(own.row, size.row); ++row) {
      for (std::int64_t col = 0; col < std::min(own.col, size.col); ++col) {
        const auto at = static_cast<std::size_t>(row * cols_ + col);
        const auto useful = static_cast<float>(tiles[static_cast<std::size_t>(row * own.col + col)]);
        parts[at] = !loops ? 1 : all[at] == 0 ? 0 : std::min(1.f, useful / static_cast<float>(all[at]));
      }
    }
    first_entry_.push_back(entries);
    parts_.push_back(std::move(parts));
    entries += c.problem.shape.batch;
  }
}

std::size_t UsefulParts::class_of(std::int64_t entry) const {
  return static_cast<std::size_t>(std::upper_bound(first_entry_.begin(), first_entry_.end(), entry) -
                                  first_entry_.begin()) -
         1;
}

double UsefulParts::of(const sim::CtaPlace& place) const {
  return static_cast<double>(parts_[class_of(place.batch)].at(static_cast<std::size_t>(place.row * cols_ + place.col)));
}

CtaTimes idle_end_of(const RaceRun& clock) {
  const auto& kernels = clock.kernels();
  std::size_t longest = 0;
  for (std::size_t k = 1; k < kernels.size(); ++k) {
    if (kernels[k].end - kernels[k].launch > kernels[longest].end - kernels[longest].launch) longest = k;
  }
  return {clock.on_clock(longest, kernels[longest].grid.grid().waves.tail_begin), kernels[longest].end};
}

}  // namespace explorer

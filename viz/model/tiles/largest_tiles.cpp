#include "viz/model/tiles/largest_tiles.h"

#include <algorithm>

#include "sim/programs/plan.h"

namespace explorer {
namespace {

constexpr std::int64_t grain = 16;

/// The largest value up to `most` that fits, 0 if none does. If a value fits, all smaller ones must.
template <class Fits>
std::int64_t largest_that(Fits fits, std::int64_t most) {
  std::int64_t good = 0, bad = most + 1;
  while (bad - good > 1) {
    const std::int64_t middle = good + (bad - good) / 2;
    (fits(middle) ? good : bad) = middle;
  }
  return good >= grain ? good / grain * grain : good;
}

}  // namespace

std::optional<TilePair> largest_tiles(const sim::Scenario& scenario) {
  const sim::Tiling tiling = sim::make_plan(scenario).problem.tiling;
  const TilePair asked{tiling.br, tiling.bc};
  if (sim::tiles_fit(scenario, asked.br, asked.bc)) return std::nullopt;
  const auto with_bc = [&](std::int64_t bc) { return sim::tiles_fit(scenario, asked.br, bc); };
  const auto with_br = [&](std::int64_t br) { return sim::tiles_fit(scenario, br, asked.bc); };
  const TilePair narrow{asked.br, largest_that(with_bc, asked.bc)}, low{largest_that(with_br, asked.br), asked.bc};
  const auto area = [](TilePair tiles) { return tiles.br * tiles.bc; };
  const TilePair best = area(narrow) >= area(low) ? narrow : low;
  if (area(best) > 0) return best;
  const auto square = [&](std::int64_t side) { return sim::tiles_fit(scenario, side, side); };
  const std::int64_t side = largest_that(square, std::max(asked.br, asked.bc));
  return side > 0 ? std::optional(TilePair{side, side}) : std::nullopt;
}

}  // namespace explorer

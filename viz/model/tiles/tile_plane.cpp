#include "viz/model/tiles/tile_plane.h"

#include <algorithm>

namespace explorer {
namespace {

// Estimated microseconds of an attempt: there is no clock here, so a slice ends by this estimate.
constexpr std::int64_t slice = 2000, refused_attempt = 20, attempt = 100, blocks_per_microsecond = 2;

/// The sizes that fit, plus the first that does not. `fits` must not turn true again as the size grows.
template <class Fits>
std::vector<std::int64_t> until_too_large(const std::vector<std::int64_t>& sizes, Fits fits) {
  const auto end = std::partition_point(sizes.begin(), sizes.end(), fits);
  return {sizes.begin(), end == sizes.end() ? end : std::next(end)};
}

std::vector<std::int64_t> countable(std::vector<std::int64_t> sizes, std::int64_t extent) {
  sizes.erase(std::remove_if(sizes.begin(), sizes.end(),
                             [&](std::int64_t size) { return sim::ceil_div(extent, size) > sim::most_blocks; }),
              sizes.end());
  return sizes;
}

}  // namespace

TilePlane::TilePlane(const sim::Scenario& scenario) : scenario_(scenario) {
  scenario_.tiling = sim::TilingRule::kernel;
  scenario_.br = scenario_.bc = std::nullopt;
  const sim::Plan plan = sim::make_plan(scenario_);
  capacity_ = plan.capacity;
  for (const sim::Launch& launch : plan.launches) {
    const auto same = [&](const sim::Tiling& t) { return t.br == launch.tiling.br && t.bc == launch.tiling.bc; };
    if (std::none_of(by_rule_.begin(), by_rule_.end(), same)) by_rule_.push_back(launch.tiling);
  }
  const auto one_row = std::vector<std::int64_t>{1};
  const bool rows_are_free = !plan.program->row_at_a_time;
  const std::int64_t queries = scenario.shape.seqlen_q, keys = scenario.shape.seqlen_k;
  const auto cols_of = [&](const std::vector<std::int64_t>& sizes) {
    return plan.program->whole_rows ? std::vector{keys} : sizes;
  };
  set_axes(rows_are_free ? sim::tile_sizes(queries) : one_row, cols_of(sim::tile_sizes(keys)));
  if (rows_.empty() || cols_.empty() || !fits(rows_.front(), cols_.front())) {
    set_axes(rows_are_free ? countable(sim::small_tile_sizes, queries) : one_row,
             cols_of(countable(sim::small_tile_sizes, keys)));
  }
  cells_.resize(rows_.size() * cols_.size());
}

void TilePlane::set_axes(const std::vector<std::int64_t>& rows, const std::vector<std::int64_t>& cols) {
  rows_ = rows;
  cols_ = cols;
  if (rows.empty() || cols.empty()) return;
  rows_ = until_too_large(rows, [&](std::int64_t br) { return fits(br, cols.front()); });
  cols_ = until_too_large(cols, [&](std::int64_t bc) { return fits(rows.front(), bc); });
}

bool TilePlane::fits(std::int64_t br, std::int64_t bc) const { return sim::tiles_fit(scenario_, br, bc); }

bool TilePlane::advance() {
  for (std::int64_t spent = 0; spent < slice && !done();) spent += try_next();
  return !done();
}

/// Tries the next tiles; returns an estimate of the microseconds spent.
std::int64_t TilePlane::try_next() {
  const std::size_t row = next_ / cols_.size(), col = next_ % cols_.size();
  Cell& cell = cells_[next_];
  sim::TileAttempt tried = sim::try_tiles(scenario_, rows_[row], cols_[col]);
  if (!tried.fits()) {
    for (; next_ < (row + 1) * cols_.size(); ++next_) cells_[next_].state = State::too_large;
    return refused_attempt;
  }
  cell = {State::fits, *std::move(tried.tiles)};
  take(cell);
  ++next_;
  const sim::Shape& shape = scenario_.shape;
  const std::int64_t blocks = sim::ceil_div(shape.seqlen_q, rows_[row]) + sim::ceil_div(shape.seqlen_k, cols_[col]);
  return attempt + blocks / blocks_per_microsecond;
}

void TilePlane::take(Cell& cell) {
  for (const sim::Goal goal : {sim::Goal::bytes, sim::Goal::time}) {
    const auto g = static_cast<std::size_t>(goal);
    most_[g] = std::max(most_[g], cost(cell.tiles, goal));
    if (fitting_ == 0 || better(cell.tiles, cells_[best_[g]].tiles, goal)) best_[g] = next_;
  }
  ++fitting_;
}

const sim::TriedTiles* TilePlane::best(sim::Goal goal) const {
  return fitting_ == 0 ? nullptr : &cells_[best_[static_cast<std::size_t>(goal)]].tiles;
}

sim::Sentence TilePlane::refusal(std::size_t row, std::size_t col) const {
  return sim::try_tiles(scenario_, rows_[row], cols_[col]).refusal;
}

}  // namespace explorer

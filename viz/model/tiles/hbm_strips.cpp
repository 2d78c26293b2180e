#include "viz/model/tiles/hbm_strips.h"

#include <algorithm>
#include <map>

namespace explorer {
namespace {

using sim::Axis;
using sim::Event;
using sim::Tensor;

constexpr std::int64_t most_across = 512, most_in_matrix = 64;  // cells

/// The block size in which an axis is touched; the whole axis if it is never cut.
std::int64_t larger_block(std::int64_t size, const Axis& axis) {
  return axis.origin == sim::Origin::whole ? size : std::max({size, axis.size, axis.block});
}

/// Elements of a cell: the fewest whole blocks that leave at most `most` cells.
std::int64_t cell_size(std::int64_t extent, std::int64_t block, std::int64_t most) {
  return block * sim::ceil_div(sim::ceil_div(extent, block), std::max<std::int64_t>(1, most));
}

HbmStrip empty_strip(const sim::Problem& problem, const sim::Launch& launch, Tensor tensor) {
  const sim::HbmTensor& in_hbm = problem.hbm[tensor];
  HbmStrip strip;
  strip.tensor = tensor;
  strip.rows = in_hbm.rows;
  strip.cols = in_hbm.cols;
  if (launch.grid.by_kv_head() && !in_hbm.per_kv_head()) strip.heads = problem.shape.heads / problem.shape.kv_heads;
  strip.bytes = sim::product(strip.heads, strip.rows, strip.cols, sim::size_of(in_hbm.dtype));
  strip.block_rows = strip.block_cols = 0;
  return strip;
}

void cut_into_cells(HbmStrip& strip) {
  if (strip.block_rows == 0) strip.block_rows = strip.rows;
  if (strip.block_cols == 0) strip.block_cols = strip.cols;
  const std::int64_t most = (strip.is_matrix() ? most_in_matrix : most_across) / strip.heads;
  strip.cell_rows = cell_size(strip.rows, strip.block_rows, most);
  strip.cell_cols = strip.is_matrix() ? cell_size(strip.cols, strip.block_cols, most_in_matrix) : strip.cols;
  const std::int64_t blocks = strip.heads * sim::ceil_div(strip.rows, strip.cell_rows);
  strip.across = strip.is_matrix() ? sim::ceil_div(strip.cols, strip.cell_cols) : blocks;
  strip.down = strip.is_matrix() ? blocks : 1;
  strip.cells.resize(static_cast<std::size_t>(strip.across * strip.down));
}

void touch(HbmCell& cell, std::int32_t n, const Event& event) {
  if (cell.event < 0 || event.begin < cell.begin) {
    cell.event = n;
    cell.begin = event.begin;
  }
  cell.end = std::max(cell.end, event.end);
}

void touch(HbmStrip& strip, std::int32_t n, const Event& event) {
  if (event.rows.size == 0 || event.cols.size == 0) return;  // a role's part of a short block
  const std::int64_t before = strip.heads > 1 ? event.head * sim::ceil_div(strip.rows, strip.cell_rows) : 0;
  const std::int64_t first = before + event.rows.begin / strip.cell_rows;
  const std::int64_t last = before + (event.rows.begin + event.rows.size - 1) / strip.cell_rows;
  const std::int64_t left = event.cols.begin / strip.cell_cols;
  const std::int64_t right = (event.cols.begin + event.cols.size - 1) / strip.cell_cols;
  for (std::int64_t r = first; r <= last; ++r) {
    for (std::int64_t c = left; c <= right; ++c) {
      touch(strip.cells[static_cast<std::size_t>(strip.is_matrix() ? r * strip.across + c : r)], n, event);
    }
  }
}

}  // namespace

HbmStrip::Part HbmStrip::part_of(const Event& event) const {
  const auto share = [](std::int64_t part, std::int64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
  };
  const std::int64_t first = (heads > 1 ? event.head * rows : 0) + event.rows.begin, all = heads * rows;
  const double begin = share(first, all), end = share(first + event.rows.size, all);
  if (!is_matrix()) return {begin, end, 0, 1};
  return {share(event.cols.begin, cols), share(event.cols.begin + event.cols.size, cols), begin, end};
}

double HbmStrip::share_begun(sim::Cycles time) const {
  if (first_touches.empty()) return 0;
  const auto after = std::upper_bound(first_touches.begin(), first_touches.end(), time);
  return static_cast<double>(after - first_touches.begin()) / static_cast<double>(first_touches.size());
}

std::vector<HbmStrip> hbm_strips(const sim::Problem& problem, const sim::Launch& launch, const sim::Trace& trace) {
  std::map<Tensor, HbmStrip> strips;
  for (const Tensor tensor : sim::hbm_tensors()) {
    if (launch.reads(tensor) || launch.writes(tensor)) strips[tensor] = empty_strip(problem, launch, tensor);
  }
  const auto strip_of = [&](const Event& event) {
    return event.direction == sim::Direction::none ? strips.end() : strips.find(event.tensor);
  };
  for (const Event& event : trace.events) {
    const auto found = strip_of(event);
    if (found == strips.end()) continue;
    HbmStrip& strip = found->second;
    strip.block_rows = larger_block(strip.block_rows, event.rows);
    strip.block_cols = larger_block(strip.block_cols, event.cols);
    strip.is_read |= event.moves(sim::Direction::read);
    strip.is_written |= event.moves(sim::Direction::write);
  }
  for (auto& [tensor, strip] : strips) cut_into_cells(strip);
  for (std::size_t n = 0; n < trace.events.size(); ++n) {
    const auto found = strip_of(trace.events[n]);
    if (found != strips.end()) touch(found->second, static_cast<std::int32_t>(n), trace.events[n]);
  }
  std::vector<HbmStrip> result;
  for (auto& [tensor, strip] : strips) {
    for (const HbmCell& cell : strip.cells) {
      if (cell.event >= 0) strip.first_touches.push_back(cell.begin);
    }
    std::sort(strip.first_touches.begin(), strip.first_touches.end());
    result.push_back(std::move(strip));
  }
  return result;
}

}  // namespace explorer

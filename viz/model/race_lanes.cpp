#include "viz/model/race_lanes.h"

#include <algorithm>
#include <cmath>

namespace explorer {
namespace {

double in_order(std::int64_t n, std::int64_t count) {
  return count > 1 ? static_cast<double>(n) / static_cast<double>(count - 1) : 0;
}

/// Minimum share of a cell during which its SMs work for it to count as busy.
constexpr float least_busy = 0.25f;

}  // namespace

double place_in_order(const sim::CtaPlace& at, const sim::CtaPlace& size, bool by_row_block) {
  return by_row_block ? in_order(at.row, size.row) : in_order(at.batch * size.head + at.head, size.batch * size.head);
}

std::int64_t sms_per_band(std::int64_t sms, std::size_t bands) {
  return sim::ceil_div(sms, std::max<std::int64_t>(1, static_cast<std::int64_t>(bands)));
}

bool RaceLanes::advance() {
  if (!run_->ready()) return run_->advance() || true;
  if (cells_.empty()) {
    cells_.resize(grid_.columns * grid_.bands);
    busy_.resize(grid_.columns);
  }
  if (!ready()) add_kernel(next_++);
  if (!ready()) return true;
  merge();
  return false;
}

/// Adds the work of an SM from `begin` to `end`, which advances from `first` to `last` in the order.
void RaceLanes::add(std::int64_t sm, double begin, double end, double first, double last) {
  const double width = grid_.end / static_cast<double>(grid_.columns);
  const auto column = [&](double time) {
    return std::min(grid_.columns - 1, static_cast<std::size_t>(std::max(0., time / width)));
  };
  const std::int64_t sms = run_->run().simulation.plan.scenario.gpu->sm_count;
  const auto band = static_cast<std::size_t>(sm / sms_per_band(sms, grid_.bands));
  for (std::size_t x = column(begin); x <= column(end); ++x) {
    const double from = std::max(begin, static_cast<double>(x) * width);
    const double to = std::min(end, static_cast<double>(x + 1) * width);
    if (to <= from) continue;
    const double middle = ((from + to) / 2 - begin) / (end - begin);
    if (to - from >= width / 2) working_[x] = true;
    Cell& cell = cells_[band * grid_.columns + x];
    cell.weight += static_cast<float>((to - from) / width);
    cell.value += static_cast<float>((to - from) / width * (first + middle * (last - first)));
  }
}

void RaceLanes::add_sm(std::size_t n, std::int64_t sm) {
  const RaceRun::Kernel& kernel = run_->kernels()[n];
  if (!kernel.grid.one_by_one()) {  // heads advance evenly, and row blocks have no order here
    const bool heads = !grid_.by_row_block;
    return add(sm, kernel.begin, kernel.end, heads ? 0 : 0.5, heads ? 1 : 0.5);
  }
  const sim::CtaPlace size = grid_of(run_->run().simulation, n);
  for (std::int64_t slot = 0; slot < kernel.grid.grid().ctas_per_sm; ++slot) {
    for (const CtaSpan& span : kernel.grid.row(sm, slot)) {
      const sim::Simulation& s = run_->run().simulation;
      const double at = place_in_order(place_of_cta(s, n, span.cta), size, grid_.by_row_block);
      add(sm, run_->on_clock(n, span.begin), run_->on_clock(n, span.end), at, at);
    }
  }
}

void RaceLanes::add_kernel(std::size_t n) {
  const sim::GridInTime& grid = run_->kernels()[n].grid.grid();
  for (std::int64_t sm = 0; sm < std::min(grid.sms, grid.ctas); ++sm) {
    working_.assign(grid_.columns, false);
    add_sm(n, sm);
    for (std::size_t x = 0; x < grid_.columns; ++x) busy_[x] += working_[x] ? 1.f : 0.f;
  }
}

void RaceLanes::merge() {
  rects_ = merged_cells(grid_.columns, grid_.bands, [&](std::size_t x, std::size_t y) {
    const Cell& cell = cells_[y * grid_.columns + x];
    if (cell.weight < least_busy) return -1;
    return std::clamp(static_cast<int>(cell.value / cell.weight * order_steps), 0, order_steps - 1);
  });
  cells_ = {};
}

std::vector<LaneRect> merged_cells(std::size_t columns, std::size_t bands,
                                   const std::function<int(std::size_t, std::size_t)>& step_of) {
  std::vector<LaneRect> rects;
  std::vector<std::size_t> above, here;  // rectangles that end at this band
  for (std::size_t y = 0; y < bands; ++y) {
    here.clear();
    auto candidate = above.begin();
    for (std::size_t x = 0, next = 0; x < columns; x = next) {
      const int step = step_of(x, y);
      for (next = x + 1; next < columns && step_of(next, y) == step;) ++next;
      if (step < 0) continue;
      while (candidate != above.end() && rects[*candidate].left < x) ++candidate;
      const auto wide = static_cast<std::uint16_t>(next);
      if (candidate != above.end() && rects[*candidate].left == x && rects[*candidate].right == wide &&
          rects[*candidate].step == step) {
        rects[*candidate].bottom = static_cast<std::uint16_t>(y + 1);
        here.push_back(*candidate);
        continue;
      }
      here.push_back(rects.size());
      rects.push_back({static_cast<std::uint16_t>(x), wide, static_cast<std::uint16_t>(y),
                       static_cast<std::uint16_t>(y + 1), static_cast<std::uint8_t>(step)});
    }
    above = here;
  }
  return rects;
}

}  // namespace explorer

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

constexpr std::size_t lane_steps = order_steps + 1;
constexpr std::size_t bands_in_slice = 16;
constexpr double least_apart = 8;  // in columns: a longer CTA of a ragged batch is drawn with a gap before it

}  // namespace

double place_in_order(const sim::CtaPlace& at, const sim::CtaPlace& size, bool by_row_block) {
  return by_row_block ? in_order(at.row, size.row) : in_order(at.batch * size.head + at.head, size.batch * size.head);
}

std::int64_t sms_per_band(std::int64_t sms, std::size_t bands) {
  return sim::ceil_div(sms, std::max<std::int64_t>(1, static_cast<std::int64_t>(bands)));
}

bool one_by_one(const RaceRun& run) {
  return std::all_of(run.kernels().begin(), run.kernels().end(),
                     [](const RaceRun::Kernel& kernel) { return kernel.grid.one_by_one(); });
}

void RaceLanes::begin() {
  const sim::Simulation& s = run_->run().simulation;
  if (ragged_) ranks_ = ranks_of(sequences_of(ragged_->simulation));
  const bool padded = ragged_ && s.plan.classes == nullptr && ragged_->simulation.plan.classes != nullptr;
  for (std::size_t k = 0; k < s.plan.launches.size(); ++k) {
    kernels_.push_back({CtaNumbers(s, k), grid_of(s, k), std::nullopt});
    if (padded && one_by_one(*run_)) kernels_.back().useful.emplace(s, ragged_->simulation, k);
  }
  steps_.resize(grid_.columns * grid_.bands);
  busy_.resize(grid_.columns);
}

bool RaceLanes::advance() {
  if (!run_->ready()) return run_->advance() || true;
  if (kernels_.empty()) begin();
  for (std::size_t n = 0; n < bands_in_slice && next_ < grid_.bands; ++n) add_band(next_++);
  if (next_ < grid_.bands) return true;
  rects_ = merged_cells(grid_.columns, grid_.bands,
                        [&](std::size_t x, std::size_t y) { return static_cast<int>(steps_[y * grid_.columns + x]); });
  steps_ = {};
  return false;
}

void RaceLanes::add_band(std::size_t band) {
  const std::int64_t each = sms_per_band(run_->run().simulation.plan.scenario.gpu->sm_count, grid_.bands);
  const std::int64_t first = static_cast<std::int64_t>(band) * each;
  cells_.assign(grid_.columns, {});
  of_step_.assign(ragged_ ? grid_.columns * lane_steps : 0, 0);
  for (std::size_t k = 0; k < kernels_.size(); ++k) {
    const sim::GridInTime& grid = run_->kernels()[k].grid.grid();
    for (std::int64_t sm = first; sm < std::min({first + each, grid.sms, grid.ctas}); ++sm) {
      working_.assign(grid_.columns, false);
      add_sm(k, sm);
      for (std::size_t x = 0; x < grid_.columns; ++x) busy_[x] += working_[x] ? 1.f : 0.f;
    }
  }
  for (std::size_t x = 0; x < grid_.columns; ++x)
    steps_[band * grid_.columns + x] = static_cast<std::int8_t>(step_of(x));
}

int RaceLanes::step_of(std::size_t x) const {
  const Cell& cell = cells_[x];
  if (cell.weight < least_busy) return -1;
  if (!ragged_) return std::clamp(static_cast<int>(cell.value / cell.weight * order_steps), 0, order_steps - 1);
  const auto first = of_step_.begin() + static_cast<std::ptrdiff_t>(x * lane_steps);
  return static_cast<int>(std::max_element(first, first + lane_steps) - first);
}

void RaceLanes::add_sm(std::size_t n, std::int64_t sm) {
  const RaceRun::Kernel& kernel = run_->kernels()[n];
  if (!kernel.grid.one_by_one()) {  // heads advance evenly, and row blocks have no order here
    const bool heads = !grid_.by_row_block;
    work(kernel.begin, ragged_ ? idle_end_of(*run_).begin : kernel.end);
    return ragged_ ? void() : add(kernel.begin, kernel.end, heads ? 0 : 0.5, heads ? 1 : 0.5);
  }
  for (std::int64_t slot = 0; slot < kernel.grid.grid().ctas_per_sm; ++slot) {
    for (const CtaSpan& span : kernel.grid.row(sm, slot)) {
      const CtaTimes times = {run_->on_clock(n, span.begin), run_->on_clock(n, span.end)};
      work(times.begin, times.end);
      if (ragged_) {
        add_entry(kernels_[n], span.cta, times);
        continue;
      }
      const double at = place_in_order(kernels_[n].numbers.place(span.cta), kernels_[n].size, grid_.by_row_block);
      add(times.begin, times.end, at, at);
    }
  }
}

/// Adds a CTA by the class of its entry. A padded CTA does its useful tiles first.
void RaceLanes::add_entry(const Kernel& of, std::int64_t cta, CtaTimes times) {
  const double column = grid_.end / static_cast<double>(grid_.columns);
  const auto step = [&](std::size_t n) { return static_cast<std::size_t>(ranks_.at(n) * (order_steps - 1)); };
  if (times.end - times.begin > least_apart * column) times.begin += column;  // leaves a gap after the previous one
  if (!of.useful) return add_step(times.begin, times.end, step(of.numbers.class_of(cta)));
  const sim::CtaPlace place = of.numbers.place(cta);
  const double until = times.begin + of.useful->of(place) * (times.end - times.begin);
  add_step(times.begin, until, step(of.useful->class_of(place.batch)));
  add_step(until, times.end, padding_step);
}

/// Calls use(column, from, to, width of a column) for the part of an interval in each column.
template <class Use>
void RaceLanes::each_column(double begin, double end, Use use) const {
  const double width = grid_.end / static_cast<double>(grid_.columns);
  const auto column = [&](double time) {
    return std::min(grid_.columns - 1, static_cast<std::size_t>(std::max(0., time / width)));
  };
  for (std::size_t x = column(begin), last = column(end); x <= last; ++x) {
    const double from = std::max(begin, static_cast<double>(x) * width);
    const double to = std::min(end, static_cast<double>(x + 1) * width);
    if (to > from) use(x, from, to, width);
  }
}

void RaceLanes::work(double begin, double end) {
  each_column(begin, end, [&](std::size_t x, double from, double to, double width) {
    if (to - from >= width / 2) working_[x] = true;
  });
}

/// Adds the work of an SM from `begin` to `end`, which advances from `first` to `last` in the order.
void RaceLanes::add(double begin, double end, double first, double last) {
  each_column(begin, end, [&](std::size_t x, double from, double to, double width) {
    const double middle = ((from + to) / 2 - begin) / (end - begin);
    cells_[x].weight += static_cast<float>((to - from) / width);
    cells_[x].value += static_cast<float>((to - from) / width * (first + middle * (last - first)));
  });
}

void RaceLanes::add_step(double begin, double end, std::size_t step) {
  each_column(begin, end, [&](std::size_t x, double from, double to, double width) {
    const auto part = static_cast<float>((to - from) / width);
    cells_[x].weight += part;
    of_step_[x * lane_steps + step] += part;
  });
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

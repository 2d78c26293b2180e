#include "viz/model/grid_timeline.h"

#include <algorithm>
#include <tuple>

namespace explorer {
namespace {

using sim::Cycles;

constexpr Cycles together(2);  // a schedule's times are rounded to ticks

std::int64_t blocks(const sim::CtaPlace& size) { return size.row * size.col; }

bool blocks_outermost(const sim::Simulation& simulation, std::size_t kernel) {
  return simulation.plan.launches.at(kernel).grid.raster == sim::Raster::block_outermost;
}

std::size_t place(std::int64_t n) { return static_cast<std::size_t>(n); }

}  // namespace

sim::CtaPlace place_of_cta(const sim::Simulation& simulation, std::size_t kernel, std::int64_t cta) {
  const sim::CtaPlace size = grid_of(simulation, kernel);
  const std::int64_t heads = size.batch * size.head;
  const bool outermost = blocks_outermost(simulation, kernel);
  const std::int64_t block = outermost ? cta / heads : cta % blocks(size);
  const std::int64_t head = outermost ? cta % heads : cta / blocks(size);
  return {head / size.head, head % size.head, block / size.col, block % size.col};
}

std::int64_t cta_of_place(const sim::Simulation& simulation, std::size_t kernel, const sim::CtaPlace& at) {
  const sim::CtaPlace size = grid_of(simulation, kernel);
  const std::int64_t head = at.batch * size.head + at.head, block = at.row * size.col + at.col;
  return blocks_outermost(simulation, kernel) ? block * size.batch * size.head + head : head * blocks(size) + block;
}

bool GridTimeline::advance() {
  const sim::Plan& plan = run_->simulation.plan;
  if (stage_ == 0) {
    grid_ = sim::grid_in_time(plan, plan.launches.at(kernel_), run_->simulation.kernels.at(kernel_).demand(),
                              most_shown_ctas);
    std::int64_t known = 0;
    for (const sim::Residency& r : grid_.waves.residencies) known += (r.end_sm - r.first_sm) * r.back_to_back;
    one_by_one_ = known == grid_.ctas && known <= most_shown_ctas;
    stage_ = one_by_one_ ? 1 : 3;
  } else if (stage_ == 1) {
    expand();
    find_slots();
    stage_ = 2;
  } else {
    number();
    stage_ = 3;
  }
  return stage_ < 3;
}

void GridTimeline::expand() {
  for (const sim::Residency& r : grid_.waves.residencies) {
    const std::int64_t time = (r.end - r.begin).count();
    for (std::int64_t iteration = 0; iteration < r.back_to_back; ++iteration) {
      const Cycles begin = r.begin + Cycles(time * iteration / r.back_to_back);
      const Cycles end = r.begin + Cycles(time * (iteration + 1) / r.back_to_back);
      for (std::int64_t sm = r.first_sm; sm < r.end_sm; ++sm)
        started_.push_back({{static_cast<std::int32_t>(sm), 0, static_cast<std::int32_t>(r.run), 0, begin, end}, 0});
    }
  }
  grid_.waves.residencies.clear();
}

/// Each CTA takes the slot of its SM that has been free the longest.
void GridTimeline::find_slots() {
  std::sort(started_.begin(), started_.end(),
            [](const Started& a, const Started& b) { return a.span.begin < b.span.begin; });
  const std::int64_t slots = grid_.ctas_per_sm;
  std::vector<Cycles> free_from(place(grid_.sms * slots));
  for (Started& started : started_) {
    const auto first = free_from.begin() + static_cast<std::ptrdiff_t>(started.span.sm * slots);
    const auto last = first + static_cast<std::ptrdiff_t>(slots);
    started.neighbours = std::count_if(first, last, [&](Cycles end) { return end > started.span.begin + together; });
    const auto slot = std::min_element(first, last);
    started.span.slot = static_cast<std::int32_t>(slot - first);
    *slot = started.span.end;
  }
}

/// Gives the CTAs of each run their numbers in issue order: by begin, SMs with fewer neighbours first, then by SM.
void GridTimeline::number() {
  for (std::size_t n = 1; n < started_.size(); ++n) {  // what begins together has the same begin
    Started &last = started_[n - 1], &next = started_[n];
    if (next.span.begin - last.span.begin <= together) next.span.begin = last.span.begin;
  }
  std::stable_sort(started_.begin(), started_.end(), [](const Started& a, const Started& b) {
    return std::tuple(a.span.begin, a.neighbours, a.span.sm) < std::tuple(b.span.begin, b.neighbours, b.span.sm);
  });
  const sim::Plan& plan = run_->simulation.plan;
  const bool outermost = blocks_outermost(run_->simulation, kernel_);
  const sim::Grid grid = sim::make_grid(plan.problem.shape, plan.launches[kernel_].grid);
  std::vector<std::int64_t> first{0}, issued(grid.runs.size());
  for (const sim::Run& run : grid.runs) first.push_back(first.back() + run.count);
  rows_.resize(place(grid_.sms * grid_.ctas_per_sm));
  found_.assign(place(grid.ctas()), {-1, -1});
  for (Started& started : started_) {
    const std::size_t run = place(started.span.run);
    const std::int64_t iteration = issued[run]++ / grid_.shares, count = grid.runs[run].count;
    const std::int64_t heads = grid.repeats;
    started.span.cta =
        outermost ? first[run] * heads + iteration : iteration / count * first.back() + first[run] + iteration % count;
    auto& row = rows_[place(started.span.sm * grid_.ctas_per_sm + started.span.slot)];
    if (auto& found = found_[place(started.span.cta)]; found.first < 0)
      found = {static_cast<std::int32_t>(&row - rows_.data()), static_cast<std::int32_t>(row.size())};
    row.push_back(started.span);
  }
  started_.clear();
}

const std::vector<CtaSpan>& GridTimeline::row(std::int64_t sm, std::int64_t slot) const {
  static const std::vector<CtaSpan> nothing;
  return rows_.empty() ? nothing : rows_.at(place(sm * grid_.ctas_per_sm + slot));
}

const CtaSpan* GridTimeline::find(std::int64_t cta) const {
  if (cta < 0 || place(cta) >= found_.size() || found_[place(cta)].first < 0) return nullptr;
  const auto& [row, n] = found_[place(cta)];
  return &rows_[place(row)][place(n)];
}

}  // namespace explorer

#include "viz/model/grid_timeline.h"

#include <algorithm>
#include <tuple>

#include "sim/model/issued_runs.h"

namespace explorer {
namespace {

using sim::Cycles;

constexpr Cycles together(2);  // tolerance: a schedule's times are rounded to ticks

std::size_t place_in(std::int64_t n) { return static_cast<std::size_t>(n); }

}  // namespace

CtaNumbers::CtaNumbers(const sim::Simulation& simulation, std::size_t kernel) {
  const sim::Launch& launch = simulation.plan.launches.at(kernel);
  blocks_outermost_ = launch.grid.raster == sim::Raster::block_outermost;
  Part next;
  heads_of_entry_ = grid_of(simulation.plan.problem.shape, launch.grid).head;
  for (const sim::Plan& c : sim::classes_of(simulation.plan, launch)) {
    next.size = grid_of(c.problem.shape, sim::launch_of(c, launch).grid);
    parts_.push_back(next);
    next.first_cta += next.heads() * next.blocks();
    next.first_head += next.heads();
  }
}

std::size_t CtaNumbers::class_of(std::int64_t cta) const {
  const auto after =
      std::partition_point(parts_.begin() + 1, parts_.end(), [&](const Part& part) { return part.first_cta <= cta; });
  return place_in(after - parts_.begin()) - 1;
}

sim::CtaPlace CtaNumbers::place(std::int64_t cta) const {
  const Part& part = parts_[class_of(cta)];
  const std::int64_t n = cta - part.first_cta;
  const std::int64_t block = blocks_outermost_ ? n / part.heads() : n % part.blocks();
  const std::int64_t head = blocks_outermost_ ? n % part.heads() : n / part.blocks();
  const std::int64_t of_all = part.first_head + head;
  return {of_all / heads_of_entry_, of_all % heads_of_entry_, block / part.size.col, block % part.size.col};
}

std::int64_t CtaNumbers::number(const sim::CtaPlace& at) const {
  const std::int64_t of_all = at.batch * heads_of_entry_ + at.head;
  const auto after = std::partition_point(parts_.begin() + 1, parts_.end(),
                                          [&](const Part& part) { return part.first_head <= of_all; });
  const Part& part = *std::prev(after);
  // A launch for some of the row blocks does not have the others: the last one that it has stands for them.
  const std::int64_t head = std::min(of_all - part.first_head, part.heads() - 1);
  const std::int64_t block = std::min(at.row * part.size.col + at.col, part.blocks() - 1);
  return part.first_cta + (blocks_outermost_ ? block * part.heads() + head : head * part.blocks() + block);
}

std::int64_t CtaNumbers::number_in(std::size_t of_class, std::int64_t first, std::int64_t count, std::int64_t n) const {
  const Part& part = parts_[of_class];
  return part.first_cta +
         (blocks_outermost_ ? first * part.heads() + n : n / count * part.blocks() + first + n % count);
}

sim::CtaPlace place_of_cta(const sim::Simulation& simulation, std::size_t kernel, std::int64_t cta) {
  return CtaNumbers(simulation, kernel).place(cta);
}

std::int64_t cta_of_place(const sim::Simulation& simulation, std::size_t kernel, const sim::CtaPlace& at) {
  return CtaNumbers(simulation, kernel).number(at);
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

/// Assigns each CTA the slot of its SM that has been free the longest.
void GridTimeline::find_slots() {
  std::sort(started_.begin(), started_.end(),
            [](const Started& a, const Started& b) { return a.span.begin < b.span.begin; });
  const std::int64_t slots = grid_.ctas_per_sm;
  std::vector<Cycles> free_from(place_in(grid_.sms * slots));
  for (Started& started : started_) {
    const auto first = free_from.begin() + static_cast<std::ptrdiff_t>(started.span.sm * slots);
    const auto last = first + static_cast<std::ptrdiff_t>(slots);
    started.neighbours = std::count_if(first, last, [&](Cycles end) { return end > started.span.begin + together; });
    const auto slot = std::min_element(first, last);
    started.span.slot = static_cast<std::int32_t>(slot - first);
    *slot = started.span.end;
  }
}

void GridTimeline::sort_by_begin() {
  for (std::size_t n = 1; n < started_.size(); ++n) {  // makes the starts of a group that begins together equal
    Started &last = started_[n - 1], &next = started_[n];
    if (next.span.begin - last.span.begin <= together) next.span.begin = last.span.begin;
  }
  std::stable_sort(started_.begin(), started_.end(), [](const Started& a, const Started& b) {
    return std::tuple(a.span.begin, a.neighbours, a.span.sm) < std::tuple(b.span.begin, b.neighbours, b.span.sm);
  });
}

/// Runs of a head by class, in issue order.
std::vector<GridTimeline::RunOfHead> GridTimeline::runs_of_heads() const {
  const sim::Plan& plan = run_->simulation.plan;
  const sim::Launch& launch = plan.launches[kernel_];
  const std::vector<sim::Grid> segments = sim::segments_of(plan, launch);
  std::vector<RunOfHead> runs;
  for (const sim::IssuedRun& issued : sim::issued_runs(plan, launch, run_->simulation.kernels[kernel_].demand())) {
    const std::vector<sim::Run>& of_head = segments[issued.of_class].runs;
    RunOfHead run{issued.of_class, 0, of_head[issued.run].count};
    for (std::size_t n = 0; n < issued.run; ++n) run.first += of_head[n].count;
    runs.push_back(run);
  }
  return runs;
}

/// Numbers the CTAs of each run in issue order: by start, SMs with fewer neighbours first, then by SM.
void GridTimeline::number() {
  sort_by_begin();
  const std::vector<RunOfHead> runs = runs_of_heads();
  const CtaNumbers numbers(run_->simulation, kernel_);
  std::vector<std::int64_t> issued(runs.size());
  rows_.resize(place_in(grid_.sms * grid_.ctas_per_sm));
  found_.assign(place_in(grid_.ctas / grid_.shares), {-1, -1});
  for (Started& started : started_) {
    const std::size_t n = place_in(started.span.run);
    const std::int64_t iteration = issued[n]++ / grid_.shares;
    started.span.cta = numbers.number_in(runs[n].of_class, runs[n].first, runs[n].count, iteration);
    auto& row = rows_[place_in(started.span.sm * grid_.ctas_per_sm + started.span.slot)];
    if (auto& found = found_[place_in(started.span.cta)]; found.first < 0)
      found = {static_cast<std::int32_t>(&row - rows_.data()), static_cast<std::int32_t>(row.size())};
    row.push_back(started.span);
  }
  started_.clear();
}

const std::vector<CtaSpan>& GridTimeline::row(std::int64_t sm, std::int64_t slot) const {
  static const std::vector<CtaSpan> nothing;
  return rows_.empty() ? nothing : rows_.at(place_in(sm * grid_.ctas_per_sm + slot));
}

const CtaSpan* GridTimeline::find(std::int64_t cta) const {
  if (cta < 0 || place_in(cta) >= found_.size() || found_[place_in(cta)].first < 0) return nullptr;
  const auto& [row, n] = found_[place_in(cta)];
  return &rows_[place_in(row)][place_in(n)];
}

}  // namespace explorer

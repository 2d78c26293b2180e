#include "viz/model/race.h"

#include <algorithm>
#include <cmath>

namespace explorer {
namespace {

constexpr std::size_t clock_steps = 1024;

double cycles_per_us(const Run& run, std::size_t kernel) {
  const sim::Plan& plan = run.simulation.plan;
  return static_cast<double>(sim::clock_hz(plan, plan.launches[kernel])) * 1e-6;
}

double ticks_in(sim::Cycles time) { return static_cast<double>(time.count()); }

/// Distributes the interval from `begin` to `end` over equal parts of [0, all].
void spend(std::vector<double>& parts, double begin, double end, double all) {
  const double part = all / static_cast<double>(parts.size());
  const auto at = [&](double time) {
    return std::min(parts.size() - 1, static_cast<std::size_t>(std::max(0., time / part)));
  };
  for (std::size_t n = at(begin); n <= at(end); ++n) {
    const double from = static_cast<double>(n) * part;
    parts[n] += std::max(0., std::min(end, from + part) - std::max(begin, from));
  }
}

/// The CTA that runs in a row at a time; null if there is none.
const CtaSpan* span_at(const std::vector<CtaSpan>& row, sim::Cycles time) {
  const auto after = std::partition_point(row.begin(), row.end(), [&](const CtaSpan& s) { return s.begin <= time; });
  return after != row.begin() && std::prev(after)->end > time ? &*std::prev(after) : nullptr;
}

/// Calls use(span) for every CTA known individually.
template <class Use>
void each_span(const GridTimeline& grid, Use use) {
  const std::int64_t slots = grid.grid().ctas_per_sm;
  for (std::int64_t row = 0; row < grid.grid().sms * slots; ++row) {
    for (const CtaSpan& span : grid.row(row / slots, row % slots)) use(span);
  }
}

}  // namespace

RaceRun::RaceRun(std::shared_ptr<const Run> run) : run_(std::move(run)) {
  const double launch = static_cast<double>(run_->simulation.plan.scenario.gpu->launch_nanoseconds) * 1e-3;
  double now = 0;
  for (std::size_t k = 0; k < run_->simulation.kernels.size(); ++k) {
    const double predicted = run_->simulation.kernels[k].time.microseconds;
    const double took = std::isnan(predicted) ? 0 : predicted;  // NaN: the device has no time, so nothing races
    kernels_.push_back({now, now + std::min(launch, took), now + took, GridTimeline(run_, k), {}});
    now += took;
  }
}

bool RaceRun::advance() {
  if (!ready() && !kernels_[ready_].grid.advance()) {
    sum_up(kernels_[ready_]);
    weigh_classes(kernels_[ready_]);
    ++ready_;
  }
  return !ready();
}

void RaceRun::sum_up(Kernel& kernel) const {
  const GridTimeline& grid = kernel.grid;
  const double all = std::max(1., ticks_in(grid.makespan()));
  std::vector<double> parts(clock_steps);
  if (grid.one_by_one()) {
    each_span(grid, [&](const CtaSpan& span) { spend(parts, ticks_in(span.begin), ticks_in(span.end), all); });
  } else {  // every slot works until the tail; the remaining work is spread over the tail
    const sim::Waves& waves = grid.grid().waves;
    const auto slots = static_cast<double>(grid.grid().sms * grid.grid().ctas_per_sm);
    const double before = slots * ticks_in(waves.tail_begin), tail = all - ticks_in(waves.tail_begin);
    spend(parts, 0, ticks_in(waves.tail_begin), all);
    for (double& part : parts) part *= slots;
    std::vector<double> last(clock_steps);
    if (tail > 0) spend(last, ticks_in(waves.tail_begin), all, all);
    const double left = tail > 0 ? std::max(0., ticks_in(waves.busy) - before) / tail : 0;
    for (std::size_t n = 0; n < clock_steps; ++n) parts[n] += left * last[n];
  }
  double sum = 0;
  for (const double part : parts) sum += part;
  double done = 0;
  kernel.done = {0};
  for (const double part : parts) kernel.done.push_back(static_cast<float>((done += part) / std::max(sum, 1.)));
}

/// Sets the work of each class from its time. CTAs of a last wave are faster, so each gets the mean of its class.
void RaceRun::weigh_classes(Kernel& kernel) {
  double all = 0;
  std::vector<double>& work = kernel.work_of_class;
  std::vector<double> ctas;
  each_span(kernel.grid, [&](const CtaSpan& span) {
    const auto run = static_cast<std::size_t>(span.run);
    if (run >= work.size()) work.resize(run + 1), ctas.resize(run + 1);
    work[run] += ticks_in(span.end - span.begin);
    ctas[run] += 1;
    all += ticks_in(span.end - span.begin);
  });
  for (std::size_t run = 0; run < work.size(); ++run) work[run] /= std::max(1., ctas[run]) * std::max(1., all);
}

std::size_t RaceRun::kernel_at(double time) const {
  std::size_t kernel = 0;
  while (kernel + 1 < kernels_.size() && kernels_[kernel].end <= time) ++kernel;
  return kernel;
}

double RaceRun::share(std::size_t n, double time) const {
  const Kernel& kernel = kernels_[n];
  if (time >= kernel.end) return 1;
  if (time <= kernel.begin) return 0;
  if (kernel.done.empty()) return (time - kernel.begin) / (kernel.end - kernel.begin);  // not scheduled yet
  const double at = (time - kernel.begin) / (kernel.end - kernel.begin) * static_cast<double>(clock_steps);
  const std::size_t step = std::min(clock_steps - 1, static_cast<std::size_t>(at));
  const double part = at - static_cast<double>(step);
  return static_cast<double>(kernel.done[step]) * (1 - part) + static_cast<double>(kernel.done[step + 1]) * part;
}

double RaceRun::share(std::size_t n, double ticks, const std::function<double(double)>& part_of_cta) const {
  const Kernel& kernel = kernels_[n];
  double done = 0;
  each_span(kernel.grid, [&](const CtaSpan& span) {
    const double begin = ticks_in(span.begin), length = ticks_in(span.end) - begin;
    if (ticks <= begin) return;
    const double work = kernel.work_of_class[static_cast<std::size_t>(span.run)];
    done += ticks >= begin + length ? work : work * part_of_cta((ticks - begin) / length);
  });
  return done;
}

double RaceRun::amount(double time, double (*quantity)(const sim::KernelMeters&)) const {
  double sum = 0;
  for (std::size_t k = 0; k < kernels_.size(); ++k) sum += share(k, time) * quantity(run_->simulation.kernels[k]);
  return sum;
}

std::int64_t RaceRun::busy_sms(double time) const {
  const std::size_t k = kernel_at(time);
  const Kernel& kernel = kernels_[k];
  if (time < kernel.begin || time >= kernel.end) return 0;
  if (!kernel.grid.ready() || !kernel.grid.one_by_one()) return run_->simulation.kernels[k].time.sms_busy;
  std::int64_t busy = 0;
  for (std::int64_t sm = 0; sm < kernel.grid.grid().sms; ++sm) busy += racing_cta(*this, time, sm) ? 1 : 0;
  return busy;
}

sim::Cycles RaceRun::in_grid(std::size_t kernel, double time) const {
  const double us = std::clamp(time, kernels_[kernel].begin, kernels_[kernel].end) - kernels_[kernel].begin;
  return sim::nearest_tick(us * cycles_per_us(*run_, kernel));
}

double RaceRun::on_clock(std::size_t kernel, sim::Cycles time) const {
  const double us = ticks_in(time) / static_cast<double>(sim::ticks_per_cycle) / cycles_per_us(*run_, kernel);
  return std::min(kernels_[kernel].begin + us, kernels_[kernel].end);
}

CtaTimes times_of_cta(const RaceRun& clock, const Replay& cta) {
  const RaceRun::Kernel& k = clock.kernels()[cta.kernel];
  const std::int64_t number = cta_of_place(clock.run().simulation, cta.kernel, cta.place);
  if (const CtaSpan* span = k.grid.find(number))
    return {clock.on_clock(cta.kernel, span->begin), clock.on_clock(cta.kernel, span->end)};
  const double part = static_cast<double>(number * k.grid.grid().shares) / static_cast<double>(k.grid.grid().ctas);
  const double begin = k.begin + part * (k.end - k.begin);
  return {begin, std::min(k.end, begin + clock.on_clock(cta.kernel, cta.index.end()) - k.begin)};
}

std::optional<RacingCta> racing_cta(const RaceRun& run, double time, std::int64_t sm) {
  const std::size_t k = run.kernel_at(time);
  const RaceRun::Kernel& kernel = run.kernels()[k];
  if (time < kernel.begin || time >= kernel.end || !kernel.grid.ready() || !kernel.grid.one_by_one()) return {};
  const sim::Cycles at = run.in_grid(k, time);
  const CtaSpan* newest = nullptr;
  for (std::int64_t slot = 0; slot < kernel.grid.grid().ctas_per_sm; ++slot) {
    const CtaSpan* span = span_at(kernel.grid.row(sm, slot), at);
    if (span != nullptr && (newest == nullptr || span->begin > newest->begin)) newest = span;
  }
  if (newest == nullptr) return {};
  return RacingCta{k, newest->cta, sm};
}

}  // namespace explorer

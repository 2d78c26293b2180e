#include "viz/model/run_progress.h"

#include <cmath>

namespace explorer {
namespace {

constexpr double rounding = 1e-6;  // tolerance in units or ticks for times and small sums of shares
constexpr double of_sum = 1e-12;   // relative tolerance for large sums

const RaceRun& ready(RaceRun& clock) {
  while (clock.advance()) {
  }
  return clock;
}

double real(sim::Cycles time) { return static_cast<double>(time.count()); }
double real(sim::Bytes bytes) { return static_cast<double>(bytes.count()); }

}  // namespace

RunProgress::RunProgress(const Subject& subject)
    : subject_(subject), kernel_(subject.replay->kernel), times_(times_of_cta(ready(*subject.clock), *subject.replay)) {
  passed_ = real(subject.time) / std::max(1., real(subject.replay->index.end()));
}

double RunProgress::microseconds() const {
  const double now = times_.begin + passed_ * (times_.end - times_.begin);
  return now > subject_.clock->kernels().front().begin ? now : 0;  // the launch alone does not count
}

double RunProgress::share_of_kernel(OfCta of_cta) const {
  const Replay& cta = *subject_.replay;
  const std::int64_t number = cta_of_place(subject_.simulation(), kernel_, cta.place);
  const CtaSpan* span = subject_.clock->kernels()[kernel_].grid.find(number);
  if (span == nullptr) return subject_.clock->share(kernel_, microseconds());
  const double all = of_cta(cta, cta.index.end());
  const auto part_of_cta = [&](double passed) {
    if (all <= 0) return passed;
    return of_cta(cta, sim::Cycles(static_cast<std::int64_t>(passed * real(cta.index.end()) + rounding))) / all;
  };
  return subject_.clock->share(kernel_, real(span->begin) + passed_ * real(span->end - span->begin), part_of_cta);
}

double RunProgress::of(OfKernel of_kernel, OfCta of_cta, double unit) const {
  const auto& kernels = subject_.simulation().kernels;
  double before = 0;
  for (std::size_t k = 0; k < kernel_; ++k) before += of_kernel(kernels[k]);
  const double all = of_kernel(kernels[kernel_]);
  return std::min(before + all, whole_units(before + share_of_kernel(of_cta) * all, unit));
}

double RunProgress::tile_bytes() const {
  return of([](const sim::KernelMeters& k) { return real(k.totals.total.total()); },
            [](const Replay& cta, sim::Cycles at) { return cta.progress.at(at).bytes(); },
            element_bytes(subject_.simulation()));
}

/// HBM bytes moved so far. CTAs that take a whole head move equal amounts across this boundary; otherwise the first CTA
/// of a head moves the most.
double RunProgress::hbm_bytes() const {
  if (!sim::counts_hbm_traffic(*subject_.scenario().gpu)) return std::nan("");
  const OfCta of_head = [](const Replay& cta, sim::Cycles at) { return real(cta.memory.moved.at(at).hbm.total()); };
  const OfCta of_block = [](const Replay& cta, sim::Cycles at) { return cta.progress.at(at).bytes(); };
  return of([](const sim::KernelMeters& k) { return real(k.hbm_total()); },
            subject_.launch().grid.of_heads() ? of_head : of_block, element_bytes(subject_.simulation()));
}

double RunProgress::matmul_flops() const {
  return of([](const sim::KernelMeters& k) { return static_cast<double>(k.totals.matmul_flops.count()); },
            [](const Replay& cta, sim::Cycles at) { return static_cast<double>(cta.progress.at(at).matmul_flops); },
            flops_of_product);
}

double element_bytes(const sim::Simulation& simulation) {
  return static_cast<double>(sim::size_of(simulation.plan.problem.dtype));
}

double whole_units(double amount, double unit) { return std::floor(amount / unit * (1 + of_sum) + rounding) * unit; }

}  // namespace explorer

#include "sim/model/measured.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "sim/base/printable.h"
#include "sim/machine/device_fields.h"
#include "sim/programs/ragged.h"

namespace sim {
namespace {

double as_real(std::int64_t n) { return static_cast<double>(n); }

/// Number of pairs of a query and a key that it sees, in one head.
double visible_pairs(const Shape& shape) {
  double pairs = 0;
  for (std::int64_t q = 0; q < shape.seqlen_q; ++q) {
    if (shape.mask.blocks == nullptr) {
      pairs += as_real(shape.visible_keys(q).size());
      continue;
    }
    for (const Interval part : shape.visible_parts(q, {0, shape.seqlen_k})) pairs += as_real(part.size());
  }
  return pairs;
}

/// Returns FLOP/s of products on all SMs at a clock.
double tensor_rate(std::int64_t flops_per_clock, const DeviceSpec& gpu, std::int64_t clock_hz) {
  return as_real(flops_per_clock) * as_real(gpu.sm_count) * as_real(clock_hz);
}

/// Rounds to three significant digits, and to a whole number from 100 on.
double in_three_digits(double x) {
  if (x == 0) return 0;
  const double step = std::pow(10, std::min(0.0, std::floor(std::log10(x)) - 2));
  return std::round(x / step) * step;
}

std::string teraflops(double per_second) {
  const double tera = per_second * 1e-12;
  return tera < 1 ? text(in_three_digits(tera * 1e3), " GFLOP/s") : text(in_three_digits(tera), " TFLOP/s");
}

std::string microseconds(double us) {
  if (us < 1) return text(in_three_digits(us * 1e3), " ns");
  return us < 1e6 ? text(in_three_digits(us), " us") : text(in_three_digits(us * 1e-6), " s");
}

/// Compares a time with the bounds of its run and writes conclusions.
class Reader {
 public:
  Reader(const Simulation& simulation, double us) : s_(simulation), gpu_(*s_.plan.scenario.gpu), us_(us) {
    measured_.microseconds = us;
    flops_ = problem_flops(s_.plan);
    peak_per_clock_ = gpu_.matmul_flops_per_clock(product_dtype(s_.plan));
  }

  Measured read() {
    add_bounds();
    check_flops();
    check_bytes();
    if (!measured_.impossible) {
      check_instruction();
      check_clock();
      check_algorithm();
      check_prediction();
    }
    return std::move(measured_);
  }

 private:
  double per_second(double amount) const { return amount / us_ * 1e6; }
  template <class... Values>
  void add_words(Values... values) {
    measured_.says.emplace_back(values...);
  }

  void add_bounds() {
    const double clocks = as_real(gpu_.sm_count) * as_real(gpu_.clock_hz);
    measured_.bounds = {
        {"tensor", per_second(flops_.rated), as_real(peak_per_clock_) * clocks, "FLOP/s",
         /*say*/ "products of the visible pairs"},
        {"hbm", per_second(as_real(s_.hbm.total().count())), as_real(gpu_.hbm_bytes_per_second), "B/s",
         /*say*/ "HBM traffic of this algorithm"},
        {"l2", per_second(as_real(s_.totals.total.total().count())), as_real(gpu_.l2_bytes_per_second), "B/s",
         /*say*/ "tile traffic of this algorithm"},
        {"exp", per_second(as_real((s_.totals.exps + s_.totals.tanhs).count())), as_real(gpu_.exps_per_clock) * clocks,
         "exp/s",
         /*say*/ "exponentials of this algorithm"}};
    std::erase_if(measured_.bounds, [&](const ReachedBound& bound) {
      return bound.peak == 0 || (bound.name == "hbm" && !counts_hbm_traffic(gpu_));  // absent
    });
  }

  void check_flops() {
    const double peak = tensor_rate(peak_per_clock_, gpu_, gpu_.highest_clock_hz), least = flops_.least / peak * 1e6;
    if (us_ >= least) return;
    measured_.impossible = true;
    add_words(
        /*say*/
        "impossible on this card: the products of the visible pairs take at least {} at {}, the peak at {}, the "
        "highest known clock",
        microseconds(least), teraflops(peak), megahertz(gpu_.highest_clock_hz));
  }

  void check_bytes() {
    if (!counts_hbm_traffic(gpu_)) return;  // the contents of its caches are unknown
    const std::int64_t bytes = problem_bytes(s_.plan).count(),
                       beyond = std::max<std::int64_t>(0, bytes - gpu_.l2_bytes);
    const double least = as_real(beyond) / as_real(gpu_.hbm_bytes_per_second) * 1e6;
    if (us_ >= least) return;
    measured_.impossible = true;
    add_words(
        /*say*/
        "impossible on this card: {} of the {} bytes of the problem's tensors do not fit into its L2, and HBM "
        "moves them in {} at least",
        beyond, bytes, microseconds(least));
  }

  /// Infers the multiply instruction, if the card has two of different speed.
  void check_instruction() {
    const std::int64_t mma = gpu_.mma_flops_per_clock_fp16;
    if (!is_half(product_dtype(s_.plan)) || mma == 0 || mma == gpu_.tensor_flops_per_clock_fp16) return;
    const double rate = per_second(flops_.rated);
    const double usual = tensor_rate(gpu_.mma_flops_per_clock_fp16, gpu_, gpu_.clock_hz);
    const double highest = tensor_rate(gpu_.mma_flops_per_clock_fp16, gpu_, gpu_.highest_clock_hz);
    if (rate > highest)
      add_words(
          /*say*/
          "mma.sync is excluded: it reaches {} at {}, the highest known clock; a warp-specialised kernel or another "
          "clock is needed",
          teraflops(highest), megahertz(gpu_.highest_clock_hz));
    else if (rate > usual)
      add_words(/*say*/ "by mma.sync only at more than {}: it reaches {} there", megahertz(gpu_.clock_hz),
                teraflops(usual));
    else
      add_words(/*say*/ "either instruction is possible: mma.sync reaches {} at {}", teraflops(usual),
                megahertz(gpu_.clock_hz));
  }

  void check_clock() {
    const double peak = tensor_rate(peak_per_clock_, gpu_, gpu_.clock_hz);
    if (per_second(flops_.rated) > peak)
      add_words(/*say*/ "the SMs ran above {}: the peak there is {}", megahertz(gpu_.clock_hz), teraflops(peak));
  }

  /// Names the resources for which the algorithm with these tiles takes longer, at the highest known clock.
  void check_algorithm() {
    const double faster = as_real(gpu_.highest_clock_hz) / as_real(gpu_.clock_hz);
    for (const auto& [name, at_once] : resource_times()) {
      const double least = name == "hbm" ? at_once : at_once / faster;
      if (us_ < least)
        add_words(/*say*/ "not by this kernel: {} of {} with these tiles take {} at least", resource_words(name),
                  s_.plan.program->title, microseconds(least));
    }
  }

  std::vector<std::pair<std::string, double>> resource_times() const {
    std::vector<std::pair<std::string, double>> sums;
    for (const KernelMeters& kernel : s_.kernels) {
      for (std::size_t n = 0; n < kernel.time.resources.size(); ++n) {
        const auto& [name, us] = kernel.time.resources[n];
        if (n == sums.size()) sums.emplace_back(name, 0);
        sums[n].second += us;
      }
    }
    return sums;
  }

  static std::string resource_words(const std::string& name) {
    if (name == "hbm") return /*say*/ "the bytes beyond L2";
    if (name == "l2") return /*say*/ "the bytes between L2 and the SMs";
    if (name == "exp") return /*say*/ "the exponentials";
    return name == "tensor" ? /*say*/ "the products" : /*say*/ "the FLOPs of the softmax";
  }

  void check_prediction() {
    if (!has_time(gpu_)) return add_words(std::string_view("{}"), why_no_time(gpu_));
    const double ratio = us_ / s_.microseconds;
    const std::optional<double> error = s_.accuracy.error_percent;
    if (error && std::abs(ratio - 1) * 100 <= *error)
      return add_words(/*say*/ "as predicted for {}: {}, within the error of {} %", s_.plan.program->title,
                       microseconds(s_.microseconds), std::round(*error * 10) / 10);
    add_words(ratio > 1 ? /*say*/
                  "slower than predicted for {}: {}, of which it takes {} times; these numbers leave that unexplained"
                        : /*say*/
                  "faster than predicted for {}: {}, of which it takes {} times; these numbers leave that unexplained",
              s_.plan.program->title, microseconds(s_.microseconds), in_three_digits(ratio));
  }

  const Simulation& s_;
  const DeviceSpec& gpu_;
  double us_;
  ProblemFlops flops_;
  std::int64_t peak_per_clock_ = 0;
  Measured measured_;
};

/// The problem of batch entries of equal lengths; the plan derives the blocks of a pattern.
Shape problem_shape(const Plan& of_class) {
  Shape shape = of_class.scenario.shape;
  shape.batch = of_class.problem.shape.batch;  // samples too
  shape.mask.blocks = of_class.problem.shape.mask.blocks;
  return shape;
}

Bytes problem_bytes(const Shape& shape, Dtype dtype, Pass pass, const std::vector<KeySection>& sections) {
  Hbm hbm = make_hbm(shape, dtype);
  hbm.K.shared_rows = shared_rows(sections, shape.batch);
  hbm.V.shared_rows = shape.kv_shared ? 0 : hbm.K.shared_rows;
  const SeenBytes seen(shape, hbm, sections);
  const auto all = [&](Tensor tensor) { return hbm[tensor].total_bytes(shape); };
  Bytes bytes = seen.of(Tensor::Q) + seen.of(Tensor::K) + seen.of(Tensor::V);
  if (pass != Pass::backward) bytes += all(Tensor::O);
  if (pass != Pass::forward) bytes += seen.of(Tensor::dO) + all(Tensor::dQ) + all(Tensor::dK) + all(Tensor::dV);
  return bytes;
}

}  // namespace

ProblemFlops problem_flops(const Plan& plan) {
  const Scenario& s = plan.scenario;
  double all = 0, but_the_recomputed = 0;
  const bool forward = s.pass != Pass::backward, backward = s.pass != Pass::forward;
  for (const Plan& c : classes_of(plan)) {
    const Shape shape = problem_shape(c);
    const double pairs = visible_pairs(shape) * as_real(shape.heads) * as_real(shape.batch);
    const double scores = 2 * as_real(shape.head_dim) * pairs, values = 2 * as_real(shape.value_dim()) * pairs;
    if (forward) all += scores + values, but_the_recomputed += scores + values;
    if (backward) all += 3 * scores + 2 * values, but_the_recomputed += 2 * (scores + values);
  }
  return {all, but_the_recomputed};
}

Bytes problem_bytes(const Plan& plan) {
  Bytes bytes;
  for (const Plan& c : classes_of(plan))
    bytes += problem_bytes(problem_shape(c), c.scenario.dtype, plan.scenario.pass, c.problem.key_sections);
  return bytes;
}

Measured explain_measured(const Simulation& simulation, double microseconds) {
  return Reader(simulation, microseconds).read();
}

}  // namespace sim

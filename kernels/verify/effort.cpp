#include "kernels/verify/effort.h"

#include <algorithm>

#include "kernels/attention/kernel_list.h"
#include "sim/base/units.h"
#include "sim/report/numbers.h"
#include "sim/report/value_memory.h"

namespace kernels {
namespace {

// FLOPs of matrix products per second and worker, traced, d = 64: 40 M to 45 M for flash1, 35 M to 45 M for standard
// and flash2 in fp32, 650 M to 900 M for flash2_mma, user time on two cores of a server.
constexpr double scalar_rate = 40e6, tensor_core_rate = 700e6;
constexpr double longest_run = 3600;                         // seconds
constexpr std::int64_t most_scores = std::int64_t{1} << 30;  // per head: attention_plain stores them in fp32

/// Bytes of inputs and of the outputs of program, kernel and plain formula, in fp32, of the reference in double, and of
/// the tensors on the device.
std::int64_t needed_bytes(const sim::Simulation& program) {
  std::int64_t queries = 0, keys = 0;
  for (const sim::Plan& c : sim::classes_of(program.plan)) {
    const sim::Shape& shape = c.problem.shape;
    queries = sim::checked_add(queries, sim::product(shape.batch, shape.heads, shape.seqlen_q, shape.head_dim));
    keys = sim::checked_add(keys, sim::product(shape.batch, shape.kv_heads, shape.seqlen_k, shape.head_dim));
  }
  constexpr std::int64_t input = 4, output = 3 * 4 + 8;
  const bool backward = program.plan.has_backward();
  const std::int64_t per_query = input + output + (backward ? input + output : 0);
  const std::int64_t per_key = 2 * input + (backward ? 2 * output : 0);
  const std::int64_t values =
      sim::checked_add(sim::checked_multiply(queries, per_query), sim::checked_multiply(keys, per_key));
  return sim::checked_add(values, program.memory.peak_hbm.count());
}

/// Ratio of the rows that a launch multiplies to its query rows: tensor cores compute whole tiles.
double padding_of_rows(const sim::Plan& plan) {
  const std::int64_t br = plan.problem.tiling.br;
  double rows = 0, whole = 0;
  for (const sim::Plan& c : sim::classes_of(plan)) {
    const auto entries = static_cast<double>(c.problem.shape.batch);
    const std::int64_t seqlen_q = c.problem.shape.seqlen_q;
    rows += entries * static_cast<double>(seqlen_q);
    whole += entries * static_cast<double>(sim::ceil_div(seqlen_q, br) * br);
  }
  return whole / rows;
}

}  // namespace

double emulated_seconds(const sim::Simulation& program, std::string_view kernel, int workers) {
  const double rate = on_tensor_cores(kernel) ? tensor_core_rate / padding_of_rows(program.plan) : scalar_rate;
  double seconds = 0;
  for (const sim::KernelMeters& each : program.kernels) {
    const auto busy = std::min<std::int64_t>(workers, each.ctas);  // one worker per block
    seconds += static_cast<double>(each.totals.matmul_flops.count()) / (rate * static_cast<double>(busy));
  }
  return seconds;
}

void check_effort(const sim::Simulation& program, std::string_view kernel, int runs, int workers) {
  if (runs > 0) {
    const double seconds = runs * emulated_seconds(program, kernel, workers);
    sim::require(seconds <= longest_run, "seqlen: ", kernel, " would take about ", report::seconds(seconds),
                 " on the emulated device, more than the hour that is allowed: use smaller sizes or --device cuda");
  }
  const std::int64_t need = needed_bytes(program), limit = report::value_memory_limit();
  sim::require(need <= limit, "values: inputs, outputs, the reference and the device's memory need ",
               report::bytes(need), ", more than the limit of ", report::bytes(limit), ": use smaller sizes");
  for (const sim::Plan& c : sim::classes_of(program.plan)) {
    const sim::Shape& shape = c.problem.shape;
    sim::require(sim::checked_multiply(shape.seqlen_q, shape.seqlen_k) <= most_scores, "seqlen: ", shape.seqlen_q,
                 " x ", shape.seqlen_k, " scores of a head are more than the ", most_scores,
                 " that the plain formula allows");
  }
}

}  // namespace kernels

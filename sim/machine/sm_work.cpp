#include "sim/machine/sm_work.h"

#include <algorithm>

#include "sim/machine/device_fields.h"

namespace sim {
namespace {

constexpr double lanes = 32;           // of a warp
constexpr double flops_of_mma = 4096;  // m16n8k16
// Cycles that one mma m16n8k16 keeps the issue slot of its SM sub-partition. On Hopper mma.sync reaches at best 62.9 %
// of the tensor cores' 4,096 FLOP per cycle and SM (Luo et al. 2025, arXiv 2501.12084), whatever the kernel: 4096 / 4 /
// (0.629 x 1024) = 6.36. Ampere's tensor cores take 8 cycles, so that there the slot is not what bounds a product.
constexpr double issue_of_mma = 6.36;
constexpr double bytes_of_ldmatrix = 512;  // four 8 x 8 matrices of 16 bits

/// Operations of one value on the FP32 pipe beside those that Event::other_flops counts.
double extra_operations(const Event& event) {
  switch (event.verb) {
    case Verb::exp:
      return event.exps > 0 ? 0.5 : 0;  // conversion of P, two values at a time
    case Verb::scale:
      return event.tensor == Tensor::S ? -1 : 0;  // folded into the exponential's multiply-add
    case Verb::mask:
      return 2;  // compare and select
    case Verb::dropout:
      return 6;  // a random number of Philox serves 16 values; compare, select
    case Verb::fill:
      return event.direction == Direction::none ? 1 : 0;
    default:
      return 0;
  }
}

double padded(const Axis& axis) {
  return axis.block > axis.size && axis.size > 0 ? static_cast<double>(axis.block) / static_cast<double>(axis.size) : 1;
}

}  // namespace

std::string_view name_of(Pipe pipe) {
  constexpr std::string_view names[] = {"tensor", "fp32", "exp", "smem", "issue"};
  return names[static_cast<int>(pipe)];
}

Pipe SmWork::slowest() const {
  return static_cast<Pipe>(std::max_element(cycles.begin(), cycles.end()) - cycles.begin());
}

SmRates sm_rates(const DeviceSpec& device, Dtype dtype, const TimingConstants& constants) {
  using D = DeviceSpec;
  const auto of = [&](std::int64_t D::*member) { return replay_number(device, member); };
  const auto per = [&](std::int64_t D::*member) { return 1.0 / of(member); };
  const double slots = of(&D::instructions_per_clock);
  SmRates rates;
  rates.tensor_cores = dtype != Dtype::fp32;
  rates.per_matmul_flop = per(rates.tensor_cores ? &D::mma_flops_per_clock_fp16 : &D::fp32_flops_per_clock);
  rates.per_operation = 2 * per(&D::fp32_flops_per_clock);
  rates.per_exp = per(&D::exps_per_clock);
  rates.per_smem_byte = per(&D::smem_bytes_per_clock);
  rates.per_instruction = constants.instruction_overhead / slots;
  rates.per_matmul_issue = rates.tensor_cores ? issue_of_mma / flops_of_mma / slots : 1 / slots / (2 * lanes);
  rates.product_latency = constants.phase_cycles + of(&D::smem_latency_cycles);
  rates.result_latency = constants.phase_cycles + of(&D::mma_latency_cycles);
  return rates;
}

SmWork work_of(const Event& event, const SmRates& rates) {
  const double padding = padded(event.rows) * padded(event.cols);
  const double values = static_cast<double>(event.rows.size) * static_cast<double>(event.cols.size);
  const double operations = padding * (static_cast<double>(event.other_flops) + values * extra_operations(event));
  const double exps = padding * static_cast<double>(event.exps);
  const double flops = padding * static_cast<double>(event.matmul_flops);
  const double smem = static_cast<double>(event.smem_bytes);
  SmWork work;
  work[Pipe::fp32] = operations * rates.per_operation;
  work[Pipe::exp] = exps * rates.per_exp;
  work[Pipe::smem] = smem * rates.per_smem_byte;
  work[rates.tensor_cores ? Pipe::tensor : Pipe::fp32] += flops * rates.per_matmul_flop;
  const double instructions = (operations + exps) / lanes + smem / bytes_of_ldmatrix;
  work[Pipe::issue] = instructions * rates.per_instruction + flops * rates.per_matmul_issue;
  return work;
}

}  // namespace sim

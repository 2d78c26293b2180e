#include "sim/machine/sm_work.h"

#include <algorithm>

#include "sim/machine/device_fields.h"

namespace sim {
namespace {

constexpr double lanes = 32;  // of a warp
// Cycles that one mma m16n8k16 keeps the issue slot of its SM sub-partition. On Hopper mma.sync reaches at best 62.9 %
// of the tensor cores' 4,096 FLOP per cycle and SM (Luo et al. 2025, arXiv 2501.12084), whatever the kernel: 4096 / 4 /
// (0.629 x 1024) = 6.36. Ampere's tensor cores take 8 cycles, so that there the slot is not what bounds a product.
constexpr double issue_of_mma = 6.36;

/// Operations of one value on the FP32 pipe in addition to those that Event::other_flops counts.
double extra_operations(const Event& event) {
  switch (event.verb) {
    case Verb::exp:
      return event.exps > 0 ? 0.5 : 0;  // conversion of P, two values at a time
    case Verb::scale:
      return event.tensor == Tensor::S ? -1 : 0;  // folded into the exponential's multiply-add
    case Verb::mask:
    case Verb::select:
      return 2;  // compare and select
    case Verb::transpose:
      return 0.25;  // a byte permutation of four values
    case Verb::dropout:
      return 6;  // a random number of Philox serves 16 values; compare, select
    case Verb::fill:
      return event.direction == Direction::none ? 1 : 0;
    default:
      return 0;
  }
}

/// Issue cycles of one value beyond its arithmetic. If an operand has another shape than the result, the kernel of a
/// framework is not vectorised: it computes the address of each operand from the index of the value, by divisions.
double addressing(const Event& event, const SmRates& rates) {
  switch (event.verb) {
    case Verb::add:
    case Verb::select:
      return rates.per_broadcast;
    case Verb::mask:
      return rates.per_mask;
    case Verb::all:
      return rates.per_reduced_byte;
    default:
      return 0;
  }
}

double padded(const Axis& axis) {
  return axis.block > axis.size && axis.size > 0 ? static_cast<double>(axis.block) / static_cast<double>(axis.size) : 1;
}

double padding_of(const Event& event) { return padded(event.rows) * padded(event.cols); }

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
  rates.per_wgmma_flop = per(&D::tensor_flops_per_clock_fp16);
  if (dtype == Dtype::e4m3) {
    rates.per_wgmma_flop /= 2;
    rates.wgmma_depth *= 2;
  }
  rates.per_operation = 2 * per(&D::fp32_flops_per_clock);
  rates.per_exp = per(&D::exps_per_clock);
  rates.per_smem_byte = per(&D::smem_bytes_per_clock);
  rates.per_broadcast = constants.broadcast_cycles;
  rates.per_reduced_byte = constants.reduced_cycles;
  rates.per_instruction = constants.instruction_overhead / slots;
  rates.per_matmul_issue = rates.tensor_cores ? issue_of_mma / flops_of_mma / slots : 1 / slots / (2 * lanes);
  rates.product_latency = constants.phase_cycles + of(&D::smem_latency_cycles);
  rates.result_latency = constants.phase_cycles + of(&D::mma_latency_cycles);
  return rates;
}

SmRates role_rates(const DeviceSpec& device, Dtype dtype, const TimingConstants& constants) {
  SmRates rates = sm_rates(device, dtype, constants);
  rates.per_dependent = constants.dependent_cycles / replay_number(device, &DeviceSpec::instructions_per_clock);
  rates.turn_latency = constants.turn_cycles;
  rates.product_latency = replay_number(device, &DeviceSpec::smem_latency_cycles);
  rates.result_latency = replay_number(device, &DeviceSpec::mma_latency_cycles);
  return rates;
}

namespace {

/// Operations of an event on the FP32 pipe, and its exponentials: of whole blocks.
struct Arithmetic {
  double operations, exps;
};

Arithmetic arithmetic_of(const Event& event) {
  const double padding = padding_of(event);
  const double values = static_cast<double>(event.rows.size) * static_cast<double>(event.cols.size);
  return {padding * (static_cast<double>(event.other_flops) + values * extra_operations(event)),
          padding * static_cast<double>(event.exps + event.tanhs)};
}

}  // namespace

double instructions_of(const Event& event) {
  const Arithmetic arithmetic = arithmetic_of(event);
  return (arithmetic.operations + arithmetic.exps) / lanes + static_cast<double>(event.smem_bytes) / bytes_of_ldmatrix;
}

double cycles_in_order(const Event& event, const SmRates& rates) {
  const double exps = arithmetic_of(event).exps, others = instructions_of(event) - exps / lanes;
  return others * rates.per_dependent + exps * std::max(rates.per_dependent / lanes, rates.per_exp);
}

double padded_matmul_flops(const Event& event) { return padding_of(event) * static_cast<double>(event.matmul_flops); }

double instruction_of(const Event& product, const SmRates& rates) {
  const double flops_of_value = 2 * rates.wgmma_depth;
  const double values = static_cast<double>(product.rows.size) * static_cast<double>(product.cols.size);
  return padding_of(product) * values * flops_of_value * rates.per_wgmma_flop;
}

SmWork work_of(const Event& event, const SmRates& rates) {
  const Arithmetic arithmetic = arithmetic_of(event);
  const double flops = padded_matmul_flops(event);
  SmWork work;
  work[Pipe::fp32] = arithmetic.operations * rates.per_operation;
  work[Pipe::exp] = arithmetic.exps * rates.per_exp;
  work[Pipe::smem] = static_cast<double>(event.smem_bytes) * rates.per_smem_byte;
  if (event.asynchronous) {  // one instruction of a whole warpgroup: its operands pass no registers and no issue slots
    work[Pipe::tensor] = flops * rates.per_wgmma_flop;
    return work;
  }
  work[rates.tensor_cores ? Pipe::tensor : Pipe::fp32] += flops * rates.per_matmul_flop;
  const double values = padding_of(event) * static_cast<double>(event.rows.size) * static_cast<double>(event.cols.size);
  work[Pipe::issue] = instructions_of(event) * rates.per_instruction + flops * rates.per_matmul_issue +
                      values * addressing(event, rates);
  return work;
}

}  // namespace sim

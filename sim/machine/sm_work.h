// Demand of an event on the pipes of one SM. An event occupies several at a time: a matrix product needs the tensor
// pipe, its fragments come through the shared-memory port, and every instruction passes the issue slots.
#pragma once
#include <array>
#include <string_view>

#include "sim/base/dtype.h"
#include "sim/machine/device_spec.h"
#include "sim/machine/timing_constants.h"
#include "sim/trace/cause.h"
#include "sim/trace/event.h"

namespace sim {

/// Resources that the instructions of one SM share. fp32 takes all arithmetic outside matrix products, exp is the MUFU.
enum class Pipe : std::uint8_t { tensor, fp32, exp, smem, issue };
inline constexpr int pipe_count = 5;
std::string_view name_of(Pipe pipe);

constexpr Cause work_on(Pipe pipe) { return static_cast<Cause>(pipe); }
constexpr Cause busy(Pipe pipe) { return static_cast<Cause>(static_cast<int>(pipe) + pipe_count); }

/// Cycles that an event keeps each pipe of an SM busy. Alone on the SM it takes as long as its slowest pipe.
struct SmWork {
  std::array<double, pipe_count> cycles{};
  double& operator[](Pipe pipe) { return cycles[static_cast<std::size_t>(pipe)]; }
  double operator[](Pipe pipe) const { return cycles[static_cast<std::size_t>(pipe)]; }
  Pipe slowest() const;
  double alone() const { return (*this)[slowest()]; }
};

/// Work per unit of one SM, in cycles.
struct SmRates {
  bool tensor_cores = true;  ///< fp32 products go through the FP32 pipe
  double per_matmul_flop = 0;
  double per_wgmma_flop = 0;  ///< for asynchronous products, which reach the full rate of the tensor cores
  double wgmma_depth = 16;    ///< elements that one of their instructions sums over: 32 bytes of each operand
  double per_operation = 0;   ///< one arithmetic operation of one value on the FP32 pipe
  double per_exp = 0;
  double per_smem_byte = 0;
  double per_broadcast = 0;     ///< issue cycles of one value of an operation that broadcasts an operand
  double per_mask = 0;          ///< issue cycles of one value of a mask that is a matrix of its own
  double per_reduced_byte = 0;  ///< issue cycles of one byte of a reduction along rows
  double per_instruction = 0;   ///< issue slot of one warp instruction, with what comes along with it
  double per_matmul_issue = 0;  ///< issue slot of one FLOP of a matrix product
  double per_dependent = 0;     ///< cycles from one warp instruction to the next of a role; 0: other warps fill them
  double turn_latency = 0;      ///< from the start of the last instruction of a role's turn until the next role has it
  double product_latency = 0;   ///< from the end of what a product depends on to its first instruction
  double result_latency = 0;    ///< from the end of a product to the first instruction on its result
};
SmRates sm_rates(const DeviceSpec& device, Dtype dtype, const TimingConstants& constants);
/// Rates of a CTA of several roles: a scheduler has one warp of each, and the warps of a role need not meet others.
SmRates role_rates(const DeviceSpec& device, Dtype dtype, const TimingConstants& constants);

inline constexpr double flops_of_mma = 4096;      // m16n8k16
inline constexpr double bytes_of_ldmatrix = 512;  // four 8 x 8 matrices of 16 bits

/// Warp instructions of an event other than those of matrix products.
double instructions_of(const Event& event);

/// Cycles of these instructions one after the other, as the warps of a role issue them. Exponentials take longer, since
/// a scheduler has fewer lanes for them than a warp has threads: 4 on a Hopper, so 8 cycles.
double cycles_in_order(const Event& event, const SmRates& rates);

/// FLOPs of whole blocks: a kernel computes a short block as one of them.
double padded_matmul_flops(const Event& event);

/// Cycles of one instruction of an asynchronous product: its whole block, 16 of the elements that it sums over.
double instruction_of(const Event& product, const SmRates& rates);

/// Instructions are those of the real kernel's kind: the scale of S is folded into exp2's multiply-add, P is converted
/// two values an instruction, a random number of dropout costs integer work.
SmWork work_of(const Event& event, const SmRates& rates);

/// The chip's service to one SM while all SMs are busy.
struct SmPort {
  double cycles_per_byte = 0;
  double latency = 0;   ///< cycles from the end of a copy's transfer to its arrival
  double turnover = 0;  ///< cycles from the end of a CTA, or of a row block of one, to the first of the next
};

}  // namespace sim

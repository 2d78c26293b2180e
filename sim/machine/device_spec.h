// A GPU as a table with sources: every field of devices/*.toml is a value, a unit and where the value comes from.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/dtype.h"

namespace sim {

/// Where one field of a device comes from. `kind` is "published", "measured" or "estimated"; in a device
/// like another one (device_override.h) also "given" or "scaled".
struct Provenance {
  std::string field, value, unit, kind, source;
};

/// One GPU. Rates are per second or per clock of `clock_hz`, dense (no sparsity); 0 is a number that is absent.
struct DeviceSpec {
  std::string name;          ///< the name of the command line: "h100-sxm"
  std::string title;         ///< "NVIDIA H100 SXM5 80 GB"
  std::string architecture;  ///< "sm_90"; picks the tiles in tilings.h
  std::int64_t sm_count = 0;
  std::int64_t clock_hz = 0;
  std::int64_t highest_clock_hz = 0;  ///< that is known of the card; clock_hz where its file says none
  std::int64_t wgmma_clock_hz = 0;    ///< that it holds while wgmma keeps its tensor cores busy; else clock_hz
  std::int64_t hbm_bytes = 0;         ///< capacity of device memory
  std::int64_t hbm_bytes_per_second = 0;
  std::int64_t hbm_measured_bytes_per_second = 0;  ///< what the best measured stream reaches of it
  std::int64_t hbm_latency_cycles = 0;
  std::int64_t l2_bytes = 0;
  std::int64_t l2_effective_bytes = 0;  ///< what hot data can really use of it (two partitions keep copies)
  std::int64_t l2_bytes_per_second = 0;
  std::int64_t l2_latency_cycles = 0;
  std::int64_t l2_far_latency_cycles = 0;  ///< of the other partition; equal where there is one
  std::int64_t l1_smem_bytes_per_sm = 0;   ///< L1 + shared memory: the M of the papers (A100: 192 KiB)
  std::int64_t smem_bytes_per_sm = 0;      ///< shared memory that all CTAs of an SM share
  std::int64_t smem_bytes_per_cta = 0;     ///< the most that one CTA may use
  std::int64_t smem_bytes_per_clock = 0;   ///< per SM
  std::int64_t smem_latency_cycles = 0;
  std::int64_t register_bytes_per_sm = 0;
  std::int64_t threads_per_sm = 0;
  std::int64_t ctas_per_sm = 0;
  std::int64_t cta_turnover_cycles = 0;          ///< from a CTA's end until the next one works in its slot
  std::int64_t instructions_per_clock = 0;       ///< warp instructions that an SM issues
  std::int64_t tensor_flops_per_clock_fp16 = 0;  ///< per SM, fp16/bf16 in, fp32 accumulate
  std::int64_t mma_flops_per_clock_fp16 = 0;     ///< what mma.sync reaches of it; wgmma and tcgen05 reach all
  std::int64_t mma_latency_cycles = 0;           ///< of one mma.sync that waits for the one before
  std::int64_t fp32_flops_per_clock = 0;         ///< per SM; a fused multiply-add counts as two
  std::int64_t exps_per_clock = 0;               ///< per SM (MUFU)
  std::int64_t exp_latency_cycles = 0;
  std::int64_t launch_nanoseconds = 0;  ///< kernel launch, back to back in a stream
  std::vector<Provenance> provenance;   ///< one entry per field, in the order of the file
  bool built_in = false;                ///< one of this library, not of a user's file

  /// FLOPs per clock and SM of a matrix product whose inputs have this dtype: the tensor pipe for fp16 and bf16,
  /// the FP32 pipe for fp32.
  std::int64_t matmul_flops_per_clock(Dtype dtype) const;
};

/// Parses the text of a device file. `origin` (a file name) stands in error messages. Throws Error that names field,
/// value and allowed range: a missing, unknown (with the nearest known name), negative, zero, implausible (a bandwidth
/// in the wrong unit) or contradictory field, a field without unit or source, a TOML syntax error with its line.
DeviceSpec parse_device(std::string_view toml_text, const std::string& origin);

/// The names of the built-in devices in the order of the command line: toy, t4, rtx-3090, ...
std::vector<std::string> device_names();

/// A built-in device. Throws Error with the known names and the nearest one.
const DeviceSpec& device(std::string_view name);

}  // namespace sim

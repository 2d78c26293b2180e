// A GPU as a table with sources: every field of devices/*.toml has a value, a unit and the source of the value.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/dtype.h"

namespace sim {

/// Source of one field of a device. `kind` is "published", "measured" or "estimated"; in a device derived from another
/// one (device_override.h) also "given" or "scaled".
struct Provenance {
  std::string field, value, unit, kind, source;
};

/// One GPU. Rates are per second or per clock of `clock_hz`, dense (no sparsity); 0 marks an absent number.
struct DeviceSpec {
  std::string name;          ///< name on the command line: "h100-sxm"
  std::string aliases;       ///< other names of the command line, separated by commas
  std::string title;         ///< "NVIDIA H100 SXM5 80 GB"
  std::string architecture;  ///< "sm_90"; picks the tiles in tilings.h
  std::int64_t sm_count = 0;
  std::int64_t clock_hz = 0;
  std::int64_t highest_clock_hz = 0;  ///< highest known clock of the card; clock_hz if its file gives none
  std::int64_t wgmma_clock_hz = 0;    ///< sustained clock while wgmma keeps the tensor cores busy; default clock_hz
  std::int64_t hbm_bytes = 0;         ///< capacity of device memory
  std::int64_t hbm_bytes_per_second = 0;
  std::int64_t hbm_measured_bytes_per_second = 0;  ///< part of it that the best measured stream reaches
  std::int64_t framework_hbm_percent = 0;          ///< part of the peak that kernels of frameworks reach; 0: not known
  std::int64_t hbm_latency_cycles = 0;
  std::int64_t l2_bytes = 0;
  std::int64_t l2_effective_bytes = 0;  ///< part of it that hot data can use (two partitions keep copies)
  std::int64_t l2_bytes_per_second = 0;
  std::int64_t l2_latency_cycles = 0;
  std::int64_t l2_far_latency_cycles = 0;  ///< latency of the other partition; equal if there is one
  std::int64_t l1_smem_bytes_per_sm = 0;   ///< L1 + shared memory: the M of the papers (A100: 192 KiB)
  std::int64_t smem_bytes_per_sm = 0;      ///< shared memory that all CTAs of an SM share
  std::int64_t smem_bytes_per_cta = 0;     ///< limit of one CTA
  std::int64_t smem_bytes_per_clock = 0;   ///< per SM
  std::int64_t smem_latency_cycles = 0;
  std::int64_t register_bytes_per_sm = 0;
  std::int64_t threads_per_sm = 0;
  std::int64_t ctas_per_sm = 0;
  std::int64_t cta_turnover_cycles = 0;          ///< from a CTA's end until the next one works in its slot
  std::int64_t instructions_per_clock = 0;       ///< warp instructions that an SM issues
  std::int64_t tensor_flops_per_clock_fp16 = 0;  ///< per SM, fp16/bf16 in, fp32 accumulate
  std::int64_t mma_flops_per_clock_fp16 = 0;     ///< part of it that mma.sync reaches; wgmma and tcgen05 reach all
  std::int64_t mma_latency_cycles = 0;           ///< latency of one mma.sync that waits for the previous one
  std::int64_t fp32_flops_per_clock = 0;         ///< per SM; a fused multiply-add counts as two
  std::int64_t exps_per_clock = 0;               ///< per SM (MUFU)
  std::int64_t exp_latency_cycles = 0;
  std::int64_t launch_nanoseconds = 0;        ///< kernel launch, back to back in a stream
  std::int64_t link_bytes_per_second = 0;     ///< to other GPUs, of one GPU in one direction; 0: not known, or none
  std::int64_t link_latency_nanoseconds = 0;  ///< from a send until its first byte arrives; 0: not known
  std::vector<Provenance> provenance;         ///< one entry per field, in the order of the file
  bool built_in = false;                      ///< part of this library, not from a user's file

  /// Returns FLOPs per clock and SM of a matrix product whose inputs have this dtype: the tensor pipe for fp16 and
  /// bf16, the FP32 pipe for fp32.
  std::int64_t matmul_flops_per_clock(Dtype dtype) const;
};

/// Parses the text of a device file. `origin` (a file name) appears in error messages. Throws Error that names field,
/// value and allowed range: a missing, unknown (with the nearest known name), negative, zero, implausible (a bandwidth
/// in the wrong unit) or contradictory field, a field without unit or source, a TOML syntax error with its line.
DeviceSpec parse_device(std::string_view toml_text, const std::string& origin);

/// Returns the names of the built-in devices in the order of sim/CMakeLists.txt: toy, t4, rtx-3090, ...
std::vector<std::string> device_names();

/// Returns a built-in device. Throws Error with the known names and the nearest one.
const DeviceSpec& device(std::string_view name);

}  // namespace sim

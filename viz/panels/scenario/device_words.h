// Names of a device's numbers in the form, and the section that each begins. The names in files and in `--gpu` stand
// beside them.
#pragma once
#include <algorithm>
#include <array>
#include <string_view>

namespace explorer {

struct DeviceWords {
  std::string_view field, label;
  std::string_view section = {};  ///< title above the field; empty if it belongs to the section before
};

inline constexpr auto device_words = std::to_array<DeviceWords>({
    {"sm_count", /*say*/ "number of SMs", /*say*/ "SMs and clocks"},
    {"clock_hz", /*say*/ "clock under load"},
    {"highest_clock_hz", /*say*/ "highest clock"},
    {"wgmma_clock_hz", /*say*/ "clock while all tensor cores work"},
    {"hbm_bytes", /*say*/ "size", /*say*/ "Device memory (HBM)"},
    {"hbm_bytes_per_second", /*say*/ "rate on paper"},
    {"hbm_measured_bytes_per_second", /*say*/ "rate as measured"},
    {"framework_hbm_percent", /*say*/ "share of it that a framework reaches"},
    {"hbm_latency_cycles", /*say*/ "latency of a load"},
    {"l2_bytes", /*say*/ "size", /*say*/ "L2 cache"},
    {"l2_effective_bytes", /*say*/ "part that data read by all can use"},
    {"l2_bytes_per_second", /*say*/ "rate"},
    {"l2_latency_cycles", /*say*/ "latency of a load"},
    {"l2_far_latency_cycles", /*say*/ "latency from the other partition"},
    {"l1_smem_bytes_per_sm", /*say*/ "L1 and shared memory of an SM", /*say*/ "Shared memory"},
    {"smem_bytes_per_sm", /*say*/ "shared memory of an SM"},
    {"smem_bytes_per_cta", /*say*/ "most for one CTA"},
    {"smem_bytes_per_clock", /*say*/ "bytes in a cycle"},
    {"smem_latency_cycles", /*say*/ "latency of a load"},
    {"register_bytes_per_sm", /*say*/ "registers", /*say*/ "What an SM holds"},
    {"threads_per_sm", /*say*/ "threads"},
    {"ctas_per_sm", /*say*/ "CTAs"},
    {"cta_turnover_cycles", /*say*/ "time between two CTAs"},
    {"instructions_per_clock", /*say*/ "instructions in a cycle", /*say*/ "What an SM computes"},
    {"tensor_flops_per_clock_fp16", /*say*/ "tensor cores, at most"},
    {"mma_flops_per_clock_fp16", /*say*/ "tensor cores by mma.sync"},
    {"mma_latency_cycles", /*say*/ "latency of a product"},
    {"fp32_flops_per_clock", /*say*/ "FP32 pipe"},
    {"exps_per_clock", /*say*/ "exponentials in a cycle"},
    {"exp_latency_cycles", /*say*/ "latency of an exponential"},
    {"launch_nanoseconds", /*say*/ "start of a kernel", /*say*/ "The host"},
    {"link_bytes_per_second", /*say*/ "rate in one direction", /*say*/ "Link to other GPUs"},
    {"link_latency_nanoseconds", /*say*/ "latency of a transfer"},
});

/// Words of a field, which must be one of the table: a test names every field.
constexpr const DeviceWords& words_of_field(std::string_view field) {
  return *std::find_if(device_words.begin(), device_words.end(),
                       [&](const DeviceWords& words) { return words.field == field; });
}

}  // namespace explorer

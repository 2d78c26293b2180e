// Synthetic measurements that equal the predictions of a program, for tests to alter, and the rows of their comparison.
#pragma once
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "kernels/profile/comparison.h"
#include "sim/catalogue/options.h"

namespace profile_launches {

using profile::Comparison;
using profile::Launch;
using profile::Row;

inline sim::Simulation simulated(sim::OptionValues options) {
  options.emplace("gpu", "h100-sxm");
  options.emplace("heads", "4");
  return sim::simulate(sim::scenario_from(options, [](const std::string& name) { return sim::built_in_gpu(name); }));
}

inline void set(Launch& launch, const char* metric, double value) {
  launch.readings[metric] = profile::Reading{value, 0};
}

/// Returns the counters of a kernel that does exactly what its program predicts.
inline Launch exact_launch(const sim::Simulation& program, std::size_t k) {
  const sim::KernelMeters& kernel = program.kernels[k];
  Launch launch{std::to_string(k), "kernel_" + std::to_string(k), "9.0", 3, {}};
  const auto number = [](auto quantity) { return static_cast<double>(quantity.count()); };
  sim::Traffic hbm;
  for (const auto& [tensor, traffic] : kernel.hbm) hbm += traffic;
  const double reductions = number(kernel.totals.atomic);
  set(launch, "l1tex__m_xbar2l1tex_read_bytes.sum", number(kernel.totals.total.read) - reductions);
  set(launch, "lts__t_sectors_op_write.sum", (number(kernel.totals.total.written) - reductions) / 32);
  set(launch, "lts__t_sectors_op_red.sum", reductions / 32);
  set(launch, "dram__bytes_read.sum", number(hbm.read));
  set(launch, "dram__sectors_write.sum", number(hbm.written) / 32);
  set(launch, "launch__shared_mem_per_block_dynamic", number(program.traces[k].peak_smem));
  set(launch, "launch__shared_mem_per_block_static", 0);
  set(launch, "smsp__inst_executed_pipe_xu.sum", number(kernel.totals.exps) / 32);
  set(launch, "sm__ops_path_tensor_src_fp16.sum", number(kernel.totals.matmul_flops));
  set(launch, "gpu__time_duration.sum", kernel.time.microseconds);
  return launch;
}

inline std::vector<Launch> exact_launches(const sim::Simulation& program) {
  std::vector<Launch> launches;
  for (std::size_t k = 0; k < program.kernels.size(); ++k) launches.push_back(exact_launch(program, k));
  return launches;
}

inline Comparison compared(const sim::Simulation& program, const std::vector<Launch>& launches) {
  std::vector<const Launch*> chosen;
  for (const Launch& launch : launches) chosen.push_back(&launch);
  return profile::compare(program, chosen);
}

inline Row row_of(const profile::KernelComparison& part, std::string_view quantity) {
  for (const Row& row : part.rows) {
    if (row.quantity == quantity) return row;
  }
  FAIL("no row " << quantity);
  return {};
}

inline double number(const Launch& launch, const char* metric) { return launch.readings.at(metric)->value; }

}  // namespace profile_launches

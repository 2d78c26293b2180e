// Counting at full size, and values against the plain Eigen formula in the same run.
#include <benchmark/benchmark.h>

#include "sim/base/block_mask.h"
#include "sim/model/cta_time.h"
#include "sim/model/hbm_traffic.h"
#include "sim/model/simulation.h"

using namespace sim;

namespace {

Scenario long_causal(const char* algorithm) {
  Scenario s;
  s.algorithm = algorithm;
  s.shape = {1, 128, 128, 131072, 131072, 128, {true, 0, {}}};
  return s;
}

void count_128k_tokens_128_heads_causal(benchmark::State& state, const char* algorithm) {
  const Scenario s = long_causal(algorithm);
  for (auto _ : state) benchmark::DoNotOptimize(simulate(s));
}

/// Schedules an SM alone: a CTA of `seqlen` / 128 iterations.
void schedule_one_sm(benchmark::State& state, std::int64_t seqlen, int residents) {
  Scenario s = long_causal("flash2");
  s.shape = {1, 1, 1, 128, seqlen, 128, {}};
  const Plan plan = make_plan(s);
  const auto tasks =
      tasks_of(replay(plan, plan.launches[0], {}), plan.launches[0], sm_rates(*s.gpu, s.dtype, s.constants));
  const SmPort port{0.05, 600, 1000};
  for (auto _ : state) benchmark::DoNotOptimize(run_sm(tasks, port, residents));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(tasks.size()) * residents);
}

/// Counts 128k tokens x 128 heads under a pattern of blocks of 128 x 128: 1,024 rows of blocks.
void count_128k_tokens_128_heads_pattern(benchmark::State& state, const char* algorithm, const char* pattern) {
  Scenario s = long_causal(algorithm);
  s.shape.mask = {};
  s.br = s.bc = 128;
  s.tiling = TilingRule::paper;
  s.pattern = read_pattern(pattern);
  for (auto _ : state) benchmark::DoNotOptimize(simulate(s));
  const Plan plan = make_plan(s);
  state.counters["intervals"] = static_cast<double>(plan.problem.shape.mask.blocks->intervals());
  state.counters["classes"] = static_cast<double>(make_grid(plan.problem.shape, plan.launches[0].grid).runs.size());
}

void predict_128k_tokens_128_heads_causal(benchmark::State& state, const char* algorithm) {
  const Plan plan = make_plan(long_causal(algorithm));
  const Launch& launch = plan.launches[0];
  const KernelDemand demand = measure(plan, launch, count(plan, launch)).demand();
  for (auto _ : state) benchmark::DoNotOptimize(predict(plan, launch, demand));
}

Scenario one_head(const char* algorithm, Dtype dtype) {
  Scenario s;
  s.algorithm = algorithm;
  s.shape.seqlen_q = s.shape.seqlen_k = 4096;
  s.dtype = dtype;
  return s;
}

void count_both_passes_128k_tokens_128_heads_causal(benchmark::State& state, const char* algorithm) {
  Scenario s = long_causal(algorithm);
  s.pass = Pass::forward_backward;
  for (auto _ : state) benchmark::DoNotOptimize(simulate(s));
}

/// The L2 model alone, on every kernel of both passes.
void l2_of_128k_tokens_128_heads_causal(benchmark::State& state, const char* algorithm) {
  Scenario s = long_causal(algorithm);
  s.pass = Pass::forward_backward;
  const Plan plan = make_plan(s);
  std::vector<std::vector<LaunchAccesses>> accesses(plan.launches.size());
  std::vector<GridPace> paces;
  for (std::size_t k = 0; k < accesses.size(); ++k) {
    const Trace trace = count(plan, plan.launches[k]);
    accesses[k].emplace_back(plan.problem, plan.launches[k], trace);
    paces.push_back(grid_pace(plan, plan.launches[k], measure(plan, plan.launches[k], trace).demand()));
  }
  for (auto _ : state) {
    for (std::size_t k = 0; k < paces.size(); ++k)
      benchmark::DoNotOptimize(hbm_traffic(plan, plan.launches[k], accesses[k], paces[k], plan.l2));
  }
}

void values_of_one_head_4096(benchmark::State& state, const char* algorithm, Dtype dtype) {
  const Scenario s = one_head(algorithm, dtype);
  const AttentionInputs inputs = draw_inputs(s.shape, dtype, 0);
  const Plan plan = make_plan(s);
  for (auto _ : state) benchmark::DoNotOptimize(compute(plan, inputs));
}

void plain_eigen_formula_4096(benchmark::State& state, Dtype dtype) {
  const Scenario s = one_head("standard", dtype);
  const AttentionInputs inputs = draw_inputs(s.shape, dtype, 0);
  for (auto _ : state) benchmark::DoNotOptimize(attention_plain(s.shape, 0.125f, dtype, inputs));
}

Scenario one_head_backward(const char* algorithm, Dtype dtype, double dropout) {
  Scenario s = one_head(algorithm, dtype);
  s.shape.seqlen_q = s.shape.seqlen_k = 2048;
  s.pass = Pass::backward;
  s.dropout = dropout;
  return s;
}

AttentionInputs inputs_with_gradient(const Scenario& s) {
  AttentionInputs inputs = draw_inputs(s.shape, s.dtype, 0);
  inputs.d_o = draw_output_gradient(s.shape, s.dtype, 0);
  return inputs;
}

/// Includes the forward pass: a backward pass reads its results.
void gradients_of_one_head_2048(benchmark::State& state, const char* algorithm, Dtype dtype, double dropout) {
  const Scenario s = one_head_backward(algorithm, dtype, dropout);
  const AttentionInputs inputs = inputs_with_gradient(s);
  const Plan plan = make_plan(s);
  for (auto _ : state) benchmark::DoNotOptimize(compute(plan, inputs));
}

void plain_eigen_gradients_2048(benchmark::State& state, Dtype dtype, double dropout) {
  const Scenario s = one_head_backward("standard", dtype, dropout);
  const AttentionInputs inputs = inputs_with_gradient(s);
  for (auto _ : state) benchmark::DoNotOptimize(attention_plain_backward(s.shape, 0.125f, dtype, inputs, {dropout, 0}));
}

}  // namespace

BENCHMARK_CAPTURE(count_128k_tokens_128_heads_pattern, flash1_butterfly, "block-sparse", "butterfly")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(count_128k_tokens_128_heads_pattern, flash2_butterfly, "flash2-block-sparse", "butterfly")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(count_128k_tokens_128_heads_pattern, flash2_strided, "flash2-block-sparse", "strided:128")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(count_128k_tokens_128_heads_pattern, flash2_local, "flash2-block-sparse", "local-global:4,8")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(count_128k_tokens_128_heads_pattern, flash1_random, "block-sparse", "random:0.5")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(count_128k_tokens_128_heads_pattern, flash2_random, "flash2-block-sparse", "random:0.5")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(schedule_one_sm, keys_1k_1_resident, 1024, 1)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(schedule_one_sm, keys_1k_4_residents, 1024, 4)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(schedule_one_sm, keys_128k_1_resident, 131072, 1)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(schedule_one_sm, keys_128k_4_residents, 131072, 4)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(predict_128k_tokens_128_heads_causal, standard, "standard")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(predict_128k_tokens_128_heads_causal, flash1, "flash1")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(predict_128k_tokens_128_heads_causal, flash2, "flash2")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(count_both_passes_128k_tokens_128_heads_causal, flash1, "flash1")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(count_both_passes_128k_tokens_128_heads_causal, flash2, "flash2")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(l2_of_128k_tokens_128_heads_causal, standard, "standard")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(l2_of_128k_tokens_128_heads_causal, memory_efficient, "memory-efficient")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(l2_of_128k_tokens_128_heads_causal, flash1, "flash1")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(l2_of_128k_tokens_128_heads_causal, flash2, "flash2")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(plain_eigen_gradients_2048, fp16, Dtype::fp16, 0.0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(gradients_of_one_head_2048, standard_fp16, "standard", Dtype::fp16, 0.0)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(gradients_of_one_head_2048, flash1_fp16, "flash1", Dtype::fp16, 0.0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(gradients_of_one_head_2048, flash2_fp16, "flash2", Dtype::fp16, 0.0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plain_eigen_gradients_2048, fp16_dropout, Dtype::fp16, 0.1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(gradients_of_one_head_2048, flash2_fp16_dropout, "flash2", Dtype::fp16, 0.1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(count_128k_tokens_128_heads_causal, standard, "standard")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(count_128k_tokens_128_heads_causal, flash1, "flash1")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(count_128k_tokens_128_heads_causal, flash2, "flash2")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(plain_eigen_formula_4096, fp16, Dtype::fp16)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(values_of_one_head_4096, standard_fp16, "standard", Dtype::fp16)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(values_of_one_head_4096, flash1_fp16, "flash1", Dtype::fp16)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(values_of_one_head_4096, flash2_fp16, "flash2", Dtype::fp16)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plain_eigen_formula_4096, fp32, Dtype::fp32)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(values_of_one_head_4096, flash1_fp32, "flash1", Dtype::fp32)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(values_of_one_head_4096, flash2_fp32, "flash2", Dtype::fp32)->Unit(benchmark::kMillisecond);

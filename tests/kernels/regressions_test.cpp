// Known bugs of attention kernels: finite sentinels that beat real logits, -inf minus -inf, zeros times NaN, unwritten
// rows, offsets past 31 bits. Tensors of the emulated device start as NaN, so an element that no kernel writes shows.
#include <algorithm>
#include <limits>
#include <utility>

#include "kernels/tile/grid.h"
#include "tests/support/teaching_cases.h"

namespace {

const std::vector<std::string> families = {"standard", "flash1", "flash2", "flash-decoding", "flash2-block-sparse"};

sim::AttentionOutputs run(const sim::Scenario& scenario, const sim::AttentionInputs& inputs) {
  emulator::EmulatedDevice device;
  return kernels::run(device, sim::make_plan(scenario), scenario.algorithm, inputs).outputs;
}

bool all_finite(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float x) { return std::isfinite(x); });
}

/// True if the values are zeros, and there are any.
bool all_zero(const std::vector<float>& values, std::size_t begin, std::size_t end) {
  if (values.empty()) return true;
  const auto at = [&](std::size_t n) { return values.begin() + static_cast<std::ptrdiff_t>(n); };
  return std::all_of(at(begin), at(end), [](float x) { return x == 0.0f; });
}

void check_near(const std::vector<float>& got, const std::vector<float>& expected) {
  CHECK(kernel_check::largest_error(got, {expected.begin(), expected.end()}) < 1e-5);
}

}  // namespace

TEST_CASE("scores of minus 524288 that are all equal average V, with a finite L") {
  for (const std::string& family : families) {
    sim::Scenario s = teaching_cases::scenario(family, 20, 128);
    s.pass = sim::Pass::forward;
    s.scale = 1;
    sim::AttentionInputs inputs = kernel_check::inputs_of(sim::make_plan(s));
    std::fill(inputs.q.begin(), inputs.q.end(), 64.0f);
    std::fill(inputs.k.begin(), inputs.k.end(), -64.0f);
    std::fill(inputs.v.begin(), inputs.v.end(), 1.0f);
    INFO(family);
    const sim::AttentionOutputs got = run(s, inputs);
    for (const float o : got.o) CHECK(o == Approx(1).margin(1e-6));
    for (const float L : got.log_sum_exp) CHECK(L == -524288.0f + std::log(20.0f));
  }
}

TEST_CASE("logits below minus 50000 never beat the mask: hidden keys stay hidden") {
  for (const std::string& family : families) {
    sim::Scenario s = teaching_cases::scenario(family, 40, 16);
    s.shape.mask = {true, 3, {}};
    s.scale = 1;
    s.br = s.bc = 16;
    const sim::Plan plan = sim::make_plan(s);
    sim::AttentionInputs inputs = kernel_check::inputs_of(plan);
    std::fill(inputs.q.begin(), inputs.q.end(), 64.0f);  // 16 x 64 x -64 = -65536, and slightly above
    for (float& k : inputs.k) k = -64.0f + k / 1024;
    INFO(family);
    sim::AttentionOutputs got = run(s, inputs);
    for (const float L : std::exchange(got.log_sum_exp, {}))
      CHECK(L == Approx(-65536).epsilon(1e-3));  // coarse in fp32
    kernel_check::outputs_within_rule(plan, inputs, got);
  }
}

TEST_CASE("queries that see nothing have O = 0, L = -inf and no gradient") {
  constexpr std::size_t d = 8, unseeing = 30;
  for (const std::string& family : families) {
    sim::Scenario s = teaching_cases::scenario(family, 1, d);
    s.shape = {1, 1, 1, 70, 40, d, {.causal = true}};
    s.br = s.bc = 16;
    INFO(family);
    const sim::AttentionOutputs got = run(s, kernel_check::inputs_of(sim::make_plan(s)));
    CHECK(all_zero(got.o, 0, unseeing * d));
    CHECK(all_zero(got.d_q, 0, unseeing * d));
    CHECK((all_finite(got.o) && all_finite(got.d_q) && all_finite(got.d_k) && all_finite(got.d_v)));
    for (std::size_t n = 0; n < std::min(unseeing, got.log_sum_exp.size()); ++n) {
      CHECK(got.log_sum_exp[n] == -std::numeric_limits<float>::infinity());
    }
  }
}

TEST_CASE("if padding hides every key all results are zeros") {
  for (const std::string& family : families) {
    sim::Scenario s = teaching_cases::scenario(family, 20, 8);
    s.shape.mask.padding = 20;
    INFO(family);
    const sim::AttentionOutputs got = run(s, kernel_check::inputs_of(sim::make_plan(s)));
    for (const auto* values : {&got.o, &got.d_q, &got.d_k, &got.d_v}) CHECK(all_zero(*values, 0, values->size()));
  }
}

TEST_CASE("NaN in keys and values that a mask hides poisons nothing") {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr std::size_t d = 8, hidden = 34;
  for (const std::string& family : families) {
    sim::Scenario s = teaching_cases::scenario(family, 40, d);
    s.shape.mask.padding = 6;
    s.dropout = 0.2;
    s.br = s.bc = 16;
    sim::AttentionInputs inputs = kernel_check::inputs_of(sim::make_plan(s));
    const sim::AttentionOutputs clean = run(s, inputs);
    for (std::size_t n = hidden * d; n < 40 * d; ++n) inputs.k[n] = inputs.v[n] = nan;
    const sim::AttentionOutputs got = run(s, inputs);
    INFO(family);
    check_near(got.o, clean.o);
    check_near(got.d_q, clean.d_q);
    check_near(got.d_k, clean.d_k);
    check_near(got.d_v, clean.d_v);
    CHECK((all_zero(got.d_k, hidden * d, 40 * d) && all_zero(got.d_v, hidden * d, 40 * d)));
  }
}

TEST_CASE("NaN in keys and values that no query sees poisons nothing on tensor cores") {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr std::size_t d = 64, hidden = 94, all = 100;
  sim::Scenario s;
  s.pass = sim::Pass::forward_backward;
  s.shape.seqlen_q = s.shape.seqlen_k = all;
  s.shape.mask.padding = all - hidden;
  s.br = s.bc = 64;
  sim::AttentionInputs inputs = kernel_check::inputs_of(sim::make_plan(s));
  emulator::EmulatedDevice device;
  const sim::AttentionOutputs clean = kernels::run(device, sim::make_plan(s), "flash2_mma", inputs).outputs;
  for (std::size_t n = hidden * d; n < all * d; ++n) inputs.k[n] = inputs.v[n] = nan;
  const sim::AttentionOutputs got = kernels::run(device, sim::make_plan(s), "flash2_mma", inputs).outputs;
  CHECK(got.o == clean.o);
  check_near(got.d_q, clean.d_q);  // atomics sum in any order
  CHECK(got.d_k == clean.d_k);
  CHECK(got.d_v == clean.d_v);
}

TEST_CASE("NaN in a visible key is not hidden by zeros") {
  for (const std::string& family : families) {
    sim::Scenario s = teaching_cases::scenario(family, 4, 8);
    s.pass = sim::Pass::forward;
    sim::AttentionInputs inputs = kernel_check::inputs_of(sim::make_plan(s));
    std::fill(inputs.k.begin(), inputs.k.end(), std::numeric_limits<float>::quiet_NaN());
    INFO(family);
    for (const float o : run(s, inputs).o) CHECK(std::isnan(o));
  }
}

TEST_CASE("L of a tensor-core kernel is NaN if l is NaN, and -inf only for rows that see nothing") {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr std::size_t d = 64, poisoned = 5;
  for (const char* algorithm : {"flash2", "flash-decoding", "flash2-block-sparse"}) {
    for (const std::int64_t splits : {1, 3}) {
      sim::Scenario s;
      s.algorithm = algorithm;
      if (s.algorithm != "flash-decoding" && splits > 1) continue;
      if (s.algorithm == "flash-decoding") s.own["splits"] = splits;
      const std::size_t n = splits > 1 ? 601 : 70;
      s.shape.seqlen_q = static_cast<std::int64_t>(n), s.shape.seqlen_k = s.shape.seqlen_q - 1;
      s.shape.mask.causal = true;  // the first query sees nothing
      sim::AttentionInputs inputs = kernel_check::inputs_of(sim::make_plan(s));
      inputs.q[poisoned * d] = nan;
      emulator::EmulatedDevice device;
      const std::string kernel = std::string(sim::find_program(algorithm)->half_kernel);
      const std::vector<float> L = kernels::run(device, sim::make_plan(s), kernel, inputs).outputs.log_sum_exp;
      INFO(kernel << " splits " << splits);
      REQUIRE(L.size() == n);
      for (std::size_t row = 0; row < n; ++row) {
        INFO("row " << row);
        CHECK(std::isnan(L[row]) == (row == poisoned));
        CHECK(std::isinf(L[row]) == (row == 0));
      }
    }
  }
}

TEST_CASE("a window of 2^32 keys hides nothing in a kernel") {
  for (const std::string& family : families) {
    sim::Scenario s = teaching_cases::scenario(family, 20, 8);
    s.shape.mask.window = std::int64_t{1} << 32;
    kernel_check::values(family, s);
  }
}

TEST_CASE("dK and dV with more elements than threads can hold are refused with the sizes") {
  emulator::EmulatedDevice device;
  kernels::Arguments a;
  a.bc = 512;
  a.head_dim = 128;
  for (const auto& [family, launch] : {std::pair{"flash1", "flash1_backward"},
                                       {"flash2", "flash2_backward"},
                                       {"flash2-block-sparse", "flash2_block_sparse_backward"}}) {
    CHECK_THROWS_WITH(kernels::find_kernel(device.flavour(), family, launch)->run(device.stream(), a),
                      Catch::Contains("(512, 128) have 65536 elements each; allowed are 32768: use a smaller --bc"));
  }
}

TEST_CASE("offsets of heads may exceed 31 bits") {
  CHECK(kernels::head_offset(3, 16, 5, 65536, 128) == std::int64_t{53} * 65536 * 128);
  const kernels::Head<float> head{53, 53, 65536, 65536, 128};
  auto* const base = reinterpret_cast<float*>(std::uintptr_t{1} << 32);  // any address but null, which has no offsets
  const auto elements = [&](float* at) {
    return static_cast<std::int64_t>((reinterpret_cast<std::uintptr_t>(at) - reinterpret_cast<std::uintptr_t>(base)) /
                                     4);
  };
  CHECK(elements(head.queries(base, {64, 128}).at) == (std::int64_t{53} * 65536 + 64) * 128);
  CHECK(elements(head.scores(base, {64, 128}, {32, 64}).at) == (std::int64_t{53} * 65536 + 64) * 65536 + 32);
}

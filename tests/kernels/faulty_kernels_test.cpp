// Kernels of programs with one word changed: exactly the affected rows of each verdict fail.
#include <catch2/catch.hpp>

#include "kernels/verify/verdict.h"
#include "tests/kernels/test_kernels.h"
#include "tests/support/kernel_check.h"

namespace {

/// The error of a result in the metric of `verify`.
kernels::ValueErrors error_of(const char* name, const std::vector<float>& values, const std::vector<double>& reference,
                              double allowed) {
  return {name, 0, allowed, sim::check_values(values, reference).max_abs_error};
}

/// Runs the plain kernels of a scenario, one of them with the fault; "": without.
kernels::Verdict verdict_with(std::string_view fault, const sim::Scenario& s) {
  const sim::Simulation program = sim::simulate(s);
  const sim::AttentionInputs inputs = kernel_check::inputs_of(program.plan);
  emulator::EmulatedDevice device({.traced = true});
  kernels::Tensors tensors(device, program.plan);
  using enum sim::Tensor;
  for (const sim::Launch& launch : program.plan.launches) {
    for (const auto* list : {&launch.inputs, &launch.outputs}) {
      for (const sim::Tensor tensor : *list) {
        if (!tensors.has(tensor)) tensors.allocate(tensor);
      }
    }
  }
  tensors.upload(Q, inputs.q);
  tensors.upload(K, inputs.k);
  tensors.upload(V, inputs.v);
  if (tensors.has(mask_blocks)) tensors.upload_pattern();
  if (tensors.has(slopes)) tensors.upload_slopes();
  if (tensors.has(sinks)) tensors.upload_sinks();
  for (const sim::Launch& launch : program.plan.launches) {
    if (fault.empty() || test_kernels::faulty_kernel(fault).launch != launch.name) {
      kernels::run_launch(device, program.plan, launch, s.algorithm, tensors);
    } else {
      kernels::Arguments a = kernels::arguments_of(program.plan, launch);
      tensors.point(a);
      test_kernels::faulty_kernel(fault).run(device.stream(), a);
    }
  }
  device.synchronize();
  const sim::Problem& p = program.plan.problem;
  const auto reference = sim::attention_reference(p.shape, p.scale, inputs, {}, p.score_steps.get(), p.sinks.get());
  kernels::Measurement measured;
  measured.errors = {error_of("O", tensors.download(O), reference.o, 1e-5),
                     error_of("L", tensors.download(L), reference.log_sum_exp, 1e-5)};
  measured.reports = device.take_reports();
  measured.traced = true;
  measured.most_passes = 32;
  measured.peak_bytes = program.memory.peak_hbm.count();
  return kernels::compare(program, measured);
}

std::vector<std::string> failing(const kernels::Verdict& verdict) {
  std::vector<std::string> rows;
  for (const kernels::VerdictRow& row : verdict.rows) {
    if (!row.ok) rows.push_back(row.quantity);
  }
  return rows;
}

sim::Scenario decoding() {
  sim::Scenario s;
  s.algorithm = "flash-decoding";
  s.dtype = sim::Dtype::fp32;
  s.shape = {1, 2, 1, 6, 100, 16, {}};
  s.br = s.bc = 16;
  s.own["splits"] = 3;
  return s;
}

sim::Scenario sparse() {
  sim::Scenario s = decoding();
  s.own.clear();
  s.algorithm = "flash2-block-sparse";
  s.shape.seqlen_q = 50;
  s.pattern = sim::read_pattern("window:0");
  return s;
}

sim::Scenario modified(std::map<std::string, std::string, std::less<>> steps) {
  sim::Scenario s = decoding();
  s.own.clear();
  s.algorithm = "flash2";
  s.shape = {1, 4, 2, 40, 50, 16, {.causal = true}};
  s.score_steps = std::move(steps);
  return s;
}

sim::Scenario with_sinks(sim::Scenario s, std::vector<float> logits) {
  s.sinks = std::make_shared<const std::vector<float>>(std::move(logits));
  return s;
}

/// The rows that fail if a kernel reads more keys than the program.
const std::vector<std::string> of_more_keys = {"error.O",
                                               "error.L",
                                               "tile_traffic.by_tensor.K.read_bytes",
                                               "tile_traffic.by_tensor.V.read_bytes",
                                               "tile_traffic.total.read_bytes",
                                               "sectors.K.read",
                                               "sectors.V.read"};

}  // namespace

TEST_CASE("kernels without a fault are verified") {
  CHECK(failing(verdict_with("", decoding())).empty());
  CHECK(failing(verdict_with("", sparse())).empty());
  CHECK(failing(verdict_with("", modified({{"softcap", "2"}, {"alibi", "1"}}))).empty());
  CHECK(failing(verdict_with("", with_sinks(decoding(), {1, -2}))).empty());
}

TEST_CASE("parts weighted by another part's L, or all equally, have wrong values and the right bytes") {
  CHECK(failing(verdict_with("parts in another order", decoding())) == std::vector<std::string>{"error.O"});
  CHECK(failing(verdict_with("wrong weights", decoding())) == std::vector<std::string>{"error.O", "error.L"});
}

TEST_CASE("parts that overlap by a block read more keys than the program") {
  CHECK(failing(verdict_with("parts that overlap", decoding())) == of_more_keys);
}

TEST_CASE("loading a block that the pattern hides is found in values and in bytes") {
  CHECK(failing(verdict_with("hidden blocks loaded", sparse())) == of_more_keys);
}

TEST_CASE("a mask before softcap, which makes hidden keys count, is found in the values") {
  const std::vector<std::string> wrong_values = {"error.O", "error.L"};
  CHECK(failing(verdict_with("mask before softcap", modified({{"softcap", "2"}}))) == wrong_values);
  CHECK(failing(verdict_with("mask before softcap", modified({{"alibi", "1"}}))).empty());  // -inf stays -inf
}

TEST_CASE("ALiBi with the slope of the KV head reads the right bytes and is found in the values") {
  const std::vector<std::string> wrong_values = {"error.O", "error.L"};
  sim::Scenario s = modified({{"alibi", "1"}});
  CHECK(failing(verdict_with("slope of the KV head", s)) == wrong_values);
  s.shape.kv_heads = s.shape.heads;
  CHECK(failing(verdict_with("slope of the KV head", s)).empty());
}

TEST_CASE("heads packed as rows with one slope for all are found in values and bytes") {
  sim::Scenario s = decoding();
  s.shape = {1, 4, 1, 1, 100, 16, {}};
  s.score_steps = {{"alibi", "1"}};
  CHECK(failing(verdict_with("", s)).empty());
  CHECK(failing(verdict_with("one slope for all rows", s)) ==
        std::vector<std::string>{"error.O", "error.L", "tile_traffic.by_tensor.slopes.read_bytes",
                                 "tile_traffic.total.read_bytes"});
}

TEST_CASE("a sink that joins every part of the keys, and the kernel that combines them, is found in values and bytes") {
  const std::vector<std::string> wrong = {"error.O", "error.L", "tile_traffic.by_tensor.sinks.read_bytes",
                                          "tile_traffic.total.read_bytes", "sectors.sinks.read"};
  CHECK(failing(verdict_with("sink added in every part", with_sinks(decoding(), {1}))) == wrong);
  sim::Scenario s = with_sinks(decoding(), {1});
  s.own["splits"] = 1;
  CHECK(failing(verdict_with("", s)).empty());
  CHECK(failing(verdict_with("sink added in every part", decoding())).empty());
}

TEST_CASE("the sink of the KV head has the right bytes and is found in the values") {
  const std::vector<std::string> wrong_values = {"error.O", "error.L"};
  CHECK(failing(verdict_with("sink of the KV head", with_sinks(modified({}), {1, -2, 0.5f, 3}))) == wrong_values);
  CHECK(failing(verdict_with("sink of the KV head", with_sinks(modified({}), {1}))).empty());
}

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
  const auto reference = sim::attention_reference(program.plan.problem.shape, program.plan.problem.scale, inputs);
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

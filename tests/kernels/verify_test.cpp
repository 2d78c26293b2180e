// Verdicts of correct runs, and of runs that differ from their program in one thing.
#include "kernels/verify/verify.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "kernels/emulator/device.h"
#include "kernels/verify/choice.h"
#include "kernels/verify/run.h"

using Catch::Contains;

namespace {

sim::Scenario scenario_of(const char* algorithm, sim::Dtype dtype) {
  sim::Scenario s;
  s.algorithm = algorithm;
  s.dtype = dtype;
  s.shape.seqlen_q = s.shape.seqlen_k = 100;
  s.shape.head_dim = 32;
  return s;
}

/// The report of a kernel that does exactly its program's work, with full sectors.
dev::LaunchReport report_of(const sim::KernelMeters& kernel) {
  dev::LaunchReport report;
  report.kernel = kernel.name;
  for (const auto& [tensor, moved] : kernel.totals.by_tensor) {
    const std::int64_t read = moved.read.count(), written = moved.written.count();
    report.tensors[std::string(sim::name_of(tensor))] = {read, written, 0, (read + 31) / 32, (written + 31) / 32};
  }
  report.wavefronts = report.ideal_wavefronts = 1000;
  return report;
}

/// A program, and a run that agrees with it.
struct Pair {
  sim::Simulation program;
  kernels::Measurement kernel;
  explicit Pair(const char* algorithm, sim::Pass pass = sim::Pass::forward) {
    sim::Scenario s = scenario_of(algorithm, sim::Dtype::fp16);
    s.pass = pass;
    program = sim::simulate(s);
    kernel.errors = {{"O", 1e-4, 1e-3, 2e-4}};
    for (const sim::KernelMeters& meters : program.kernels) kernel.reports.push_back(report_of(meters));
    kernel.reports.back().tensors["dQ_acc"].atomic_bytes = program.totals.atomic.count();
    kernel.traced = true;
    kernel.peak_bytes = program.memory.peak_hbm.count();
  }
  kernels::Verdict verdict() const { return kernels::compare(program, kernel); }
};

const kernels::VerdictRow& row_of(const kernels::Verdict& verdict, const std::string& quantity) {
  for (const kernels::VerdictRow& row : verdict.rows) {
    if (row.quantity == quantity) return row;
  }
  FAIL("no row " << quantity);
  throw sim::Error("not reached");
}

/// Checks that exactly these rows fail, and that the first has this cause.
void check_failing(const kernels::Verdict& verdict, const std::vector<std::string>& quantities,
                   const std::string& cause) {
  std::vector<std::string> failing;
  for (const kernels::VerdictRow& row : verdict.rows) {
    if (!row.ok) failing.push_back(row.quantity);
  }
  CHECK(failing == quantities);
  CHECK(!verdict.ok());
  CHECK_THAT(row_of(verdict, quantities.front()).cause, Contains(cause));
}

sim::AttentionInputs inputs_of(const sim::Scenario& s) {
  sim::AttentionInputs inputs = sim::draw_inputs(s.shape, s.dtype, s.seed);
  if (s.pass != sim::Pass::forward) inputs.d_o = sim::draw_output_gradient(s.shape, s.dtype, s.seed);
  return inputs;
}

}  // namespace

TEST_CASE("a run that does its program's work is verified, with a row for each direction of each tensor") {
  for (const char* algorithm : {"standard", "flash1", "flash2"}) {
    const kernels::Verdict verdict = Pair(algorithm, sim::Pass::forward_backward).verdict();
    for (const kernels::VerdictRow& row : verdict.rows) {
      INFO(algorithm << ' ' << row.quantity << ": " << row.cause);
      CHECK(row.ok);
      CHECK(std::abs(row.difference()) <= row.tolerance);
    }
  }
  const kernels::Verdict verdict = Pair("flash1").verdict();
  CHECK(row_of(verdict, "tile_traffic.by_tensor.m.write_bytes").simulated == 800);  // zeroed, and written once
  CHECK(row_of(verdict, "tile_traffic.atomic_bytes").measured == 0);
  CHECK(row_of(verdict, "races").ok);
}

TEST_CASE("a byte too many or too few is a failing row with the factor in its cause") {
  Pair more("flash2"), less("flash2");
  more.kernel.reports[0].tensors["K"].read_bytes *= 2;
  check_failing(more.verdict(), {"tile_traffic.by_tensor.K.read_bytes", "tile_traffic.total.read_bytes"},
                "the kernel reads 6400 bytes more of K than the program, 2.00x");
  less.kernel.reports[0].tensors["L"].write_bytes -= 4;
  check_failing(less.verdict(), {"tile_traffic.by_tensor.L.write_bytes", "tile_traffic.total.write_bytes"},
                "the kernel writes 4 bytes less of L than the program, 0.99x");
}

TEST_CASE("a tensor that only the kernel touches, or only the program, is a failing row") {
  Pair extra("flash2"), missing("flash2");
  extra.kernel.reports[0].tensors["S"].write_bytes = 64;
  check_failing(extra.verdict(), {"tile_traffic.by_tensor.S.write_bytes", "tile_traffic.total.write_bytes"},
                "the kernel writes 64 bytes more of S than the program");
  missing.kernel.reports[0].tensors.erase("V");
  check_failing(missing.verdict(),
                {"tile_traffic.by_tensor.V.read_bytes", "tile_traffic.total.read_bytes", "sectors.V.read"}, "0.00x");
}

TEST_CASE("of several launches the cause names the one whose bytes differ") {
  Pair pair("standard");
  REQUIRE(pair.kernel.reports.size() == 3);
  pair.kernel.reports[1].tensors["S"].read_bytes += 2;
  check_failing(pair.verdict(), {"tile_traffic.by_tensor.S.read_bytes", "tile_traffic.total.read_bytes"},
                " in softmax");
}

TEST_CASE("bytes added by atomics are compared") {
  Pair pair("flash2", sim::Pass::backward);
  CHECK(pair.verdict().ok());
  pair.kernel.reports.back().tensors["dQ_acc"].atomic_bytes = 0;
  check_failing(pair.verdict(), {"tile_traffic.atomic_bytes"}, "bytes less than the program");
}

TEST_CASE("a wrong value, a NaN among the errors and a wrong program are failing rows") {
  Pair wrong("flash2"), broken("flash2"), program("flash2"), both("flash2");
  wrong.kernel.errors[0].kernel = 1.1e-3;
  check_failing(wrong.verdict(), {"error.O"},
                "max |O - reference| of the kernel is more than the 0.001 of the numerics");
  broken.kernel.errors[0].kernel = std::nan("");
  check_failing(broken.verdict(), {"error.O"}, "of the kernel is more than");
  program.kernel.errors[0].program = 2e-3;
  check_failing(program.verdict(), {"error.O"}, "of the program is more than");
  both.kernel.errors[0].program = both.kernel.errors[0].kernel = 2e-3;
  check_failing(both.verdict(), {"error.O"}, "the algorithm rounds more often than the plain formula");
}

TEST_CASE("a race is a failing row that names its location") {
  Pair pair("flash2");
  pair.kernel.reports[0].races = {"shared memory at 64: block 0, threads 3 and 35", "another"};
  const kernels::Verdict verdict = pair.verdict();
  check_failing(verdict, {"races"}, "flash2_forward: shared memory at 64: block 0, threads 3 and 35");
  CHECK(row_of(verdict, "races").measured == 2);
}

TEST_CASE("rows of full sectors require exactly the sectors that hold their bytes") {
  Pair few("flash2"), many("flash2");
  few.kernel.reports[0].tensors["O"].write_sectors -= 1;
  check_failing(few.verdict(), {"sectors.O.write"}, "fewer than hold the program's bytes");
  many.kernel.reports[0].tensors["O"].write_sectors += 100;
  check_failing(many.verdict(), {"sectors.O.write"}, "1.50x the least");
}

TEST_CASE("more sectors than the minimum are explained if blocks end inside one, up to one per element") {
  Pair some("flash2"), many("flash2");
  some.kernel.reports[0].tensors["L"].write_sectors = 26;  // for 100 numbers in 12.5 sectors
  CHECK(some.verdict().ok());
  CHECK_THAT(row_of(some.verdict(), "sectors.L.write").cause, Contains("2.00x the least"));
  many.kernel.reports[0].tensors["L"].write_sectors = 101;
  check_failing(many.verdict(), {"sectors.L.write"}, "7.77x the least");
}

TEST_CASE("bank conflicts are reported for all kernels and fail those declared conflict-free") {
  Pair pair("flash2");
  pair.kernel.reports[0].wavefronts = 1300;
  pair.kernel.most_passes = 2;
  CHECK(pair.verdict().ok());
  CHECK_THAT(row_of(pair.verdict(), "wavefronts").cause, Contains("bank conflicts: 1.30x"));
  const std::int64_t most = 1000 + kernels::passes_apart(1000);
  pair.kernel.reports[0].wavefronts = 1000 + most + 1;
  check_failing(pair.verdict(), {"wavefronts"}, "bank conflicts: 2.00x");
  pair.kernel.most_passes = 1;
  pair.kernel.reports[0].wavefronts = most;
  CHECK(pair.verdict().ok());
  pair.kernel.reports[0].wavefronts = most + 1;
  check_failing(pair.verdict(), {"wavefronts"}, "bank conflicts: 1.00x");
}

TEST_CASE("memory in use besides the program's tensors is a failing row") {
  Pair pair("flash2");
  pair.kernel.peak_bytes += 256;
  check_failing(pair.verdict(), {"memory.peak"}, "keeps other tensors alive");
}

TEST_CASE("a run without a trace has rows of values, memory and time, and its time never fails") {
  Pair pair("flash2");
  pair.kernel.traced = false;
  pair.kernel.reports.clear();
  pair.kernel.microseconds = 1e6;
  const kernels::Verdict verdict = pair.verdict();
  CHECK(verdict.ok());
  CHECK(verdict.rows.size() == 3);
  CHECK_THAT(row_of(verdict, "time").cause, Contains("predicted for h100-sxm"));
}

TEST_CASE("of several schedules the worst row is kept, and a failing one names its schedule") {
  Pair pair("flash2");
  kernels::Verdict verdict = pair.verdict();
  pair.kernel.errors[0].kernel = 3e-4;
  pair.kernel.reports[0].races = {"r"};
  kernels::keep_worst(verdict, pair.verdict(), "random schedule 2");
  check_failing(verdict, {"races"}, "random schedule 2: flash2_forward: r");
  CHECK(row_of(verdict, "error.O").measured == 3e-4);
  pair.kernel.errors[0].kernel = 1e-4;
  kernels::keep_worst(verdict, pair.verdict(), "random schedule 3");
  CHECK(row_of(verdict, "error.O").measured == 3e-4);
}

TEST_CASE("a kernel that fails while it runs gives a verdict of one row") {
  sim::Scenario s = scenario_of("flash2", sim::Dtype::fp32);
  s.br = s.bc = 512;  // more shared memory than a block has
  s.tiling = sim::TilingRule::paper;
  const kernels::Verification verification(sim::simulate(s), "flash2", inputs_of(s));
  /// A device on which every launch fails.
  class Broken final : public dev::Device {
   public:
    std::string description() const override { return "broken device"; }
    dev::Flavour flavour() const override { return dev::Flavour::traced; }
    dev::Stream stream() override { return {}; }
    void* allocate(std::string_view, std::int64_t) override {
      throw dev::DeviceError(kind, "block 3: threads wait for each other");
    }
    void release(void*) override {}
    void upload(void*, const void*, std::int64_t) override {}
    void download(void*, const void*, std::int64_t) override {}
    void copy(void*, const void*, std::int64_t) override {}
    void synchronize() override {}
    dev::DeviceError::Kind kind = dev::DeviceError::Kind::failed;
  } broken;
  const kernels::Verdict verdict = verification.run(broken);
  check_failing(verdict, {"run"}, "block 3: threads wait for each other");
  CHECK(verdict.device == "broken device");
  broken.kind = dev::DeviceError::Kind::out_of_memory;
  CHECK_THROWS_AS(verification.run(broken), dev::DeviceError);
}

TEST_CASE("the kernels compute what their programs do, by the numerics rule") {
  for (const char* name : {"standard", "flash1", "flash2"}) {
    sim::Scenario s = scenario_of(name, sim::Dtype::fp32);
    s.pass = sim::Pass::forward_backward;
    emulator::EmulatedDevice device;
    const kernels::Verdict verdict = kernels::Verification(sim::simulate(s), name, inputs_of(s)).run(device);
    for (const char* quantity : {"error.O", "error.dQ", "error.dK", "error.dV", "memory.peak"})
      CHECK(row_of(verdict, quantity).ok);
    CHECK(verdict.rows.size() == 5);
  }
}

TEST_CASE("kernels are chosen by algorithm and dtype, and what has none is refused by name") {
  const auto choose = [](const char* algorithm, sim::Dtype dtype, std::optional<std::string> asked) {
    return kernels::choose_kernel(sim::make_plan(scenario_of(algorithm, dtype)), asked, dev::Flavour::emulated);
  };
  CHECK(choose("standard", sim::Dtype::bf16, {}) == "standard");
  CHECK(choose("flash1", sim::Dtype::fp16, {}) == "flash1");
  CHECK(choose("flash2", sim::Dtype::fp32, {}) == "flash2");
  CHECK(choose("flash2", sim::Dtype::fp16, "flash2") == "flash2");
  CHECK(choose("flash-decoding", sim::Dtype::fp32, {}) == "flash-decoding");
  CHECK(choose("flash2-block-sparse", sim::Dtype::fp32, {}) == "flash2-block-sparse");
  CHECK(choose("flash-decoding", sim::Dtype::bf16, {}) == "flash-decoding_mma");
  CHECK(choose("flash2-block-sparse", sim::Dtype::fp16, {}) == "flash2-block-sparse_mma");
  CHECK_THROWS_WITH(choose("memory-efficient", sim::Dtype::fp16, {}),
                    Contains("algorithm: memory-efficient has no kernel; kernels are standard, flash1, flash2"));
  CHECK_THROWS_WITH(choose("flash1", sim::Dtype::fp16, "flash3"), Contains("unknown kernel \"flash3\""));
  CHECK_THROWS_WITH(choose("flash2", sim::Dtype::fp32, "flash1"),
                    Contains("kernel: flash1 has no kernel for flash2_forward; there are --kernel flash2"));
  sim::Scenario released = scenario_of("flash1", sim::Dtype::fp16);
  released.tiling = sim::TilingRule::released;
  CHECK_THROWS_WITH(kernels::choose_kernel(sim::make_plan(released), {}, dev::Flavour::emulated),
                    Contains("tiling: released has no kernel"));
  sim::Scenario masked = scenario_of("standard", sim::Dtype::fp16);
  masked.pattern = sim::read_pattern("causal");
  CHECK_THROWS_WITH(kernels::choose_kernel(sim::make_plan(masked), {}, dev::Flavour::emulated),
                    Contains("pattern: the kernels of standard take none"));
}

TEST_CASE("masks that no kernel has are refused by name, before and when a kernel is started") {
  const auto refusal = [](const sim::Shape& shape, const char* algorithm) -> std::string {
    sim::Scenario s = scenario_of(algorithm, sim::Dtype::fp32);
    s.shape = shape;
    const sim::Plan plan = sim::make_plan(s);
    try {
      kernels::choose_kernel(plan, {}, dev::Flavour::emulated);
    } catch (const sim::Error& error) {
      CHECK_THROWS_WITH(kernels::arguments_of(plan, plan.launches[0], 1 << 16), error.what());
      return error.what();
    }
    return "";
  };
  const auto documents = std::make_shared<const sim::Documents>(sim::Documents{0, 30, 64});
  const auto corner = sim::DiagonalFrom::top_left;
  for (const char* algorithm : {"standard", "flash1", "flash2", "flash-decoding"}) {
    INFO(algorithm);
    CHECK(refusal({1, 1, 1, 64, 64, 16, {.window_right = 3}}, algorithm).empty());
    CHECK(refusal({1, 1, 1, 64, 64, 16, {.causal = true, .prefix = 3}}, algorithm).empty());
    CHECK_THAT(refusal({1, 1, 1, 64, 64, 16, {.documents = documents}}, algorithm), Contains("documents: no kernel"));
    CHECK_THAT(refusal({1, 1, 1, 32, 64, 16, {.causal = true, .diagonal = corner}}, algorithm),
               Contains("causal-from: no kernel has this"));
    CHECK(refusal({1, 1, 1, 64, 64, 16, {.causal = true, .window_right = 3, .diagonal = corner}}, algorithm).empty());
  }
}

TEST_CASE("sizes that kernels do not take are refused in one line with the number and the limit") {
  const auto refusal = [](const sim::Shape& shape, const char* algorithm) -> std::string {
    sim::Scenario s = scenario_of(algorithm, sim::Dtype::fp16);
    s.shape = shape;
    try {
      kernels::check_sizes(sim::make_plan(s));
    } catch (const sim::Error& error) {
      return error.what();
    }
    return "";
  };
  CHECK(refusal({1, 1, 1, 4096, 4096, 64}, "flash2").empty());
  CHECK(refusal({1, 1, 1, 46000, 46000, 64}, "standard").empty());
  CHECK_THAT(refusal({1, 1, 1, 46400, 46400, 64}, "standard"), Contains("a head of S has 46400 x 46400 elements"));
  CHECK_THAT(refusal({1, 1, 1, 64, 64, 12}, "flash2"), Contains("head-dim: 12 is not a multiple of 8"));
  CHECK_THAT(refusal({1, 1, 1, 40000000, 64, 64}, "flash2"), Contains("a head of Q has 40000000 x 64 elements"));
  CHECK_THAT(refusal({1LL << 31, 1, 1, 64, 64, 64}, "flash2"), Contains("batch: 2147483648 is more than"));
  CHECK_THAT(refusal({1 << 20, 1 << 12, 1, 64, 64, 64}, "flash2"), Contains("needs a grid of 4294967296 blocks"));
  CHECK_THAT(refusal({1, 1, 1, 64, 64, 64, {.window = 1LL << 32}}, "flash2"), Contains("window: 4294967296 is more"));
}

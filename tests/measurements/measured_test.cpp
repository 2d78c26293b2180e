// Measured times: shares of bounds, excluded and impossible ones, and that no recorded time is called impossible.
#include "sim/model/measured.h"

#include <catch2/catch.hpp>

#include "kernels/measurements/points.h"
#include "kernels/measurements/recorded.h"
#include "sim/model/validation.h"
#include "sim/report/reached.h"

namespace sim {
namespace {

using Catch::Contains;

Scenario long_run() {  // batch 2, 32 heads, N 8,192, d 128 on an H100
  Scenario s;
  s.shape = {.batch = 2, .heads = 32, .kv_heads = 32, .seqlen_q = 8192, .seqlen_k = 8192, .head_dim = 128};
  return s;
}

std::string said(const Measured& measured) {
  std::string all;
  for (const Sentence& sentence : measured.says) all += sentence.text() + "\n";
  return all;
}

Measured of(const Scenario& scenario, double us) { return explain_measured(simulate(scenario), us); }

const ReachedBound& bound(const Measured& measured, const std::string& name) {
  for (const ReachedBound& one : measured.bounds) {
    if (one.name == name) return one;
  }
  throw Error("no bound " + name);
}

TEST_CASE("a time is read with its unit, and only with it") {
  CHECK(parse_time("measured", "2.6ms") == 2600);
  CHECK(parse_time("measured", "2.6 ms") == 2600);
  CHECK(parse_time("measured", "850us") == 850);
  CHECK(parse_time("measured", "1e3ns") == 1);
  CHECK(parse_time("measured", "0.5s") == 500'000);
  for (const char* wrong : {"2.6", "ms", "", "0ms", "-1ms", "1min", "nanms", "infs", "1e300s", "0x1ms", "2,6ms"}) {
    INFO(wrong);
    CHECK_THROWS_AS(parse_time("measured", wrong), Error);
  }
}

TEST_CASE("2.6 ms of the long run on an H100 are 846 TFLOP/s, which mma.sync does not reach") {
  const Measured measured = of(long_run(), 2600);
  CHECK(bound(measured, "tensor").per_second == Approx(845.8e12).epsilon(1e-3));  // 4 N^2 d x 64 heads / 2.6 ms
  CHECK(bound(measured, "tensor").percent() == Approx(85.5).epsilon(1e-3));
  CHECK_FALSE(measured.impossible);
  CHECK_THAT(said(measured), Contains("mma.sync is excluded"));
}

TEST_CASE("below the limit of mma.sync either instruction is possible") {
  CHECK_THAT(said(of(long_run(), 4000)), Contains("either instruction is possible"));
  CHECK_THAT(said(of(long_run(), 3400)), Contains("by mma.sync only at more than 1830 MHz"));
}

TEST_CASE("for a card whose tensor cores have one speed no instruction is mentioned") {
  Scenario s = long_run();
  s.gpu = built_in_gpu("a100-sxm-80gb");
  CHECK_THAT(said(of(s, 12'000)), !Contains("mma.sync"));
}

TEST_CASE("a time below the products of the visible pairs is impossible, with the reason") {
  const Measured measured = of(long_run(), 1500);
  CHECK(measured.impossible);
  CHECK_THAT(said(measured), Contains("impossible on this card"));
  CHECK_THAT(said(measured), Contains("1980 MHz"));
  CHECK_FALSE(of(long_run(), 2100).impossible);  // 1,047 TFLOP/s: above the peak at 1,830 MHz, below that at 1,980
  CHECK_THAT(said(of(long_run(), 2100)), Contains("the SMs ran above 1830 MHz"));
}

TEST_CASE(
    "times of any size are compared without overflow, and a share above a peak is none if the time is impossible") {
  for (const double us : {1e-12, 1e-3, 1., 1e3, 1e6, 9e14}) {
    const Measured measured = of(long_run(), us);
    INFO(us << " us: " << said(measured));
    CHECK(measured.impossible == (us < 2054));  // at the peak and the highest clock
    for (const ReachedBound& bound : measured.bounds) {
      const std::string rate = report::rate(bound, bound.per_second), share = report::share(bound, measured.impossible);
      INFO(bound.name << " " << rate << " " << share);
      CHECK(rate[0] >= '0');
      CHECK(rate[0] <= '9');
      CHECK((share == "> 100 %" || std::stod(share) <= 100));
      CHECK((share == "> 100 %") == (bound.percent() > 100));
    }
    CHECK_THAT(said(measured), !Contains("at least 0 us") && !Contains("which it takes 0 times"));
  }
  CHECK(report::rate(bound(of(long_run(), 1e-3), "tensor"), 2.2e21) == "2.20e+21 FLOP/s");
  CHECK(report::rate(bound(of(long_run(), 9e14), "tensor"), 2.44e3) == "2.44 kFLOP/s");
}

TEST_CASE("written times keep their digits from picoseconds to days") {
  CHECK(report::exact_time(1e-6) == "0.001 ns");
  CHECK(report::exact_time(1e-3) == "1 ns");
  CHECK(report::exact_time(0.15) == "150 ns");
  CHECK(report::exact_time(2.5) == "2.5 us");
  CHECK(report::exact_time(850) == "850.0 us");
  CHECK(report::exact_time(2600) == "2.60 ms");
  CHECK(report::exact_time(9e14) == "9e+08 s");
  CHECK(report::microseconds(0.03) == "30 ns");
  CHECK(report::microseconds(0) == "0.0 us");
}

TEST_CASE("a time too short for tensors that do not fit into L2 is impossible") {
  Scenario s = long_run();
  s.shape.seqlen_q = 1;  // one query each reads all of K and V: 268 MB, of which 52 MB may be in L2
  CHECK_FALSE(of(s, 70).impossible);
  const Measured measured = of(s, 60);
  CHECK(measured.impossible);
  CHECK_THAT(said(measured), Contains("do not fit into its L2"));
}

TEST_CASE("bounds of the algorithm exclude the kernel, not the time") {
  Scenario s = long_run();
  s.algorithm = "standard";
  const Measured measured = of(s, 4000);
  CHECK_FALSE(measured.impossible);
  CHECK_THAT(said(measured), Contains("not by this kernel"));
}

TEST_CASE("a time near the predicted one is reported as predicted, another as unexplained") {
  Scenario s = long_run();
  const double predicted = simulate(s).microseconds;
  CHECK_THAT(said(of(s, predicted)), Contains("as predicted"));
  CHECK_THAT(said(of(s, 3 * predicted)), Contains("unexplained"));
}

TEST_CASE("a backward pass is rated by five products and bounded by four") {
  Scenario s = long_run();
  const ProblemFlops forward = problem_flops(make_plan(s));
  s.pass = Pass::backward;
  const ProblemFlops backward = problem_flops(make_plan(s));
  CHECK(forward.rated == forward.least);
  CHECK(backward.rated == 2.5 * forward.rated);
  CHECK(backward.least == 2 * forward.rated);
  s.pass = Pass::forward_backward;
  CHECK(problem_flops(make_plan(s)).rated == 3.5 * forward.rated);
}

TEST_CASE("pairs that a mask hides are not part of the problem") {
  Scenario s = long_run();
  s.shape.mask.causal = true;
  CHECK(problem_flops(make_plan(s)).rated == 4.0 * 128 * 64 * (8192.0 * 8193 / 2));
  s.shape.mask.window = 9;
  CHECK(problem_flops(make_plan(s)).rated == 4.0 * 128 * 64 * (10.0 * 8192 - 45));
}

TEST_CASE("no recorded time is impossible, and mma.sync is excluded only above its limit at the recorded clock") {
  std::size_t checked = 0;
  for (const PublishedPoint& point : measurements::points_of(measurements::recordings()).points) {
    const auto us = published_microseconds(point);
    if (!us) continue;
    const Scenario scenario = point.scenario;
    const Measured measured = of(scenario, *us);
    INFO(description_of(point) << " " << *us << " us");
    CHECK_FALSE(measured.impossible);
    const DeviceSpec& gpu = *scenario.gpu;
    const double clock = static_cast<double>(point.clock_mhz.value_or(gpu.clock_hz / 1'000'000)) * 1e6;
    const double limit = static_cast<double>(gpu.mma_flops_per_clock_fp16 * gpu.sm_count) * clock;
    if (said(measured).find("mma.sync is excluded") != std::string::npos)
      CHECK(bound(measured, "tensor").per_second > limit);
    ++checked;
  }
  CHECK(checked >= 40);
}

}  // namespace
}  // namespace sim

// Arithmetic intensities in closed form, ridges, and roofs that no kernel exceeds.
#include "sim/model/roofline.h"

#include <catch2/catch.hpp>

#include "tests/support/random_scenario.h"

namespace sim {
namespace {

Scenario scenario(const std::string& algorithm, std::int64_t n, std::int64_t d) {
  Scenario s;
  s.algorithm = algorithm;
  s.shape.seqlen_q = s.shape.seqlen_k = n;
  s.shape.head_dim = d;
  return s;
}

double real(std::int64_t n) { return static_cast<double>(n); }

}  // namespace

TEST_CASE("flash2's intensity is 4 N d / ((2 + 2 Tr) d e + 4) FLOP/B in tile traffic") {
  for (const std::int64_t n : {512, 4096, 32768}) {
    for (const std::int64_t d : {64, 128}) {
      for (const std::int64_t br : {64, 128}) {
        Scenario s = scenario("flash2", n, d);
        s.br = br;
        s.bc = 64;
        const RooflinePoint point = roofline(simulate(s)).front();
        const std::int64_t tr = n / br;
        const double flops = real(4 * n * d);  // per query row, as are the bytes below
        CHECK(point.tile_intensity() == Approx(flops / real((2 + 2 * tr) * d * 2 + 4)).epsilon(1e-12));
        // In the limit of long sequences every byte of K and V serves Br queries: 2 Br / e.
        if (n == 32768) CHECK(point.tile_intensity() == Approx(real(br)).epsilon(0.04));
      }
    }
  }
}

TEST_CASE("in HBM traffic flash2's intensity is about N / e FLOP/B as far as one head's K and V stay in the L2") {
  const RooflinePoint point = roofline(simulate(scenario("flash2", 4096, 128))).front();
  const double flops = real(4 * 4096 * 128);
  CHECK(point.hbm_intensity() == Approx(flops / real(4 * 128 * 2 + 4)).epsilon(1e-12));
  CHECK(point.hbm_intensity() == Approx(4096.0 / 2).epsilon(0.02));
}

TEST_CASE("attainable is peak above the ridge and bandwidth times intensity below it, with the device's own numbers") {
  const DeviceSpec& gpu = device("a100-sxm-40gb");
  const Roofs roofs = roofs_of(gpu, Dtype::fp16);
  CHECK(roofs.matrix_peak == Approx(real(gpu.sm_count * gpu.tensor_flops_per_clock_fp16) * real(gpu.clock_hz)));
  CHECK(roofs.hbm_ridge() == Approx(roofs.matrix_peak / real(gpu.hbm_bytes_per_second)));
  const auto point = [](double tile, double hbm) {
    constexpr std::int64_t flops = 1'000'000'000'000;
    const auto bytes = [](double intensity) { return Bytes(static_cast<std::int64_t>(real(flops) / intensity)); };
    return RooflinePoint{"", Flops(flops), Flops(0), bytes(tile), bytes(hbm), 1};
  };
  const double high = 1e6;
  CHECK(point(high, high).attainable(roofs) == Approx(roofs.matrix_peak));
  CHECK(point(high, roofs.hbm_ridge() / 2).attainable(roofs) == Approx(roofs.matrix_peak / 2));
  CHECK(point(roofs.l2_ridge() / 4, high).attainable(roofs) == Approx(roofs.matrix_peak / 4));
  CHECK(point(high, high).achieved() == Approx(1e18));
}

TEST_CASE("fp32 products and the rest share one pipe, so their peak is between the two") {
  const RooflinePoint half{"", Flops(1'000'000), Flops(1'000'000), Bytes(1), Bytes(1), 1};
  const Roofs fp32 = roofs_of(device("h100-sxm"), Dtype::fp32), fp16 = roofs_of(device("h100-sxm"), Dtype::fp16);
  CHECK(fp32.matrix_peak == Approx(2 * fp32.other_peak));
  CHECK(half.peak(fp32) == Approx(1 / (1 / fp32.matrix_peak + 1 / fp32.other_peak)));
  CHECK(half.peak(fp16) == Approx(fp16.other_peak));  // the other arithmetic limits the tensor cores
}

TEST_CASE("kernels as slow as their slowest resource stay below their roofs, as does the run as a whole") {
  Dice dice(41);
  for (int n = 0; n < 150; ++n) {
    Scenario s = random_scenario(dice, {2000, 128, 64, 4, 4});
    s.tiling = TilingRule::kernel;
    s.sram = s.br = s.bc = std::nullopt;
    s.own.erase("splits");  // drawn for other tiles
    INFO(describe(s));
    const Simulation result = simulate(s);
    const Roofs roofs = roofs_of(*s.gpu, s.dtype);
    std::vector<RooflinePoint> points = roofline(result);
    REQUIRE(points.size() == result.kernels.size() + 1);
    points.back().microseconds = 0;
    for (std::size_t k = 0; k < result.kernels.size(); ++k) {
      double slowest = 0;
      for (const auto& [resource, time] : result.kernels[k].time.resources) slowest = std::max(slowest, time);
      points[k].microseconds = slowest;
      points.back().microseconds += slowest;
    }
    for (const RooflinePoint& point : points) {
      INFO(point.name);
      CHECK(point.achieved() <= point.attainable(roofs) * (1 + 1e-9));
      CHECK(point.attainable(roofs) <= point.peak(roofs));
      CHECK(point.attainable(roofs) <= point.hbm_intensity() * roofs.hbm);  // both axes count the same FLOPs
      CHECK(point.attainable(roofs) <= point.tile_intensity() * roofs.l2);
    }
  }
}

TEST_CASE("rates count products as the papers do, and none is above the peak of the tensor cores") {
  for (const std::int64_t n : {1024, 16384}) {
    const Scenario s = scenario("flash2", n, 64);
    const Simulation result = simulate(s);
    const RooflinePoint point = roofline(result).back();
    const Roofs roofs = roofs_of(*s.gpu, s.dtype);
    CHECK(point.achieved() == Approx(4 * real(n) * real(n) * 64 / (result.microseconds * 1e-6)));
    CHECK(point.peak(roofs) <= roofs.matrix_peak);
    CHECK(point.attainable(roofs) <= roofs.matrix_peak);
  }
  const RooflinePoint softmax = roofline(simulate(scenario("standard", 1024, 64)))[1];
  CHECK(softmax.matrix.count() == 0);
  CHECK(softmax.rated() == softmax.other);  // a kernel without products is rated by its other FLOPs
}

TEST_CASE("a kernel without FLOPs has intensity 0 and reaches 0") {
  Scenario s = scenario("standard", 256, 64);
  s.shape.mask.causal = true;
  const std::vector<RooflinePoint> points = roofline(simulate(s));
  REQUIRE(points[1].name == "mask");
  CHECK(points[1].tile_intensity() == 0);
  CHECK(points[1].attainable(roofs_of(*s.gpu, s.dtype)) == 0);
  CHECK(points[1].achieved() == 0);
}

}  // namespace sim

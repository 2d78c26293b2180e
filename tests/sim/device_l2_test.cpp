// HBM traffic after the L2 of a device, which has no edge at one size.
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/model/hbm_traffic.h"
#include "sim/model/simulation.h"

namespace sim {
namespace {

TEST_CASE("HBM traffic changes gradually at the size of the device's L2, and at once at the size of --l2") {
  Scenario s;
  name_algorithm(s, "flash1");
  s.shape = {.batch = 8, .heads = 16, .kv_heads = 16, .seqlen_q = 1024, .seqlen_k = 1024, .head_dim = 64};
  s.gpu = built_in_gpu("h100-sxm");
  const auto read = [&](std::optional<double> part) {
    s.l2 = part ? std::optional(std::llround(*part * static_cast<double>(s.gpu->l2_effective_bytes))) : std::nullopt;
    return static_cast<double>(simulate(s).hbm.read.count());
  };
  double sum = 0;
  for (int step = 0; step < 8; ++step)
    sum += read(l2_begins_to_miss + (l2_misses_whole - l2_begins_to_miss) * (step + 0.5) / 8);
  CHECK(read(std::nullopt) == Approx(sum / 8).epsilon(1e-9));
  CHECK(read(1.0) > 1.4 * read(std::nullopt));  // nothing hits
  CHECK(read(1.1) < 0.4 * read(std::nullopt));  // all does
  s.l2.reset();
  s.shape.batch = 4;  // far below the capacity
  CHECK(read(std::nullopt) == read(1.0));
}

TEST_CASE("HBM traffic of flash1 near the size of the L2 is within 25 % of the DRAM counters of an H100 and an H200") {
  struct Counted {
    const char* gpu;
    double read, written;
  };
  for (const Counted& c : {Counted{"h100-sxm", 1.78107e8, 1.08768e8},  // kernels/measurements
                           Counted{"h200", 6.92403e7, 4.25743e7}}) {
    Scenario s;
    name_algorithm(s, "flash1");
    s.shape = {.batch = 8, .heads = 16, .kv_heads = 16, .seqlen_q = 1024, .seqlen_k = 1024, .head_dim = 64};
    s.gpu = built_in_gpu(c.gpu);
    const Traffic hbm = simulate(s).hbm;
    INFO(c.gpu);
    CHECK(static_cast<double>(hbm.read.count()) == Approx(c.read).epsilon(0.25));
    CHECK(static_cast<double>(hbm.written.count()) == Approx(c.written).epsilon(0.25));
  }
}

}  // namespace
}  // namespace sim

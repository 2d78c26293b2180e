// The published memory table against the memory of the replay.
#include "sim/model/published_memory.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace sim;

namespace {

/// Batch 16, 8 heads, d 64, fp16, both passes: the setting of Table 21.
Scenario table_21(const std::string& algorithm, std::int64_t n) {
  Scenario s;
  s.algorithm = algorithm;
  s.pass = Pass::forward_backward;
  s.shape.batch = 16;
  s.shape.heads = s.shape.kv_heads = 8;
  s.shape.seqlen_q = s.shape.seqlen_k = n;
  return s;
}

double mebibytes(Bytes bytes) { return static_cast<double>(bytes.count()) / (1 << 20); }

double published(const std::string& algorithm, std::int64_t n) {
  const auto memory = published_memory(make_plan(table_21(algorithm, n)));
  REQUIRE(memory.has_value());
  return mebibytes(memory->bytes);
}

}  // namespace

TEST_CASE("the formula gives every entry of the published memory table") {
  const std::pair<std::int64_t, double> pytorch[] = {{128, 36},    {256, 104},   {512, 336},
                                                     {1024, 1184}, {2048, 4416}, {4096, 17024}};
  for (const auto& [n, megabytes] : pytorch) CHECK(published("standard", n) == Approx(megabytes).margin(0.51));
  const std::pair<std::int64_t, double> flash[] = {{128, 22},     {256, 44},     {512, 104},   {1024, 209},
                                                   {2048, 418},   {4096, 836},   {8192, 1672}, {16384, 3344},
                                                   {32768, 6688}, {65536, 13376}};
  for (const auto& [n, megabytes] : flash) CHECK(published("flash1", n) == Approx(megabytes).margin(0.51));
}

TEST_CASE("the replayed programs hold at most the measured memory, and each difference has a name") {
  for (const std::string algorithm : {"standard", "flash1"}) {
    for (const std::int64_t n : {128, 1024, 4096}) {
      const Simulation s = simulate(table_21(algorithm, n));
      const auto memory = published_memory(s.plan);
      REQUIRE(memory.has_value());
      CHECK(s.memory.peak_hbm < memory->bytes);
      CHECK(s.memory.peak_hbm.count() * 2 > memory->bytes.count());
      CHECK(memory->differences.size() >= 2);
    }
  }
}

TEST_CASE("scenarios that the published table does not cover have no published memory") {
  CHECK_FALSE(published_memory(make_plan(table_21("flash2", 1024))).has_value());
  CHECK_FALSE(published_memory(make_plan(table_21("memory-efficient", 1024))).has_value());
  const auto without = [](void (*change)(Scenario&)) {
    Scenario s = table_21("standard", 1024);
    change(s);
    return !published_memory(make_plan(s)).has_value();
  };
  CHECK(without([](Scenario& s) { s.pass = Pass::forward; }));
  CHECK(without([](Scenario& s) { s.dtype = Dtype::fp32; }));
  CHECK(without([](Scenario& s) { s.shape.mask.causal = true; }));
  CHECK(without([](Scenario& s) { s.dropout = 0.1; }));
  CHECK(without([](Scenario& s) { s.shape.kv_heads = 2; }));
  CHECK(without([](Scenario& s) { s.shape.seqlen_k = 512; }));
}

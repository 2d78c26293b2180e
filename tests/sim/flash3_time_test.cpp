// flash3 in time: the order of its schedules, published times, its budget and grids, and what it refuses.
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/catalogue/options.h"
#include "sim/catalogue/run_values.h"
#include "sim/model/simulation.h"
#include "sim/model/validation.h"

using namespace sim;
using Catch::Contains;

namespace {

Scenario scenario(OptionValues values) {
  values.emplace("algorithm", "flash3");
  return scenario_from(values, built_in_gpu);
}

std::string refusal(const OptionValues& values) {
  try {
    simulate(scenario(values));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("each schedule of flash3 is faster than the one before it, at d 64 and 128, with and without a mask") {
  for (const char* d : {"64", "128"}) {
    for (const char* causal : {"0", "1"}) {
      double before = 1e300;
      for (const char* schedule : {"serial", "warp-specialised", "ping-pong", "overlapped"}) {
        INFO("d " << d << ", causal " << causal << ", " << schedule);
        const double now = simulate(scenario({{"batch", "4"},
                                              {"heads", "16"},
                                              {"seqlen", "8448"},
                                              {"head-dim", d},
                                              {"causal", causal},
                                              {"schedule", schedule}}))
                               .microseconds;
        CHECK(now < before);
        before = now;
      }
    }
  }
}

TEST_CASE("schedules of flash3 are within 10 % of their published speeds") {
  const Validation schedules = validate({.group = "fa3-paper-schedules"});
  CHECK(schedules.predictions.size() == 6);
  for (const Prediction& p : schedules.predictions) {
    INFO(description_of(*p.point));
    CHECK(std::abs(p.error()) <= 0.10);
  }
}

TEST_CASE("published times of flash3 that no constant has seen are 10 % off on average and 25 % at most") {
  std::vector<Prediction> made;
  for (const PublishedPoint& p : published_points()) {
    if (p.scenario.algorithm != "flash3" || p.standing != Standing::score || p.scenario.pass != Pass::forward) continue;
    if (p.scenario.dtype == Dtype::e4m3) continue;
    CHECK_FALSE(p.for_fit);
    made.push_back(prediction_of(p, {}));
  }
  REQUIRE(made.size() == 16);
  std::vector<const Prediction*> all;
  for (const Prediction& p : made) all.push_back(&p);
  const ErrorSummary errors = summary_of(all);
  CHECK(errors.points == 16);
  CHECK(errors.mean_error <= 0.10);
  CHECK(std::abs(errors.worst->error()) <= 0.25);
}

TEST_CASE(
    "published times of flash3 in e4m3 are 16 % off on average, and at d 64 and 128 from N 2,048 on 13 % at most") {
  std::vector<Prediction> made;
  for (const char* group : {"fa3-h100-fp8-dense", "fa3-h100-fp8-causal"}) {
    for (const Prediction& p : validate({.group = group}).predictions)
      if (p.point->standing == Standing::score) made.push_back(p);
  }
  CHECK(made.size() == 22);
  double sum = 0;
  for (const Prediction& p : made) {
    const Shape& shape = p.point->scenario.shape;
    INFO(description_of(*p.point));
    sum += std::abs(p.error());
    CHECK(std::abs(p.error()) <= (shape.head_dim <= 128 && shape.seqlen_k >= 2048 ? 0.13 : 0.36));
  }
  CHECK(sum <= 0.16 * static_cast<double>(made.size()));
}

TEST_CASE("longest first, flash3 reads K and V from HBM once where the L2 holds those of a section of heads") {
  OptionValues values = {{"batch", "4"}, {"heads", "16"}, {"seqlen", "8192"}, {"head-dim", "128"}, {"causal", "1"}};
  const Simulation edge = simulate(scenario(values));  // 32 MiB of a section in an L2 of 35 MiB with an edge
  CHECK(10 * edge.hbm.read.count() < 11 * edge.compulsory.read.count());
  values["l2"] = "50000000";
  const Simulation held = simulate(scenario(values));
  CHECK(held.hbm == held.compulsory);
  values["seqlen"] = "131072";  // 64 MiB of K and V for each head
  const Simulation larger = simulate(scenario(values));
  CHECK(larger.hbm.read > larger.compulsory.read);
}

TEST_CASE("a clock given to flash3 scales its time but for what L2 and HBM move") {
  const OptionValues values = {{"batch", "4"}, {"heads", "16"}, {"seqlen", "4096"}, {"head-dim", "128"}};
  OptionValues slow = values;
  slow["clock"] = "700000000";  // half of wgmma_clock_hz
  const double at_full = simulate(scenario(values)).microseconds, at_half = simulate(scenario(slow)).microseconds;
  CHECK(at_half < 2 * at_full);
  CHECK(at_half > 1.7 * at_full);
}

TEST_CASE("a budget of flash3 adds up to its time, and a persistent grid is no slower than a CTA for each row block") {
  const OptionValues values = {{"batch", "4"}, {"heads", "16"}, {"seqlen", "4096"}, {"head-dim", "128"}};
  const Simulation persistent = simulate(scenario(values));
  OptionValues one_values = values;
  one_values["grid"] = "one";
  const Simulation one = simulate(scenario(one_values));
  for (const Simulation* s : {&persistent, &one}) {
    CHECK(s->budget.total() == Approx(s->microseconds));
    CHECK(s->budget[Cause::turn] > 0);
    CHECK(s->budget[Cause::stage] > 0);
    CHECK(s->longest_kernel().time.clock_hz == device("h100-sxm").wgmma_clock_hz);
  }
  CHECK(persistent.microseconds <= one.microseconds);
  CHECK(persistent.totals == one.totals);
  CHECK(number_at(values_of(persistent), "kernels.0.resident_ctas") == 132);
}

TEST_CASE("a persistent grid has one CTA per SM where more would fit") {
  const Simulation s = simulate(scenario({{"heads", "64"}, {"br", "64"}, {"schedule", "serial"}}));
  const auto values = values_of(s);
  CHECK(number_at(values, "kernels.0.occupancy.ctas_per_sm") == 1);
  CHECK(number_at(values, "kernels.0.occupancy.registers") == 2);
  CHECK(number_at(values, "kernels.0.resident_ctas") == 132);
}

TEST_CASE("flash3 has a time with one, two and three consumers by every schedule and grid") {
  for (const char* br : {"64", "128", "192"}) {
    for (const char* schedule : {"overlapped", "ping-pong", "warp-specialised", "serial"}) {
      for (const char* grid : {"persistent", "one"}) {
        INFO(br << " rows, " << schedule << ", " << grid);
        const Simulation s =
            simulate(scenario({{"seqlen", "1000"}, {"br", br}, {"schedule", schedule}, {"grid", grid}}));
        CHECK(s.microseconds > 0);
        CHECK(s.budget.total() == Approx(s.microseconds));
      }
    }
  }
}

TEST_CASE("flash3 takes the measured times on an H100 PCIe within 5 % and on an H20 within 15 %") {
  const auto time = [](const char* gpu, const char* batch, const char* heads, const char* n, const char* d) {
    return simulate(scenario({{"gpu", gpu}, {"batch", batch}, {"heads", heads}, {"seqlen", n}, {"head-dim", d}}))
        .microseconds;
  };
  // flash-attention issue 1777: 243, 298, 310 and 323 TFLOP/s; the card's clock under wgmma comes from these.
  for (const auto& [n, us] : {std::pair{"1024", 566.}, {"2048", 1845.}, {"4096", 7094.}, {"8192", 27232.}})
    CHECK(time("h100-pcie", "16", "32", n, "64") == Approx(us).epsilon(0.05));
  // flash-attention issue 1310, N 2,048: a card whose numbers are estimates, and no constant was fitted to it.
  CHECK(time("h20", "2", "32", "2048", "64") == Approx(572).epsilon(0.15));
  CHECK(time("h20", "2", "16", "2048", "128") == Approx(545).epsilon(0.15));
}

TEST_CASE("flash3 refuses what it cannot run by name") {
  CHECK_THAT(refusal({{"gpu", "a100-sxm-40gb"}}),
             Contains("gpu: flash3 needs wgmma and TMA") && Contains("a100-sxm-40gb (sm_80)"));
  CHECK_THAT(refusal({{"gpu", "rtx-5090"}}), Contains("gpu: flash3 needs"));
  CHECK_THAT(refusal({{"dtype", "fp32"}}), Contains("dtype: flash3 takes fp16, bf16 and e4m3"));
  CHECK_THAT(refusal({{"dropout", "0.1"}}), Contains("dropout: flash3 has none"));
  CHECK_THAT(refusal({{"pattern", "causal"}}), Contains("pattern: is an option of"));
  CHECK_THAT(refusal({{"keys", "up"}}), Contains("keys: is an option of flash2"));
  CHECK_THAT(refusal({{"br", "96"}}), Contains("br: flash3 takes 64, 128 or 192 rows"));
  CHECK_THAT(refusal({{"bc", "100"}}), Contains("bc: flash3 takes multiples of 16"));
  CHECK_THAT(refusal({{"stages", "0"}}), Contains("stages: \"0\" is not a whole number from 1 to 8"));
  CHECK_THAT(refusal({{"stages", "100"}}), Contains("stages: \"100\" is not a whole number from 1 to 8"));
  CHECK_THAT(refusal({{"schedule", "serial"}, {"stages", "1"}}), Contains("needs 2 stages"));
  CHECK_THAT(refusal({{"algorithm", "flash2"}, {"schedule", "serial"}}), Contains("schedule: is an option of flash3"));
  for (const char* gpu : {"h100-sxm", "h100-pcie", "h200", "gh200-96gb"}) CHECK(refusal({{"gpu", gpu}}).empty());
  CHECK_THAT(simulate(scenario({{"gpu", "b200"}})).warnings.front(), Contains("b200 runs flash3 as a Hopper kernel"));
}

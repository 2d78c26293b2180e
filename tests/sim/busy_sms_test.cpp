// The number of SMs that get a CTA, and the batch that fills a card.
#include "sim/model/busy_sms.h"

#include <catch2/catch.hpp>

#include "sim/catalogue/options.h"
#include "tests/support/takes.h"

namespace {

using namespace sim;

Simulation run(const OptionValues& options) { return simulate(scenario_from(options, built_in_gpu)); }

}  // namespace

TEST_CASE("an SM is busy when it gets a CTA: one for each head of flash1, one for each row block of flash2") {
  CHECK(busy_sms(run({{"algorithm", "flash1"}})).busy == 1);
  CHECK(busy_sms(run({{"algorithm", "flash2"}, {"br", "64"}})).busy == 16);
  CHECK(busy_sms(run({{"algorithm", "flash1"}, {"batch", "3"}, {"heads", "20"}})).busy == 60);
  const BusySms full = busy_sms(run({{"algorithm", "flash1"}, {"batch", "64"}, {"heads", "16"}}));
  CHECK(full.busy == 132);
  CHECK(full.all == 132);
}

TEST_CASE("few SMs are fewer than half, and nearly all are nine tenths") {
  CHECK(BusySms{65, 132}.few());
  CHECK(!BusySms{66, 132}.few());
  CHECK(!BusySms{118, 132}.nearly_all());
  CHECK(BusySms{119, 132}.nearly_all());
}

TEST_CASE("the SMs of a run are those of the kernel that takes longest") {
  const Simulation s = run({{"algorithm", "standard"}});
  CHECK(busy_sms(s).busy == busy_sms(s, s.longest_kernel()).busy);
  for (const KernelMeters& kernel : s.kernels)
    CHECK(busy_sms(s, kernel).busy == std::min<std::int64_t>(kernel.ctas, 132));
}

TEST_CASE("CTAs that share a head in released code count as they run") {
  const OptionValues shared = {{"algorithm", "flash1"}, {"tiling", "released-1"}, {"heads", "8"}, {"seqlen", "4096"}};
  CHECK(busy_sms(run(shared)).busy > 8);
}

TEST_CASE("the batch and heads that are proposed fill the card in every run, and half of that batch does not") {
  for (const OptionValues& options : {OptionValues{}, OptionValues{{"heads", "6"}}, OptionValues{{"gpu", "b200"}},
                                      OptionValues{{"heads", "8"}, {"kv-heads", "2"}, {"batch", "3"}}}) {
    std::vector<Simulation> runs;
    for (const char* algorithm : {"standard", "flash1", "flash2"}) {
      OptionValues one = options;
      one["algorithm"] = algorithm;
      runs.push_back(run(one));
    }
    const auto filling = batch_that_fills(runs);
    REQUIRE(filling.has_value());
    const auto all_full = [&](std::int64_t batch) {
      return std::all_of(runs.begin(), runs.end(), [&](const Simulation& s) {
        Scenario larger = s.plan.scenario;
        larger.shape.kv_heads *= filling->heads / larger.shape.heads;
        larger.shape.heads = filling->heads;
        larger.shape.batch = batch;
        return busy_sms(simulate(larger)).nearly_all();
      });
    };
    CHECK(all_full(filling->batch));
    const std::int64_t before = runs.front().plan.scenario.shape.batch;
    CHECK((filling->batch == before || !all_full(filling->batch / 2)));
  }
}

TEST_CASE("a single head is proposed 32 heads, and other heads stay") {
  const auto one = batch_that_fills({run({{"algorithm", "flash1"}})});
  REQUIRE(one.has_value());
  CHECK(one->batch == 4);
  CHECK(one->heads == 32);
  CHECK(batch_that_fills({run({{"algorithm", "flash1"}, {"heads", "6"}})})->heads == 6);
}

TEST_CASE("nothing is proposed that the memory of the GPU does not hold") {
  CHECK(!batch_that_fills({run({{"algorithm", "flash1"}, {"seqlen", "1048576"}, {"head-dim", "128"}})}));
}

TEST_CASE("the scenario shown at start fills the default GPU, whatever the algorithm") {
  for (const std::string& algorithm : names_with_queries()) {
    OptionValues options = filled_card();
    options["algorithm"] = algorithm;
    if (algorithm == "fmha") options.insert_or_assign("seqlen", "512");
    INFO(algorithm);
    CHECK(busy_sms(run(options)).nearly_all());
  }
}

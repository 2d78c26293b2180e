// The error of a predicted time: the rule of neighbours. A test of measurements/ checks that the generated table is up
// to date, since recorded times are part of it.
#include "sim/model/accuracy.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "sim/base/check.h"
#include "sim/base/embedded.h"
#include "sim/model/simulation.h"

using namespace sim;

namespace {

/// FlashAttention-2 forward on an H100 as the FlashAttention-3 paper measured it: batch x heads x N = 262,144, d 128.
Scenario published_scenario() {
  Scenario s;
  s.gpu = built_in_gpu("h100-sxm");
  s.shape = {.batch = 4, .heads = 16, .kv_heads = 16, .seqlen_q = 4096, .seqlen_k = 4096, .head_dim = 128};
  return s;
}

bool validated(void (*change)(Scenario&)) {
  Scenario s = published_scenario();
  change(s);
  return accuracy_of(s).validated;
}

}  // namespace

TEST_CASE("the table of errors survives being written and read again") {
  const std::vector<AccuracyRow>& rows = accuracy_table();
  REQUIRE(rows.size() > 10);
  CHECK(parse_accuracy(accuracy_csv(rows), "again.csv") == rows);
}

TEST_CASE("a scenario among published points has their mean error") {
  const Accuracy accuracy = accuracy_of(published_scenario());
  REQUIRE(accuracy.validated);
  double errors = 0;
  std::int64_t points = 0;
  for (const AccuracyRow& row : accuracy_table()) {
    if (row.gpu != "h100-sxm" || row.algorithm != "flash2" || !row.variant.empty() || row.pass != "forward" ||
        row.mask != "none" || row.dropout || row.shared)
      continue;
    if (row.smallest_d > 2 * published_scenario().shape.head_dim || row.is_wide()) continue;
    errors += row.error_percent * static_cast<double>(row.points), points += row.points;
  }
  REQUIRE(points > 6);
  CHECK(accuracy.error_percent.value() == Approx(errors / static_cast<double>(points)));
  CHECK(accuracy.where.starts_with(std::to_string(points) + " recorded times on h100-sxm (h100-"));
  Scenario released = published_scenario();
  released.tiling = TilingRule::released;
  CHECK_THAT(accuracy_of(released).where,
             Catch::Contains("published and recorded times on h100-sxm (fa3-paper-h100, h100-"));
  CHECK(simulate(published_scenario()).accuracy.where == accuracy.where);
}

TEST_CASE("a scenario next to published points counts as validated, up to a factor of two in N and d") {
  CHECK(validated([](Scenario& s) { s.shape.seqlen_q = s.shape.seqlen_k = 32768; }));
  CHECK(!validated([](Scenario& s) { s.shape.seqlen_q = s.shape.seqlen_k = 32769; }));
  CHECK(validated([](Scenario& s) { s.shape.batch = 128, s.shape.seqlen_q = s.shape.seqlen_k = 256; }));
  CHECK(!validated([](Scenario& s) { s.shape.batch = 128, s.shape.seqlen_q = s.shape.seqlen_k = 255; }));
  CHECK(validated([](Scenario& s) { s.shape.head_dim = 16; }));  // d 32 and 256 were recorded
  CHECK(!validated([](Scenario& s) { s.shape.head_dim = 15; }));
  CHECK(validated([](Scenario& s) { s.shape.head_dim = 512; }));
  CHECK(!validated([](Scenario& s) { s.shape.head_dim = 513; }));
  CHECK(validated([](Scenario& s) { s.shape.batch = 2; }));  // two times 16 heads of 8,192 rows were recorded
  CHECK(!validated([](Scenario& s) { s.shape.batch = 2, s.shape.heads = s.shape.kv_heads = 15; }));
}

TEST_CASE("a wide head has the error of points with wide heads alone") {
  Scenario common = published_scenario(), wide = common;
  wide.shape.head_dim = 256;
  CHECK(accuracy_of(wide).where.starts_with("1 recorded time on h100-sxm"));
  CHECK(accuracy_of(wide).error_percent.value() > accuracy_of(common).error_percent.value());
  wide.shape.head_dim = 129;
  CHECK(accuracy_of(wide).where.starts_with("1 recorded time on h100-sxm"));
}

TEST_CASE("a scenario of another kind than every published point is not validated") {
  CHECK(validated([](Scenario& s) { s.dtype = Dtype::bf16; }));
  CHECK(validated([](Scenario& s) { s.pass = Pass::forward_backward; }));
  CHECK(!validated([](Scenario& s) { s.dtype = Dtype::fp32; }));
  CHECK(!validated([](Scenario& s) { s.gpu = built_in_gpu("t4"); }));
  CHECK(!validated([](Scenario& s) { s.algorithm = "memory-efficient"; }));
  CHECK(!validated([](Scenario& s) { s.own["keys"] = 1; }));
  const auto flash3 = [](const std::string& option, std::int64_t value) {
    Scenario s;
    s.algorithm = "flash3";
    s.shape = {4, 16, 16, 4096, 4096, 128, {}};
    s.own[option] = value;
    return accuracy_of(s).validated;
  };
  CHECK(flash3("schedule", 0));
  CHECK(!flash3("schedule", 1));
  CHECK(flash3("stages", 2));
  CHECK(!flash3("stages", 1));
  CHECK(!flash3("grid", 1));
  CHECK(!validated([](Scenario& s) { s.tiling = TilingRule::paper; }));
  CHECK(!validated([](Scenario& s) { s.dropout = 0.1; }));  // recorded times are of older kernels
  CHECK(!validated([](Scenario& s) { s.dropout = 0.1, s.shape.mask.causal = true; }));
  CHECK(!validated([](Scenario& s) { s.shape.mask.window = 100; }));
  CHECK(!validated([](Scenario& s) { s.shape.mask.padding = 100; }));
  CHECK(!validated([](Scenario& s) { s.shape.kv_heads = 4; }));  // shared keys were recorded under causal alone
  CHECK(!validated([](Scenario& s) { s.shape.seqlen_k = 2048; }));
  CHECK(!validated([](Scenario& s) { s.br = 64; }));
  CHECK(!validated([](Scenario& s) { s.bc = 64; }));
  CHECK(!validated([](Scenario& s) { s.sram = 100'000; }));
  CHECK(validated([](Scenario& s) { s.shape.batch = std::int64_t{1} << 40; }));
  CHECK(!validated([](Scenario& s) { s.shape.seqlen_q = s.shape.seqlen_k = std::int64_t{1} << 62; }));
}

TEST_CASE("a mask is called by the one thing that it does") {
  CHECK(sim::mask_word({}) == "none");
  CHECK(sim::mask_word({.causal = true}) == "causal");
  CHECK(sim::mask_word({.padding = 3}) == "padding");
  CHECK(sim::mask_word({.causal = true, .padding = 3}) == "other");
  CHECK(sim::mask_word({.window = 3}) == "other");
}

TEST_CASE("heads that share K and V have the error of their own points, else a sentence on the known error") {
  Scenario s = published_scenario();
  const Accuracy own = accuracy_of(s);
  s.shape.kv_heads = 4;
  const Accuracy unknown = accuracy_of(s);
  CHECK(!unknown.validated);
  CHECK(unknown.known.starts_with("no published or recorded time with shared KV heads is near; with as many KV "));
  CHECK(unknown.known.ends_with(", the mean error against " + own.where));
  s.shape.mask.causal = true;
  s.shape.seqlen_q = s.shape.seqlen_k = 8192;
  const Accuracy recorded = accuracy_of(s);
  CHECK(recorded.validated);
  CHECK(recorded.known.empty());
  CHECK(recorded.where.find("h100-80gb-hbm3-2026-11-26-1530-families") != std::string::npos);
  CHECK(recorded.where.find("fa3-paper") == std::string::npos);
  s.gpu = built_in_gpu("t4");
  CHECK(accuracy_of(s).known.empty());
}

TEST_CASE("a user's device is not validated by the points of the built-in one of that name") {
  Scenario s = published_scenario();
  const std::string path = "machine/devices/h100-sxm.toml";
  s.gpu = std::make_shared<const DeviceSpec>(parse_device(embedded_text(path), "mine.toml"));
  CHECK(!accuracy_of(s).validated);
}

TEST_CASE("a wrong table of errors is refused with file, line and column") {
  const std::string good = accuracy_csv({AccuracyRow{.group = "g",
                                                     .algorithm = "flash2",
                                                     .shortest = 1,
                                                     .longest = 2,
                                                     .smallest_d = 1,
                                                     .largest_d = 1,
                                                     .least_rows = 1,
                                                     .points = 1}});
  CHECK(parse_accuracy(good, "a.csv").size() == 1);
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string wrong = good;
    wrong.replace(wrong.find(from), from.size(), to);
    try {
      parse_accuracy(wrong, "a.csv");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  CHECK(refused("shortest", "long").find("a.csv:1: column 9 is \"long\": expected \"shortest\"") == 0);
  CHECK(refused(",1,2,", ",0,2,").find("a.csv:2: shortest: \"0\" is not a whole number from 1") == 0);
  CHECK(refused(",0.0,0.0", ",0.0,nan") == "a.csv:2: bias_percent: \"nan\" is not a number");
  CHECK(refused(",0.0,0.0", ",,0.0") == "a.csv:2: error_percent: \"\" is not a number");
}

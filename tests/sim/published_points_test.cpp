// The tables of published numbers, and the reader's errors on wrong ones.
#include <catch2/catch.hpp>
#include <map>
#include <regex>

#include "sim/base/check.h"
#include "sim/model/published.h"

using namespace sim;

namespace {

const std::string header =
    "group,source,gpu,clock_mhz,software,algorithm,variant,pass,batch,heads,kv_heads,seqlen,head_dim,dtype,causal,"
    "dropout,padding,quantity,value,standing,note\n";

/// A valid row with some cells replaced.
std::string row(const std::map<std::string, std::string>& changed) {
  const std::vector<std::pair<std::string, std::string>> good = {{"group", "g"},      {"source", "paper, table 1"},
                                                                 {"gpu", "h100-sxm"}, {"clock_mhz", "1830"},
                                                                 {"software", ""},    {"algorithm", "flash2"},
                                                                 {"variant", ""},     {"pass", "forward"},
                                                                 {"batch", "4"},      {"heads", "16"},
                                                                 {"kv_heads", "16"},  {"seqlen", "4096"},
                                                                 {"head_dim", "64"},  {"dtype", "fp16"},
                                                                 {"causal", "1"},     {"dropout", "0.1"},
                                                                 {"padding", "10"},   {"quantity", "tflops"},
                                                                 {"value", "300.5"},  {"standing", "score"},
                                                                 {"note", ""}};
  std::string out;
  for (const auto& [name, value] : good) {
    const auto found = changed.find(name);
    out += (out.empty() ? "\"" : ",\"") + (found == changed.end() ? value : found->second) + "\"";
  }
  return header + out + "\n";
}

std::string error_message(const std::string& column, const std::string& value) {
  try {
    parse_published(row({{column, value}}), "p.csv");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("a published point is read with its scenario and its clock") {
  const PublishedPoint p = parse_published(row({}), "p.csv").at(0);
  CHECK(p.source == "paper, table 1");
  CHECK(p.scenario.shape.mask.causal);
  CHECK(p.scenario.shape.mask.padding == 10);
  CHECK(p.scenario.dropout == 0.1);
  CHECK(p.value == 300.5);
  const PublishedPoint slow = parse_published(row({{"clock_mhz", "1000"}}), "p.csv").at(0);
  CHECK(scenario_of(slow).gpu->clock_hz == 1'000'000'000);
  CHECK(scenario_of(slow).gpu->wgmma_clock_hz == 1'000'000'000);
  CHECK(scenario_of(slow).gpu->name == "h100-sxm");
}

TEST_CASE("a fit sees scored numbers, and of a table that names numbers for it only those") {
  CHECK(parse_published(row({}), "p.csv").at(0).for_fit);
  CHECK_FALSE(parse_published(row({{"standing", "ratio"}}), "p.csv").at(0).for_fit);
  const std::string fit = row({{"standing", "fit"}});
  const std::vector<PublishedPoint> both = parse_published(fit + row({}).substr(header.size()), "p.csv");
  CHECK(both.at(0).for_fit);
  CHECK_FALSE(both.at(1).for_fit);
}

TEST_CASE("a table of schedules names them in its last column") {
  std::string csv = row({{"algorithm", "flash3"}, {"dropout", "0"}});
  csv.replace(csv.find(",note") + 5, 0, ",schedule").replace(csv.size() - 1, 0, ",ping-pong");
  CHECK_THAT(description_of(parse_published(csv, "p.csv").at(0)), Catch::Contains(", ping-pong on h100-sxm"));
}

TEST_CASE("a table of few queries has their number in a separate last column") {
  std::string csv = row({{"algorithm", "flash-decoding"}, {"kv_heads", "2"}});
  csv.replace(csv.find(",note") + 5, 0, ",seqlen_q").replace(csv.size() - 1, 0, ",1");
  const PublishedPoint p = parse_published(csv, "p.csv").at(0);
  CHECK(p.scenario.shape.seqlen_q == 1);
  CHECK(p.scenario.shape.seqlen_k == 4096);
  CHECK_THAT(description_of(p), Catch::Contains("N 4096, d 64, KV heads 2, queries 1"));
  csv.replace(csv.find("seqlen_q"), 8, "seqlen_w");
  CHECK_THROWS_WITH(parse_published(csv, "p.csv"), Catch::Contains("seqlen_q"));
}

TEST_CASE("an error in a published table names file, line, column and what is allowed") {
  CHECK(error_message("group", "") == "p.csv:2: group: is empty: expected a short name");
  CHECK(error_message("source", "") == "p.csv:2: source: is empty: expected paper, figure or table");
  CHECK(error_message("gpu", "h100").find("p.csv:2: unknown GPU \"h100\": did you mean \"h100-sxm\"?") == 0);
  CHECK(error_message("clock_mhz", "fast") == "p.csv:2: clock_mhz: \"fast\" is not a whole number from 1 to 10000");
  CHECK(error_message("algorithm", "flash7").find("p.csv:2: unknown algorithm \"flash7\"") == 0);
  CHECK(error_message("variant", "old") ==
        "p.csv:2: variant: \"old\" is unknown: allowed are nothing, released and released-1");
  CHECK(error_message("pass", "both").find("p.csv:2: unknown pass \"both\"") == 0);
  CHECK(error_message("kv_heads", "5").find("p.csv:2: ") == 0);
  CHECK(error_message("seqlen", "1e3").find("p.csv:2: seqlen: \"1e3\" is not a whole number") == 0);
  CHECK(error_message("causal", "yes").find("p.csv:2: unknown causal \"yes\"") == 0);
  CHECK(error_message("dropout", "1").find("p.csv:2: dropout: 1 is not in [0, 1)") == 0);
  CHECK(error_message("quantity", "seconds").find("p.csv:2: quantity: unknown word \"seconds\"") == 0);
  CHECK(error_message("standing", "good").find("p.csv:2: standing: unknown word \"good\"") == 0);
  CHECK(error_message("standing", "contradicted") ==
        "p.csv:2: note: is empty: a contradicted number names what contradicts it");
  CHECK(error_message("quantity", "speedup") ==
        "p.csv:2: standing: a speedup is not scored: allowed are ratio and contradicted");
}

TEST_CASE("a published value is a positive decimal number") {
  for (const char* wrong : {"", "0", "-1", "1e3", "nan", "inf", "1.2.3", ".", "1,5", " 1", "0x10", "99999999999"}) {
    CAPTURE(wrong);
    CHECK(error_message("value", wrong).find("p.csv:2: value: ") == 0);
  }
  CHECK(error_message("value", "0.04") == "no error");
}

TEST_CASE("every embedded table of published numbers parses, and every contradicted number has a reason") {
  REQUIRE(published_points().size() > 300);
  for (const PublishedPoint& p : published_points()) {
    if (p.standing == Standing::contradicted) CHECK(p.note.find("contradicted by") == 0);
    const bool released = p.scenario.algorithm == "flash1" || p.scenario.algorithm == "flash2";
    CHECK(released == p.variant.starts_with("released"));
  }
}

TEST_CASE("the source of each published number names its place, or that the place is not found") {
  const std::regex place(
      "arXiv [0-9]{4}\\.[0-9]{5}.*, (figure|table|section) [0-9]|"
      "^[\\w-]+/[\\w-]+ (issue [0-9]|pull request [0-9]|README, table )|"
      "^[\\w-]+/[\\w-]+.*(README|\\.md|\\.json)|"
      "blog of [0-9]+ [A-Z][a-z]+ [0-9]{4}, |"
      "arXiv [0-9]{4}\\.[0-9]{5}, place not found$");
  for (const PublishedPoint& p : published_points()) {
    CAPTURE(p.group, p.source);
    CHECK(std::regex_search(p.source, place));
  }
}

TEST_CASE("an unsure published number is shown, not scored") {
  std::int64_t unsure = 0;
  for (const PublishedPoint& p : published_points()) {
    if (p.note.find("unsure") == std::string::npos) continue;
    CHECK(p.standing == Standing::shown);
    ++unsure;
  }
  CHECK(unsure == 26);
}

TEST_CASE("published speeds of a scenario are those of its shape and schedule, the least and the most") {
  const auto speeds = [](OptionValues more) {
    OptionValues values = {
        {"algorithm", "flash3"}, {"batch", "4"}, {"heads", "16"}, {"seqlen", "8448"}, {"head-dim", "128"}};
    for (const auto& [name, value] : more) values[name] = value;
    return published_speeds(scenario_from(values, built_in_gpu));
  };
  CHECK(speeds({}) == std::pair(650., 661.));
  CHECK(speeds({{"schedule", "ping-pong"}}) == std::pair(620., 640.));
  CHECK(speeds({{"schedule", "warp-specialised"}}) == std::pair(570., 582.));
  CHECK_FALSE(speeds({{"schedule", "serial"}}));
  CHECK_FALSE(speeds({{"heads", "17"}}));
  CHECK_FALSE(speeds({{"gpu", "h200"}}));
}

TEST_CASE("rated FLOPs convert the TFLOP/s of a paper to its milliseconds") {
  // Shah et al. 2024, table 2, prints both: 3.538 ms and 661 TFLOP/s at batch 4, N 8448, H 16, d 128.
  PublishedPoint p =
      parse_published(row({{"seqlen", "8448"}, {"head_dim", "128"}, {"causal", "0"}, {"value", "661"}}), "p.csv").at(0);
  CHECK(published_microseconds(p).value() == Approx(3538).epsilon(0.001));
  const double forward = attention_flops(p.scenario);
  p.scenario.shape.mask.causal = true;
  CHECK(attention_flops(p.scenario) == forward / 2);
  p.scenario.pass = Pass::backward;
  CHECK(attention_flops(p.scenario) == forward / 2 * 2.5);
  p.scenario.pass = Pass::forward_backward;
  CHECK(attention_flops(p.scenario) == forward / 2 * 3.5);
}

#include <catch2/catch.hpp>
#include <cstring>

#include "kernels/measurements/recorded.h"
#include "sim/programs/plan.h"
#include "tests/measurements/example.h"

using namespace measurements;

namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string error_of(const std::string& text) {
  try {
    parse_recording(text, "x.csv");
  } catch (const sim::Error& error) {
    return error.what();
  }
  return "";
}

sim::Scenario small_scenario() {
  return sim::scenario_from({{"heads", "2"}, {"seqlen", "256"}, {"causal", "1"}, {"gpu", "h200"}},
                            [](const std::string& name) { return sim::built_in_gpu(name); });
}

}  // namespace

TEST_CASE("a recording states where, when and how its figures were measured") {
  const Recording r = parse_recording(example_recording, "example.csv");
  CHECK(r.device == "Example H200");
  CHECK(r.gpu == "h200");
  CHECK(r.driver == "1.2.3");
  CHECK(r.date == "2026-01-02T03:04:05Z");
  CHECK(r.command == "flashscope bench --scenarios default");
  REQUIRE(r.figures.size() == 5);
  const Figure& time = r.figures[0];
  CHECK(time.line == 10);
  CHECK(time.kernel == "flash2_mma");
  CHECK(time.caches == Caches::cold);
  CHECK(time.value == 20.5);
  CHECK(time.high == 21.25);
  CHECK(time.runs == 30);
  CHECK(time.sm_mhz == 1755);
  REQUIRE(time.scenario);
  CHECK(time.scenario->shape.heads == 2);
  CHECK(time.scenario->gpu->name == "h200");
  CHECK_FALSE(r.figures[4].scenario);
  CHECK(label_of(r) == "Example H200, driver 1.2.3, 2026-01-02 (example.csv)");
}

TEST_CASE("a recording is unchanged byte for byte when parsed and written") {
  CHECK(to_text(parse_recording(example_recording, "example.csv")) == example_recording);
}

TEST_CASE("a recording keeps the parts and the pattern of a scenario") {
  const std::string decoding = "flash-decoding,forward,1,8,2,1,4000,64,fp16,0,,0,0,,,3,,,";
  const std::string sparse = "flash2-block-sparse,backward,1,2,2,256,256,64,fp16,1,,0,0,,,,\"local-global:1,2\",,";
  const std::string one = "flash2,forward,1,2,2,256,256,64,fp16,1,,0,0,,,,,,";
  const std::string text = replaced(replaced(example_recording, one, decoding), one, sparse);
  const Recording r = parse_recording(text, "x.csv");
  CHECK(sim::own_option(*r.figures[0].scenario, "splits") == 3);
  CHECK(sim::text_of(r.figures[1].scenario->pattern) == "local-global:1,2");
  CHECK(to_text(r) == text);
  CHECK_THAT(error_of(replaced(text, "\"local-global:1,2\"", "mask.pbm")),
             Catch::Contains("x.csv:11: pattern: a recording cannot hold a picture"));
}

TEST_CASE("a recording keeps the lengths of a ragged batch, and finds its figures by them") {
  const std::string one = "flash2,forward,1,2,2,256,256,64,fp16,1,,0,0,,,,,,";
  const std::string ragged = "flash2,forward,,2,2,,,64,fp16,1,,,0,,,,,\"1 256 256, 2 1 300\",";
  const std::string text = replaced(example_recording, one, ragged + "longest");
  const std::vector<Recording> all = {parse_recording(text, "x.csv")};
  CHECK(to_text(all[0]) == text);
  sim::Scenario s = sim::make_plan(*all[0].figures[0].scenario).scenario;
  CHECK(s.shape.batch == 3);
  CHECK(s.issue == sim::IssueOrder::longest);
  CHECK(options_of(s) == all[0].figures[0].options);
  CHECK(recorded_of(all, s, "flash2_mma").size() == 1);
  s.issue = sim::IssueOrder::file;
  CHECK(recorded_of(all, s, "flash2_mma").empty());
  sim::Scenario alike = *all[0].figures[1].scenario;
  CHECK(recorded_of(all, alike, "flash2_mma").size() == 2);
  alike.sequences = std::make_shared<const sim::SequenceClasses>(sim::SequenceClasses{{1, 256, 256}});
  CHECK(recorded_of(all, alike, "flash2_mma").empty());
  CHECK(error_of(replaced(text, "\"1 256 256, 2 1 300\"", "lengths.txt")) ==
        "x.csv:10: seqlens: a recording holds the lengths themselves, not the name of a file");
  CHECK_THAT(error_of(replaced(text, "forward,,2,2", "forward,3,2,2")), Catch::Contains("x.csv:10: batch: "));
}

TEST_CASE("a recording keeps the prefix, the score steps and the sinks of a scenario, and finds its figures by them") {
  const std::string one = "flash2,forward,1,2,2,256,256,64,fp16,1,,0,0,,,,,,,,,,";
  const std::string text =
      replaced(example_recording, one, "flash2,forward,1,2,2,256,256,64,fp16,1,,0,0,,,,,,,20,30,1,\"0.5,-inf\"");
  const std::vector<Recording> all = {parse_recording(text, "x.csv")};
  CHECK(to_text(all[0]) == text);
  sim::Scenario s = *all[0].figures[0].scenario;
  CHECK(s.shape.mask.prefix == 20);
  CHECK(options_of(s) == all[0].figures[0].options);
  CHECK(recorded_of(all, s, "flash2_mma").size() == 1);
  s.score_steps["softcap"] = "50";
  CHECK(recorded_of(all, s, "flash2_mma").empty());
  s.score_steps["softcap"] = "30";
  s.sinks = nullptr;
  CHECK(recorded_of(all, s, "flash2_mma").empty());
}

TEST_CASE("a recording keeps the pages and the partition of a scenario, and finds its figures by them") {
  const std::string one = "flash2,forward,1,2,2,256,256,64,fp16,1,,0,0,,,,,,,,,,,,";
  const std::string text =
      replaced(example_recording, one, "paged-attention,forward,1,2,2,1,256,64,fp16,1,,0,0,,,,,,,,,,,32,128");
  const std::vector<Recording> all = {parse_recording(text, "x.csv")};
  CHECK(to_text(all[0]) == text);
  sim::Scenario s = *all[0].figures[0].scenario;
  CHECK(s.page_size == 32);
  CHECK(sim::own_option(s, "partition") == 128);
  CHECK(options_of(s) == all[0].figures[0].options);
  CHECK(recorded_of(all, s, "flash2_mma").size() == 1);
  s.page_size = 16;
  CHECK(recorded_of(all, s, "flash2_mma").empty());
}

TEST_CASE(
    "recordings from before there were columns for parts, pattern, lengths, score steps, sinks and pages can be read") {
  std::string text = example_recording;
  const auto shorten = [&](const std::string& columns, const std::string& row, const std::string& ceiling) {
    const auto fewer = static_cast<std::size_t>(std::count(columns.begin(), columns.end(), ','));
    text = replaced(text, columns, "");
    for (int n = 0; n < 4; ++n) text = replaced(text, row, row.substr(0, row.size() - fewer));
    text = replaced(text, ceiling, "fp16" + ceiling.substr(4 + fewer));
    CHECK(to_text(parse_recording(text, "x.csv")) == example_recording);
  };
  shorten("page-size,partition,", ",,0,0,,,,,,,,,,,,,", "fp16,,,,,,,,,,,,,,,,,,matmul");
  shorten("sink,", ",,0,0,,,,,,,,,,,", "fp16,,,,,,,,,,,,,,,,matmul");
  shorten("prefix,softcap,alibi,", ",,0,0,,,,,,,,,,", "fp16,,,,,,,,,,,,,,,matmul");
  shorten("seqlens,issue,", ",,0,0,,,,,,,", "fp16,,,,,,,,,,,,matmul");
  shorten("splits,pattern,", ",0,0,,,,,", "fp16,,,,,,,,,,matmul");
  CHECK_THAT(error_of(replaced(text, ",br,bc,", ",bc,br,")), Catch::Contains("x.csv:1: column 15 is \"bc\""));
}

TEST_CASE("a column that recordings do not have is refused by its name") {
  const std::string good = example_recording;
  CHECK_THAT(error_of(replaced(good, ",splits,", ",split,")),
             Catch::StartsWith("x.csv:1: unknown column \"split\": did you mean \"splits\"?"));
  std::string wider = replaced(good, ",watts\n", ",watts,colour\n");
  for (const char* end : {",402.5\n", ",402.5\n", ",1,,\n", ",30,,\n", ",690\n"})
    wider = replaced(wider, end, std::string(end, std::strlen(end) - 1) + ",red\n");
  CHECK_THAT(error_of(wider), Catch::StartsWith("x.csv:1: unknown column \"colour\""));
  CHECK(error_of(replaced(good, "kernel,algorithm", "algorithm,kernel")) ==
        "x.csv:1: column 1 is \"algorithm\": expected \"kernel\"");
}

TEST_CASE("an error in a recording is reported with its position") {
  const std::string good = example_recording;
  CHECK(error_of("kernel,algorithm\n") == "x.csv:1: is not a recording: expected \"# FlashScope recording 1\"");
  CHECK(error_of(replaced(good, "# driver: 1.2.3\n", "")) == "x.csv: has no \"# driver: ...\"");
  CHECK_THAT(error_of(replaced(good, "# driver", "# diver")), Catch::Contains("x.csv:4: unknown key \"diver\""));
  CHECK(error_of(replaced(good, "# driver", "# dr\x19ver")) ==
        "x.csv:4: a control character: only printable text is allowed");
  CHECK(error_of(replaced(good, "# gpu: h200", "# driver: 9")) == "x.csv:4: driver is given more than once");
  CHECK_THAT(error_of(replaced(good, "# gpu: h200", "# gpu: h21")), Catch::Contains("x.csv:10: "));
  CHECK_THAT(error_of(replaced(good, ",cold,", ",cool,")),
             Catch::Contains("x.csv:10: caches: \"cool\" is unknown: allowed are cold, warm and nothing"));
  CHECK_THAT(error_of(replaced(good, "20.5,20.1", "nan,20.1")), Catch::Contains("x.csv:10: value: \"nan\" is not"));
  CHECK_THAT(error_of(replaced(good, "20.5,20.1", "1e19,20.1")),
             Catch::Contains("x.csv:10: value: \"1e19\" is not a number from 0 to 1e+18"));
  CHECK_THAT(error_of(replaced(good, "20.5,20.1", "0,0")), Catch::Contains("x.csv:10: value: is 0"));
  CHECK_THAT(error_of(replaced(good, "time,us", "time,ms")),
             Catch::Contains("x.csv:10: unit: \"ms\" is not the unit of time, which is us"));
  CHECK_THAT(error_of(replaced(good, "sum,byte", "sum,Kbyte")), Catch::Contains("is not the unit of dram__bytes_read"));
  CHECK_THAT(error_of(replaced(good, "20.5,20.1", "20.5,20.6")),
             Catch::Contains("x.csv:10: value: is not between low and high"));
  CHECK_THAT(error_of(replaced(good, "21.25,30", "21.25,0")), Catch::Contains("x.csv:10: runs"));
  CHECK_THAT(error_of(replaced(good, ",1755,", ",17550,")), Catch::Contains("x.csv:10: sm_mhz: is above 10000 MHz"));
  CHECK_THAT(error_of(replaced(good, "flash2,forward", "flash9,forward")), Catch::Contains("x.csv:10: "));
}

TEST_CASE("figures are found by the work, the kernel and the GPU") {
  const std::vector<Recording> all = {parse_recording(example_recording, "a.csv")};
  sim::Scenario s = small_scenario();
  CHECK(recorded_of(all, s, "flash2_mma").size() == 3);
  CHECK(recorded_of(all, s, "flash2").empty());
  s.gpu = sim::built_in_gpu("h100-sxm");
  CHECK(recorded_of(all, s, "flash2_mma").empty());
  CHECK(gpus_with(all, s, "flash2_mma") == std::vector<std::string>{"h200"});
  s.shape.seqlen_q = 255;
  CHECK(gpus_with(all, s, "flash2_mma").empty());
}

TEST_CASE("of two recordings of a figure the later one counts") {
  const std::vector<Recording> all = {parse_recording(example_recording, "a.csv"),
                                      parse_recording(replaced(example_recording, "20.5,20.1", "20.75,20.1"), "b.csv")};
  const auto found = recorded_of(all, small_scenario(), "flash2_mma");
  REQUIRE(found.size() == 3);
  for (const Recorded& each : found) CHECK(each.recording->origin == "b.csv");
}

TEST_CASE("a user's device has no recordings, even under the name of a built-in one") {
  const std::vector<Recording> all = {parse_recording(example_recording, "a.csv")};
  sim::Scenario s = small_scenario();
  sim::DeviceSpec mine = *s.gpu;
  mine.built_in = false;
  s.gpu = std::make_shared<const sim::DeviceSpec>(mine);
  CHECK(recorded_of(all, s, "flash2_mma").empty());
}

TEST_CASE("recorded times between events and counts are compared in the program's units, cold caches first") {
  const std::vector<Recording> all = {parse_recording(example_recording, "a.csv")};
  const std::vector<Beside> beside = beside_program(recorded_of(all, small_scenario(), "flash2_mma"));
  REQUIRE(beside.size() == 2);
  CHECK(beside[0].metric->quantity == std::string("hbm_traffic.read_bytes"));
  CHECK(beside[0].value == 200000);
  CHECK(beside[1].metric->quantity == std::string("time.microseconds"));
  CHECK(beside[1].value == 20.5);
  CHECK(label_of(beside[1].recorded) == "Example H200, driver 1.2.3, 2026-01-02 (a.csv), cold caches");
  const std::vector<Beside> warm = beside_program(recorded_of(all, small_scenario(), "pytorch-flash"));
  REQUIRE(warm.size() == 1);
  CHECK_THAT(label_of(warm[0].recorded), Catch::EndsWith(", warm caches"));
}

TEST_CASE("if no time between events was recorded the hardware's own is taken, in microseconds") {
  const std::string text =
      replaced(example_recording, "warm,time,us,18.5,18.1,19.25", "warm,gpu__time_duration.sum,ns,18500,18100,19250");
  const std::vector<Recording> all = {parse_recording(text, "a.csv")};
  const std::vector<Beside> beside = beside_program(recorded_of(all, small_scenario(), "pytorch-flash"));
  REQUIRE(beside.size() == 1);
  CHECK(beside[0].value == 18.5);
}

TEST_CASE("the kernel of a scenario is the one on tensor cores if there is one") {
  sim::Scenario s = small_scenario();
  CHECK(default_kernel(s) == "flash2_mma");
  s.dtype = sim::Dtype::fp32;
  CHECK(default_kernel(s) == "flash2");
  s.algorithm = "standard";
  CHECK(default_kernel(s) == "standard");
}

TEST_CASE("every embedded recording can be read") { CHECK_NOTHROW(recordings()); }

// flashscope bench on the emulated device: its output, files and rejected input. Its times are this CPU's.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "kernels/measurements/recording.h"
#include "kernels/verify/choice.h"
#include "sim/base/npy.h"
#include "sim/programs/run.h"
#include "tests/support/program.h"
#include "viz/terminal/bench/scenarios.h"
#include "viz/terminal/request.h"
#include "viz/terminal/verify/scenario_list.h"

using Catch::Contains;
using Json = nlohmann::json;
using program::check_refused;
using program::Folder;

namespace {

const std::vector<std::string> tiny = {"bench",      "--device", "emulated",  "--seqlen", "40",
                                       "--head-dim", "32",       "--seconds", "0.001"};

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

TEST_CASE("bench without a GPU ends with exit code 3 and tells how to try it") {
  const program::Result result = program::run({"bench"});
  if (result.exit_code == 0) return;  // this machine has a GPU
  CHECK(result.exit_code == 3);
  CHECK(result.out.empty());
  CHECK_THAT(result.err, Contains("device cuda: ") && Contains("take --device emulated"));
}

TEST_CASE("bench on the emulated device warns that its times do not predict a GPU") {
  const program::Result result = program::run(tiny);
  CHECK(result.exit_code == 0);
  CHECK(result.err == "warning: the emulated device: its times are this CPU's and tell nothing about a GPU\n");
  CHECK_THAT(result.out, Contains("batch 1, heads 1, N 40, d 32, fp16") && Contains("cold") && Contains("warm") &&
                             Contains("note: matmul ceiling: the emulated device has none"));
}

TEST_CASE("bench notes that predicted times are not those of plain kernels") {
  const std::string note = "note: predicted times are of kernels that reach the rates of the device; the plain kernels";
  CHECK_THAT(program::run(with(tiny, {"--kernel", "flash2"})).err, Contains(note));
  CHECK_THAT(program::run(with(tiny, {"--dtype", "fp32", "--format", "json"})).err, Contains(note));
}

TEST_CASE("bench writes a recording that can be read, with every option of its scenarios") {
  const Folder folder;
  program::write_file(
      folder / "list.txt",
      "# two scenarios\n--causal --kernel flash2_mma\nalgorithm=flash1&padding=3&pass=backward&dtype=fp32\n");
  const auto result = program::run(
      folder, with(tiny, {"--scenarios", "list.txt", "--output", "out.csv", "--caches", "warm", "--commit", "abc"}));
  REQUIRE(result.exit_code == 0);
  const auto r = measurements::parse_recording(program::read_file(folder / "out.csv"), "out.csv");
  CHECK(r.gpu.empty());
  CHECK_THAT(r.device, Contains("emulated device"));
  CHECK(r.commit == "abc");
  CHECK_THAT(r.command, Contains("flashscope bench") && Contains("--scenarios list.txt"));
  REQUIRE(r.figures.size() == 2);
  CHECK(r.figures[0].kernel == "flash2_mma");
  CHECK(r.figures[0].options.at("causal") == "1");
  CHECK(r.figures[0].caches == measurements::Caches::warm);
  CHECK(r.figures[1].options.at("padding") == "3");
  CHECK(r.figures[1].options.at("pass") == "backward");
  CHECK(r.figures[1].options.at("dtype") == "fp32");
  CHECK(r.figures[1].value > 0);
}

TEST_CASE("bench times a ragged batch, with its lengths in the recording and packed rows in its folder") {
  const Folder folder;
  program::write_file(folder / "lengths.txt", "2 5 9  # two short ones\n1 30 40\n");
  const std::vector<std::string> ragged = {
      "bench",  "--device",         "emulated",   "--seqlens", "lengths.txt", "--heads", "4",
      "--pass", "forward+backward", "--kv-heads", "2",         "--head-dim",  "32",      "--seconds",
      "0.001",  "--issue",          "longest",    "--caches",  "warm"};
  const auto result = program::run(folder, with(ragged, {"--output", "out.csv", "--output-dir", "results"}));
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  const auto r = measurements::parse_recording(program::read_file(folder / "out.csv"), "out.csv");
  REQUIRE(r.figures.size() == 1);
  CHECK(r.figures[0].kernel == "flash2_mma");
  CHECK(r.figures[0].options.at("seqlens") == "2 5 9, 1 30 40");
  CHECK(r.figures[0].options.at("issue") == "longest");
  for (const char* of_one_length : {"batch", "seqlen-q", "seqlen-k"})
    CHECK(r.figures[0].options.count(of_one_length) == 0);
  CHECK_THAT(program::read_file(folder / "results/scenario.txt"), Contains("seqlens=2 5 9, 1 30 40"));
  const auto axes = [&](const char* name) { return sim::read_npy(folder / (std::string("results/") + name)).shape; };
  CHECK(axes("Q.npy") == std::vector<std::int64_t>{40, 4, 32});
  CHECK(axes("dK.npy") == std::vector<std::int64_t>{58, 2, 32});
  const Json row = Json::parse(program::run(folder, with(ragged, {"--format", "json"})).out).at("rows").at(0);
  const Json& time = row.at("times").at(0);
  const double flops = time.at("tflops").get<double>() * time.at("microseconds").at("median").get<double>() * 1e6;
  CHECK(flops == Approx(3.5 * 4 * 32 * 4 * (2 * 5 * 9 + 30 * 40)));
  CHECK(row.at("ok") == true);
  CHECK(row.at("scenario").at("seqlens") == "2 5 9, 1 30 40");
  std::string many;
  for (int n = 1; n <= 60; ++n) many += (many.empty() ? "" : ", ") + std::to_string(n) + " 1000 1000";
  check_refused(folder, {"bench", "--device", "emulated", "--seqlens", many},
                {"seqlens: takes ", "cells have at most 500"});
  check_refused(folder, {"bench", "--device", "emulated", "--seqlens", "2 5 9", "--algorithm", "flash1"},
                {"seqlens: the kernels flash1 take batch entries of one length"});
}

TEST_CASE("bench prints its recording as CSV, and JSON with every number") {
  const program::Result csv = program::run(with(tiny, {"--format", "csv"}));
  CHECK(measurements::parse_recording(csv.out, "stdout").figures.size() == 2);
  const Json json = Json::parse(program::run(with(tiny, {"--format", "json", "--pass", "forward+backward"})).out);
  CHECK(json.at("gpu").is_null());
  CHECK(json.at("matmul_tflops").is_null());
  CHECK(json.at("ok") == true);
  const Json& row = json.at("rows").at(0);
  CHECK(row.at("kernel") == "flash2_mma");
  CHECK(row.at("scenario").at("seqlen") == 40);
  CHECK(row.at("times").size() == 2);
  CHECK(row.at("times").at(0).at("caches") == "cold");
  CHECK(row.at("predicted_microseconds").is_null());
  CHECK(row.at("values").size() == 4);
}

TEST_CASE("rates count the pairs that a window, padding or a pattern leaves, and the usual formula otherwise") {
  const auto pairs = [](const std::vector<std::string>& words) {
    const Json json = Json::parse(program::run(with(tiny, with({"--format", "json"}, words))).out);
    const Json& time = json.at("rows").at(0).at("times").at(0);
    const double flops = time.at("tflops").get<double>() * time.at("microseconds").at("median").get<double>() * 1e6;
    return flops / (4 * 32);
  };
  CHECK(pairs({}) == Approx(40 * 40));
  CHECK(pairs({"--causal"}) == Approx(40 * 40 / 2.0));
  CHECK(pairs({"--causal", "--window", "9"}) == Approx(55 + 30 * 10));  // 1 + 2 + .. + 10, and 10 for each later query
  CHECK(pairs({"--padding", "4"}) == Approx(40 * 36));
  const std::vector<std::string> diagonal = {
      "--algorithm", "flash2-block-sparse", "--dtype", "fp32", "--pattern", "window:0", "--br", "16", "--bc", "16"};
  CHECK(pairs(diagonal) == Approx(2 * 16 * 16 + 8 * 8));
}

TEST_CASE("bench writes the inputs and the results of a scenario for comparison by others") {
  const Folder folder;
  const auto result = program::run(folder, with(tiny, {"--heads", "2", "--pass", "forward+backward", "--causal",
                                                       "--output-dir", "results", "--inputs-dir", "inputs"}));
  REQUIRE(result.exit_code == 0);
  CHECK(program::read_file(folder / "results/scenario.txt") ==
        "algorithm=flash2&batch=1&causal=1&dropout=0&dtype=fp16&head-dim=32&heads=2&kv-heads=2&padding=0&"
        "pass=forward+backward&seqlen-k=40&seqlen-q=40\n");
  const auto read = [&](const std::string& name) { return sim::read_npy(folder / name); };
  sim::Scenario s;
  s.pass = sim::Pass::forward_backward;
  s.shape = {1, 2, 2, 40, 40, 32, {true}};
  sim::AttentionInputs inputs = sim::draw_inputs(s.shape, s.dtype, s.seed);
  inputs.d_o = sim::draw_output_gradient(s.shape, s.dtype, s.seed);
  CHECK(read("results/Q.npy").values == inputs.q);
  CHECK(read("inputs/dO.npy").values == inputs.d_o);
  CHECK(read("inputs/V.npy").shape == std::vector<std::int64_t>{2 * 40 * 32});
  CHECK(read("results/O.npy").shape == std::vector<std::int64_t>{1, 2, 40, 32});
  CHECK(read("results/L.npy").shape == std::vector<std::int64_t>{1, 2, 40});
  const sim::AttentionReference reference = sim::attention_reference(s.shape, 1 / std::sqrt(32.0), inputs);
  const sim::NpyArray o = read("results/O.npy");
  for (std::size_t n = 0; n < o.values.size(); ++n) REQUIRE(std::abs(o.values[n] - reference.o[n]) < 2e-3);
  CHECK(read("results/dK.npy").dtype == "f2");
  CHECK_THAT(program::read_file(folder / "results/complete.json"), Contains("scenario.txt") && Contains("dK.npy"));
  CHECK(std::filesystem::exists(folder / "inputs/complete.json"));
}

TEST_CASE("wrong use of bench is refused before anything runs") {
  const Folder folder;
  program::write_file(folder / "bad.txt", "--seqlen 40\n--seqlen nine\n");
  program::write_file(folder / "two.txt", "--seqlen 40\n--seqlen 41\n");
  check_refused(folder, with(tiny, {"--runs", "2"}), {"runs", "from 3 to 10000"});
  check_refused(folder, {"bench", "--device", "emulated", "--seconds", "nan"}, {"seconds", "0.001 to 3600"});
  check_refused(folder, with(tiny, {"--scenarios", "bad.txt"}), {"bad.txt:2", "nine"});
  check_refused(folder, with(tiny, {"--scenarios", "nowhere.txt"}), {"nowhere.txt"});
  check_refused(folder, with(tiny, {"--scenarios", "two.txt", "--output-dir", "x"}), {"output-dir", "here are 2"});
  program::write_file(folder / "dtypes.txt", "--dtype fp16\n--dtype bf16\n");
  const program::Result dtypes = program::run(folder, with(tiny, {"--scenarios", "dtypes.txt", "--inputs-dir", "x"}));
  CHECK(dtypes.exit_code == 2);
  CHECK_THAT(dtypes.err, Contains("inputs-dir: takes scenarios of one dtype and seed"));
  check_refused(folder, with(tiny, {"--output", "no/such/folder/x.csv"}), {"no/such/folder"});
  check_refused(folder, with(tiny, {"--kernel", "flash9"}), {"flash9"});
  check_refused(folder, {"bench", "--device", "emulated", "--seqlen", "1000000", "--heads", "64"},
                {"on the emulated device"});
  check_refused(folder, with(tiny, {"--algorithm", "memory-efficient"}), {"memory-efficient", "has no kernel"});
  const std::string dots(600, '.');
  check_refused(folder, with(tiny, {"--algorithm", "flash2-block-sparse", "--pattern", dots}), {"pattern"});
  CHECK_FALSE(std::filesystem::exists(folder / "x"));
}

TEST_CASE("every scenario of the built-in lists of bench has its kernel") {
  std::set<std::string> families;
  for (const std::string& name : terminal::bench_lists()) {
    const auto list = terminal::parse_scenarios(terminal::bench_list(name), name, {{"gpu", "h200"}}, std::nullopt);
    for (const terminal::ListedScenario& each : list) {
      INFO(each.where << ": " << each.text);
      const sim::Plan plan = sim::make_plan(sim::scenario_from(each.options, terminal::find_gpu));
      families.insert(kernels::choose_kernel(plan, each.kernel, dev::Flavour::emulated));
      CHECK_NOTHROW(kernels::check_sizes(plan));
    }
    CHECK(list.size() >= 10);
  }
  CHECK(families.size() == 10);  // all except the plain kernels of flash-decoding and flash2-block-sparse
  CHECK(terminal::bench_list("nothing").empty());
}

TEST_CASE("the default list of bench is the published comparison") {
  const auto list = terminal::parse_scenarios(terminal::bench_list("default"), "default", {}, std::nullopt);
  CHECK(list.size() == 2 * 2 * 2 * 6 + 3);
  for (const terminal::ListedScenario& each : list) {
    const sim::Scenario s = sim::scenario_from(each.options, terminal::find_gpu);
    const bool gpt2 = s.shape.batch == 64;
    CHECK(s.shape.batch * s.shape.seqlen_q == (gpt2 ? 65536 : 16384));
    CHECK(s.shape.heads * s.shape.head_dim == (gpt2 ? 1024 : 2048));
  }
}

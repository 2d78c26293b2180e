// The option --inputs worked: the worked example's values from every command, and rejected combinations.
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>

#include "sim/base/npy.h"
#include "tests/support/program.h"
#include "tests/support/worked_gradients.h"

using Catch::Contains;
using Json = nlohmann::json;
using program::check_refused;
using program::Folder;
using program::with;
using Words = std::vector<std::string>;

namespace {

const Words worked = {"--inputs", "worked", "--seqlen", "4", "--head-dim", "2"};
const Words exact = with(worked, {"--dtype", "fp32", "--scale", "1", "--br", "2", "--bc", "2", "--gpu", "toy"});

void check_file(const Folder& folder, const std::string& name, const example::Matrix& expected) {
  INFO(name);
  const sim::NpyArray array = sim::read_npy(folder / ("out/" + name + ".npy"));
  REQUIRE(array.shape == std::vector<std::int64_t>{1, 1, 4, 2});
  for (std::size_t n = 0; n < 8; ++n) CHECK(array.values[n] == Approx(expected[n / 2][n % 2]).margin(1e-6));
}

/// Checks that the example is refused with another value of one size.
void check_refused_size(const std::string& name, const std::string& size) {
  Words words = {"simulate", "--inputs", "worked"};
  for (const auto& [option, allowed] : std::map<std::string, std::string>{
           {"seqlen-q", "4"}, {"seqlen-k", "4"}, {"head-dim", "2"}, {"batch", "1"}, {"heads", "1"}})
    words = with(words, {"--" + option, option == name ? size : allowed});
  check_refused(words, {"inputs: worked is one head", "here is " + name + " " + size + ": change that"});
}

}  // namespace

TEST_CASE("simulate --inputs worked writes the worked example's O and gradients, with and without the causal mask") {
  for (const char* algorithm : {"standard", "memory-efficient", "flash1", "flash2"}) {
    for (const bool causal : {false, true}) {
      INFO(algorithm << (causal ? " causal" : ""));
      const Folder folder;
      Words words = with({"simulate", "--algorithm", algorithm, "--pass", "forward+backward"}, exact);
      if (causal) words.emplace_back("--causal");
      const program::Result result = program::run(folder, with(words, {"--output-dir", "out"}));
      REQUIRE(result.exit_code == 0);
      CHECK_THAT(result.out, Contains(", inputs of the worked example"));
      const example::GoldenBackward& backward = example::golden_backward[0];
      const example::Gradients& gradients = causal ? backward.causal : backward.plain;
      check_file(folder, "O", causal ? example::golden[0].causal_O : example::golden[0].O);
      check_file(folder, "dQ", gradients.dQ);
      check_file(folder, "dK", gradients.dK);
      check_file(folder, "dV", gradients.dV);
    }
  }
}

TEST_CASE("demo and compare compute the worked example, and sweep has it on an axis") {
  const Folder folder;
  CHECK(program::run(folder, with({"demo"}, worked)).exit_code == 0);
  CHECK(program::run(folder, with({"compare", "--numerics", "on"}, worked)).exit_code == 0);
  const program::Result sweep = program::run(
      folder, {"sweep", "--seqlen", "4", "--head-dim", "2", "--over", "inputs=drawn,worked", "--format", "csv"});
  CHECK(sweep.exit_code == 0);
  CHECK_THAT(sweep.out, Contains("\nworked,") && Contains("\ndrawn,"));
}

TEST_CASE("JSON and CSV show inputs if they are worked, and not if they are drawn") {
  const auto scenario = [](const Words& words) {
    return Json::parse(program::good(with({"simulate", "--format", "json"}, words)).out).at("scenario");
  };
  CHECK(scenario(worked).at("inputs") == "worked");
  CHECK_FALSE(scenario({"--inputs", "drawn"}).contains("inputs"));
  CHECK_THAT(program::good(with({"simulate", "--format", "csv"}, worked)).out, Contains("\nscenario.inputs,worked\n"));
}

TEST_CASE("unknown inputs are refused with what is allowed") {
  check_refused({"simulate", "--inputs", "worked"},
                {"inputs: worked is one head with --seqlen 4 --head-dim 2, here is seqlen-q 1024"});
  for (const char* name : {"seqlen-q", "seqlen-k", "head-dim", "batch", "heads"}) check_refused_size(name, "3");
  check_refused({"simulate", "--inputs", "random"}, {"inputs", "\"random\"", "drawn", "worked"});
  check_refused(with({"verify"}, exact), {"head-dim: 2 is not a multiple of 8, as kernels need it"});
}

TEST_CASE("input files are refused together with the worked example") {
  const Folder folder;
  const std::vector<std::int64_t> shape = {4, 2};
  const auto bytes = sim::format_npy(shape, std::vector<float>(8), "f4");
  program::write_file(folder / "q.npy", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  const program::Result refused =
      program::run(folder, {"simulate", "--inputs", "worked", "--input-v", "q.npy", "--output", "O.npy"});
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.err, Contains("input-v: --inputs worked supplies Q, K and V"));
  CHECK(folder.files() == 1);
}

// Backward passes and dropout on the command line: JSON, input and output files, errors.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/base/attention.h"
#include "sim/base/npy.h"
#include "sim/model/simulation.h"
#include "tests/support/program.h"

using Json = nlohmann::json;
using program::Folder;
using Words = std::vector<std::string>;

namespace {

Json simulate(const Folder& folder, Words words) {
  words.insert(words.begin(), "simulate");
  words.insert(words.end(), {"--format", "json"});
  const program::Result result = program::run(folder, words);
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  return Json::parse(result.out);
}

void write_npy(const std::string& path, const std::vector<std::int64_t>& shape, const std::vector<float>& values) {
  const auto bytes = sim::format_npy(shape, values, "f4");
  program::write_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace

TEST_CASE("simulate's JSON has the pass and the dropout, and counts reductions under atomic_bytes") {
  const Json j = simulate(Folder(), {"--pass", "forward+backward", "--dropout", "0.25", "--seqlen", "512"});
  CHECK(j.at("scenario").at("pass") == "forward+backward");
  CHECK(j.at("scenario").at("dropout") == 0.25);
  REQUIRE(j.at("kernels").size() == 4);
  CHECK(j.at("kernels").at(2).at("name") == "flash2_backward");
  const Json& by_tensor = j.at("tile_traffic").at("by_tensor");
  for (const char* name : {"Q", "K", "V", "O", "L", "D", "dO", "dQ", "dK", "dV", "dQ_acc"}) {
    CHECK(by_tensor.contains(name));
  }
  const std::int64_t atomic = j.at("tile_traffic").at("atomic_bytes");
  CHECK(atomic == 4 * 512 * 64 * 4);  // 4 column blocks add fp32 (512, 64)
  CHECK(by_tensor.at("dQ_acc").at("read_bytes") == atomic + 512 * 64 * 4);
  CHECK(by_tensor.at("dQ_acc").at("write_bytes") == atomic + 512 * 64 * 4);
}

TEST_CASE("lines of a backward pass carry the text of its own listing") {
  const Json j = simulate(Folder(), {"--algorithm", "flash1", "--pass", "backward"});
  bool found = false;
  for (const Json& line : j.at("tile_traffic").at("by_line")) {
    found = found || line.at("text").get<std::string>().find("cta.store(dQ, block(hbm.dQ, i));") == 0;
  }
  CHECK(found);
}

TEST_CASE("the option --output-dir writes O, L and the gradients in the shape of the inputs, and they are right") {
  const Folder folder;
  sim::Shape shape{1, 4, 2, 48, 40, 16, {true, 0, {}}};
  sim::AttentionInputs inputs = sim::draw_inputs(shape, sim::Dtype::fp32, 3);
  inputs.d_o = sim::draw_output_gradient(shape, sim::Dtype::fp32, 3);
  write_npy(folder / "q.npy", {4, 48, 16}, inputs.q);
  write_npy(folder / "k.npy", {2, 40, 16}, inputs.k);
  write_npy(folder / "v.npy", {2, 40, 16}, inputs.v);
  write_npy(folder / "do.npy", {4, 48, 16}, inputs.d_o);
  const Json j = simulate(
      folder, {"--pass", "forward+backward", "--dtype", "fp32", "--causal", "--input-q", "q.npy", "--input-k", "k.npy",
               "--input-v", "v.npy", "--input-do", "do.npy", "--dropout", "0.2", "--seed", "9", "--output-dir", "out"});
  const auto exact = sim::attention_reference_backward(shape, 0.25, inputs, {0.2, 9});
  const auto check = [&](const char* name, const std::vector<std::int64_t>& sizes, const std::vector<double>& want) {
    const sim::NpyArray got = sim::read_npy(folder / ("out/" + std::string(name)));
    CHECK(got.shape == sizes);
    CHECK(sim::check_values(got.values, want).max_abs_error < 1e-5);
  };
  check("dQ.npy", {4, 48, 16}, exact.d_q);
  check("dK.npy", {2, 40, 16}, exact.d_k);
  check("dV.npy", {2, 40, 16}, exact.d_v);
  CHECK(sim::read_npy(folder / "out/L.npy").shape == std::vector<std::int64_t>{4, 48});
  CHECK(sim::read_npy(folder / "out/O.npy").shape == std::vector<std::int64_t>{4, 48, 16});
  for (const char* name : {"O", "dQ", "dK", "dV"}) {
    CHECK(j.at("check").at("by_tensor").at(name).at("max_abs_error") < 1e-5);
  }
  CHECK(j.at("check").at("max_abs_error") < 1e-5);
}

TEST_CASE("a forward pass writes no gradients, standard attention no L") {
  const Folder folder;
  simulate(folder, {"--algorithm", "standard", "--seqlen", "32", "--output-dir", "out"});
  CHECK(std::distance(std::filesystem::directory_iterator(folder / "out"), {}) == 2);  // and complete.json
  simulate(folder, {"--algorithm", "standard", "--seqlen", "32", "--output-dir", "both", "--pass", "backward"});
  CHECK(std::distance(std::filesystem::directory_iterator(folder / "both"), {}) == 5);
}

TEST_CASE("dO that does not fit Q, or that no pass reads, is refused") {
  const Folder folder;
  write_npy(folder / "q.npy", {32, 16}, std::vector<float>(32 * 16, 1));
  write_npy(folder / "do.npy", {31, 16}, std::vector<float>(31 * 16, 1));
  program::check_refused(folder, {"simulate", "--pass", "backward", "--input-q", "q.npy", "--input-do", "do.npy"},
                         {"input-do: has seqlen-q 31, but seqlen-q is 32"});
  program::check_refused(folder, {"simulate", "--input-do", "q.npy"}, {"input-do: a forward pass reads no dO"});
}

TEST_CASE("the demo checks gradients too when both passes run") {
  const Folder folder;
  const program::Result result =
      program::run(folder, {"demo", "--pass", "forward+backward", "--seqlen", "96", "--dropout", "0.1"});
  INFO(result.err);
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Catch::Contains("agree"));
  CHECK_THAT(result.out, Catch::Contains("dV "));
}

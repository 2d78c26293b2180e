// Every number of the JSON has a derivation, which gives that number.
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/catalogue/derivation.h"
#include "sim/catalogue/options.h"
#include "sim/catalogue/quantities.h"
#include "sim/report/run_json.h"
#include "tests/support/program.h"

namespace {

using Json = nlohmann::ordered_json;
using Visit = std::function<void(const std::string& path, double number)>;

void each_number(const Json& json, const Visit& visit, const std::string& path = "") {
  if (json.is_number()) return visit(path, json.get<double>());
  if (!json.is_structured()) return;
  for (const auto& [key, value] : json.items()) each_number(value, visit, path.empty() ? key : path + "." + key);
}

sim::Simulation run_of(const sim::OptionValues& options) {
  return sim::simulate(sim::scenario_from(options, [](const std::string& name) { return sim::built_in_gpu(name); }));
}

/// Runs of each program, both passes, masks, dropout, grouped heads, released code; one with published memory, and one
/// with validated time and checked values.
std::vector<sim::Simulation> several_runs() {
  std::vector<sim::Simulation> runs;
  for (const std::string& algorithm : sim::program_names()) {
    if (algorithm == "paged-attention") {  // has one query, no dropout and no window
      runs.push_back(run_of({{"algorithm", algorithm}, {"seqlen-q", "1"}, {"seqlen-k", "1300"}, {"layers", "2+3:50"}}));
      continue;
    }
    const bool both = sim::find_program(algorithm)->backward.launches != nullptr;
    runs.push_back(run_of({{"algorithm", algorithm},
                           {"pass", both ? "forward+backward" : "forward"},
                           {"seqlen", "300"},
                           {"causal", "1"}}));
    const bool any_gpu = algorithm != "flash3";  // which needs one with wgmma, and has no dropout
    runs.push_back(run_of({{"algorithm", algorithm},
                           {"seqlen-q", "64"},
                           {"seqlen-k", "512"},
                           {"dropout", any_gpu ? "0.1" : "0"},
                           {"heads", "4"},
                           {"kv-heads", algorithm == "mla-decode" ? "1" : "2"},  // it has one
                           {"scale", "0.2"},
                           {"layers", "2+3:50"},
                           {"window", "50"},
                           {"gpu", any_gpu ? "t4" : "h100-pcie"}}));
  }
  runs.push_back(run_of({{"algorithm", "flash1"}, {"tiling", "released"}, {"padding", "9"}, {"l2", "0"}}));
  runs.push_back(run_of({{"algorithm", "flash1"}, {"pass", "forward+backward"}, {"batch", "16"}, {"seqlen", "512"}}));
  runs.push_back(run_of({{"batch", "4"}, {"heads", "32"}, {"seqlen", "2048"}, {"gpu", "h100-sxm"}}));
  runs.push_back(run_of({{"seqlen", "300"}, {"softcap", "30"}, {"alibi", "1"}, {"head-dim-v", "40"}}));
  runs.push_back(run_of({{"seqlen", "300"}, {"algorithm", "flash-decoding"}, {"splits", "2"}, {"sink", "1.5"}}));
  runs.push_back(run_of({{"seqlen-q", "1"},
                         {"seqlen-k", "100"},
                         {"algorithm", "flash-decoding"},
                         {"page-size", "16"},
                         {"samples", "2"},
                         {"steps", "20"}}));
  runs.push_back(
      run_of({{"seqlen-q", "1"}, {"seqlen-k", "3000"}, {"algorithm", "flash-decoding-plus"}, {"fallback", "0.5"}}));
  for (const char* way : {"zigzag", "ulysses"})
    runs.push_back(run_of({{"seqlen", "512"}, {"gpus", "4"}, {"parallel", way}, {"heads", "4"}, {"causal", "1"}}));
  runs.push_back(run_of({{"seqlen", "300"}, {"algorithm", "flash3"}, {"dtype", "e4m3"}, {"head-dim", "128"}}));
  runs.back().check = sim::ValueChecks{{{sim::Tensor::O, {1e-3, 2e-3}}}, {{0.5, 2}}};
  runs.push_back(run_of({{"algorithm", "memory-efficient"}, {"gpu", "a100-sxm-40gb"}, {"l2", "49152"}}));
  add_range(runs.back());
  runs.back().check = sim::ValueChecks{{{sim::Tensor::O, {1e-3, 2e-3}}, {sim::Tensor::dQ, {3e-3, 4e-3}}}, {}};
  return runs;
}

/// True if the number agrees with the derivation's six printed digits.
bool agrees(const sim::Derivation& derivation, double number) {
  return std::abs(std::stod(derivation.value) - number) <= 1e-5 * std::abs(number);
}

}  // namespace

TEST_CASE("every number in the JSON has a derivation", "[repeats]") {
  for (const sim::Simulation& s : several_runs()) {
    const Json json = report::to_json(s);
    std::set<std::string> numbers;
    each_number(json, [&](const std::string& path, double number) {
      INFO(json.at("scenario").dump() << " " << path);
      const sim::Derivation derivation = sim::derive(s, path);
      CHECK(agrees(derivation, number));
      CHECK_FALSE(derivation.unit.empty());
      CHECK((!derivation.formula.empty() || !derivation.terms.empty() || number == 0));
      numbers.insert(path);
    });
    CHECK(numbers.size() > 80);
    std::size_t asked = 0;
    for (const std::string& path : sim::derivation_paths(s)) asked += numbers.count(path);
    CHECK(asked == numbers.size());
  }
}

TEST_CASE("the sum of bytes read and written has a derivation", "[repeats]") {
  for (const sim::Simulation& s : several_runs()) {
    std::size_t sums = 0;
    each_number(report::to_json(s), [&](const std::string& path, double read) {
      const std::size_t end = path.rfind(".read_bytes");
      if (end == std::string::npos) return;
      const std::string both = path.substr(0, end);
      const sim::Derivation derivation = sim::derive(s, both);
      INFO(both);
      CHECK(agrees(derivation, read + std::stod(sim::derive(s, both + ".write_bytes").value)));
      std::int64_t total = 0;
      for (const sim::DerivationTerm& term : derivation.terms) total += term.total();
      CHECK(std::to_string(total) == derivation.value);
      ++sums;
    });
    CHECK(sums > 8);
  }
  const std::string text =
      program::good({"simulate", "--algorithm", "flash1", "--why", "tile_traffic.by_tensor.O"}).out;
  CHECK_THAT(text,
             Catch::StartsWith("tile_traffic.by_tensor.O = ") && Catch::Contains("bytes read + bytes written = "));
}

TEST_CASE("each row of the quantities describes a number that some run has") {
  std::set<std::string_view> unused;
  for (const sim::RunQuantity& row : sim::quantities()) {
    CHECK(unused.insert(row.path).second);
    CHECK_FALSE(row.meaning.empty());
  }
  for (const sim::Simulation& s : several_runs()) {
    each_number(report::to_json(s), [&](const std::string& path, double) {
      const sim::RunQuantity* row = sim::find_quantity(path);
      INFO(path);
      REQUIRE(row != nullptr);
      unused.erase(row->path);
    });
  }
  CHECK(unused == std::set<std::string_view>{});
  CHECK(sim::find_quantity("hbm_traffic") == nullptr);
  CHECK(sim::find_quantity("kernels.N.br") != nullptr);
  CHECK(sim::find_quantity("kernels.x.br") == nullptr);
}

// Rows of the verification panel, and the reduction of a scenario to a size that can be run.
#include "viz/model/verification.h"

#include <catch2/catch.hpp>
#include <sstream>

namespace {

using explorer::ComparedRow;

std::shared_ptr<const sim::DeviceSpec> gpu(const std::string& name) { return sim::built_in_gpu(name); }

/// A verifier that takes a microsecond for each pair of query and key, and runs nothing.
class Patient : public explorer::Verifier {
 public:
  double seconds(const sim::Simulation& program) const override {
    const sim::Shape& s = program.plan.problem.shape;
    sim::require(program.plan.scenario.algorithm != "memory-efficient", "no kernel");
    return 1e-6 * static_cast<double>(s.batch * s.heads * s.seqlen_q * s.seqlen_k);
  }
  std::unique_ptr<explorer::VerifierRun> begin(const sim::Scenario&) const override { return nullptr; }
};

explorer::FeasibleSize feasible(const sim::OptionValues& options) {
  const sim::Scenario s = sim::scenario_from(options, gpu);
  explorer::FeasibleSize size(std::make_shared<Patient>(), options, s.gpu);
  while (size.advance()) {
  }
  return size;
}

const ComparedRow& row(const std::vector<ComparedRow>& rows, const std::string& quantity) {
  for (const ComparedRow& each : rows) {
    if (each.quantity == quantity) return each;
  }
  throw sim::Error("no row " + quantity);
}

}  // namespace

TEST_CASE("the simulated bytes of all tensors add up to the totals") {
  for (const char* algorithm : {"standard", "memory-efficient", "flash1", "flash2"}) {
    const sim::OptionValues options = {{"algorithm", algorithm}, {"pass", "forward+backward"}, {"seqlen", "300"}};
    const auto rows = explorer::simulated_rows(sim::simulate(sim::scenario_from(options, gpu)));
    double read = 0, written = 0;
    for (const ComparedRow& each : rows) {
      if (each.quantity.find("by_tensor") == std::string::npos) continue;
      (each.quantity.ends_with("read_bytes") ? read : written) += each.simulated.value();
    }
    CHECK(read == row(rows, "tile_traffic.total.read_bytes").simulated);
    CHECK(written == row(rows, "tile_traffic.total.write_bytes").simulated);
  }
}

TEST_CASE("a verdict fills its column and adds the rows that only devices have") {
  const sim::Simulation s = sim::simulate(sim::scenario_from({}, gpu));
  const auto read = static_cast<double>(s.totals.total.read.count());
  explorer::DeviceVerdict emulated{"emulated", "", {}}, card{"a GPU", "", {}};
  emulated.rows = {{"error.O", "max abs error", 1e-4, 2e-4, 1e-3, true, ""},
                   {"tile_traffic.total.read_bytes", "bytes", read, read + 4, 0, false, "4 bytes more"},
                   {"races", "races", 0, 0, 0, true, ""}};
  card.rows = {{"error.O", "max abs error", 1e-4, 3e-4, 1e-3, true, ""}};
  const auto rows = explorer::compared_rows(s, emulated, card);
  CHECK(rows.front().quantity == "error.O");
  CHECK(rows.front().emulated == 2e-4);
  CHECK(rows.front().gpu == 3e-4);
  const ComparedRow& bytes = row(rows, "tile_traffic.total.read_bytes");
  CHECK_FALSE(bytes.ok);
  CHECK(bytes.cause == "4 bytes more");
  CHECK(bytes.emulated == read + 4);
  CHECK_FALSE(bytes.gpu.has_value());
  CHECK(row(rows, "races").ok);
  CHECK(row(rows, "time").simulated == s.microseconds);
}

TEST_CASE("a quantity that a GPU counts differently or not at all has no GPU value") {
  const sim::Simulation s = sim::simulate(sim::scenario_from({{"pass", "backward"}}, gpu));
  const double read = static_cast<double>(s.totals.total.read.count()),
               without_atomics = read - static_cast<double>(s.totals.atomic.count());
  REQUIRE(without_atomics < read);
  explorer::DeviceVerdict card{"a GPU", "", {}};
  card.rows = {{"tile_traffic.total.read_bytes", "bytes", without_atomics, without_atomics, 0, true, ""},
               {"hbm_traffic.read_bytes", "bytes", static_cast<double>(s.hbm.read.count()), 0, 0, true,
                "counters: no permission", true}};
  const auto rows = explorer::compared_rows(s, {}, card);
  CHECK(row(rows, "tile_traffic.total.read_bytes").simulated == read);
  CHECK_FALSE(row(rows, "tile_traffic.total.read_bytes").gpu);
  CHECK_FALSE(row(rows, "hbm_traffic.read_bytes").gpu);
  CHECK(row(rows, "hbm_traffic.read_bytes").cause == "counters: no permission");
}

TEST_CASE("a scenario that takes too long is made smaller and keeps its tiles") {
  const sim::OptionValues options = {
      {"batch", "4"},    {"heads", "32"},  {"kv-heads", "8"}, {"seqlen", "9000"},
      {"causal", "1"},   {"padding", "9"}, {"window", "700"}, {"pass", "forward+backward"},
      {"head-dim", "64"}};
  const explorer::FeasibleSize size = feasible(options);
  REQUIRE(size.refusal().empty());
  REQUIRE(size.smaller());
  CHECK(size.seconds() <= explorer::FeasibleSize::longest);
  CHECK(2 * size.seconds() > explorer::FeasibleSize::longest / 4);  // not smaller than needed: both axes are halved
  CHECK(size.seconds_of_all() == Approx(4 * 32 * 9000 * 9000e-6));
  const sim::Shape& shape = size.scenario().shape;
  CHECK(shape.batch == 1);
  CHECK(shape.heads == 4);  // those of one KV head
  CHECK(shape.kv_heads == 1);
  CHECK(shape.mask.causal);
  CHECK(shape.mask.padding < shape.seqlen_k);
  const sim::Plan all = sim::make_plan(sim::scenario_from(options, gpu)), part = sim::make_plan(size.scenario());
  REQUIRE(all.launches.size() == part.launches.size());
  for (std::size_t n = 0; n < all.launches.size(); ++n) {
    CHECK(all.launches[n].tiling.br == part.launches[n].tiling.br);
    CHECK(all.launches[n].tiling.bc == part.launches[n].tiling.bc);
  }
}

TEST_CASE("a scenario that is made smaller has fewer parts of fewer keys") {
  const explorer::FeasibleSize size =
      feasible({{"algorithm", "flash-decoding"}, {"seqlen", "16384"}, {"heads", "8"}, {"splits", "64"}});
  CHECK(size.refusal().empty());
  REQUIRE(size.smaller());
  CHECK(size.scenario().own.at("splits") * 256 == size.scenario().shape.seqlen_k);  // a part is still a block
}

TEST_CASE("a scenario that is small enough to verify is not changed") {
  const explorer::FeasibleSize size = feasible({{"seqlen", "700"}, {"heads", "2"}});
  CHECK_FALSE(size.smaller());
  CHECK(size.scenario().shape.seqlen_q == 700);
  CHECK(size.scenario().shape.heads == 2);
}

TEST_CASE("a scenario without a kernel is rejected with the reason, and nothing runs without a verifier") {
  CHECK(feasible({{"algorithm", "memory-efficient"}}).refusal() == "no kernel");
  explorer::FeasibleSize none(nullptr, {}, sim::built_in_gpu("h100-sxm"));
  CHECK_FALSE(none.advance());
  CHECK(none.done());
}

TEST_CASE("a model's heads shrink to those of one group") {
  const explorer::FeasibleSize size = feasible({{"model", "llama-3-8b"}, {"seqlen", "2048"}});
  CHECK(size.scenario().shape.heads == 4);
  CHECK(size.scenario().shape.kv_heads == 1);
  CHECK(size.scenario().shape.head_dim == 128);
}

TEST_CASE("the command line of verify has the options of the scenario") {
  const sim::OptionValues options = {{"seqlen", "2048"}, {"causal", "1"}, {"algorithm", "flash1"}, {"dropout", "0.1"}};
  std::istringstream words(explorer::verify_command(options));
  std::string word;
  sim::OptionValues read;
  words >> word;
  CHECK(word == "flashscope");
  words >> word;
  CHECK(word == "verify");
  while (words >> word) {
    REQUIRE(word.starts_with("--"));
    const std::string name = word.substr(2);
    if (name == "causal")
      read[name] = "1";
    else
      words >> read[name];
  }
  CHECK(read == options);
  CHECK(explorer::verify_command({{"causal", "0"}}) == "flashscope verify");
}

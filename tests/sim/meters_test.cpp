// HBM traffic, compulsory traffic, memory, roofline and derivations.
#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "sim/catalogue/run_values.h"
#include "sim/machine/occupancy.h"
#include "sim/model/closed_form.h"
#include "sim/model/scheduled_replay.h"
#include "sim/programs/models.h"
#include "tests/support/takes.h"

using namespace sim;

namespace {

constexpr std::int64_t N = 1024, d = 64, e = 2;

Scenario scenario(const std::string& algorithm) {
  Scenario s;
  s.algorithm = algorithm;
  return s;
}

}  // namespace

TEST_CASE("standard attention's compulsory traffic is 4Nd + 4N^2 elements per head") {
  const Simulation s = simulate(scenario("standard"));
  CHECK(s.compulsory.total().count() == e * 4456448);
  Scenario gpt2 = scenario("standard");
  gpt2.shape = {64, 16, 16, N, N, d, {}};
  CHECK(simulate(gpt2).compulsory.total().count() == e * 1024 * 4456448);  // 9.127 GB
}

TEST_CASE("a mask kernel adds two passes over N^2") {
  Scenario s = scenario("standard");
  s.shape.mask.causal = true;
  CHECK(simulate(s).compulsory.total().count() == (4 * N * d + 6 * N * N) * e);
  CHECK(simulate(s).traces.size() == 4);
}

TEST_CASE("fused programs' compulsory traffic is Q, K, V, O and their statistics") {
  CHECK(simulate(scenario("flash2")).compulsory.total().count() == 4 * N * d * e + N * 4);
  CHECK(simulate(scenario("flash1")).compulsory.total().count() == 4 * N * d * e + 2 * N * 4);
  Scenario grouped = scenario("flash2");
  grouped.shape.heads = 8;
  grouped.shape.kv_heads = 2;
  CHECK(simulate(grouped).compulsory.total().count() == (8 * 2 + 2 * 2) * N * d * e + 8 * N * 4);
}

TEST_CASE("peak memory is quadratic for standard and linear for the others") {
  CHECK(simulate(scenario("standard")).memory.peak_hbm.count() == (4 * N * d + 2 * N * N) * e);
  CHECK(simulate(scenario("standard")).memory.extra_hbm.count() == 2 * N * N * e);
  CHECK(simulate(scenario("flash1")).memory.extra_hbm.count() == 2 * N * 4);
  CHECK(simulate(scenario("flash2")).memory.extra_hbm.count() == N * 4);
  CHECK(simulate(scenario("memory-efficient")).memory.extra_hbm.count() == N * 4);
  for (const std::string& name : names_with_queries()) {
    if (find_program(name)->parts != nullptr) continue;  // memory for each part of the keys is tested elsewhere
    Scenario s = scenario(name);
    if (!takes(s)) continue;
    const auto extra = [&] {  // except a pattern, which is quadratic in blocks
      const Simulation run = simulate(s);
      const bool pattern = run.plan.code->pattern == PatternUse::of_tiles;
      return run.memory.extra_hbm.count() - (pattern ? run.plan.problem.hbm.mask_blocks.elements() : 0);
    };
    const std::int64_t once = extra();
    s.shape.seqlen_q = s.shape.seqlen_k = 2 * N;
    CHECK(extra() == once * (name == "standard" ? 4 : 2));
  }
}

TEST_CASE("HBM traffic is between compulsory and tile traffic if nothing is skipped") {
  for (const std::string& name : names_with_queries()) {
    for (const char* gpu : {"toy", "t4", "a100-sxm-40gb", "b200"}) {
      for (const std::int64_t n : {64, 1000, 4096, 32768}) {
        Scenario s = scenario(name);
        s.shape = {2, 8, 2, n, n, 64, {}};
        s.gpu = built_in_gpu(gpu);
        if (!takes(s)) continue;
        const Simulation run = simulate(s);
        INFO(name << " on " << gpu << " N " << n);
        CHECK(run.hbm.total() >= run.compulsory.total());
        CHECK(run.hbm.total() <= run.totals.total.total());
      }
    }
  }
}

TEST_CASE("occupancy is what the scarcest resource allows, and at least one CTA") {
  const DeviceSpec& a100 = device("a100-sxm-40gb");
  CHECK(ctas_per_sm(a100, {Bytes(48 * 1024), Bytes(1024), 128}) == 3);
  CHECK(ctas_per_sm(a100, {Bytes(1024), Bytes(128 * 1024), 128}) == 2);
  CHECK(ctas_per_sm(a100, {Bytes(1024), Bytes(1024), 1024}) == 2);
  CHECK(ctas_per_sm(a100, {Bytes(0), Bytes(0), 32}) == a100.ctas_per_sm);
  CHECK(ctas_per_sm(a100, {Bytes(1 << 20), Bytes(1024), 128}) == 1);
}

TEST_CASE("a run has the occupancy of each kernel, and the limit that binds it") {
  for (const std::string& name : names_with_queries()) {
    for (const char* gpu : {"t4", "a100-sxm-40gb", "h100-sxm"}) {
      Scenario s = scenario(name);
      s.gpu = built_in_gpu(gpu);
      if (!takes(s)) continue;
      const Simulation run = simulate(s);
      const auto values = values_of(run);
      for (std::size_t k = 0; k < run.kernels.size(); ++k) {
        const std::string path = text("kernels.", k, ".occupancy.");
        INFO(name << " on " << gpu << " " << path);
        double least = 1e9;
        for (const PathValue& value : values) {
          const bool is_limit = value.path.starts_with(path) && !value.path.ends_with(".ctas_per_sm") && value.explain;
          if (is_limit) least = std::min(least, number_at(values, value.path));
        }
        CHECK(number_at(values, path + "ctas_per_sm") == std::max(1.0, least));
        CHECK(run.kernels[k].waves ==
              Approx(static_cast<double>(run.kernels[k].ctas) / (least * static_cast<double>(s.gpu->sm_count)))
                  .epsilon(1e-12));
      }
    }
  }
}

TEST_CASE("links carry the counted bytes, at no more than their peak") {
  for (const std::string& name : names_with_queries()) {
    for (const std::int64_t n : {64, 1000, 8192}) {
      Scenario s = within_limits(scenario(name));
      s.shape = {4, 8, 8, n, n, 64, {}};
      if (!takes(s)) continue;
      const Simulation run = simulate(s);
      const auto values = values_of(run);
      INFO(name << " N " << n);
      CHECK(number_at(values, "links.l2.bytes") == number_at(values, "tile_traffic.total"));
      CHECK(number_at(values, "links.hbm.bytes") == number_at(values, "hbm_traffic"));
      for (const PathValue& value : values) {
        if (!value.path.starts_with("links.") || !value.path.ends_with("percent_of_peak")) continue;
        CHECK(number_at(values, value.path) > 0);
        CHECK(number_at(values, value.path) <= 100);
      }
      // The value of the whole run is the mean over its kernels, weighted by their times.
      double weighted = 0;
      for (std::size_t k = 0; k < run.kernels.size(); ++k)
        weighted +=
            number_at(values, text("links.kernels.", k, ".hbm.percent_of_peak")) * run.kernels[k].time.microseconds;
      CHECK(number_at(values, "links.hbm.percent_of_peak") == Approx(weighted / run.microseconds).epsilon(1e-12));
    }
  }
}

TEST_CASE("a kernel is never faster than the roofline of any of its resources") {
  for (const std::string& name : names_with_queries()) {
    for (const KernelMeters& kernel : simulate(within_limits(scenario(name))).kernels) {
      for (const auto& [resource, microseconds] : kernel.time.resources) {
        INFO(kernel.name << " " << resource);
        CHECK(kernel.time.microseconds >= microseconds);
      }
    }
  }
}

TEST_CASE("fp32 products run on the FP32 pipe, in the roofline and in a replay") {
  Scenario s = scenario("flash2");
  s.dtype = Dtype::fp32;
  const Budget budget = simulate(s).kernels[0].time.budget;
  CHECK(std::abs(budget[Cause::tensor] + budget[busy(Pipe::tensor)]) < 1e-9);
  const Plan plan = make_plan(s);
  for (const Event& event : scheduled_replay(plan, plan.launches[0], {}).events) {
    CHECK(event.engine != Engine::tensor);
    if (event.verb == Verb::gemm) CHECK(event.end > event.begin);
  }
}

TEST_CASE("a scale that fp32 cannot hold is refused") {
  Scenario s = scenario("flash2");
  s.scale = 1e40;
  CHECK_THROWS_WITH(make_plan(s), Catch::Contains("scale: 1e+40 is not a number from -3.40282e+38"));
  s.scale = NAN;
  CHECK_THROWS_AS(make_plan(s), Error);
}

TEST_CASE("the terms of every derivation sum to its value") {
  for (const std::string& name : names_with_queries()) {
    Scenario scene = scenario(name);
    scene.shape = {2, 4, 2, 300, 200, 32, {true, 7, 90}};
    const Simulation s = simulate(within_limits(scene));
    for (const std::string& path : derivation_paths(s)) {
      const Derivation derivation = derive(s, path);
      INFO(name << " " << path);
      CHECK(derivation.path == path);
      CHECK_FALSE(derivation.unit.empty());
      std::int64_t sum = 0;
      for (const DerivationTerm& term : derivation.terms) sum += term.total();
      if (!derivation.terms.empty()) CHECK(std::to_string(sum) == derivation.value);
      CHECK((!derivation.formula.empty() || !derivation.terms.empty() || derivation.value == "0"));
    }
  }
}

TEST_CASE("a derivation explains every symbol of its formula") {
  for (const std::string& name : names_with_queries()) {
    Scenario masked = scenario(name);
    masked.shape.mask.causal = true;
    for (const Scenario& scene : {scenario(name), masked}) {
      const Plan plan = make_plan(within_limits(scene));
      for (const TrafficTerm& term : closed_form_traffic(plan)) {
        for (const auto& [symbol, value] : term.values) CHECK_FALSE(symbol_meaning(symbol).empty());
      }
      for (const WorkTerm& term : closed_form_work(plan)) {
        for (const auto& [symbol, value] : term.values) CHECK_FALSE(symbol_meaning(symbol).empty());
      }
      const Derivation derivation = derive(simulate(within_limits(scene)), "work.matmul_flops");
      CHECK(derivation.formula.back().text().starts_with("where B batch entries; H query heads"));
    }
  }
}

TEST_CASE("query heads of a model times their dimension is its hidden size, as its paper has it") {
  const std::map<std::string, std::int64_t> hidden = {
      {"bert-large", 1024},      {"llama-2-7b", 4096}, {"llama-3-8b", 4096}, {"llama-3-70b", 8192},
      {"llama-3.1-405b", 16384}, {"llama-13b", 5120},  {"mistral-7b", 4096}, {"qwen2.5-7b", 3584}};
  std::size_t found = 0;
  for (const ModelHeads& model : model_heads()) {
    const auto size = hidden.find(model.name);
    if (size == hidden.end()) continue;
    INFO(model.name);
    CHECK(model.heads * model.head_dim == size->second);
    ++found;
  }
  CHECK(found == hidden.size());
}

TEST_CASE("an unknown quantity is answered with the nearest path") {
  const Simulation s = simulate(scenario("flash1"));
  CHECK_THROWS_WITH(derive(s, "tile_traffic.by_tensor.X.read_bytes"),
                    Catch::Contains("did you mean \"tile_traffic.by_tensor."));
}

TEST_CASE("tiles beyond the papers' memory and tensors beyond the GPU's are warned about") {
  Scenario s = scenario("flash1");
  s.tiling = TilingRule::paper;
  s.gpu = built_in_gpu("a100-sxm-40gb");
  CHECK(simulate(s).warnings.empty());
  s.shape.head_dim = 128;
  REQUIRE(simulate(s).warnings.size() == 1);
  CHECK(simulate(s).warnings[0].find("108.3 %") != std::string::npos);
  s.gpu = built_in_gpu("t4");
  CHECK(simulate(s).warnings[0].find("112.5 %") != std::string::npos);
  Scenario huge = scenario("standard");
  huge.shape.seqlen_q = huge.shape.seqlen_k = 1 << 20;
  CHECK(simulate(huge).warnings.at(0).find("peak HBM memory") != std::string::npos);
  Scenario hidden = scenario("flash2");
  hidden.shape.mask.padding = hidden.shape.seqlen_k;
  CHECK(simulate(hidden).warnings.at(0).find("hides every key") != std::string::npos);
}

TEST_CASE("standard attention for comparison has its own tiles, whatever tiling was requested") {
  Scenario s = scenario("flash1");
  s.shape.seqlen_q = s.shape.seqlen_k = 4096;
  const std::int64_t own = simulate_standard(s)->totals.total.total().count();
  CHECK(own == 185'073'664);
  s.br = s.bc = 32;
  CHECK(simulate_standard(s)->totals.total.total().count() == own);
  for (const TilingRule rule : {TilingRule::paper, TilingRule::released}) {
    s.tiling = rule;
    CHECK(simulate_standard(s)->totals.total.total().count() == own);
  }
  s.algorithm = "standard";
  CHECK(!simulate_standard(s));
}

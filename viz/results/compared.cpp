#include "viz/results/compared.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/catalogue/typed_values.h"
#include "sim/model/roofline.h"
#include "sim/report/run_json.h"

namespace results {
namespace {

using Json = nlohmann::ordered_json;

sim::Roofs roofs_of(const sim::Simulation& s) { return sim::roofs_of(s.plan); }

}  // namespace

std::vector<std::string> algorithm_list(const std::string& text, std::vector<std::string>& notes) {
  std::vector<std::string> names;
  for (const std::string_view part : sim::split(text, ",")) {
    const std::string typed(part), name = sim::exact_value("algorithm", typed);
    names.emplace_back(sim::find_program(name)->name);
    sim::require(std::count(names.begin(), names.end(), names.back()) == 1, "algorithms: ", names.back(),
                 " occurs twice: give each once");
    if (typed != name) notes.push_back(sim::taken_as("algorithm", typed, name));
  }
  return names;
}

std::vector<sim::Scenario> scenarios_of(const sim::Scenario& scenario, const std::vector<std::string>& algorithms) {
  std::vector<sim::Scenario> each;
  for (const std::string& algorithm : algorithms) {
    each.push_back(with_algorithm(scenario, algorithm));
    sim::require(scenario.score_steps.size() == each.back().score_steps.size(), algorithm,
                 ": has none of --softcap, --alibi and --score, and all have to compute the same: leave it out");
    sim::require(scenario.dtype == each.back().dtype, algorithm, ": takes no ", sim::name_of(scenario.dtype),
                 ", and all have to read the same: use bf16");
    sim::require(scenario.sinks == each.back().sinks, algorithm,
                 ": has no --sink, and all have to compute the same: leave it out");
  }
  for (const sim::Scenario& one : each) {
    sim::require(scenario.gpus == one.gpus, one.algorithm,
                 " runs on one GPU alone: leave out --gpus, or compare flash2 and flash3");
    sim::require(scenario.steps == one.steps, one.algorithm,
                 ": has no --steps, and all have to decode the same tokens: leave it out");
  }
  for (const auto& [name, value] : scenario.own) {
    const bool meant = std::any_of(each.begin(), each.end(),
                                   [&name = name](const sim::Scenario& one) { return has_own_option(one, name); });
    sim::require(meant, name, ": none of the algorithms that are compared has this option: leave it out");
  }
  const bool shares = std::any_of(each.begin(), each.end(), [](const sim::Scenario& one) { return shares_kv(one); });
  sim::require(!scenario.shape.kv_shared || shares,
               "kv-shared: none of the algorithms that are compared has this option: leave it out");
  share_pattern(each, scenario.pattern);
  return each;
}

std::vector<sim::Simulation> simulate_each(const sim::Scenario& scenario, const std::vector<std::string>& algorithms) {
  std::vector<sim::Simulation> runs;
  for (const sim::Scenario& one : scenarios_of(scenario, algorithms)) runs.push_back(sim::simulate(one));
  return runs;
}

Json roofline_json(const sim::Simulation& run) {
  const sim::Roofs roofs = roofs_of(run);
  Json list = Json::array();
  for (const sim::RooflinePoint& p : sim::roofline(run)) {
    list.push_back({{"name", p.name},
                    {"matmul_flops", p.matrix.count()},
                    {"other_flops", p.other.count()},
                    {"intensity", {{"tile", p.tile_intensity()}, {"hbm", p.hbm_intensity()}}},
                    {"peak_tflops", p.peak(roofs) * 1e-12},
                    {"attainable_tflops", p.attainable(roofs) * 1e-12},
                    {"achieved_tflops", p.achieved() * 1e-12},
                    {"share_of_peak", p.achieved() / p.peak(roofs)}});
  }
  return list;
}

Json roofs_json(const sim::Simulation& run) {
  const sim::Roofs roofs = roofs_of(run);
  return {{"gpu", run.plan.scenario.gpu->name},
          {"dtype", sim::name_of(run.plan.scenario.dtype)},
          {"matrix_peak_tflops", roofs.matrix_peak * 1e-12},
          {"l2_bytes_per_second", roofs.l2},
          {"hbm_bytes_per_second", roofs.hbm},
          {"ridge_flop_per_byte", {{"tile", roofs.l2_ridge()}, {"hbm", roofs.hbm_ridge()}}}};
}

Json comparison_json(const std::vector<sim::Simulation>& runs) {
  Json list = Json::array();
  for (const sim::Simulation& s : runs) {
    list.push_back(report::to_json(s));
    list.back()["roofline"] = roofline_json(s);
  }
  return {{"schema", 1}, {"roofs", roofs_json(runs.front())}, {"results", list}};
}

}  // namespace results

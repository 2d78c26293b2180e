#include "viz/terminal/sweep/published_beside.h"

#include <algorithm>
#include <map>

#include "sim/model/validation.h"

namespace terminal {
namespace {

/// Key of a scenario, made of its options as text.
std::string key_of(const sim::Scenario& scenario) {
  std::string key;
  for (const sim::ScenarioOption& option : sim::scenario_options()) {
    if (option.asked) key += sim::text_of(option.asked(scenario)) + "\n";
  }
  return key;
}

/// Published times by scenario. Excludes variants, such as old releases, whose tiles differ.
const std::map<std::string, std::vector<const sim::PublishedPoint*>>& times_by_scenario() {
  static const auto* const all = [] {
    auto* times = new std::map<std::string, std::vector<const sim::PublishedPoint*>>;
    for (const sim::PublishedPoint& point : sim::published_points()) {
      const bool usable =
          point.standing < sim::Standing::ratio && point.quantity != sim::Published::speedup && point.variant.empty();
      if (usable) (*times)[key_of(point.scenario)].push_back(&point);
    }
    return times;
  }();
  return *all;
}

}  // namespace

std::vector<PublishedBeside> published_beside(const results::Sweep& sweep) {
  std::vector<PublishedBeside> found;
  if (sweep.numbers().front().path != "time.microseconds") return found;
  for (std::int64_t row = 0; row < sweep.rows(); ++row) {
    const auto scenario = sweep.scenario(row);
    const auto at = scenario ? times_by_scenario().find(key_of(*scenario)) : times_by_scenario().end();
    if (at == times_by_scenario().end()) continue;
    for (const sim::PublishedPoint* point : at->second) {
      const sim::Prediction beside = sim::prediction_of(*point, {});
      if (beside.made()) found.push_back({sweep.coordinate(row, 0), beside.published, point->source});
    }
  }
  return found;
}

}  // namespace terminal

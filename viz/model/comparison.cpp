#include "viz/model/comparison.h"

#include <algorithm>

#include "sim/base/block_mask.h"
#include "sim/base/text.h"
#include "sim/catalogue/typed_values.h"

namespace explorer {
namespace {

std::optional<sim::OptionValues> read_change(std::string_view text) {
  sim::OptionValues change;
  for (const std::string_view word : sim::split(text, "+")) {
    const std::size_t colon = word.find(':');
    const std::string name(colon == std::string_view::npos ? "algorithm" : word.substr(0, colon));
    const std::string typed(word.substr(colon + 1));  // npos + 1: all of it
    if (typed.empty() && name == "algorithm") return std::nullopt;
    const std::string value = typed.empty() ? "" : sim::exact_value(name, typed);  // empty: not set in this run
    if (sim::find_option(name) == nullptr || !change.emplace(name, value).second) return std::nullopt;
  }
  return change;
}

/// Compares numbers in fp32, as kernels receive them.
bool same_value(const sim::OptionValue& a, const sim::OptionValue& b) {
  const auto *x = std::get_if<double>(&a), *y = std::get_if<double>(&b);
  return x != nullptr && y != nullptr ? static_cast<float>(*x) == static_cast<float>(*y) : a == b;
}

/// True if a block pattern hides the same pairs in both: blocks of different tiles hide different pairs.
bool same_blocks(const sim::Plan& a, const sim::Plan& b) {
  const auto &first = a.problem.shape.mask.blocks, &second = b.problem.shape.mask.blocks;
  return !first || !second || first->matrix() == second->matrix();
}

std::int64_t block_at(std::int64_t index, std::int64_t from_block, std::int64_t to_block) {
  return index * from_block / to_block;
}

}  // namespace

std::optional<std::vector<sim::OptionValues>> read_comparison(std::string_view text) {
  std::vector<sim::OptionValues> changes;
  if (text.empty()) return changes;
  for (const std::string_view run : sim::split(text, ",")) {
    auto change = read_change(run);
    if (!change || changes.size() + 1 == most_subjects) return std::nullopt;
    changes.push_back(std::move(*change));
  }
  return changes;
}

std::string to_text(const std::vector<sim::OptionValues>& changes) {
  std::string text;
  for (const sim::OptionValues& change : changes) {
    if (!text.empty()) text += ',';
    const char* separator = "";
    for (const auto& [name, value] : change) {
      text += separator + (name == "algorithm" ? value : name + ":" + value);
      separator = "+";
    }
  }
  return text;
}

sim::OptionValues changed(const sim::OptionValues& first, const sim::OptionValues& change) {
  sim::OptionValues options = first;
  if (change.count("algorithm") > 0) {
    for (const char* own : {"br", "bc", "tiling", "kernel"}) options.erase(own);
    options["algorithm"] = change.at("algorithm");
    options = sim::without_others(std::move(options));
  }
  if (change.count("batch") > 0) {
    for (const char* ragged : {"seqlens", "issue"}) options.erase(ragged);
  }
  for (const auto& [name, value] : change) {
    options[name] = value;
    if (value.empty()) options.erase(name);
  }
  return options;
}

std::vector<std::optional<sim::Scenario>> scenarios_of(const sim::OptionValues& first,
                                                       const std::vector<sim::OptionValues>& changes,
                                                       const sim::GpuLookup& gpu) {
  std::vector<std::optional<sim::Scenario>> all;
  std::vector<sim::Scenario> sharing;
  std::vector<std::size_t> places;
  const auto add = [&](const sim::OptionValues& options, bool shares) {
    all.emplace_back();
    try {
      all.back() = sim::scenario_from(options, gpu);
    } catch (const sim::Error&) {  // make_run() reports why
      return;
    }
    if (!shares || !all.back()->pattern.any()) return;
    sharing.push_back(*all.back());
    places.push_back(all.size() - 1);
  };
  add(first, true);
  for (const sim::OptionValues& change : changes)
    add(changed(first, change), !change.contains("br") && !change.contains("bc") && !change.contains("tiling"));
  try {
    if (sharing.size() > 1) sim::share_pattern(sharing, sharing.front().pattern);
  } catch (const sim::Error&) {  // the run that names the tiles is impossible, and reports it
    return all;
  }
  for (std::size_t n = 0; n < places.size(); ++n) all[places[n]] = sharing[n];
  return all;
}

std::vector<std::string> differences(const Subject& a, const Subject& b) {
  const sim::Plan &first = a.simulation().plan, &second = b.simulation().plan;
  std::vector<std::string> names;
  for (const sim::ScenarioOption& option : sim::scenario_options()) {
    if (!option.asked || option.is_alias()) continue;  // the options that an alias sets are in the list
    // The bandwidth and capacities of another device do not count as differences of their own.
    const bool same = option.is(sim::of_device) ? option.asked(first.scenario) == option.asked(second.scenario)
                                                : same_value(option.resolved(first), option.resolved(second));
    if (!same || (option.name == "pattern" && !same_blocks(first, second))) names.emplace_back(option.name);
  }
  return names;
}

bool same_inputs(const std::vector<std::string>& differences) {
  return std::all_of(differences.begin(), differences.end(), [](const std::string& name) {
    const sim::ScenarioOption* option = sim::find_option(name);
    return option != nullptr && option->is(sim::of_speed);
  });
}

sim::CtaPlace same_place(const Subject& from, const sim::CtaPlace& place, const sim::Simulation& to) {
  const sim::GridShape &a = from.launch().grid, &b = to.plan.launches.front().grid;
  const sim::Shape &s = from.problem().shape, &t = to.plan.problem.shape;
  sim::CtaPlace result = place;
  result.row = block_at(place.row, a.br, b.br);
  result.col = block_at(place.col, a.bc, b.bc);
  if (a.by_kv_head() != b.by_kv_head())
    result.head = a.by_kv_head() ? place.head * t.heads / t.kv_heads : place.head * s.kv_heads / s.heads;
  return result;
}

}  // namespace explorer

#include "viz/model/comparison.h"

#include <algorithm>

#include "sim/programs/typed_values.h"
#include "viz/model/pieces.h"

namespace explorer {
namespace {

constexpr std::array<std::string_view, 8> not_of_inputs = {"algorithm", "kernel", "tiling", "br",
                                                           "bc",        "gpu",    "sram",   "l2"};

bool is_option(std::string_view name) {
  const auto& options = sim::scenario_options();
  return std::any_of(options.begin(), options.end(), [&](const auto& option) { return option.name == name; });
}

std::optional<sim::OptionValues> read_change(std::string_view text) {
  sim::OptionValues change;
  for (const std::string_view word : pieces_of(text, '+')) {
    const std::size_t colon = word.find(':');
    const std::string name(colon == std::string_view::npos ? "algorithm" : word.substr(0, colon));
    const std::string value = sim::exact_value(name, std::string(word.substr(colon + 1)));  // npos + 1: all of it
    if (value.empty() || !is_option(name) || !change.emplace(name, value).second) return std::nullopt;
  }
  return change;
}

std::int64_t block_at(std::int64_t index, std::int64_t from_block, std::int64_t to_block) {
  return index * from_block / to_block;
}

}  // namespace

std::optional<std::vector<sim::OptionValues>> read_comparison(std::string_view text) {
  std::vector<sim::OptionValues> changes;
  if (text.empty()) return changes;
  for (const std::string_view run : pieces_of(text, ',')) {
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
  }
  for (const auto& [name, value] : change) options[name] = value;
  return options;
}

std::vector<std::string> differences(const Subject& a, const Subject& b) {
  const sim::Scenario &s = a.scenario(), &t = b.scenario();
  const sim::Shape &q = s.shape, &r = t.shape;
  const sim::Tiling &v = a.problem().tiling, &w = b.problem().tiling;
  const std::vector<std::pair<const char*, bool>> same = {{"algorithm", s.algorithm == t.algorithm},
                                                          {"pass", s.pass == t.pass},
                                                          {"batch", q.batch == r.batch},
                                                          {"heads", q.heads == r.heads},
                                                          {"kv-heads", q.kv_heads == r.kv_heads},
                                                          {"seqlen-q", q.seqlen_q == r.seqlen_q},
                                                          {"seqlen-k", q.seqlen_k == r.seqlen_k},
                                                          {"head-dim", q.head_dim == r.head_dim},
                                                          {"dtype", s.dtype == t.dtype},
                                                          {"causal", q.mask.causal == r.mask.causal},
                                                          {"padding", q.mask.padding == r.mask.padding},
                                                          {"window", q.mask.window == r.mask.window},
                                                          {"dropout", s.dropout == t.dropout},
                                                          {"scale", a.problem().scale == b.problem().scale},
                                                          {"gpu", s.gpu->name == t.gpu->name},
                                                          {"sram", s.sram == t.sram},
                                                          {"l2", s.l2 == t.l2},
                                                          {"tiling", s.tiling == t.tiling},
                                                          {"br", v.br == w.br},
                                                          {"bc", v.bc == w.bc},
                                                          {"seed", s.seed == t.seed}};
  std::vector<std::string> names;
  for (const auto& [name, equal] : same) {
    if (!equal) names.emplace_back(name);
  }
  return names;
}

bool same_inputs(const std::vector<std::string>& differences) {
  return std::all_of(differences.begin(), differences.end(), [](const std::string& name) {
    return std::find(not_of_inputs.begin(), not_of_inputs.end(), name) != not_of_inputs.end();
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

#include "sim/model/derivation.h"

#include "sim/base/nearest.h"
#include "sim/model/derivation_index.h"

namespace sim {

std::vector<DerivationTerm> event_terms(const Simulation& s, const Amount& amount) {
  std::map<std::pair<std::string, std::int64_t>, DerivationTerm> groups;
  std::vector<std::pair<std::string, std::int64_t>> order;
  for (const Trace& trace : s.traces) {
    for (const Event& event : trace.events) {
      const std::int64_t each = amount(event);
      if (each == 0) continue;
      const std::pair key{text(trace.kernel, ":", event.line), each};
      auto [entry, fresh] = groups.try_emplace(key);
      if (fresh) {
        order.push_back(key);
        entry->second = {key.first, listing_code(trace.listing, event.line), each, 0};
      }
      entry->second.times = checked_add(entry->second.times, event.times);
    }
  }
  std::vector<DerivationTerm> terms;
  for (const auto& key : order) terms.push_back(groups.at(key));
  return terms;
}

std::string with_values(const std::string& equation, const std::vector<std::pair<std::string, std::int64_t>>& values) {
  std::string where;
  for (const auto& [symbol, value] : values)
    where += (where.empty() ? "" : ", ") + symbol + " = " + std::to_string(value);
  return equation + "   with " + where;
}

Derivation of_bytes(std::int64_t value, std::vector<std::string> formula, std::vector<DerivationTerm> terms) {
  return {"", "bytes", std::to_string(value), std::move(formula), std::move(terms)};
}

namespace {

DerivationIndex make_index(const Simulation& s) {
  DerivationIndex index;
  add_tile_traffic(s, index);
  add_hbm_traffic(s, index);
  add_memory(s, index);
  add_work(s, index);
  add_time(s, index);
  add_kernels(s, index);
  return index;
}

}  // namespace

Derivation derive(const Simulation& simulation, const std::string& path) {
  const DerivationIndex index = make_index(simulation);
  for (const auto& [name, make] : index) {
    if (name != path) continue;
    Derivation derivation = make();
    derivation.path = path;
    return derivation;
  }
  throw Error(unlisted_name_message("quantity", path, derivation_paths(simulation)));
}

std::vector<std::string> derivation_paths(const Simulation& simulation) {
  std::vector<std::string> paths;
  for (const auto& [name, make] : make_index(simulation)) paths.push_back(name);
  return paths;
}

}  // namespace sim

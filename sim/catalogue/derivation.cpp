#include "sim/catalogue/derivation.h"

#include <algorithm>
#include <optional>

#include "sim/base/nearest.h"
#include "sim/base/text.h"
#include "sim/catalogue/quantities.h"
#include "sim/catalogue/run_values.h"
#include "sim/machine/device_fields.h"

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

std::string values_text(const std::vector<std::pair<std::string, std::int64_t>>& values) {
  std::vector<std::string> where;
  for (const auto& [symbol, value] : values) where.push_back(text(symbol, " = ", value));
  return joined(where);
}

std::string with_values(const std::string& equation, const std::vector<std::pair<std::string, std::int64_t>>& values) {
  return equation + "   with " + values_text(values);
}

namespace {

bool is_timed(std::string_view path) {
  if (path.ends_with("name") || path.ends_with(".missing")) return false;
  if (path.starts_with("stalls.")) return !path.ends_with(".events") && !path.ends_with(".cta");
  if (path.starts_with("steps.")) return path.ends_with(".microseconds");
  return path.starts_with("time.") || (path.starts_with("links.") && path.ends_with(".percent_of_peak"));
}

bool is_of_hbm_traffic(std::string_view path) {
  if (path.starts_with("hbm_traffic.compulsory_") || path.ends_with(".missing")) return false;
  const bool of_link = path.starts_with("links.") && path.find(".hbm.") != std::string_view::npos;
  return of_link || path.ends_with(".hbm_bytes") || path.starts_with("hbm_traffic") || path.ends_with(".intensity.hbm");
}

/// Clears numbers that are unknown for the device.
void forget_unknown(const Simulation& s, std::vector<PathValue>& values) {
  const DeviceSpec& gpu = *s.plan.scenario.gpu;
  if (has_time(gpu)) return;  // then its caches are modelled as well
  for (PathValue& value : values) {
    if (!why_unknown(s, value.path).empty()) value = {value.path, {}};
  }
}

}  // namespace

std::string why_unknown(const Simulation& s, std::string_view path) {
  const DeviceSpec& gpu = *s.plan.scenario.gpu;
  if (!counts_hbm_traffic(gpu) && is_of_hbm_traffic(path)) return why_no_hbm_traffic(gpu);
  return !has_time(gpu) && is_timed(path) ? why_no_time(gpu) : "";
}

std::vector<PathValue> values_of(const Simulation& s) {
  RunValues values;
  add_scenario(s, values);
  add_kernels(s, values);
  values.text("warnings", s.warnings);
  add_tile_traffic(s, values);
  add_hbm_traffic(s, values);
  add_links(s, values);
  add_memory(s, values);
  add_pages(s, values);
  add_work(s, values);
  add_time(s, values);
  add_steps(s, values);
  add_several_gpus(s, values);
  add_stalls(s, values);
  add_banks(s, values);
  add_check(s, values);
  std::vector<PathValue> all = values.take();
  forget_unknown(s, all);
  return all;
}

namespace {

constexpr std::string_view read = ".read_bytes", written = ".write_bytes";

/// The number at a path, or its read and written parts if the path names their sum.
struct Found {
  const PathValue *whole = nullptr, *in = nullptr, *out = nullptr;
};

const PathValue* find_number(const std::vector<PathValue>& values, const std::string& path) {
  const auto found = std::find_if(values.begin(), values.end(),
                                  [&](const PathValue& value) { return value.explain && value.path == path; });
  return found == values.end() ? nullptr : &*found;
}

std::optional<Found> find_at(const std::vector<PathValue>& values, const std::string& path) {
  const Found found{find_number(values, path), find_number(values, text(path, read)),
                    find_number(values, text(path, written))};
  if (found.whole == nullptr && (found.in == nullptr || found.out == nullptr)) return {};
  return found;
}

std::string number_text(const RunValue& value) {
  const auto* whole = std::get_if<std::int64_t>(&value);
  return whole != nullptr ? std::to_string(*whole) : text(std::get<double>(value));
}

Derivation derived(const PathValue& number) {
  Explanation why = number.explain();
  return {number.path, std::string(unit_of_quantity(number.path)), number_text(number.value), std::move(why.formula),
          std::move(why.terms)};
}

/// Derives the sum of read and written bytes.
Derivation sum(const std::string& path, const PathValue& in, const PathValue& out) {
  Derivation all = derived(in), rest = derived(out);
  const std::int64_t total = checked_add(std::get<std::int64_t>(in.value), std::get<std::int64_t>(out.value));
  const Sentence formula(/*say*/ "bytes read + bytes written = {} + {}", all.value, rest.value);
  all.path = path;
  all.value = std::to_string(total);
  if (rest.formula != all.formula) all.formula.insert(all.formula.end(), rest.formula.begin(), rest.formula.end());
  all.formula.insert(all.formula.begin(), formula);
  all.terms.insert(all.terms.end(), rest.terms.begin(), rest.terms.end());
  return all;
}

double as_double(const RunValue& value) {
  const auto* whole = std::get_if<std::int64_t>(&value);
  return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value);
}

}  // namespace

double number_at(const std::vector<PathValue>& values, const std::string& path) {
  const std::optional<Found> found = find_at(values, path);
  require(found.has_value(), "quantities: a run has no number ", path);
  if (found->whole != nullptr) return as_double(found->whole->value);
  return as_double(found->in->value) + as_double(found->out->value);
}

Derivation derive(const Simulation& simulation, const std::string& path) {
  const std::vector<PathValue> values = values_of(simulation);
  const std::optional<Found> found = find_at(values, path);
  if (const std::string why = why_unknown(simulation, path); !found && !why.empty()) throw Error(path, ": ", why);
  if (!found) throw Error(unlisted_name_message("quantity", path, derivation_paths(simulation)));
  return found->whole != nullptr ? derived(*found->whole) : sum(path, *found->in, *found->out);
}

std::vector<std::string> derivation_paths(const Simulation& simulation) {
  std::vector<std::string> paths, sums;
  for (const PathValue& value : values_of(simulation)) {
    if (!value.explain) continue;
    paths.push_back(value.path);
    if (value.path.ends_with(read)) sums.push_back(value.path.substr(0, value.path.size() - read.size()));
  }
  paths.insert(paths.end(), sums.begin(), sums.end());
  return paths;
}

}  // namespace sim

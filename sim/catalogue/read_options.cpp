// Reads options from text into a scenario, and expands aliases and models.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/catalogue/option_places.h"
#include "sim/catalogue/option_synonyms.h"
#include "sim/machine/device_override.h"
#include "sim/programs/program.h"

namespace sim {
namespace {

/// Throws Error if a given option applies only to batches of one length and the batch is ragged.
void check_lengths(const OptionValues& values, const Scenario& ragged) {
  if (ragged.sequences == nullptr) return;
  Scenario plain = ragged;
  plain.sequences = nullptr;
  for (const auto& [name, value] : values) {
    const ScenarioOption& option = option_called(name);
    require(applies_to(option, ragged) || !applies_to(option, plain), name,
            ": is for entries of one length, but --seqlens gives each its own: leave out --", name);
  }
}

Scenario read_options(const OptionValues& given_values, const GpuLookup& gpu) {
  for (const auto& [name, value] : given_values) {
    const std::string instead = find_option(name) == nullptr ? why_no_option(name) : "";
    require(instead.empty(), "unknown option ", quoted(name, 100), ": ", instead);
    parse_choice("option", name, option_names());
  }
  const OptionValues values = with_model(given_values);
  Scenario s;
  for (const ScenarioOption& option : scenario_options()) {
    const auto given = values.find(option.name);
    if (given != values.end())
      option.set(s, given->second, gpu);
    else if (!option.otherwise.empty())
      option.set(s, std::string(option.otherwise), gpu);
  }
  if (named_program(s)->kv_shared == SharedKv::always && !values.contains("kv-heads")) s.shape.kv_heads = 1;
  check_lengths(given_values, s);
  return s;
}

bool is_whole_number(const ScenarioOption& option, std::string_view value) {
  try {
    return parse_whole_number(option.name, value, option.number.least, option.number.most) >= 0;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::string_view name_of(OptionKind kind) {
  constexpr std::string_view names[] = {"flag", "whole number", "number", "name"};
  return names[static_cast<int>(kind)];
}

std::string text_of(const OptionValue& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "1" : "0";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const double* number = std::get_if<double>(&value)) return text(*number);
  if (const auto* name = std::get_if<std::string>(&value)) return *name;
  return "";
}

std::size_t parse_choice(std::string_view option, std::string_view value, const std::vector<std::string>& allowed) {
  for (std::size_t n = 0; n < allowed.size(); ++n) {
    if (allowed[n] == value) return n;
  }
  throw Error(unknown_name_message(Sentence::name(option), value, allowed));
}

std::shared_ptr<const DeviceSpec> gpu_from(const std::string& text, const GpuLookup& find) {
  const DeviceText parts = split_device(text);
  auto device = find(parts.name);
  return parts.fields.empty() ? device : with_fields(std::move(device), parts.fields);
}

double parse_number(std::string_view option, const std::string& value) {
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  require(!value.empty() && *end == '\0' && std::isfinite(number), option, ": \"", value, "\" is not a finite number");
  return number;
}

std::int64_t parse_whole_number(std::string_view option, std::string_view value, std::int64_t least, std::int64_t most,
                                Measure measure) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  const bool parsed = error == std::errc{} && end == value.data() + value.size();
  require(parsed && number >= least && number <= most, option, ": ", not_an_amount(measure, value, least, most));
  return number;
}

Scenario scenario_from(const OptionValues& values, const GpuLookup& gpu) {
  Scenario s = read_options(values, gpu);
  s.shape.check();
  return s;
}

OptionValues without_others(OptionValues values) {
  Scenario scenario;
  const auto algorithm = values.find("algorithm");
  const std::vector<std::string> known = all_program_names();
  if (algorithm != values.end()) scenario.algorithm = algorithm->second;
  if (values.contains("seqlens") || values.contains("cu-seqlens"))
    scenario.sequences = std::make_shared<const SequenceClasses>();
  if (std::find(known.begin(), known.end(), scenario.algorithm) == known.end()) return values;  // its reader reports it
  const auto dtype = values.find("dtype");
  if (dtype != values.end() && dtype->second == name_of(Dtype::e4m3)) {
    scenario.dtype = named_program(scenario)->fp8 ? Dtype::e4m3 : result_dtype(Dtype::e4m3);
    dtype->second = name_of(scenario.dtype);
  }
  std::erase_if(values, [&](const auto& given) {
    const ScenarioOption* option = find_option(given.first);
    return option != nullptr && !applies_to(*option, scenario);
  });
  return values;
}

void check_options(const OptionValues& values, const GpuLookup& gpu) { read_options(values, gpu); }

OptionValues expanded(OptionValues values) {
  for (const ScenarioOption& option : scenario_options()) {
    const auto given = values.find(option.name);
    if (!option.is_alias() || given == values.end() || !is_whole_number(option, given->second)) continue;
    for (const std::string_view covered : option.covers) values.emplace(covered, given->second);
    values.erase(given);
  }
  return values;
}

OptionValues folded(OptionValues values) {
  for (const ScenarioOption& option : scenario_options()) {
    if (!option.is_alias()) continue;
    const auto first = values.find(option.covers.front());
    const bool same = first != values.end() && std::all_of(option.covers.begin(), option.covers.end(), [&](auto name) {
                        const auto found = values.find(name);
                        return found != values.end() && found->second == first->second;
                      });
    if (!same) continue;
    values[std::string(option.name)] = first->second;
    for (const std::string_view name : option.covers) values.erase(values.find(name));
  }
  return values;
}

const OptionValues& filled_card() {
  static const OptionValues options = {{"batch", "4"}, {"heads", "32"}};
  return options;
}

}  // namespace sim

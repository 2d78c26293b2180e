// Binds options to fields of a scenario: how a field is set from text and read as a value; the type of the field
// decides. Internal to sim/catalogue.
#pragma once
#include <type_traits>

#include "sim/base/check.h"
#include "sim/catalogue/options.h"
#include "sim/programs/plan.h"

namespace sim {

/// Returns the index of a value among the allowed names; throws Error if it is not one of them.
std::size_t parse_choice(std::string_view option, std::string_view value, const std::vector<std::string>& allowed);

/// Returns a finite number, or throws Error.
double parse_number(std::string_view option, const std::string& value);

inline OptionValue value_in(bool flag) { return flag; }
inline OptionValue value_in(std::int64_t number) { return number; }
inline OptionValue value_in(std::uint64_t number) { return static_cast<std::int64_t>(number); }
inline OptionValue value_in(double number) { return number; }
template <class Number>
OptionValue value_in(const std::optional<Number>& number) {
  return number ? OptionValue(*number) : OptionValue();
}
template <class Word, class = std::enable_if_t<std::is_enum_v<Word>>>
OptionValue value_in(Word word) {
  return std::string(name_of(word));
}

template <class Place>
void write(const ScenarioOption& option, const std::string& value, Place& place) {
  if constexpr (std::is_same_v<Place, bool>) {
    place = parse_choice(option.name, value, {"0", "1"}) == 1;
  } else if constexpr (std::is_enum_v<Place>) {
    place = static_cast<Place>(parse_choice(option.name, value, option.words()));
  } else if constexpr (std::is_same_v<Place, double> || std::is_same_v<Place, std::optional<double>>) {
    place = parse_number(option.name, value);
  } else {
    const std::int64_t number =
        parse_whole_number(option.name, value, option.number.least, option.number.most, measure_of(option.number.unit));
    place = static_cast<std::conditional_t<std::is_same_v<Place, std::uint64_t>, std::uint64_t, std::int64_t>>(number);
  }
}

/// Makes a row from `place`, which returns a field of a scenario by reference. The resolved value is the requested one.
template <class Place>
ScenarioOption at(Place place, ScenarioOption option) {
  const ScenarioOption row = option;
  option.asked = [place](const Scenario& s) { return value_in(place(s)); };
  option.resolved = [place](const Plan& plan) { return value_in(place(plan.scenario)); };
  option.set = [place, row](Scenario& s, const std::string& value, const GpuLookup&) { write(row, value, place(s)); };
  return option;
}

/// As above, but the plan derives the value if it is not given.
template <class Place, class Resolved>
ScenarioOption at(Place place, Resolved resolved, ScenarioOption option) {
  option = at(place, std::move(option));
  option.resolved = [resolved](const Plan& plan) { return value_in(resolved(plan)); };
  return option;
}

/// Makes a row with functions of its own to get and set its value. The resolved value is the requested one.
template <class Asked, class Set>
ScenarioOption read_by(Asked asked, Set set, ScenarioOption option) {
  option.asked = asked;
  option.resolved = [asked](const Plan& plan) { return OptionValue(asked(plan.scenario)); };
  option.set = set;
  return option;
}

/// Adds an action after the row's text is read.
template <class After>
ScenarioOption followed_by(After after, ScenarioOption option) {
  option.set = [set = option.set, after](Scenario& s, const std::string& value, const GpuLookup& gpu) {
    set(s, value, gpu);
    after(s, value);
  };
  return option;
}

/// Row of --inputs: the source of Q, K and V. An example text sets the sizes that are not given.
ScenarioOption inputs_option();

/// Rows of --model, which sets sizes and is not part of a scenario, and of --layers.
ScenarioOption model_option();
ScenarioOption layers_option();

/// Rows of the options that modify scores, such as --softcap, and of --sink.
std::vector<ScenarioOption> score_options();
/// Rows of serving, such as --page-size.
std::vector<ScenarioOption> serving_rows();
/// Rows of several GPUs: --gpus and --parallel.
std::vector<ScenarioOption> gpus_rows();
/// Rows of a unified maximum: --phi, --range and --fallback.
std::vector<ScenarioOption> unified_max_rows();
/// Rows of the masks: --causal to --documents.
std::vector<ScenarioOption> mask_rows();
/// Rows of serving, such as --steps.
std::vector<ScenarioOption> serving_rows();

/// A row that counts where all batch entries are alike.
inline ScenarioOption of_equal_entries(ScenarioOption option) {
  option.applies = [](const Scenario& s) { return s.sequences == nullptr; };
  return option;
}

/// Rows of the options that programs declare, such as --chunk.
std::vector<ScenarioOption> own_options();

}  // namespace sim

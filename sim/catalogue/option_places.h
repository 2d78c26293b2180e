// How the place of an option in a scenario is written from text and read as a value; the type of the place decides.
// Internal to sim/catalogue.
#pragma once
#include <type_traits>

#include "sim/catalogue/options.h"

namespace sim {

/// One of the words of a name, by its number, or Error.
std::size_t parse_choice(std::string_view option, std::string_view value, const std::vector<std::string>& allowed);

/// A finite number, or Error.
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
    const std::int64_t number = parse_whole_number(option.name, value, option.number.least, largest_option);
    place = static_cast<std::conditional_t<std::is_same_v<Place, std::uint64_t>, std::uint64_t, std::int64_t>>(number);
  }
}

/// A row whose place in a scenario `place` returns by reference. What it comes to is what was asked for.
template <class Place>
ScenarioOption at(Place place, ScenarioOption option) {
  const ScenarioOption row = option;
  option.asked = [place](const Scenario& s) { return value_in(place(s)); };
  option.resolved = [place](const Plan& plan) { return value_in(place(plan.scenario)); };
  option.set = [place, row](Scenario& s, const std::string& value, const GpuLookup&) { write(row, value, place(s)); };
  return option;
}

/// The same where the plan works out what is not asked for.
template <class Place, class Resolved>
ScenarioOption at(Place place, Resolved resolved, ScenarioOption option) {
  option = at(place, std::move(option));
  option.resolved = [resolved](const Plan& plan) { return value_in(resolved(plan)); };
  return option;
}

/// A row that is no plain number: how it is asked for and read. What it comes to is what was asked for.
template <class Asked, class Set>
ScenarioOption read_by(Asked asked, Set set, ScenarioOption option) {
  option.asked = asked;
  option.resolved = [asked](const Plan& plan) { return OptionValue(asked(plan.scenario)); };
  option.set = set;
  return option;
}

/// Hint for a text that is refused and holds a comma.
struct PairHint {
  std::string_view text;
};

/// A row that adds a hint to its error.
inline ScenarioOption hinted(PairHint hint, ScenarioOption option) {
  option.set = [set = option.set, hint](Scenario& s, const std::string& value, const GpuLookup& gpu) {
    try {
      set(s, value, gpu);
    } catch (const Error& error) {
      throw Error(text(error.what(), value.find(',') == std::string::npos ? "" : hint.text));
    }
  };
  return option;
}

/// The same row with something to do after its text was read.
template <class After>
ScenarioOption followed_by(After after, ScenarioOption option) {
  option.set = [set = option.set, after](Scenario& s, const std::string& value, const GpuLookup& gpu) {
    set(s, value, gpu);
    after(s, value);
  };
  return option;
}

/// The row of --inputs: where Q, K and V come from. A text sets the sizes that are not given.
ScenarioOption inputs_option();

/// The rows of --model, which stands for sizes and is no part of a scenario, and of --layers.
ScenarioOption model_option();
ScenarioOption layers_option();

/// The rows of options that programs declare, such as --chunk.
std::vector<ScenarioOption> own_options();

}  // namespace sim

// The options of a scenario, each in one row: what it is called, what it takes and means, and its place in the
// scenario. The command line with its help, links, JSON, CSV, recordings, the fields of the explorer, what differs
// between runs and the axes of sweeps are made of this table; a new option is a new row.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/programs/models.h"
#include "sim/programs/scenario.h"

namespace sim {

enum class OptionKind { flag, whole_number, number, name };
std::string_view name_of(OptionKind kind);  ///< "flag", "whole number", "number", "name"

/// None where the scenario has no value of its own: it works it out, or there is none.
using OptionValue = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

/// Finds a device by name; the caller decides whether files count.
using GpuLookup = std::function<std::shared_ptr<const DeviceSpec>(const std::string&)>;

/// The device that the option `gpu` names, with the fields that it gives (sim/machine/device_override.h). Throws Error.
std::shared_ptr<const DeviceSpec> gpu_from(const std::string& text, const GpuLookup& find);

/// How one walks through the values of a number, by the wheel of a mouse.
enum class Pace { by_one, by_tenth, doubling };

/// What is said of a number. A field on a screen takes less than can be simulated.
struct OptionNumber {
  std::string_view unit = {};
  std::int64_t least = 1;  ///< of a whole number; the largest is largest_option
  double field_least = 0, field_most = 1e12;
  Pace pace = Pace::by_one;
  std::string_view offered = {}, plotted = {};  ///< by a field, and where a plot has points; with spaces between
};

/// `automatic`: has a value, or none, where nobody and no default names one; `of_device`: and that is the device's;
/// `of_speed`: time and bytes depend on it, the values of attention do not; `seldom`: JSON and CSV have it only
/// where it is not the default.
enum OptionTraits : unsigned { no_traits = 0, automatic = 1, of_device = 2, of_speed = 4, seldom = 8 };
constexpr OptionTraits operator|(OptionTraits a, OptionTraits b) { return OptionTraits(unsigned{a} | unsigned{b}); }

struct ScenarioOption {
  std::string_view name;    ///< "heads", without dashes; the same in links, JSON and files
  std::string_view values;  ///< what it takes, in help: "N", "fp16|bf16|fp32"
  OptionKind kind;
  std::string_view help;         ///< a line of the command line's help, with the default in brackets
  std::string_view label, note;  ///< on a screen: what it is called, and what it means in a few words
  OptionNumber number = {};
  OptionTraits traits = no_traits;
  std::vector<std::string> (*words)() = nullptr;  ///< the exact ones of a name
  std::vector<std::string_view> covers = {};      ///< options that it sets; their own values count over its own
  std::string_view otherwise = {};                ///< what is read where it is not given

  /// What a scenario was asked for, and what it comes to. There is no value of a model: it stands for others.
  std::function<OptionValue(const Scenario&)> asked = {};
  std::function<OptionValue(const Plan&)> resolved = {};
  /// Throws Error that names the option, its value and what is allowed.
  std::function<void(Scenario&, const std::string& text, const GpuLookup& gpu)> set = {};
  /// Of a program's own: whether the scenario's program has it. None: every program does.
  std::function<bool(const Scenario&)> applies = {};

  bool is(OptionTraits trait) const { return (traits & trait) != 0; }
  /// Short for several options with the same value: one length for queries and keys.
  bool is_alias() const { return kind == OptionKind::whole_number && !covers.empty(); }
};

inline constexpr std::int64_t largest_option = std::int64_t{1} << 40;

/// In the order of help and JSON. What covers others stands before them.
const std::vector<ScenarioOption>& scenario_options();
std::vector<std::string> option_names();

const ScenarioOption* find_option(std::string_view name);    ///< null for none
const ScenarioOption& option_called(std::string_view name);  ///< Error for none

/// As it is written on the command line, in links and recordings: a flag is "1" or "0"; "" for none.
std::string text_of(const OptionValue& value);

/// "32"; with layers of a window "21+21:4095".
std::string text_of(const Layers& layers);

/// Whether the scenario's program has it: all have those that are no program's own.
bool applies_to(const ScenarioOption& option, const Scenario& scenario);

/// Whether JSON and CSV have the option: not one that stands for others, nor a seldom one at its default, nor one of
/// another program's own.
bool is_reported(const ScenarioOption& option, const Scenario& scenario);

/// Option name -> value as written; flags have the value "1" (or "0").
using OptionValues = std::map<std::string, std::string, std::less<>>;

/// With the sizes of the model that is named, where they are not given themselves; an unknown one changes nothing.
OptionValues with_model(OptionValues values);

/// Defaults, then the given options; what covers others gives way to them. Throws Error that names the option, its
/// value and what is allowed.
Scenario scenario_from(const OptionValues& values, const GpuLookup& gpu);

/// Without options that the algorithm among them does not have, or a ragged batch among them: for who goes on to it.
OptionValues without_others(OptionValues values);

/// Checks each option on its own: throws what scenario_from throws, except where options contradict each other.
void check_options(const OptionValues& values, const GpuLookup& gpu);

/// With the options that an alias stands for in its place. An alias that cannot be read stays: its reader says why.
OptionValues expanded(OptionValues values);

/// The other way: an alias in place of options that have the same value.
OptionValues folded(OptionValues values);

/// What is shown where nobody asks for a scenario: batch and heads with which the default GPU is full. The defaults of
/// the options are one head, as papers count; its times are those of a card that is idle for the most part.
const OptionValues& filled_card();

/// Whole number in [least, most], or Error: `heads: "abc" is not a whole number from 1 to 1099511627776`.
std::int64_t parse_whole_number(std::string_view option, std::string_view value, std::int64_t least, std::int64_t most);

}  // namespace sim

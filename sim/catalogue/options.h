// The options of a scenario, one per row: name, values, meaning, and its field in the scenario. The command line with
// its help, links, JSON, CSV, recordings, the fields of the explorer, differences between runs and the axes of sweeps
// are generated from this table; a new option is a new row.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/base/amount.h"
#include "sim/programs/models.h"
#include "sim/programs/scenario.h"

namespace sim {

struct Plan;     // sim/programs/plan.h
struct Program;  // sim/programs/program.h

enum class OptionKind { flag, whole_number, number, name };
std::string_view name_of(OptionKind kind);  ///< "flag", "whole number", "number", "name"

/// Empty if the scenario sets no value: it is then derived, or there is none.
using OptionValue = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

/// Finds a device by name; the caller decides whether file names are allowed.
using GpuLookup = std::function<std::shared_ptr<const DeviceSpec>(const std::string&)>;

/// Returns the device that the option `gpu` names, with the fields that it overrides (sim/machine/device_override.h).
/// Throws Error.
std::shared_ptr<const DeviceSpec> gpu_from(const std::string& text, const GpuLookup& find);

inline constexpr std::int64_t largest_option = std::int64_t{1} << 40;

/// Step of the mouse wheel through the values of a number.
enum class Pace { by_one, by_tenth, doubling };

/// Properties of a number. A field on a screen accepts a smaller range than can be simulated.
struct OptionNumber {
  std::string_view unit = {};
  std::int64_t least = 1;  ///< smallest whole number
  double field_least = 0, field_most = 1e12;
  Pace pace = Pace::by_one;
  std::string_view offered = {}, plotted = {};  ///< values that a field offers and a plot shows; separated by spaces
  std::int64_t most = largest_option;           ///< largest whole number
};

/// `automatic`: if unset and without a default, derived or absent; `of_device`: then taken from the device; `of_speed`:
/// affects time and bytes, not the values of attention; `seldom`: in JSON and CSV only if it differs from the default;
/// `of_pages`: it means something only in a run whose K and V lie in pages.
enum OptionTraits : unsigned { no_traits = 0, automatic = 1, of_device = 2, of_speed = 4, seldom = 8, of_pages = 16 };
constexpr OptionTraits operator|(OptionTraits a, OptionTraits b) { return OptionTraits(unsigned{a} | unsigned{b}); }

struct ScenarioOption {
  std::string_view name;    ///< "heads", without dashes; also in links, JSON and files
  std::string_view values;  ///< accepted values, in help: "N", "fp16|bf16|fp32"
  OptionKind kind;
  std::string_view help;         ///< a line of the command line's help, with the default in brackets
  std::string_view label, note;  ///< on a screen: its name, and its meaning in a few words
  OptionNumber number = {};
  OptionTraits traits = no_traits;
  std::function<std::vector<std::string>()> words = {};  ///< the exact names of a `name` option
  std::vector<std::string_view> covers = {};  ///< options that it sets; explicit values of those take precedence
  std::string_view otherwise = {};            ///< text that is read if the option is not given

  /// Requested and resolved value. The option `model` has no value: it sets others.
  std::function<OptionValue(const Scenario&)> asked = {};
  std::function<OptionValue(const Plan&)> resolved = {};
  /// Sets the option from text. Throws Error that names the option, its value and the allowed values.
  std::function<void(Scenario&, const std::string& text, const GpuLookup& gpu)> set = {};
  /// True if the scenario's program has the option, for a program's own one. Empty: every program has it.
  std::function<bool(const Scenario&)> applies = {};

  bool is(OptionTraits trait) const { return (traits & trait) != 0; }
  /// True if it is short for several options with one value: one length for queries and keys.
  bool is_alias() const { return kind == OptionKind::whole_number && !covers.empty(); }
};

/// All options, in the order of help and JSON. An option that sets others precedes them.
const std::vector<ScenarioOption>& scenario_options();
std::vector<std::string> option_names();

const ScenarioOption* find_option(std::string_view name);    ///< null if there is none
const ScenarioOption& option_called(std::string_view name);  ///< throws Error if there is none

/// Returns a value as written on the command line, in links and recordings: a flag is "1" or "0"; "" if there is no
/// value.
std::string text_of(const OptionValue& value);

/// Returns "32"; with windowed layers "21+21:4095", with chunks "12+36/8192", with other KV heads and head dim
/// "8+40:1023@8x256": the form that --layers parses.
std::string text_of(const Layers& layers);

/// True if the scenario's program has the option: always, unless the option is one program's own.
bool applies_to(const ScenarioOption& option, const Scenario& scenario);

/// True if JSON and CSV have the option: not an alias, nor a seldom one at its default, nor one of another program's
/// own.
bool is_reported(const ScenarioOption& option, const Scenario& scenario);

/// Option name -> value as text; flags have "1" (or "0").
using OptionValues = std::map<std::string, std::string, std::less<>>;

/// Adds the sizes of the named model that are not given explicitly; an unknown model changes nothing.
OptionValues with_model(OptionValues values);

/// The program of the options, by name or by another spelling of it; null if there is none of that name.
std::shared_ptr<const Program> program_in(const OptionValues& values);

/// Options of the absorbed form: one KV head of latent rows, V their first elements, and the scale of the form of
/// prefill, whose head dim is `head_dim`.
OptionValues absorbed_options(const LatentHeads& latent, std::int64_t head_dim);

/// Builds a scenario from the defaults and the given options; explicit options take precedence over those that set
/// them. Throws Error that names the option, its value and the allowed values.
Scenario scenario_from(const OptionValues& values, const GpuLookup& gpu);

/// Drops options that do not apply to the algorithm in `values`, or to its ragged batch, and takes bf16 if it has no
/// e4m3; for switching between them.
OptionValues without_others(OptionValues values);

/// Checks each option separately: throws what scenario_from throws, except for options that contradict each other.
void check_options(const OptionValues& values, const GpuLookup& gpu);

/// Replaces aliases by the options that they set. An alias that cannot be read stays, for its reader to report.
OptionValues expanded(OptionValues values);

/// Replaces options that have one value by their alias: the inverse of expanded().
OptionValues folded(OptionValues values);

/// Scenario that is shown by default: batch and heads that fill the default GPU. The option defaults have one head, as
/// papers count; their times are those of a mostly idle card.
const OptionValues& filled_card();

/// Returns a whole number in [least, most] that is written in digits, or throws Error: `heads: "abc" is not a whole
/// number from 1 to 1099511627776`. The measure words the error; sim/catalogue/typed_values.h reads suffixes.
std::int64_t parse_whole_number(std::string_view option, std::string_view value, std::int64_t least, std::int64_t most,
                                Measure measure = Measure::count);

}  // namespace sim

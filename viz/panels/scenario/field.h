// One option of the scenario as a widget: what it may be, what it is, and what a choice does.
#pragma once
#include <string>
#include <vector>

#include "sim/catalogue/options.h"
#include "viz/panels/view.h"
#include "viz/ui/number_field.h"

namespace explorer {

/// The scenario of a frame as it was when the frame began: what was asked for, and what it comes to.
struct ScenarioValues {
  sim::OptionValues asked;
  sim::OptionValues resolved;  ///< of the last possible scenario, every option
  std::string error;

  bool is_asked(std::string_view option) const { return asked.contains(option); }
  /// As it is written: what was asked for, else what the last possible scenario came to; "" for none.
  std::string text(std::string_view option) const;
  bool is_on(std::string_view flag) const { return text(flag) == "1"; }
};
ScenarioValues scenario_values(const View& view);

/// What a name option may be, as on the command line.
std::vector<std::string> choices_of(const sim::ScenarioOption& option);

/// Draws the widget of an option and applies what the user wants. `id` is its probe; `label` may be empty. Of a number,
/// what the user wants goes into `draft` instead, where there is one; "" is its default.
void draw_option(View& view, ui::Rect rect, const std::string& id, std::string_view option, std::string_view label,
                 const ScenarioValues& values, sim::OptionValues* draft = nullptr);
float option_width(const View& view, std::string_view option, std::string_view label, const ScenarioValues& values);

/// Sets an option to the number that a widget wants; one length for queries and keys takes the place of two.
void change_number(ViewModel& model, std::string_view option, const ui::NumberChange& change);

/// While a lesson's goal is tried, all but the options that it names are locked.
bool is_locked(const View& view, std::string_view option);
/// Those that it names: "Br, Bc".
std::string free_options(const View& view);

/// A number of an option, bytes in the unit of a reader: "35.5 MiB".
std::string shown_number(const sim::ScenarioOption& option, const std::string& value);

/// A device's name in capitals: "H100 SXM"; with fields of its own "H100 SXM *".
std::string device_label(std::string_view device);

}  // namespace explorer

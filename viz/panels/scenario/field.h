// An option of the scenario as a widget: its choices, its value, and the effect of a change.
#pragma once
#include <string>
#include <vector>

#include "sim/catalogue/options.h"
#include "viz/panels/view.h"
#include "viz/ui/number_field.h"

namespace explorer {

/// The scenario at the start of a frame: the options requested, and the values that follow from them.
struct ScenarioValues {
  sim::OptionValues asked;
  sim::OptionValues resolved;  ///< every option of the last possible scenario
  std::string error;

  bool is_asked(std::string_view option) const { return asked.contains(option); }
  /// Value as written: the requested one, else that of the last possible scenario; "" if there is none.
  std::string text(std::string_view option) const;
  bool is_on(std::string_view flag) const { return text(flag) == "1"; }
};
ScenarioValues scenario_values(const View& view);

/// Values that a name option can take, as on the command line.
std::vector<std::string> choices_of(const sim::ScenarioOption& option);

/// Draws the widget of an option and applies the user's change. `id` is its probe; `label` may be empty. With a
/// `draft`, a number's change is stored there instead; "" is the default.
void draw_option(View& view, ui::Rect rect, const std::string& id, std::string_view option, std::string_view label,
                 const ScenarioValues& values, sim::OptionValues* draft = nullptr);
float option_width(const View& view, std::string_view option, std::string_view label, const ScenarioValues& values);

/// True if a lesson's goal is being tried and does not name this option.
bool is_locked(const View& view, std::string_view option);
/// Options that the goal names: "Br, Bc".
std::string free_options(const View& view);

/// Text of an option's number; bytes in a readable unit: "35.5 MiB".
std::string shown_number(const sim::ScenarioOption& option, const std::string& value);

/// Name of a device in capitals: "H100 SXM"; if fields are changed, "H100 SXM *".
std::string device_label(std::string_view device);

}  // namespace explorer

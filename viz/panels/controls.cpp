// Scenario controls of the top bar: the options changed most, in one row. If it is narrow, the less important ones are
// left out; the card that the last button opens has all of them.
#include <algorithm>
#include <array>
#include <vector>

#include "sim/base/text.h"
#include "viz/panels/action_button.h"
#include "viz/panels/panels.h"
#include "viz/panels/scenario/field.h"
#include "viz/panels/scenario/option_words.h"
#include "viz/panels/scenario/options.h"

namespace explorer {
namespace {

constexpr float gap = 8;  // CSS pixels

/// Options of the row; the last ones of `by_importance` are left out first. `unlabelled`: the choice shown is clear
/// without a label.
constexpr std::string_view in_row = "gpu seqlens batch heads seqlen head-dim br bc pass dtype causal",
                           by_importance = "seqlens seqlen head-dim heads batch gpu br bc causal dtype pass",
                           unlabelled = "pass dtype";
constexpr std::size_t row_length = 11;

int place_in(std::string_view list, std::string_view option) {
  const std::vector<std::string_view> names = sim::split(list, " ");
  return static_cast<int>(std::find(names.begin(), names.end(), option) - names.begin());
}

/// An option in the row. Options with a larger rank are left out first.
struct RowOption {
  std::string_view option, label;
  int rank;
};

const std::vector<RowOption>& row_options() {
  static const std::vector<RowOption> options = [] {
    std::vector<RowOption> all;
    for (const std::string_view name : sim::split(in_row, " ")) {
      const bool labelled = unlabelled.find(name) == std::string_view::npos;
      all.push_back({name, labelled ? sim::option_called(name).label : "", place_in(by_importance, name) + 1});
    }
    return all;
  }();
  return options;
}

/// Layout of the row in this frame: the width of each option, and which ones fit.
struct ControlRow {
  std::array<float, row_length> widths{};
  int last_rank = 0;  ///< largest rank that is drawn
  bool segments = false;
};

std::string_view label_of(const View& view, const RowOption& option) {
  return option.label.empty() ? option.label : view.say(option.label);
}

std::vector<std::string_view> algorithm_labels(const View& view) {
  std::vector<std::string_view> labels;
  for (const auto& program : sim::programs_now()) labels.push_back(view.say(program->short_title));
  return labels;
}

/// True if the row shows an option. A ragged batch has its lengths instead of batch and N.
bool stands(const View& view, const RowOption& option) {
  const sim::Scenario& scenario = view.world.run().simulation.plan.scenario;
  const bool ragged = scenario.sequences != nullptr;
  return option.option == "seqlens" ? ragged : applies_to(sim::option_called(option.option), scenario);
}

float width_of_ranks(const View& view, const ControlRow& row, int last) {
  float width = 0;
  for (std::size_t i = 0; i < row_options().size(); ++i) {
    if (row_options()[i].rank <= last && row.widths[i] > 0) width += row.widths[i] + view.px(gap);
  }
  return width;
}

/// Lays out the row: segments for the algorithm if the eight most important options still fit, else a drop-down.
ControlRow make_row(const View& view, float width, const ScenarioValues& values) {
  ControlRow row;
  for (std::size_t i = 0; i < row_options().size(); ++i) {
    if (!stands(view, row_options()[i])) continue;
    row.widths[i] = option_width(view, row_options()[i].option, label_of(view, row_options()[i]), values);
  }
  const float segments = ui::segmented_width(view.canvas(), algorithm_labels(view)) + view.px(gap);
  const float list = option_width(view, "algorithm", {}, values) + view.px(gap);
  constexpr int needed = 9;
  row.segments = segments + width_of_ranks(view, row, needed) <= width;
  const float left = width - (row.segments ? segments : list);
  while (row.last_rank < static_cast<int>(row_options().size()) &&
         width_of_ranks(view, row, row.last_rank + 1) <= left) {
    ++row.last_rank;
  }
  return row;
}

void draw_algorithm(View& view, ui::Space& rest, const ControlRow& row, const ScenarioValues& values) {
  if (!row.segments || !unlocked_options(view.model).empty()) {  // a locked algorithm is a single field
    const ui::Rect place = rest.left(option_width(view, "algorithm", {}, values));
    return draw_option(view, place, view.id("algorithm"), "algorithm", {}, values);
  }
  const std::vector<std::string_view> labels = algorithm_labels(view);
  std::vector<std::string_view> names;
  for (const auto& program : sim::programs_now()) names.push_back(program->name);
  const auto program = sim::find_program(values.text("algorithm"));
  const auto found =
      std::find(names.begin(), names.end(), program->variant_of.empty() ? program->name : program->variant_of);
  const int chosen = static_cast<int>(found - names.begin());
  const ui::Rect place = rest.left(ui::segmented_width(view.canvas(), labels));
  const int next = ui::segmented(view.ui, view.id("algorithm"), place, names, labels, chosen);
  if (next != chosen) view.edit(SetOptions{{{"algorithm", std::string(names[static_cast<std::size_t>(next)])}}});
}

/// Draws undo, redo and the button for the card of all options, from the right.
void draw_buttons(View& view, ui::Space& rest) {
  const float side = view.control_height();
  const ui::Rect all = rest.right(side);
  if (draw_icon_button(view, all, "options", ui::Icon::options, view.say("All options of the scenario"))) {
    view.set([&](Look& look) { look.options = !view.state.look.options; });
  }
  const ui::Rect redo = rest.right(side, view.px(4)), undo = rest.right(side);
  draw_action_button(view, redo, "redo", ui::Icon::redo, ui::Weight::normal, view.model.can_redo());
  draw_action_button(view, undo, "undo", ui::Icon::undo, ui::Weight::normal, view.model.can_undo());
  if (view.state.look.options) draw_options(view, all);
}

}  // namespace

void draw_controls(View& view, ui::Rect rect) {
  ui::Space rest(ui::middle(rect, view.control_height()), view.px(gap));
  draw_buttons(view, rest);
  const ScenarioValues values = scenario_values(view);
  const ControlRow row = make_row(view, rest.width(), values);
  draw_algorithm(view, rest, row, values);
  for (std::size_t i = 0; i < row_options().size(); ++i) {
    const RowOption& option = row_options()[i];
    if (option.rank > row.last_rank || row.widths[i] == 0) continue;
    draw_option(view, rest.left(row.widths[i]), view.id(option.option), option.option, label_of(view, option), values);
  }
}

}  // namespace explorer

// What is simulated: the options that are changed most, in one row. Where it is narrow, the less important ones are
// left out; the card behind the last button has all of them.
#include <algorithm>
#include <array>
#include <vector>

#include "viz/panels/option_words.h"
#include "viz/panels/options.h"
#include "viz/panels/panels.h"
#include "viz/panels/scenario_field.h"

namespace explorer {
namespace {

constexpr float gap = 8;  // CSS pixels

/// An option in the row. Those with a larger rank are left out first.
struct RowOption {
  std::string_view option, label;
  int rank;
};
constexpr std::array<RowOption, 8> row_options = {{{"gpu", "GPU", 3},
                                                   {"seqlen", "N", 1},
                                                   {"head-dim", "d", 2},
                                                   {"br", "Br", 4},
                                                   {"bc", "Bc", 5},
                                                   {"pass", "", 8},
                                                   {"dtype", "", 7},
                                                   {"causal", /*say*/ "Causal", 6}}};

/// The row of this frame: how wide each option is, and which have a place.
struct Row {
  std::array<float, row_options.size()> widths{};
  int last_rank = 0;  ///< of those that are drawn
  bool segments = false;
};

std::string_view label_of(const View& view, const RowOption& option) {
  return option.label.empty() ? option.label : view.say(option.label);
}

std::vector<std::string_view> algorithm_labels(const View& view) {
  std::vector<std::string_view> labels;
  for (const sim::Program& program : sim::catalog()) labels.push_back(view.say(short_name(program.name)));
  return labels;
}

float width_of_ranks(const View& view, const Row& row, int last) {
  float width = 0;
  for (std::size_t i = 0; i < row_options.size(); ++i) {
    if (row_options[i].rank <= last) width += row.widths[i] + view.px(gap);
  }
  return width;
}

/// Segments for the algorithm where the seven most important options stay, else a drop-down.
Row make_row(const View& view, float width, const ScenarioValues& values) {
  Row row;
  for (std::size_t i = 0; i < row_options.size(); ++i) {
    row.widths[i] = option_width(view, row_options[i].option, label_of(view, row_options[i]), values);
  }
  const float segments = ui::segmented_width(view.canvas(), algorithm_labels(view)) + view.px(gap);
  const float list = option_width(view, "algorithm", {}, values) + view.px(gap);
  constexpr int needed = 6;
  row.segments = segments + width_of_ranks(view, row, needed) <= width;
  const float left = width - (row.segments ? segments : list);
  while (row.last_rank < static_cast<int>(row_options.size()) && width_of_ranks(view, row, row.last_rank + 1) <= left) {
    ++row.last_rank;
  }
  return row;
}

void draw_algorithm(View& view, ui::Rect& rest, const Row& row, const ScenarioValues& values) {
  if (!row.segments) {
    const float width = std::min(rest.width, option_width(view, "algorithm", {}, values));
    return draw_option(view, cut_left(rest, width), view.id("algorithm"), "algorithm", {}, values);
  }
  const std::vector<std::string_view> labels = algorithm_labels(view);
  const std::vector<std::string> names = sim::program_names();
  const auto found = std::find(names.begin(), names.end(), values.text("algorithm"));
  const int chosen = static_cast<int>(found - names.begin());
  const ui::Rect place = cut_left(rest, ui::segmented_width(view.canvas(), labels));
  const int next = ui::segmented(view.ui, view.id("algorithm"), place, labels, chosen);
  if (next != chosen) view.model.set_option("algorithm", names[static_cast<std::size_t>(next)]);
}

/// A button that does nothing now looks so.
bool icon_button(View& view, std::string_view id, ui::Rect rect, ui::Icon icon, bool possible) {
  if (possible) return ui::icon_button(view.ui, view.id(id), rect, icon);
  const ui::Theme& theme = view.theme();
  view.canvas().card(rect, theme.inset, theme.border, view.px(ui::control_radius));
  ui::draw_icon(view.canvas(), icon, rect.center(), theme.border, theme.inset);
  return false;
}

/// Undo, redo and the card with all options, from the right.
void draw_buttons(View& view, ui::Rect& rest) {
  const float side = view.px(ui::control_height);
  const ui::Rect all = cut_right(rest, side);
  if (ui::icon_button(view.ui, view.id("options"), all, ui::Icon::options)) {
    view.model.look.options = !view.model.look.options;
  }
  cut_right(rest, view.px(gap));
  if (icon_button(view, "redo", cut_right(rest, side), ui::Icon::redo, view.model.can_redo())) view.model.redo();
  cut_right(rest, view.px(4));
  if (icon_button(view, "undo", cut_right(rest, side), ui::Icon::undo, view.model.can_undo())) view.model.undo();
  cut_right(rest, view.px(gap));
  if (view.model.look.options) draw_options(view, all);
}

}  // namespace

void draw_controls(View& view, ui::Rect rect) {
  const float height = view.px(ui::control_height);
  ui::Rect rest{rect.x, std::round(rect.center().y - height / 2), rect.width, height};
  draw_buttons(view, rest);
  const ScenarioValues values = scenario_values(view);
  const Row row = make_row(view, rest.width, values);
  draw_algorithm(view, rest, row, values);
  for (std::size_t i = 0; i < row_options.size(); ++i) {
    const RowOption& option = row_options[i];
    if (option.rank > row.last_rank) continue;
    cut_left(rest, view.px(gap));
    const ui::Rect place = cut_left(rest, row.widths[i]);
    draw_option(view, place, view.id(option.option), option.option, label_of(view, option), values);
  }
}

}  // namespace explorer

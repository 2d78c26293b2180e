// Options that a step lets the learner drag: sliders with stops; the step's text follows them.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "sim/base/text.h"
#include "viz/panels/lesson/list.h"
#include "viz/panels/scenario/field.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr float row = 32;  // CSS pixels

/// Stop nearest to a value, by ratio.
std::size_t nearest(const std::vector<std::string>& stops, const std::string& value) {
  const double now = std::max(1., std::strtod(value.c_str(), nullptr));
  const auto distance = [&](const std::string& stop) {
    const double ratio = std::strtod(stop.c_str(), nullptr) / now;
    return std::max(ratio, 1 / ratio);
  };
  const auto closer = [&](const std::string& a, const std::string& b) { return distance(a) < distance(b); };
  return static_cast<std::size_t>(std::min_element(stops.begin(), stops.end(), closer) - stops.begin());
}

/// Draws name, track and value in a line.
void draw_drag(View& view, Rect line, const lessons::Other& drag) {
  const sim::ScenarioOption& option = sim::option_called(drag.name);
  std::vector<std::string> stops;
  for (const std::string_view stop : sim::split(drag.scenario, ",")) stops.emplace_back(sim::trimmed(stop));
  const std::string now = scenario_values(view).text(drag.name);
  const std::string shown = shown_number(option, now);
  const std::string_view label = option.label.empty() ? option.name : view.say(option.label);
  ui::Canvas& canvas = view.canvas();
  const float wide = std::max(view.px(64), canvas.text_width(Style::control, shown) + view.px(8));
  const auto [name, track, value] =
      ui::columns(line, 0, {canvas.text_width(Style::control, label) + view.px(14), ui::rest(), wide});
  canvas.text(value, Style::control, view.theme().text, shown, ui::Align::right);
  canvas.text(name, Style::control, view.theme().muted, label);
  const auto last = static_cast<float>(stops.size() - 1);
  const std::size_t at = nearest(stops, now);
  const float next = ui::slider(view.ui, sim::text("lesson/drag/", drag.name), track, static_cast<float>(at) / last);
  const auto stop = static_cast<std::size_t>(std::lround(next * last));
  if (stop != at) view.edit(SetNumber{drag.name, stops[stop], true});
}

}  // namespace

void write_drags(Column& column, const LessonPage& page) {
  if (page.step.drag.empty()) return;
  View& view = column.view;
  column.space(14);
  const auto frame = [&](Rect rect) {
    view.canvas().card(rect, view.theme().card, view.theme().border, view.px(ui::card_radius));
  };
  column.boxed(14, 10, frame, [&](Column& inner) {
    write(inner, Style::title, view.say("Drag it: picture and words follow"));
    for (const lessons::Other& drag : page.step.drag) {
      const Rect line = inner.take(view.px(row));
      if (inner.draws()) draw_drag(view, line, drag);
    }
  });
}

}  // namespace explorer

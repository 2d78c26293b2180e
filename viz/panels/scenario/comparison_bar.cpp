#include <algorithm>
#include <array>

#include "sim/base/text.h"
#include "sim/report/numbers.h"
#include "viz/model/center_view.h"
#include "viz/model/comparison.h"
#include "viz/panels/scenario/comparison.h"
#include "viz/panels/scenario/number.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

/// Options in which any run differs from the first.
std::vector<std::string> all_differences(const Model& model) {
  std::vector<std::string> all;
  for (std::size_t n = 1; n < model.world.subjects(); ++n) {
    for (std::string& name : differences(model.world.subject(0), model.world.subject(n))) {
      if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(std::move(name));
    }
  }
  return all;
}

/// The common clock of runs with the same inputs.
std::string clock_words(const View& view) {
  const Model& model = view.model;
  const sim::Shape& shape = view.subject().problem().shape;
  if (model.state.plays_run())
    return view.say("{} × {} heads, N {}, d {}: one clock from the first launch.", shape.batch, shape.heads,
                    report::thousands(shape.seqlen_k), sim::text_of(shape.head_dims()));
  const std::optional<double> at = model.world.common(model.state.look.sync);
  if (!at || model.state.look.sync != Sync::time || !view.subject().has_time()) return {};
  return view.say("The same inputs, each run {} after its first launch.", number_text("time.microseconds", *at));
}

std::string verdict(const View& view, float width) {
  std::vector<std::string> names = all_differences(view.model);
  if (same_inputs(names)) {
    std::string clock = clock_words(view);
    const bool fits = !clock.empty() && view.canvas().text_width(ui::Style::body, clock) <= width;
    return fits ? clock : std::string(view.say("The same inputs."));
  }
  names.erase(std::remove_if(names.begin(), names.end(), [](const auto& name) { return same_inputs({name}); }),
              names.end());
  for (std::string& name : names) {
    const std::string_view label = sim::option_called(name).label;
    if (!label.empty()) name = view.say(label);
  }
  return view.say("Warning: not the same inputs. Different: {}", sim::joined(names));
}

/// Draws a drop-down that adds the chosen algorithm as a further run.
void draw_add(View& view, ui::Space& rest) {
  std::vector<std::string_view> options = {view.say("Add a run")};
  std::vector<std::string_view> names = {"none"};
  const auto programs = sim::programs_now();
  for (const auto& program : programs) {
    options.push_back(view.say(program->title));
    names.push_back(program->name);
  }
  const float width = ui::drop_down_width(view.canvas(), "", options);
  const int chosen = ui::drop_down(view.ui, "compare/add", rest.right(width, view.px(8)), "", options, 0, names);
  if (chosen > 0) view.edit(compare_with_algorithm(view.state, names[static_cast<std::size_t>(chosen)]));
}

void draw_sync(View& view, ui::Space& rest) {
  std::array<std::string_view, 3> labels = {view.say("Same time"), view.say("Same bytes"), view.say("Same tile")};
  if (view.for_fingers()) labels = {view.say("Time"), view.say("Bytes"), view.say("Tiles")};
  const float segments = std::min(rest.width() / 2, ui::segmented_width(view.canvas(), labels));
  choose(view, "sync", rest.left(segments, view.px(16)), "sync", labels);
}

/// Draws the choice of what plays: event by event, one CTA, or the whole run with all CTAs at once.
void draw_play(View& view, ui::Space& rest) {
  const std::array<std::string_view, 3> labels = {view.say("event"), "CTA", view.say("run")};
  if (!view.for_fingers())
    left_text(view.canvas(), rest, ui::Style::caption, view.theme().muted, view.say("Play"), view.px(8));
  choose(view, "play-what", rest.left(ui::segmented_width(view.canvas(), labels), view.px(16)), "play", labels);
}

/// Draws the end button; true if it is clicked. Left out of a narrow bar: a button of the top bar ends the comparison
/// too.
bool draw_end(View& view, ui::Space& rest) {
  const std::string_view end = view.say("End comparison");
  const float width = ui::button_width(view.canvas(), end);
  return rest.width() >= width && ui::button(view.ui, "compare/end", rest.right(width, view.px(8)), end);
}

/// Draws the button that leads to the lens on two of the runs. Left out of a narrow bar, like the end button.
void draw_causes_button(View& view, ui::Space& rest) {
  const std::string_view words = view.say("What differs");
  const float width = ui::button_width(view.canvas(), words);
  if (rest.width() >= 2 * width && ui::button(view.ui, "compare/causes", rest.right(width, view.px(8)), words))
    view.set([](Look& look) { show_center(look, Center::engineer); });
}

}  // namespace

/// Draws the bar. On a phone it has no end button, since the top bar has one, and of the texts only a warning.
void draw_comparison_bar(View& view, ui::Rect rect) {
  const bool phone = view.for_fingers(), warns = !same_inputs(all_differences(view.model));
  ui::Space rest({rect.x, rect.y, rect.width, view.control_height()});
  if (!(phone && view.state.plays_run())) draw_sync(view, rest);
  if (!phone || view.state.plays_run()) draw_play(view, rest);
  const bool ends = !phone && view.world.subjects() > 1 && draw_end(view, rest);
  if (view.world.subjects() < most_subjects && rest.width() > view.px(160) && !(phone && warns)) draw_add(view, rest);
  if (!phone && view.world.subjects() > 1 && !view.state.plays_run()) draw_causes_button(view, rest);
  if (warns || !phone) view.canvas().text(rest.rest(), ui::Style::body, view.theme().text, verdict(view, rest.width()));
  if (ends) view.edit(Compare{});
}

}  // namespace explorer

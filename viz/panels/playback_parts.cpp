#include <array>

#include "viz/panels/action_button.h"
#include "viz/panels/playback.h"

namespace explorer {
namespace {

constexpr float button = 36, finger_button = 48, between = 4;  // CSS pixels
constexpr std::array<double, 5> speeds = {0.25, 0.5, 1, 2, 4};
constexpr std::array<std::string_view, 5> speed_names = {"0.25×", "0.5×", "1×", "2×", "4×"};
constexpr std::array<std::string_view, 6> unit_titles = {/*say*/ "event",     /*say*/ "line", /*say*/ "tile",
                                                         /*say*/ "row block", "CTA",          /*say*/ "kernel"};

float button_width(const View& view) { return view.px(view.for_fingers() ? finger_button : button); }

std::array<std::string_view, 6> unit_labels(const View& view) {
  std::array<std::string_view, 6> labels;
  for (std::size_t n = 0; n < labels.size(); ++n) labels[n] = view.say(unit_titles[n]);
  return labels;
}

float unit_width(const View& view) { return ui::drop_down_width(view.canvas(), view.say("Step"), unit_labels(view)); }

void draw_unit(View& view, ui::Rect place) {
  const auto unit = static_cast<int>(view.state.look.unit);
  const int chosen =
      ui::drop_down(view.ui, view.id("unit"), place, view.say("Step"), unit_labels(view), unit, link_words("unit"));
  if (chosen != unit) view.set([&](Look& look) { look.unit = static_cast<Step>(chosen); });
}

float speed_width(const View& view) { return ui::segmented_width(view.canvas(), speed_names); }

void draw_speed(View& view, ui::Rect place) {
  int selected = -1;
  for (std::size_t n = 0; n < speeds.size(); ++n) {
    if (view.state.speed == speeds[n]) selected = static_cast<int>(n);
  }
  const int chosen = ui::segmented(view.ui, view.id("speed"), place, speed_names, speed_names, selected);
  if (chosen != selected) view.edit(SetSpeed{speeds[static_cast<std::size_t>(chosen)]});
}

void draw_loop(View& view, ui::Rect place) {
  const ui::Weight weight = view.state.look.loop ? ui::Weight::primary : ui::Weight::normal;
  draw_action_button(view, ui::Space(place).left(button_width(view)), "loop", ui::Icon::loop, weight);
}

float marks_width(const View& view) { return 3 * button_width(view) + 2 * view.px(between); }

void draw_marks(View& view, ui::Rect place) {
  const float wide = button_width(view);
  const auto [previous, mark, next] = ui::columns(place, view.px(between), {wide, wide, wide});
  draw_action_button(view, previous, "previous-bookmark", ui::Icon::previous_bookmark);
  draw_action_button(view, mark, "bookmark", view.model.at_bookmark() ? ui::Icon::bookmark_set : ui::Icon::bookmark);
  draw_action_button(view, next, "next-bookmark", ui::Icon::next_bookmark);
}

std::array<std::string_view, 2> timeline_labels(const View& view) { return {view.say("One CTA"), view.say("All SMs")}; }

float timeline_width(const View& view) { return ui::segmented_width(view.canvas(), timeline_labels(view)); }

void draw_which(View& view, ui::Rect place) { choose(view, "timeline-of", place, "timeline", timeline_labels(view)); }

/// Labels of what dragging does over the lanes of one CTA; over all SMs, of what their colours mean.
std::array<std::string_view, 2> drag_labels(const View& view) {
  if (view.state.look.timeline == TimelineOf::grid) return {view.say("by head"), view.say("by row block")};
  return {view.say("Move"), view.say("Select")};
}

float drag_width(const View& view) { return ui::segmented_width(view.canvas(), drag_labels(view)); }

void draw_drag(View& view, ui::Rect place) {
  const Look& look = view.state.look;
  if (look.timeline == TimelineOf::grid) return choose(view, "colors", place, "lanes", drag_labels(view));
  choose(view, "drag", place, "drag", drag_labels(view));
}

constexpr PlaybackPart parts[] = {{"", 1, unit_width, draw_unit},
                                  {/*say*/ "Speed", 2, speed_width, draw_speed},
                                  {/*say*/ "Loop", 6, button_width, draw_loop},
                                  {/*say*/ "Bookmarks", 5, marks_width, draw_marks},
                                  {/*say*/ "Timeline", 3, timeline_width, draw_which, true},
                                  {"", 4, drag_width, draw_drag, true}};

}  // namespace

std::span<const PlaybackPart> playback_parts() { return parts; }

}  // namespace explorer

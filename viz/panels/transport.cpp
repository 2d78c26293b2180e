// The transport: where to go, how fast, and what happens there.
#include <fmt/format.h>

#include <array>

#include "viz/panels/spoken.h"
#include "viz/panels/timeline.h"
#include "viz/ui/rich_text.h"

namespace explorer {
namespace {

using ui::Icon;

constexpr float button = 36, play_button = 52, gap = 8, least_sentence = 300;  // CSS pixels
constexpr std::array<double, 5> speeds = {0.25, 0.5, 1, 2, 4};
constexpr std::array<std::string_view, 5> speed_names = {"0.25×", "0.5×", "1×", "2×", "4×"};
constexpr std::array<std::string_view, 6> unit_names = {/*say*/ "event",     /*say*/ "line", /*say*/ "tile",
                                                        /*say*/ "row block", "CTA",          /*say*/ "kernel"};

using Labels = std::array<std::string_view, 6>;
Labels unit_labels(const View& view) {
  Labels labels;
  for (std::size_t n = 0; n < labels.size(); ++n) labels[n] = view.say(unit_names[n]);
  return labels;
}

std::array<std::string_view, 2> timeline_labels(const View& view) { return {view.say("One CTA"), view.say("All SMs")}; }

std::string now_text(const View& view) {
  if (view.model.previewing()) return std::string(view.say("replaying …"));
  const Subject& s = view.subject();
  return time_of_text(s.microseconds(s.time), s.microseconds(s.replay->index.end()));
}

/// Which of the controls there is room for, the most useful first.
struct Shown {
  bool unit = false, speed = false, timeline = false, loop = false, marks = false;
};

struct Widths {
  float buttons, unit, speed, timeline, loop, marks, time;
};

Widths widths_of(const View& view) {
  const ui::Canvas& canvas = view.canvas();
  const float space = view.px(gap), one = view.px(button);
  return {4 * (one + view.px(4)) + view.px(play_button),
          ui::drop_down_width(canvas, view.say("Step"), unit_labels(view)) + space,
          ui::segmented_width(canvas, speed_names) + space,
          ui::segmented_width(canvas, timeline_labels(view)) + space,
          one + space,
          3 * one + 2 * view.px(4) + space,
          canvas.text_width(ui::Style::body, now_text(view)) + 2 * space};
}

Shown shown_in(const View& view, float width) {
  const Widths w = widths_of(view);
  float rest = width - w.buttons - w.time - view.px(least_sentence);
  const auto fits = [&](float part) {
    if (part > rest) return rest = 0, false;
    rest -= part;
    return true;
  };
  Shown shown;
  shown.unit = fits(w.unit);
  shown.speed = fits(w.speed);
  shown.timeline = fits(w.timeline);
  shown.marks = fits(w.marks);
  shown.loop = fits(w.loop);
  return shown;
}

bool icon(View& view, ui::Rect& rest, std::string_view id, Icon icon, float width = button,
          ui::Weight weight = ui::Weight::normal) {
  const ui::Rect place = cut_left(rest, view.px(width));
  cut_left(rest, view.px(4));
  return ui::icon_button(view.ui, view.id(id), place, icon, weight);
}

void draw_buttons(View& view, ui::Rect& rest) {
  ViewModel& model = view.model;
  const Step unit = model.unit();
  if (icon(view, rest, "to-start", Icon::to_start)) {
    model.play(false);
    model.seek({});
  }
  if (icon(view, rest, "step-back", Icon::step_back)) model.step(unit, -1);
  const Icon play = model.playing() ? Icon::pause : Icon::play;
  if (icon(view, rest, "play", play, play_button, ui::Weight::primary)) model.play(!model.playing());
  if (icon(view, rest, "step", Icon::step)) model.step(unit, 1);
  if (icon(view, rest, "to-end", Icon::to_end)) {
    model.play(false);
    model.seek(model.replay().index.end());
  }
}

void draw_unit(View& view, ui::Rect& rest) {
  const Labels labels = unit_labels(view);
  const std::string_view title = view.say("Step");
  const ui::Rect place = cut_left(rest, ui::drop_down_width(view.canvas(), title, labels));
  cut_left(rest, view.px(gap));
  const auto unit = static_cast<int>(view.model.unit());
  const int chosen = ui::drop_down(view.ui, view.id("unit"), place, title, labels, unit);
  if (chosen != unit) view.model.set_unit(static_cast<Step>(chosen));
}

void draw_speed(View& view, ui::Rect& rest) {
  const ui::Rect place = cut_left(rest, ui::segmented_width(view.canvas(), speed_names));
  cut_left(rest, view.px(gap));
  int selected = -1;
  for (std::size_t n = 0; n < speeds.size(); ++n) {
    if (view.model.speed() == speeds[n]) selected = static_cast<int>(n);
  }
  const int chosen = ui::segmented(view.ui, view.id("speed"), place, speed_names, selected);
  if (chosen != selected) view.model.set_speed(speeds[static_cast<std::size_t>(chosen)]);
}

void draw_which(View& view, ui::Rect& rest) {
  const auto labels = timeline_labels(view);
  const ui::Rect place = cut_left(rest, ui::segmented_width(view.canvas(), labels));
  cut_left(rest, view.px(gap));
  const bool grid = view.model.look.timeline == "grid";
  const int chosen = ui::segmented(view.ui, view.id("timeline-of"), place, labels, grid ? 1 : 0);
  view.model.look.timeline = chosen == 1 ? "grid" : "cta";
}

void draw_loop(View& view, ui::Rect& rest) {
  const ui::Weight weight = view.model.look.loop ? ui::Weight::primary : ui::Weight::normal;
  if (icon(view, rest, "loop", Icon::loop, button, weight)) view.model.look.loop = !view.model.look.loop;
  cut_left(rest, view.px(gap - 4));
}

void draw_marks(View& view, ui::Rect& rest) {
  if (icon(view, rest, "previous-bookmark", Icon::previous_bookmark)) view.model.go_to_bookmark(-1);
  const Icon mark = view.model.at_bookmark() ? Icon::bookmark_set : Icon::bookmark;
  if (icon(view, rest, "bookmark", mark)) view.model.toggle_bookmark();
  if (icon(view, rest, "next-bookmark", Icon::next_bookmark)) view.model.go_to_bookmark(1);
  cut_left(rest, view.px(gap - 4));
}

/// What follows is left out where there is no room for it.
void draw_sentence(View& view, ui::Rect rect) {
  const Description now = describe(view.subject());
  const Language language = view.model.look.language;
  std::string text = step_sentence(language, view.subject(), now, true);
  if (ui::rich_width(view.canvas(), ui::Style::body, text) > rect.width)
    text = step_sentence(language, view.subject(), now, false);
  const ui::Theme& theme = view.theme();
  ui::rich_text(view.canvas(), rect, ui::Style::body, {theme.text, true, theme.card}, text);
}

}  // namespace

int transport_rows(const View& view, float width) {
  const Widths w = widths_of(view);
  return width < w.buttons + w.time + view.px(least_sentence) ? 2 : 1;
}

void draw_transport(View& view, ui::Rect rect) {
  const bool two = transport_rows(view, rect.width) == 2;
  ui::Rect rest = cut_top(rect, view.px(ui::control_height));
  const Shown shown = shown_in(view, rest.width);
  view.canvas().text(cut_right(rest, widths_of(view).time), ui::Style::body, view.theme().muted, now_text(view),
                     ui::Align::right);
  draw_buttons(view, rest);
  cut_left(rest, view.px(4));
  if (shown.unit) draw_unit(view, rest);
  if (shown.speed) draw_speed(view, rest);
  if (shown.loop) draw_loop(view, rest);
  if (shown.marks) draw_marks(view, rest);
  if (shown.timeline) draw_which(view, rest);
  cut_left(rest, view.px(8));
  draw_sentence(view, two ? rect : rest);
}

}  // namespace explorer

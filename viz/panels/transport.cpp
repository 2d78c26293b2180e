// The transport: playback buttons, speed, and the step and time at the playhead.
#include <algorithm>
#include <vector>

#include "viz/panels/action_button.h"
#include "viz/panels/description.h"
#include "viz/panels/playback.h"
#include "viz/panels/timeline/timeline.h"
#include "viz/ui/rich_text.h"

namespace explorer {
namespace {

using ui::Icon;

constexpr float button = 36, finger_button = 44, play_button = 52, gap = 8, between = 4;  // CSS pixels
constexpr float least_sentence = 270, finger_sentence = 24;

std::string now_text(const View& view) {
  if (view.model.previewing()) return std::string(view.say("replaying …"));
  const Subject& s = view.subject();
  return view.say("CTA {}", time_of_text(s.microseconds(s.time), s.microseconds(s.replay->index.end())));
}

float button_width(const View& view) { return view.px(view.for_fingers() ? finger_button : button); }

float buttons_width(const View& view) {
  return 4 * (button_width(view) + view.px(between)) + view.px(play_button) + view.px(between);
}

float time_width(const View& view) {
  return view.canvas().text_width(ui::Style::body, now_text(view)) + 2 * view.px(gap);
}

/// Controls that fit the row, in its order; the others are in the card.
struct Shown {
  std::vector<const PlaybackPart*> row, card;
};

Shown shown_in(const View& view, float width) {
  const auto width_of = [&](const PlaybackPart& part) { return part.width(view) + view.px(gap); };
  const auto parts = playback_parts();
  float all = 0;
  for (const PlaybackPart& part : parts) all += width_of(part);
  // Draws the button of the card only if something is left out.
  const float more = all <= width ? 0 : button_width(view) + view.px(gap);
  float rest = width - more;
  int last = 0;
  for (std::size_t rank = 1; rank <= parts.size(); ++rank) {
    const auto part = std::find_if(parts.begin(), parts.end(),
                                   [&](const PlaybackPart& p) { return p.rank == static_cast<int>(rank); });
    rest -= width_of(*part);
    if (rest < 0) break;
    last = part->rank;
  }
  Shown shown;
  for (const PlaybackPart& part : parts) (part.rank <= last ? shown.row : shown.card).push_back(&part);
  return shown;
}

}  // namespace

void draw_transport_buttons(View& view, ui::Rect& rest) {
  const auto next = [&](float width) {
    const ui::Rect place = cut_left(rest, width);
    cut_left(rest, view.px(between));
    return place;
  };
  const float width = button_width(view);
  draw_action_button(view, next(width), "to-start", Icon::to_start);
  draw_action_button(view, next(width), "step-back", Icon::step_back);
  const Icon play = view.model.playing() ? Icon::pause : Icon::play;
  draw_action_button(view, next(view.px(play_button)), "play", play, ui::Weight::primary);
  draw_action_button(view, next(width), "step", Icon::step);
  draw_action_button(view, next(width), "to-end", Icon::to_end);
}

namespace {

void draw_parts(View& view, ui::Rect& rest, float width) {
  const Shown shown = shown_in(view, width);
  for (const PlaybackPart* part : shown.row) {
    part->draw(view, cut_left(rest, part->width(view)));
    cut_left(rest, view.px(gap));
  }
  if (shown.card.empty()) {
    view.model.look.playback = false;
    return;
  }
  const float side = button_width(view);
  // Alone, the button is at the end of the row, within reach of a thumb.
  draw_playback(view, shown.row.empty() ? cut_right(rest, side) : cut_left(rest, side), shown.card);
  cut_left(rest, view.px(gap));
}

/// Draws the current step, followed by the next one if that fits.
void draw_sentence(View& view, ui::Rect rect) {
  if (view.model.lesson.covered.order) return view.canvas().covered(rect, ui::Style::body);
  const Description now = describe(view.subject());
  const Language language = view.model.look.language;
  std::string text = step_sentence(language, view.subject(), now, true);
  if (ui::rich_width(view.canvas(), ui::Style::body, text) > rect.width)
    text = step_sentence(language, view.subject(), now, false);
  const ui::Theme& theme = view.theme();
  ui::rich_text(view.canvas(), rect, ui::Style::body, {theme.text, true, theme.card}, text);
}

/// Draws the time at the right end of a line.
void draw_time(View& view, ui::Rect& line) {
  const ui::Rect place = cut_right(line, time_width(view));
  view.canvas().text(place, ui::Style::body, view.theme().muted, now_text(view), ui::Align::right);
}

bool has_two_rows(const View& view, float width) {
  return view.for_fingers() || width < buttons_width(view) + time_width(view) + view.px(least_sentence);
}

}  // namespace

float transport_height(const View& view, float width) {
  if (!has_two_rows(view, width)) return view.control_height();
  return view.control_height() + (view.for_fingers() ? view.px(finger_sentence) : view.control_height());
}

void draw_transport(View& view, ui::Rect rect) {
  const bool two = has_two_rows(view, rect.width);
  ui::Rect rest = cut_top(rect, view.control_height());
  const bool beside = !view.for_fingers() && buttons_width(view) + time_width(view) <= rest.width;
  draw_time(view, beside ? rest : rect);
  draw_transport_buttons(view, rest);
  cut_left(rest, view.px(between));
  draw_parts(view, rest, two ? rest.width : rest.width - view.px(least_sentence));
  cut_left(rest, view.px(8));
  draw_sentence(view, two ? rect : rest);
}

}  // namespace explorer

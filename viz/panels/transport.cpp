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
  if (view.world.previewing()) return std::string(view.say("replaying …"));
  const Subject& s = view.subject();
  return view.say("CTA {}", time_of_text(s.microseconds(s.time), s.microseconds(s.replay->index.end())));
}

float button_width(const View& view) { return view.px(view.for_fingers() ? finger_button : button); }

float buttons_width(const View& view) {
  return 4 * (button_width(view) + view.px(between)) + view.px(play_button) + view.px(between);
}

float time_width(const View& view, const TransportWords& words) {
  return view.canvas().text_width(ui::Style::body, words.time) + 2 * view.px(gap);
}

/// Controls that fit the row, in its order; the others are in the card.
struct Shown {
  std::vector<const PlaybackPart*> row, card;
};

Shown shown_in(const View& view, float width, bool of_timeline) {
  const auto width_of = [&](const PlaybackPart& part) { return part.width(view) + view.px(gap); };
  std::vector<const PlaybackPart*> parts;
  float all = 0;
  for (const PlaybackPart& part : playback_parts()) {
    if (part.of_timeline && !of_timeline) continue;
    parts.push_back(&part);
    all += width_of(part);
  }
  // Draws the button of the card only if something is left out.
  const float more = all <= width ? 0 : button_width(view) + view.px(gap);
  float rest = width - more;
  std::vector<const PlaybackPart*> by_rank = parts;
  std::sort(by_rank.begin(), by_rank.end(), [](const auto* a, const auto* b) { return a->rank < b->rank; });
  int last = 0;
  for (const PlaybackPart* part : by_rank) {
    rest -= width_of(*part);
    if (rest < 0) break;
    last = part->rank;
  }
  Shown shown;
  for (const PlaybackPart* part : parts) (part->rank <= last ? shown.row : shown.card).push_back(part);
  return shown;
}

}  // namespace

void draw_transport_buttons(View& view, ui::Rect& rest) {
  ui::Space row(rest, view.px(between));
  const auto next = [&](float width) { return row.left(width); };
  const float width = button_width(view);
  draw_action_button(view, next(width), "to-start", Icon::to_start);
  draw_action_button(view, next(width), "step-back", Icon::step_back);
  const Icon play = view.model.playing() ? Icon::pause : Icon::play;
  draw_action_button(view, next(view.px(play_button)), "play", play, ui::Weight::primary);
  draw_action_button(view, next(width), "step", Icon::step);
  draw_action_button(view, next(width), "to-end", Icon::to_end);
  rest = row.rest();
}

namespace {

void draw_parts(View& view, ui::Space& rest, float width, bool of_timeline) {
  const Shown shown = shown_in(view, width, of_timeline);
  for (const PlaybackPart* part : shown.row) part->draw(view, rest.left(part->width(view), view.px(gap)));
  if (shown.card.empty()) {
    view.set([&](Look& look) { look.playback = false; });
    return;
  }
  const float side = button_width(view);
  // Alone, the button is at the end of the row, within reach of a thumb.
  draw_playback(view, shown.row.empty() ? rest.right(side, 0) : rest.left(side, view.px(gap)), shown.card);
}

/// Draws the first sentence that fits, or else the last one.
void draw_sentence(View& view, ui::Rect rect, const TransportWords& words) {
  if (view.world.covered.order) return view.canvas().covered(rect, ui::Style::body);
  const auto fits = [&](const std::string& text) {
    return ui::rich_width(view.canvas(), ui::Style::body, text) <= rect.width;
  };
  const auto found = std::find_if(words.sentences.begin(), words.sentences.end(), fits);
  const std::string& text = found == words.sentences.end() ? words.sentences.back() : *found;
  const ui::Theme& theme = view.theme();
  ui::rich_text(view.canvas(), rect, ui::Style::body, {theme.text, true, theme.card}, text);
}

bool has_two_rows(const View& view, float width, const TransportWords& words) {
  return view.for_fingers() || width < buttons_width(view) + time_width(view, words) + view.px(least_sentence);
}

}  // namespace

TransportWords transport_words(const View& view) {
  const Description now = describe(view.subject());
  const Language language = view.state.look.language;
  return {{step_sentence(language, view.subject(), now, true), step_sentence(language, view.subject(), now, false)},
          now_text(view),
          true};
}

float transport_height(const View& view, float width, const TransportWords& words) {
  if (!has_two_rows(view, width, words)) return view.control_height();
  return view.control_height() + (view.for_fingers() ? view.px(finger_sentence) : view.control_height());
}

void draw_transport(View& view, ui::Rect rect, const TransportWords& words) {
  const bool two = has_two_rows(view, rect.width, words);
  auto [row, below] = ui::rows(rect, 0, {view.control_height(), ui::rest()});
  const bool beside = !view.for_fingers() && buttons_width(view) + time_width(view, words) <= rect.width;
  ui::Rect& last = beside ? row : below;
  const auto [left, time] = ui::columns(last, 0, {ui::rest(), time_width(view, words)});
  view.canvas().text(time, ui::Style::body, view.theme().muted, words.time, ui::Align::right);
  last = left;
  draw_transport_buttons(view, row);
  ui::Space rest(row);
  rest.left(view.px(between));
  draw_parts(view, rest, two ? rest.width() : rest.width() - view.px(least_sentence), words.of_timeline);
  rest.left(view.px(8));
  draw_sentence(view, two ? below : rest.rest(), words);
}

}  // namespace explorer

// Help overlay: every action with its keys.
#include <algorithm>
#include <array>

#include "viz/model/action.h"
#include "viz/panels/overlay.h"

namespace explorer {
namespace {

constexpr float pointer_row = 24, finger_row = 40, key_column = 116, padding = 20, head_height = 40,
                column_width = 490;  // CSS pixels

/// Keys outside the table of actions, whose rows have no effect: the widget under the pointer takes them
/// (timeline/pointer.cpp), and the window or, on a page, the browser.
constexpr Action over_lanes = {"over-lanes", "W S A D", /*say*/ "Over the timeline: zoom in and out, move", nullptr};
constexpr Action window_scale = {"scale", "Ctrl++ Ctrl+-", /*say*/ "Everything larger or smaller", nullptr};

std::vector<const Action*> with_keys() {
  std::vector<const Action*> all;
  for (const Action& action : actions()) {
    if (!action.keys.empty()) all.push_back(&action);
  }
  all.push_back(&over_lanes);
  all.push_back(&window_scale);
  return all;
}

/// Draws keys as caps, from the right end of a rectangle.
void draw_caps(View& view, ui::Rect place, std::string_view keys) {
  ui::Canvas& canvas = view.canvas();
  ui::Space rest(place, view.px(4));
  std::vector<std::string> caps;
  while (!keys.empty()) {
    const std::size_t end = std::min(keys.find(' '), keys.size());
    caps.push_back(key_label(keys.substr(0, end)));
    keys.remove_prefix(std::min(end + 1, keys.size()));
  }
  for (const std::string& cap : caps) {
    const float width = std::max(view.px(24), canvas.text_width(ui::Style::caption, cap) + view.px(12));
    const ui::Rect box = rest.left(width).inset(0, view.px(2));
    ui::inset_panel(canvas, box);
    canvas.text(box, ui::Style::caption, view.theme().text, cap, ui::Align::center);
  }
}

/// Height of a row, in CSS pixels that are whole device pixels: many rows are then as high as they are together.
float row_height(const View& view) {
  return view.px(view.for_fingers() ? finger_row : pointer_row) / view.canvas().fonts().scale;
}

void draw_row(View& view, ui::Rect row, const Action& action) {
  const auto [keys, words] = ui::columns(row, 0, {view.px(key_column), ui::rest()});
  const ui::Hit hit = ui::hit(view.ui, view.id("help/" + std::string(action.name)), row);
  if (hit.hovered) view.canvas().fill(row.inset(-view.px(6), 0), view.theme().track, view.px(5));
  draw_caps(view, keys, action.keys);
  view.canvas().text(words, ui::Style::body, view.theme().text, view.say(action.sentence));
  if (!hit.clicked || action.edits == nullptr) return;
  view.set([&](Look& look) { look.overlay = Overlay::none; });
  if (action.name != "help" && action.name != "close") view.act(action.name);
}

/// Draws a button that closes the help. True if it was clicked.
bool leaves_by_button(View& view, ui::Space& line, std::string_view id, std::string_view label) {
  const ui::Rect right = line.right(ui::button_width(view.canvas(), label));
  if (!ui::button(view.ui, view.id(id), {right.x, right.y, right.width, view.control_height()}, label)) return false;
  view.set([&](Look& look) { look.overlay = Overlay::none; });
  return true;
}

}  // namespace

std::string key_label(std::string_view key) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> signs = {
      {{"Left", "←"}, {"Right", "→"}, {"Up", "↑"}, {"Down", "↓"}, {"Escape", "Esc"}, {"-", "−"}}};
  const std::size_t plus = key.size() > 1 ? key.find('+') : std::string_view::npos;
  const std::string_view last = plus == std::string_view::npos ? key : key.substr(plus + 1);
  std::string label = plus == std::string_view::npos ? std::string() : std::string(key.substr(0, plus)) + " ";
  const auto sign = std::find_if(signs.begin(), signs.end(), [&](const auto& s) { return s.first == last; });
  return label += sign == signs.end() ? last : sign->second;
}

void draw_help(View& view) {
  const std::vector<const Action*> rows = with_keys();
  const std::string_view of_tour[] = {view.say("In the tour: Enter and → continue, ← back, Esc closes"),
                                      view.say("Space plays its clip, 1 to 9 choose, ↑ ↓ light up words")};
  const bool two = ImGui::GetIO().DisplaySize.x > view.px(2 * column_width);
  const std::size_t columns = two ? 2 : 1, per_column = (rows.size() + columns - 1) / columns;
  const float notes = std::size(of_tour) * row_height(view);
  const float content = static_cast<float>(per_column) * row_height(view) + notes,
              height = content + head_height + 2 * padding;
  draw_overlay(view, "help", static_cast<float>(columns) * column_width, height, [&](View& front, ui::Rect card) {
    const std::array<ui::Rect, 2> parts =
        ui::rows(card.inset(front.px(padding), front.px(padding - 4)), 0, {front.px(head_height), ui::rest()});
    ui::Space line(parts[0], front.px(8));
    const ui::Rect close = line.right(front.control_height());
    if (leaves_by_button(front, line, "help/lessons", front.say("Lessons"))) front.edit(OpenLesson{"list"});
    if (leaves_by_button(front, line, "help/licences", front.say("Licences"))) front.act("licences");
    left_text(front.canvas(), line, ui::Style::title, front.theme().text, front.say("Keys"), front.px(12));
    ui::fitting_text(front.canvas(), line.rest(), ui::Style::caption, front.theme().muted,
                     "FlashScope " FLASHSCOPE_VERSION);
    if (ui::button(front.ui, front.id("help/close-button"), {close.x, close.y, close.width, close.width}, "×"))
      front.set([](Look& look) { look.overlay = Overlay::none; });
    const float high = front.px(row_height(view));
    const auto draw_rows = [&](ui::Rect place) {
      for (std::size_t n = 0; n < rows.size(); ++n) {
        ui::Rect row = ui::grid_cell(place, columns, high, n % per_column * columns + n / per_column);
        row.width -= front.px(12);
        if (!common(row, parts[1]).empty()) draw_row(front, row, *rows[n]);
      }
    };
    const auto draw_notes = [&](ui::Rect place) {
      for (std::size_t n = 0; n < std::size(of_tour); ++n)
        front.canvas().text(ui::grid_cell(place, 1, high, n), ui::Style::body, front.theme().muted, of_tour[n]);
    };
    const ui::Slot slots[] = {{static_cast<float>(per_column) * high, draw_rows},
                              {static_cast<float>(std::size(of_tour)) * high, draw_notes}};
    ui::scrolling_column(front.ui, front.id("help/scroll"), parts[1], 0, 0, slots);
  });
}

}  // namespace explorer

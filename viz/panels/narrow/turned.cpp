// V and its transpose in shared memory: the order of keys, the instructions that make it, and the rings to scale.
#include <algorithm>
#include <array>
#include <cmath>

#include "sim/report/numbers.h"
#include "viz/model/event_label.h"
#include "viz/panels/narrow/narrow.h"
#include "viz/ui/paragraph.h"
#include "viz/ui/rich_text.h"
#include "viz/ui/tracks.h"

namespace explorer {
namespace {

using ui::Point;
using ui::Rect;
using ui::Style;

constexpr std::int64_t side = 16;
constexpr float middle_wide = 138, ticks_wide = 26, line_high = 18, memory_high = 88,
                instructions_high = 7 * line_high;  // CSS pixels

ui::Color color_of_key(const View& view, std::int64_t key) {
  return ui::mix(view.theme().tensor('V'), view.theme().inset, 0.78f * static_cast<float>(side - 1 - key) / side);
}

/// Draws 16 x 16 elements: a key a row, or transposed, keys in the order of the accumulators.
void draw_elements_of_v(View& view, Rect place, bool transposed) {
  const float pitch = std::floor(std::min(place.width, place.height) / side);
  for (std::int64_t row = 0; row < side; ++row) {
    for (std::int64_t col = 0; col < side; ++col) {
      const Rect cell{place.x + static_cast<float>(col) * pitch, place.y + static_cast<float>(row) * pitch, pitch - 1,
                      pitch - 1};
      view.canvas().fill(cell, color_of_key(view, transposed ? key_of_transposed(col) : row));
    }
  }
}

/// "keys 0 1 8 9 2 3 10 11 …"
std::string order_of_keys(const View& view) {
  std::string keys;
  for (std::int64_t place = 0; place < side / 2; ++place)
    keys += sim::text(place == 0 ? "" : " ", key_of_transposed(place));
  return view.say("keys {} …", keys);
}

/// Draws the instructions on an arrow.
void draw_instructions(View& view, Rect place) {
  constexpr std::string_view instructions[] = {"ldmatrix.trans", /*say*/ "byte permute", "stmatrix"};
  const Rect middle = ui::middle(place, view.px(instructions_high));
  ui::Space lines(middle);
  for (const std::string_view name : instructions)
    view.canvas().text(lines.top(view.px(line_high)), Style::table, view.theme().text, view.say(name),
                       ui::Align::center);
  const Rect arrow = lines.top(view.px(line_high));
  const float y = std::round(arrow.center().y);
  ui::arrow(view.canvas(), std::array{Point{arrow.x, y}, Point{arrow.right(), y}}, view.theme().text, view.px(1.5f));
  view.canvas().text(lines.top(view.px(line_high)), Style::caption, view.theme().muted, view.say("by the producer,"),
                     ui::Align::center);
  view.canvas().text(lines.top(view.px(line_high)), Style::caption, view.theme().muted, view.say("then"),
                     ui::Align::center);
  view.canvas().text(lines.top(view.px(line_high)), Style::table, view.theme().text, "fence.proxy.async",
                     ui::Align::center);
}

/// Draws both with the instructions between, or below them in a slim card.
void draw_both_v(View& view, Rect place) {
  const bool slim = place.width < view.px(400);
  const float below = slim ? view.px(instructions_high) : 0, between = view.px(slim ? 0 : middle_wide + 12);
  if (slim) draw_instructions(view, {place.x, place.bottom() - below, place.width, below});
  const float square = std::min(place.height - below - view.px(2 * line_high),
                                (place.width - between - view.px(2 * ticks_wide + 12)) / 2);
  const float all = 2 * square + between + view.px(ticks_wide + 12);
  ui::Space rest(Rect{place.x + std::floor((place.width - all) / 2), place.y, all, place.height});
  const Rect ticks = rest.left(view.px(ticks_wide), 0);
  const auto headed = [&](Rect column, std::string_view title, std::string_view note) {
    ui::Space lines(column);
    const ui::Ink ink{view.theme().text, true, view.theme().card};
    const bool fits = ui::rich_width(view.canvas(), Style::body, title) <= column.width + view.px(24);
    const std::string_view letter = title.substr(0, title.find(':'));
    const Rect line = lines.top(view.px(line_high));
    ui::rich_text(view.canvas(), {line.x - view.px(12), line.y, line.width + view.px(24), line.height}, Style::body,
                  ink, fits ? title : letter, ui::Align::center);
    view.canvas().text(lines.top(view.px(line_high)), Style::caption, view.theme().muted, note, ui::Align::center);
    return lines.rest();
  };
  const Rect v = headed(rest.left(square, view.px(12)), view.say("V: a key a row"), view.say("bytes of d →"));
  draw_elements_of_v(view, v, false);
  const float pitch = std::floor(square / side);
  for (const std::int64_t key : {0, 8, 15})
    view.canvas().text({ticks.x, v.y + static_cast<float>(key) * pitch, ticks.width - view.px(6), pitch}, Style::table,
                       view.theme().muted, sim::text(key), ui::Align::right);
  const Rect middle = rest.left(slim ? 0 : view.px(middle_wide), view.px(12));
  if (!slim) draw_instructions(view, {middle.x, v.y, middle.width, square});
  draw_elements_of_v(view, headed(rest.left(square, 0), view.say("V^T: a column of d a row"), order_of_keys(view)),
                     true);
}

/// Draws the stages of the rings to scale of shared memory, those of V transposed outlined.
void draw_stages(View& view, Rect bar, const RoleTrace& roles, std::int64_t capacity) {
  view.canvas().fill(bar, view.theme().inset, view.px(3));
  float at = bar.x;
  for (const RingStage& stage : roles.stages()) {
    const float wide = bar.width * static_cast<float>(stage.bytes) / static_cast<float>(capacity);
    const Rect box{std::round(at), bar.y, std::round(at + wide) - std::round(at) - 1, bar.height};
    at += wide;
    const char letter = letter_of(stage.tensor);
    const bool turned = stage.tensor == sim::Tensor::VT;
    const ui::Color color = view.theme().tensor(letter, turned ? ui::Phase::active : ui::Phase::done);
    view.canvas().fill(box, color, view.px(3));
    if (turned) view.canvas().stroke(box, view.theme().strong, view.px(2), view.px(3));
    const std::string name = turned ? "V^T" : std::string(1, letter);
    if (ui::rich_width(view.canvas(), Style::body, name) + view.px(4) <= box.width)
      ui::rich_text(view.canvas(), box, Style::body, {.color = ui::text_on(color)}, name, ui::Align::center);
  }
}

std::string turned_words(const View& view, const NarrowLanes& lanes) {
  return view.say("new: a ring of V transposed; each tile is read and written once more: {} B",
                  report::thousands(lanes.transposed_bytes()));
}

void draw_memory(View& view, Rect card, const NarrowLanes& lanes) {
  const RoleTrace& roles = *lanes.narrow()->roles;
  const std::int64_t capacity = lanes.capacity();
  ui::inset_panel(view.canvas(), card);
  ui::Space rest(card.inset(view.px(12), view.px(8)), view.px(4)), line(rest.top(view.px(20)));
  ui::left_text(view.canvas(), line, Style::control, view.theme().text, view.say("Shared memory"), view.px(10));
  const std::string own =
      view.say("{} of {}", report::capacity(roles.trace().peak_smem.count()), report::capacity(capacity));
  std::string held = own;
  if (lanes.wide() != nullptr)
    held = view.say("{}; fp16 with Bc {}: {}", own, lanes.wide()->tiling.bc,
                    report::capacity(lanes.wide()->roles->trace().peak_smem.count()));
  view.ui.state.shown.emplace(view.id("numbers/smem"), held);
  view.canvas().text(line.rest(), Style::caption, view.theme().muted,
                     ui::first_that_fits(view.canvas(), Style::caption, line.width(), {held, own}), ui::Align::right);
  const std::string words = turned_words(view, lanes);
  view.ui.state.shown.emplace(view.id("numbers/turned bytes"), words);
  const float high = ui::paragraph_height(view.canvas(), Style::caption, ui::escaped(words), rest.width());
  ui::paragraph(view.canvas(), rest.bottom(high), Style::caption, {.color = view.theme().muted}, ui::escaped(words));
  draw_stages(view, rest.rest(), roles, capacity);
}

}  // namespace

void draw_turned_v(View& view, Rect card, const NarrowLanes& lanes) {
  const sim::Problem& problem = view.subject().problem();
  ui::Space rest = draw_narrow_card(view, card, view.say("V is turned in shared memory"), {},
                                    view.say("one tile: {} keys x {}", problem.tiling.bc, problem.shape.value_dim()));
  ui::mark_place(view.ui, "tensor:VT", card);
  const std::string_view why =
      view.say("8-bit products take both operands with the summed index along memory: for P V that is the key.");
  rest.top(ui::paragraph(view.canvas(), rest.rest(), Style::caption, {.color = view.theme().muted}, why), view.px(6));
  if (lanes.narrow() != nullptr) {
    const float words = ui::paragraph_height(view.canvas(), Style::caption, ui::escaped(turned_words(view, lanes)),
                                             rest.width() - view.px(24));
    draw_memory(view, rest.bottom(view.px(memory_high) + words, view.px(6)), lanes);
  }
  const ui::Ink ink{view.theme().text, true, view.theme().card};
  const std::string_view order = view.say("The keys are in the order in which registers hold S: P needs no shuffle.");
  const float high = ui::paragraph_height(view.canvas(), Style::body, order, rest.width());
  ui::paragraph(view.canvas(), rest.bottom(high, view.px(6)), Style::body, ink, order);
  draw_both_v(view, rest.rest());
}

}  // namespace explorer

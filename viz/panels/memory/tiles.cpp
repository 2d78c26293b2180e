// A tile on chip as a box: it fills up during its copy, changes from S to P during the exponentials, is bright while
// something reads it, and dim while it waits.
#include "sim/report/numbers.h"
#include "viz/panels/description.h"
#include "viz/panels/memory/levels.h"
#include "viz/ui/rich_text.h"

namespace explorer {
namespace {

using sim::Event;

const TilesOnChip& tiles_of(const View& view) { return view.subject().replay->memory.tiles; }

/// True if something that computes at the playhead reads the tile.
bool is_read_now(const View& view, std::int32_t tile) {
  const Subject& s = view.subject();
  for (const Lane& lane : s.replay->index.lanes()) {
    if (lane.engine == sim::Engine::copy_in) continue;
    const std::int32_t now = s.replay->index.at(lane, s.time);
    if (now < 0) continue;
    for (const std::int32_t operand : event_of(view, now).operands) {
      if (operand != sim::no_event && tiles_of(view).holder(operand) == tile) return true;
    }
  }
  return false;
}

/// Fills the box from below: a copy is arriving.
void show_arriving(const View& view, TileBox& box, const Event& load) {
  box.fill = tensor_color(view, load.tensor, ui::Phase::future);
  box.filling = tensor_color(view, load.tensor);
  box.share = share_passed(view, load);
  box.upwards = true;
}

/// Fills the box from left to right as work writes the tile: over nothing, over the previous tensor, or over itself.
void show_written(const View& view, TileBox& box, std::int32_t tile, const Event& work, bool first) {
  const Event& before = event_of(view, tiles_of(view).writer(tile, work.begin - sim::Cycles(1)));
  const bool changes = !first && before.tensor != work.tensor;
  box.fill = tensor_color(view, first ? work.tensor : before.tensor,
                          first     ? ui::Phase::future
                          : changes ? ui::Phase::active
                                    : ui::Phase::done);
  box.filling = tensor_color(view, work.tensor);
  box.share = share_passed(view, work);
  box.upwards = false;
  box.active = true;
  if (changes) box.markup = tensor_markup(before.tensor) + " → " + tensor_markup(work.tensor);
  if (changes) box.short_markup = tensor_markup(work.tensor);
  box.caption = verb_word(view.state.look.language, work.verb);
}

/// Longest form of the tile's name that fits.
std::string name_that_fits(const View& view, const TileBox& box, float width) {
  for (const std::string& markup : {box.markup, box.short_markup}) {
    if (ui::rich_width(view.canvas(), ui::Style::control, markup) <= width + 1) return markup;
  }
  return {};
}

/// Draws the text on one colour: in a partly filled box, the colour of the larger part is drawn behind it.
void draw_words(View& view, const TileBox& box) {
  ui::Canvas& canvas = view.canvas();
  const ui::Rect rest = box.rect.inset(view.px(2), 0);
  const std::string name = name_that_fits(view, box, rest.width);
  const float line = view.px(17), caption = canvas.text_width(ui::Style::caption, box.caption);
  const bool two_lines = rest.height >= 2 * line && caption <= rest.width + 1 && !box.caption.empty();
  if (name.empty() && !two_lines) return;
  ui::Rect top = two_lines ? rest.inset(0, (rest.height - 2 * line) / 2) : rest;
  if (two_lines) top.height = line;
  const ui::Color ground = box.share >= 0.5f ? box.filling : box.fill;
  if (box.share > 0 && box.share < 1) {
    const float named = ui::rich_width(canvas, ui::Style::control, name);
    const float wide = std::min(rest.width, std::max(named, two_lines ? caption : 0) + view.px(8));
    const float high = std::min(rest.height, (two_lines ? 2 * line : line) + view.px(2));
    const ui::Point middle = rest.center();
    canvas.fill({middle.x - wide / 2, middle.y - high / 2, wide, high}, ground, view.px(3));
  }
  const ui::Color color = ui::text_on(ground);
  ui::rich_text(canvas, top, ui::Style::control, {color}, name, ui::Align::center);
  if (two_lines) canvas.text(top.moved(0, line), ui::Style::caption, color, box.caption, ui::Align::center);
}

}  // namespace

void draw_tile_box(View& view, const TileBox& box) {
  ui::Canvas& canvas = view.canvas();
  const float radius = view.px(4);
  ui::Rect part = box.rect.share(box.share);
  if (box.upwards)
    part = {box.rect.x, box.rect.bottom() - box.rect.height * box.share, box.rect.width, box.rect.height * box.share};
  // Draws each shape as the whole box clipped to its part, so that the corners stay round.
  canvas.in_two_colors(box.rect, part, box.filling, box.fill,
                       [&](ui::Color color) { canvas.fill(box.rect, color, radius); });
  draw_words(view, box);
  if (box.active)
    canvas.stroke(box.rect, view.theme().strong, view.px(1.5f), radius);
  else if (box.share > 0)
    canvas.stroke(box.rect, box.filling, view.px(1), radius);
}

TileBox look_of_tile(const View& view, std::int32_t n, ui::Rect rect) {
  const sim::Cycles time = view.subject().time;
  const ChipTile& tile = tiles_of(view).tiles()[static_cast<std::size_t>(n)];
  const std::int32_t writer = tiles_of(view).writer(n, time);
  const Event& last = event_of(view, writer);
  TileBox box{.rect = rect, .fill = tensor_color(view, last.tensor, ui::Phase::done), .filling = {}};
  box.markup = block_markup(last);
  box.short_markup = tensor_markup(last.tensor);
  box.caption = report::kibibytes(tile.bytes);
  if (time < last.end && last.verb == sim::Verb::load) {
    show_arriving(view, box, last);
  } else if (time < last.end && last.verb != sim::Verb::fill) {
    show_written(view, box, n, last, writer == tile.event);
  } else if (is_read_now(view, n)) {
    box.fill = tensor_color(view, last.tensor);
    box.active = true;
  }
  return box;
}

void use_tile(View& view, std::string_view level, std::int32_t n, ui::Rect rect) {
  const std::int32_t event = tiles_of(view).tiles()[static_cast<std::size_t>(n)].event;
  const std::string name = view.id(sim::text(level, "/", block_name(event_of(view, event))));
  std::string free = name;
  for (int again = 2; view.ui.state.probes.contains(free); ++again) free = sim::text(name, "/", again);
  const ui::Hit h = ui::hit(view.ui, free, rect);
  if (h.clicked) go_to(view, event);
  if (h.hovered) draw_tooltip(view, describe_tile(view, n));
}

void draw_occupation(View& view, ui::Rect rect, const Occupation& o) {
  ui::Canvas& canvas = view.canvas();
  const ui::Theme& theme = view.theme();
  canvas.fill(rect, theme.track);
  const auto all = static_cast<float>(std::max(o.capacity, (o.neighbours + 1) * o.most));
  if (all <= 0) return;
  const auto x = [&](std::int64_t bytes) { return rect.x + rect.width * static_cast<float>(bytes) / all; };
  const ui::Color reserved = ui::mix(theme.track, theme.muted, 0.5f);
  const float gap = (o.neighbours + 1) * 3 < static_cast<std::int64_t>(rect.width / view.px(1)) ? view.px(1) : 0;
  for (std::int64_t n = 0; n <= o.neighbours; ++n) {
    const float left = x(n * o.most), right = x((n + 1) * o.most);
    canvas.fill({left, rect.y, std::max(1.f, right - left - gap), rect.height}, n == 0 ? reserved : theme.tile_to_do);
    if (gap == 0 && n == 0) n = std::max<std::int64_t>(0, o.neighbours - 1);  // too narrow to distinguish them
  }
  canvas.fill({rect.x, rect.y, x(std::min(o.held, o.capacity)) - rect.x, rect.height}, theme.strong);
}

}  // namespace explorer

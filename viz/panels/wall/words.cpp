#include "viz/panels/wall/words.h"

#include <algorithm>
#include <cmath>

#include "sim/report/numbers.h"
#include "sim/trace/tensors.h"
#include "viz/panels/memory/levels.h"
#include "viz/panels/scenario/field.h"
#include "viz/panels/scenario/number.h"
#include "viz/ui/rich_text.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

std::string markup_of(const std::vector<WallTensor>& tensors) {
  std::string all;
  for (const WallTensor& tensor : tensors) all += (all.empty() ? "" : ", ") + tensor_markup(tensor.tensor);
  return all;
}

ui::Ink ink(ui::Color color, ui::Color surface) { return {color, true, surface}; }

/// Draws "needs 103 of these GPUs", or the share of one GPU that it takes.
void draw_verdict(const WallHalf& half, ui::Space& line) {
  View view = half.view;
  ui::Canvas& canvas = view.canvas();
  const WallRun& wall = half.wall;
  if (wall.fits()) {
    const double part = static_cast<double>(wall.peak) / static_cast<double>(wall.capacity);
    const std::string words = view.say("fits: {} of one GPU", part_text(part));
    return ui::right_text(canvas, line, Style::control, view.theme().text, words, view.px(10));
  }
  const std::string words = view.say("needs {} of these GPUs", report::thousands(wall.devices()));
  const float sign = view.px(20), wide = canvas.text_width(Style::control, words) + sign + view.px(24);
  const Rect chip = line.right(wide, view.px(10));
  canvas.card(chip, ui::mix(view.theme().card, view.theme().warning, 0.12f), view.theme().warning, view.px(7));
  const auto [mark, inside] = ui::columns(chip.inset(view.px(10), 0), 0, {sign, ui::rest()});
  const float y = mark.center().y, unit = canvas.fonts().scale;
  canvas.triangle({mark.x, y + 5 * unit}, {mark.x + 12 * unit, y + 5 * unit}, {mark.x + 6 * unit, y - 6 * unit},
                  view.theme().warning);
  canvas.text(inside, Style::control, view.theme().warning, words);
}

/// "Q, K, V, O 8.59 GB · S 4.40 TB · P 4.40 TB": the largest last, the others as one sum.
std::string parts_markup(const WallHalf& half) {
  const std::vector<WallTensor>& all = half.wall.tensors;
  std::int64_t most = 0, sum = 0;
  for (const WallTensor& tensor : all) most = std::max(most, tensor.bytes);
  std::vector<WallTensor> small;
  std::string text;
  for (const WallTensor& tensor : all) {
    if (all.size() > 2 && tensor.bytes < most) {
      small.push_back(tensor);
      sum += tensor.bytes;
    }
  }
  const auto add = [&](const std::string& names, std::int64_t bytes) {
    text += sim::text(text.empty() ? "" : "  ·  ", names, " ", ui::escaped(report::bytes(bytes)));
  };
  if (!small.empty()) add(markup_of(small), sum);
  for (const WallTensor& tensor : all) {
    if (all.size() <= 2 || tensor.bytes == most) add(tensor_markup(tensor.tensor), tensor.bytes);
  }
  return text;
}

/// Rectangle of the whole rows between two positions in cells.
Rect rows_of(const WallCells& cells, double from, double to) {
  const auto row = [&](double n) { return std::floor(n / static_cast<double>(cells.columns)); };
  const double first = std::ceil(from / static_cast<double>(cells.columns)), last = row(to);
  const Rect& place = cells.place;
  const float width = static_cast<float>(cells.columns) * cells.width;
  return {place.x, place.y + static_cast<float>(first) * cells.height, width,
          std::max(0.f, static_cast<float>(last - first)) * cells.height};
}

/// Draws a dark card with a line of markup and one below it, in the middle of a rectangle. False if it does not fit.
bool draw_label(View& view, Rect place, const std::string& markup, const std::string& below) {
  ui::Canvas& canvas = view.canvas();
  const float first = ui::rich_width(canvas, Style::title, markup), second = canvas.text_width(Style::caption, below);
  const float wide = std::max(first, second) + view.px(28), high = view.px(48);
  if (wide > place.width || high > place.height) return false;
  const Rect card{std::round(place.center().x - wide / 2), std::round(place.center().y - high / 2), wide, high};
  canvas.card(card, view.theme().inset, view.theme().border, view.px(7));
  const auto [title, rest] = ui::rows(card.inset(view.px(14), view.px(5)), 0, {view.px(20), ui::rest()});
  ui::rich_text(canvas, title, Style::title, ink(view.theme().text, view.theme().inset), markup);
  canvas.text(rest, Style::caption, view.theme().muted, below);
  return true;
}

/// Draws one head of a score matrix as a bright square in the second cell: a unit to count the wall in.
void draw_head(const WallHalf& half, const WallCells& cells, const WallTensor& tensor, double from, double to) {
  View view = half.view;
  const std::int64_t head = bytes_of_head(*half.run, tensor.tensor);
  const double area = static_cast<double>(cells.width * cells.height) * static_cast<double>(head) /
                      static_cast<double>(half.wall.capacity);
  const auto side = static_cast<float>(std::sqrt(area));
  const Rect second = cells.cell(1);
  const float inset = std::max(0.f, (cells.height - side) / 2);
  const Rect square{second.x + std::max(view.px(2), (cells.width - side) / 2), second.y + inset, side, side};
  const auto rows = static_cast<std::int64_t>(to) / cells.columns;
  const bool inside = from < 1 && rows >= 1 && square.bottom() <= cells.cell(rows * cells.columns).y &&
                      square.right() <= cells.place.right();
  if (!inside || side < view.px(3) || cells.columns < 2) return;
  view.canvas().fill(square, tensor_color(view, tensor.tensor));
  const std::string words = view.say("one head: {} of {}", report::bytes(head), "{}");
  const std::size_t at = words.find("{}");
  const std::string markup = ui::escaped(words.substr(0, at)) + tensor_markup(tensor.tensor) +
                             ui::escaped(words.substr(std::min(words.size(), at + 2)));
  const float wide = ui::rich_width(view.canvas(), Style::caption, markup) + view.px(24);
  const float high = std::min(view.px(34), cells.height - view.px(6));
  const Rect card{square.right() + view.px(14), second.center().y - high / 2, wide, high};
  if (high < view.px(20) || card.right() > cells.place.right()) return;
  view.canvas().card(card, view.theme().inset, view.theme().border, view.px(7));
  ui::rich_text(view.canvas(), card.inset(view.px(12), 0), Style::caption, ink(view.theme().text, view.theme().inset),
                markup);
}

/// Names the tensors that fill whole rows of cells.
void draw_names(const WallHalf& half, const WallCells& cells) {
  View view = half.view;
  const std::vector<WallTensor> squares = wall_squares(half.wall, cells);
  double before = 0, from = 0;
  for (const WallTensor& tensor : squares) before += static_cast<double>(tensor.bytes);
  bool first = true;
  for (const WallTensor& tensor : half.wall.tensors) {
    const auto same = [&](const WallTensor& square) { return square.tensor == tensor.tensor; };
    if (std::any_of(squares.begin(), squares.end(), same)) continue;
    const double to = from + (static_cast<double>(tensor.bytes) + before) / static_cast<double>(half.wall.capacity);
    before = 0;
    if (first && sim::is_score_matrix(tensor.tensor) && !cells.tiny) draw_head(half, cells, tensor, from, to);
    ui::Space place(rows_of(cells, from, to));
    if (first && !cells.tiny) place.top(cells.height);
    const auto moved = half.run->hbm_by_tensor.find(tensor.tensor);
    const sim::Traffic traffic = moved == half.run->hbm_by_tensor.end() ? sim::Traffic{} : moved->second;
    const std::string devices = times_text(static_cast<double>(tensor.bytes) / static_cast<double>(half.wall.capacity));
    const std::string below = view.say("written {}, read {}: {} GPUs of it", report::bytes(traffic.written.count()),
                                       report::bytes(traffic.read.count()), devices);
    const std::string title = sim::text(tensor_markup(tensor.tensor), "   ", ui::escaped(report::bytes(tensor.bytes)));
    draw_label(view, place.rest(), title, below);
    first = false;
    from = to;
  }
}

/// A line of a card in the middle.
struct CardLine {
  Style style;
  ui::Color color;
  std::string markup;
};

void hatch(View& view, Rect rect) {
  view.canvas().push_clip(rect);
  const float step = view.px(7), length = rect.height;
  for (float x = rect.x - length; x < rect.right(); x += step)
    view.canvas().line({x, rect.y + length}, {x + length, rect.y}, view.theme().track, 1);
  view.canvas().pop_clip();
}

/// Draws the bytes that the other run writes and reads of tensors that this one never stores in HBM.
void draw_never(const WallPair& pair, std::size_t n, const WallCells& cells) {
  if (pair.halves.size() < 2) return;
  const WallHalf &half = pair.halves[n], &other = pair.halves[1 - n];
  const NeverMoved never = never_moved(*half.run, *other.run);
  if (half.wall.peak >= other.wall.peak || never.written == 0) return;
  View view = half.view;
  const ui::Theme& theme = view.theme();
  std::string names;
  for (const sim::Tensor tensor : never.tensors) names += (names.empty() ? "" : ", ") + tensor_markup(tensor);
  const sim::Tiling& tiles = half.run->plan.problem.tiling;
  std::vector<CardLine> lines = {
      {Style::number, theme.text, ui::escaped(view.say("{} never written", report::bytes(never.written)))},
      {Style::title, theme.text, ui::escaped(view.say("{} never read", report::bytes(never.read)))},
      {Style::caption, theme.muted, names + ui::escaped(std::string(view.say(": never in HBM in this run")))}};
  if (tiles.br > 0 && tiles.bc > 0) {
    lines.push_back(
        {Style::caption, theme.muted,
         ui::escaped(view.say("Tiles of {} × {} live on chip, and are gone before the next.", tiles.br, tiles.bc))});
  }
  ui::Canvas& canvas = view.canvas();
  float wide = 0, high = view.px(28);
  for (const CardLine& line : lines) {
    wide = std::max(wide, ui::rich_width(canvas, line.style, line.markup));
    high += canvas.line_height(line.style) + view.px(4);
  }
  wide += view.px(48);
  const bool first_row = !cells.tiny && (cells.count > 1 || cells.columns > 1);  // which stays visible
  const float top = first_row ? std::min(cells.height, view.px(60)) : 0;
  const auto [above, place] = ui::rows(cells.place, 0, {top, ui::rest()});
  if (wide > place.width || high > place.height) return;
  const Rect card{std::round(place.center().x - wide / 2), std::round(place.center().y - high / 2), wide, high};
  const Rect around = common(place, card.inset(-view.px(50), -view.px(24)));
  if (cells.columns > 1) hatch(view, around);
  canvas.card(card, theme.inset, theme.border, view.px(7));
  ui::Space rest(card.inset(view.px(24), view.px(14)), view.px(4));
  for (const CardLine& line : lines)
    ui::rich_text(canvas, rest.top(canvas.line_height(line.style)), line.style, ink(line.color, theme.inset),
                  line.markup, ui::Align::center);
}

}  // namespace

void draw_wall_words(const WallPair& pair, std::size_t n, ui::Rect rect) {
  const WallHalf& half = pair.halves[n];
  View view = half.view;
  ui::Canvas& canvas = view.canvas();
  const ui::Theme& theme = view.theme();
  const auto [first_row, second_row] = ui::rows(rect, view.px(4), {view.px(28), view.px(30)});
  ui::Space line(first_row), rest(second_row);
  draw_verdict(half, line);
  canvas.text(line.rest(), Style::title, theme.text,
              ui::first_that_fits(canvas, Style::title, line.width(), {half.name, half.short_name}));
  const ui::Color color = half.wall.fits() ? theme.text : theme.warning;
  const auto peak = static_cast<double>(half.wall.peak);
  const std::string path = half.path("memory.peak_hbm_bytes");
  rest.left(draw_number(view, rest.rest(), Style::number, color, path, peak), view.px(8));
  const std::string of =
      view.say("peak HBM memory, of {}", report::bytes(half.wall.capacity));  // in the unit of the peak
  const std::string parts = parts_markup(half);
  ui::Space caption(rest.rest().moved(0, view.px(2)));
  if (canvas.text_width(Style::caption, of) > caption.width()) return;
  ui::left_text(canvas, caption, Style::caption, theme.muted, of, view.px(16));
  if (ui::rich_width(canvas, Style::caption, parts) <= caption.width())
    ui::rich_text(canvas, caption.rest(), Style::caption, ink(theme.muted, theme.card), parts, ui::Align::right);
}

void draw_wall_labels(const WallPair& pair, std::size_t n, const std::vector<WallCells>& cells) {
  draw_names(pair.halves[n], cells[n]);
  draw_never(pair, n, cells[n]);
}

void draw_wall_legend(const WallPair& pair, std::size_t n, const std::vector<WallCells>& all, ui::Rect place) {
  const WallHalf& half = pair.halves[n];
  const WallCells& cells = all[n];
  View view = half.view;
  ui::Canvas& canvas = view.canvas();
  const ui::Theme& theme = view.theme();
  ui::Space line(place);
  line.top(view.px(8));
  const Rect mark = line.left(view.px(18));
  const float side = view.px(10);
  canvas.stroke({mark.x, mark.center().y - side / 2, side, side}, theme.strong, view.px(2));
  const sim::DeviceSpec& gpu = *half.run->plan.scenario.gpu;
  const std::string label = device_label(gpu.name), size = report::bytes(half.wall.capacity);
  const std::string one =
      cells.tiny ? view.say("one {}, {}, is a square of {} pixels", label, size, fmt::format("{:.2g}", cells.width))
                 : view.say("one {}, {}", label, size);
  ui::left_text(canvas, line, Style::caption, theme.muted, one, view.px(14));
  for (const WallTensor& tensor : half.wall.tensors) {
    const std::string name = tensor_markup(tensor.tensor);
    const std::string words = sim::text(name, " ", ui::escaped(report::bytes(tensor.bytes)));
    const float wide = ui::rich_width(canvas, Style::caption, words);
    if (side + view.px(5) + wide > line.width()) break;
    const Rect box = line.left(side, view.px(5));
    canvas.fill({box.x, box.center().y - side / 2, side, side}, tensor_color(view, tensor.tensor));
    ui::rich_text(canvas, line.left(wide + 1, view.px(12)), Style::caption, {theme.muted}, words);
  }
}

}  // namespace explorer

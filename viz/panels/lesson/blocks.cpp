#include "viz/panels/lesson/blocks.h"

#include <algorithm>
#include <array>

#include "sim/base/text.h"
#include "viz/ui/paragraph.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

using std::string_view;
using ui::Rect;
using ui::Style;

void write_body(Column& column, string_view text, string_view links) {
  const ui::Theme& theme = column.view.theme();
  write(column, Words{Style::body, theme.text, theme.card, links}, text);
}

void write_item(Column& column, string_view text, string_view links) {
  const View& view = column.view;
  const auto dot = [&](Rect rect) {
    column.view.canvas().disc({rect.x + view.px(5), rect.y + view.px(12)}, view.px(2.5f), view.theme().muted);
  };
  column.boxed(16, 0, dot, [&](Column& inner) { write_body(inner, text, links); });
}

/// Writes a myth, with a bar at its left and a label.
void write_myth(Column& column, string_view text, string_view links) {
  View& view = column.view;
  const auto bar = [&](Rect rect) {
    view.canvas().fill({rect.x, rect.y, view.px(3), rect.height}, view.theme().strong);
  };
  column.boxed(16, 0, bar, [&](Column& inner) {
    write_muted(inner, view.say("A myth, and what the run shows"));
    inner.space(2);
    write_body(inner, text, links);
  });
}

/// A part of an equation: text on the line, a fraction, or a bracket as high as a fraction.
struct Part {
  enum Kind { text, fraction, opening, closing } kind = text;
  string_view above, below = {};
};

constexpr string_view slash = " / ";
constexpr string_view openings[] = {"(", "{", "⌈"}, closings[] = {")", "}", "⌉"},
                      ends[] = {" = ", " ≈ ", " : ", " + ", " − ", " ← ", ", ", slash};

template <std::size_t n>
bool starts(string_view text, const string_view (&words)[n]) {
  return std::any_of(words, words + n, [&](string_view word) { return text.starts_with(word); });
}

template <std::size_t n>
bool stops(string_view text, const string_view (&words)[n]) {
  return std::any_of(words, words + n, [&](string_view word) { return text.ends_with(word); });
}

/// Position at which the numerator begins in the text before a slash: after an operator or an open bracket.
std::size_t begin_of_numerator(string_view before) {
  int depth = 0;
  for (std::size_t n = before.size(); n > 0; --n) {
    const string_view part = before.substr(0, n);
    if (stops(part, openings) && depth-- == 0) return n;
    if (depth == 0 && stops(part, ends)) return n;
    if (stops(part, closings)) ++depth;
  }
  return 0;
}

std::size_t end_of_denominator(string_view behind) {
  int depth = 0;
  for (std::size_t n = 0; n < behind.size(); ++n) {
    const string_view part = behind.substr(n);
    if (starts(part, closings) && depth-- == 0) return n;
    if (depth == 0 && starts(part, ends)) return n;
    if (starts(part, openings)) ++depth;
  }
  return behind.size();
}

/// Operand without outer brackets: "(a + b)" needs none above or below a fraction bar.
string_view without_brackets(string_view operand) {
  const bool whole = operand.starts_with("(") && end_of_denominator(operand.substr(1)) + 2 == operand.size();
  return whole ? operand.substr(1, operand.size() - 2) : operand;
}

void add_text(std::vector<Part>& parts, string_view text) {
  if (!text.empty()) parts.push_back({Part::text, text});
}

/// Parts of "B_c = ⌈M / 4d⌉": a text, a high bracket, a fraction and a high bracket.
std::vector<Part> parts_of(string_view equation) {
  constexpr string_view open = "⌈", close = "⌉";
  std::vector<Part> parts;
  for (std::size_t at = equation.find(slash); at != string_view::npos; at = equation.find(slash)) {
    string_view before = equation.substr(0, begin_of_numerator(equation.substr(0, at)));
    const string_view above = equation.substr(before.size(), at - before.size());
    equation.remove_prefix(at + slash.size());
    const string_view below = equation.substr(0, end_of_denominator(equation));
    equation.remove_prefix(below.size());
    const bool high = before.ends_with(open) && equation.starts_with(close);
    if (high) {
      before.remove_suffix(open.size());
      equation.remove_prefix(close.size());
    }
    add_text(parts, before);
    if (high) parts.push_back({Part::opening, {}});
    parts.push_back({Part::fraction, without_brackets(above), without_brackets(below)});
    if (high) parts.push_back({Part::closing, {}});
  }
  add_text(parts, equation);
  return parts;
}

bool has_fraction(const std::vector<Part>& parts) {
  return std::any_of(parts.begin(), parts.end(), [](const Part& part) { return part.kind == Part::fraction; });
}

/// Height of a numerator or a denominator.
float half_height(const View& view, Style style) { return std::round(1.45f * view.canvas().fonts().em(style)); }

float parts_height(const View& view, Style style, const std::vector<Part>& parts) {
  return has_fraction(parts) ? 2 * half_height(view, style) + view.px(8) : view.px(28);
}

float part_width(const View& view, Style style, const Part& part) {
  if (part.kind == Part::opening || part.kind == Part::closing) return view.px(8);
  const float width = ui::rich_width(view.canvas(), style, part.above);
  if (part.kind == Part::text) return std::ceil(width);
  return std::ceil(std::max(width, ui::rich_width(view.canvas(), style, part.below))) + view.px(8);
}

float parts_width(const View& view, Style style, const std::vector<Part>& parts) {
  float width = 0;
  for (const Part& part : parts) width += part_width(view, style, part);
  return width;
}

void draw_fraction(View& view, Rect place, Style style, const Part& part) {
  const ui::Theme& theme = view.theme();
  const ui::Ink ink{theme.text, true, theme.inset};
  const float half = half_height(view, style), middle = std::round(place.center().y);
  ui::rich_text(view.canvas(), {place.x, middle - half, place.width, half}, style, ink, part.above, ui::Align::center);
  ui::rich_text(view.canvas(), {place.x, middle, place.width, half}, style, ink, part.below, ui::Align::center);
  const float thick = std::max(1.f, view.px(1));
  view.canvas().fill({place.x + view.px(2), middle, place.width - view.px(4), thick}, theme.text);
}

/// Draws a bracket as high as a fraction, with a serif inwards at its top.
void draw_high_bracket(View& view, Rect place, Style style, bool opens) {
  const float half = half_height(view, style), thick = std::max(1.f, view.px(1.5f)), foot = view.px(5);
  const float top = std::round(place.center().y) - half,
              left = opens ? place.x + view.px(2) : place.right() - view.px(2);
  view.canvas().fill({opens ? left : left - thick, top, thick, 2 * half}, view.theme().text);
  view.canvas().fill({opens ? left : left - foot, top, foot, thick}, view.theme().text);
}

void draw_parts(View& view, Rect line, Style style, const std::vector<Part>& parts) {
  ui::Space rest(line);
  for (const Part& part : parts) {
    const Rect place = rest.left(part_width(view, style, part));
    if (part.kind == Part::fraction) {
      draw_fraction(view, place, style, part);
    } else if (part.kind == Part::text) {
      ui::rich_text(view.canvas(), place, style, {view.theme().text, true, view.theme().inset}, part.above);
    } else {
      draw_high_bracket(view, place, style, part.kind == Part::opening);
    }
  }
}

void write_equations(Column& column, string_view text) {
  View& view = column.view;
  const auto inset = [&](Rect rect) { ui::inset_panel(view.canvas(), rect); };
  column.boxed(14, 10, inset, [&](Column& inner) {
    for (const string_view one : sim::split(text, lessons::between_equations))
      write_equation(inner, unmarked(sim::trimmed(one)));
  });
}

void write_block(Column& column, const lessons::Block& block, string_view links) {
  switch (block.kind) {
    case lessons::BlockKind::equations:
      return write_equations(column, block.text);
    case lessons::BlockKind::item:
      return write_item(column, block.text, links);
    case lessons::BlockKind::table:
      return write_table(column, block.text);
    case lessons::BlockKind::myth:
      return write_myth(column, block.text, links);
    case lessons::BlockKind::paragraph:
      return write_body(column, block.text, links);
  }
}

}  // namespace

void write_equation(Column& column, string_view equation) {
  View& view = column.view;
  const std::vector<Part> parts = parts_of(equation);
  for (const Style style : {Style::title, Style::body, Style::caption}) {
    if (parts_width(view, style, parts) > column.width()) continue;
    const Rect line = column.take(parts_height(view, style, parts));
    if (column.draws()) draw_parts(view, line, style, parts);
    return;
  }
  write(column, Words{Style::body, view.theme().text, view.theme().inset}, equation);
}

float equation_width(const View& view, Style style, string_view equation) {
  return parts_width(view, style, parts_of(equation));
}

float equation_height(const View& view, Style style, string_view equation) {
  return parts_height(view, style, parts_of(equation));
}

void draw_equation(View& view, Rect line, Style style, string_view equation) {
  draw_parts(view, line, style, parts_of(equation));
}

void write_blocks(Column& column, const std::vector<lessons::Block>& blocks, string_view links) {
  for (std::size_t n = 0; n < blocks.size(); ++n) {
    if (n > 0) column.space(blocks[n].kind == lessons::BlockKind::item ? 4 : 10);
    write_block(column, blocks[n], sim::text(links, "/", n + 1));
  }
}

}  // namespace explorer

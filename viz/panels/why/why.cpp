// "Why this number?": a card next to the selected number, with its value, its formula, and the terms of its sum.
#include <algorithm>
#include <cmath>

#include "sim/report/numbers.h"
#include "viz/panels/panels.h"
#include "viz/panels/scenario/number.h"
#include "viz/panels/scenario/star.h"
#include "viz/panels/why/answer.h"
#include "viz/ui/front.h"
#include "viz/ui/paragraph.h"
#include "viz/ui/stack.h"
#include "viz/ui/text_field.h"

namespace explorer {
namespace {

constexpr float wide = 460, padding = 16, head = 116, term_height = 42, edge = 8;  // CSS pixels
constexpr std::size_t most_found = 12;

using ui::Style;

/// Content of the card: one pass measures it, a second one draws it.
class Content {
 public:
  Content(View& view, ui::Rect rect, bool draw) : view_(view), rest_(rect), draw_(draw), top_(rect.y) {}

  void words(Style style, ui::Color color, std::string_view markup) {
    const float height = ui::paragraph_height(view_.canvas(), style, markup, rest_.width);
    if (draw_)
      ui::paragraph(view_.canvas(), strip(height), style, {.color = color}, markup);
    else
      strip(height);
  }
  void space(float css) { strip(view_.px(css)); }
  ui::Rect strip(float height) {
    const ui::Rect place{rest_.x, rest_.y, rest_.width, height};
    rest_.y += height;
    return place;
  }
  bool draws() const { return draw_; }
  float height() const { return rest_.y - top_; }
  View& view() const { return view_; }

 private:
  View& view_;
  ui::Rect rest_;
  bool draw_;
  float top_;
};

void add_formula(Content& content, const FormulaLine& line) {
  const ui::Theme& theme = content.view().theme();
  if (!line.heading.empty()) content.words(Style::caption, theme.muted, ui::escaped(line.heading));
  content.words(line.is_note ? Style::caption : Style::body, line.is_note ? theme.muted : theme.text, line.equation);
  if (!line.filled.empty()) content.words(Style::table, theme.text, "= " + ui::escaped(line.filled));
  content.space(8);
}

/// "16,384 × 136 = 2,228,224"
std::string product_text(const sim::DerivationTerm& term) {
  if (term.times == 1) return report::thousands(term.each);
  return report::thousands(term.each) + " × " + report::thousands(term.times) + " = " + report::thousands(term.total());
}

void draw_term(View& view, ui::Rect row, const sim::DerivationTerm& term, double share) {
  ui::Canvas& canvas = view.canvas();
  const ui::Theme& theme = view.theme();
  row = row.inset(view.px(6), view.px(3));
  const auto [what, where, rest] = ui::rows(row, 0, {view.px(17), view.px(15), ui::rest()});
  canvas.text(what, Style::table, theme.text, view.translate(term.what));
  ui::Space below(where);
  right_text(canvas, below, Style::table, theme.text, product_text(term), view.px(8));
  canvas.text(below.rest(), Style::caption, theme.muted, term.where);
  ui::progress_bar(canvas, {row.x, row.bottom() - view.px(2), row.width, view.px(2)}, static_cast<float>(share),
                   theme.strong);
}

void add_terms(Content& content, const WhyAnswer& answer, bool jumps) {
  View& view = content.view();
  int number = 0;
  for (const sim::DerivationTerm& term : answer.derivation.terms) {
    const ui::Rect row = content.strip(view.px(term_height));
    ++number;
    if (!content.draws()) continue;
    if (jumps && is_line(term)) {
      const ui::Hit h = ui::hit(view.ui, sim::text("why/term/", number), row);
      if (h.hovered) view.canvas().fill(row, view.theme().track, view.px(6));
      if (h.clicked) view.edit(SeekLine{term.where});
    }
    const double whole = static_cast<double>(answer.largest_term);
    draw_term(view, row, term, whole > 0 ? static_cast<double>(term.total()) / whole : 0);
  }
}

void add_all(Content& content, const WhyAnswer& answer, bool jumps) {
  View& view = content.view();
  if (!answer.error.empty()) return content.words(Style::body, view.theme().text, ui::escaped(answer.error));
  if (!answer.star.empty()) {
    content.words(Style::caption, view.theme().muted, ui::escaped(star_words(view)));
    content.space(8);
  }
  for (const FormulaLine& line : answer.formula) add_formula(content, line);
  if (answer.derivation.terms.empty()) return;
  content.words(Style::caption, view.theme().muted, view.say("What sums to it"));
  content.space(2);
  add_terms(content, answer, jumps);
}

/// Draws the path, buttons for the neighbouring numbers, and close.
void draw_path(View& view, ui::Rect place, const Question& question, const WhyAnswer& answer) {
  ui::Space line(place, view.px(4));
  const float side = place.height;
  const auto select = [&](const std::string& path) { view.set([&](Look& look) { look.selection = path; }); };
  const auto go = [&](std::string_view id, ui::Icon icon, int step) {
    if (ui::icon_button(view.ui, id, line.right(side), icon))
      select(selection_of({answer.neighbour(step), question.subject}));
  };
  if (ui::icon_button(view.ui, "why/close", line.right(side), ui::Icon::close)) select({});
  go("why/next", ui::Icon::next, 1);
  go("why/previous", ui::Icon::previous, -1);
  line.right(view.px(8), 0);
  view.canvas().text(line.rest(), Style::table, view.theme().muted, question.path);
}

/// Units that are words and thus differ between languages.
constexpr std::string_view unit_words[] = {
    /*say*/ "bytes",        /*say*/ "events",     /*say*/ "microseconds", /*say*/ "cycles", /*say*/ "kcycles",
    /*say*/ "exponentials",
    /*say*/ "CTAs",         /*say*/ "SMs",        /*say*/ "waves",        /*say*/ "rows",   /*say*/ "columns",
    /*say*/ "tokens",       /*say*/ "threads",    /*say*/ "sequences",    /*say*/ "keys",   /*say*/ "elements",
    /*say*/ "parts",        /*say*/ "wavefronts", "heads, as a unit"};

std::string_view unit_in(const View& view, std::string_view unit) {
  if (view.state.look.language == Language::en) return unit;
  if (unit == "heads") unit = /*say*/ "heads, as a unit";  // "heads" alone is the name of an option
  const bool is_word = std::find(std::begin(unit_words), std::end(unit_words), unit) != std::end(unit_words);
  return is_word ? view.say(unit) : unit;
}

/// Text with its unit in the language of the window: "128 CTAs".
std::string with_unit(const View& view, const std::string& text) {
  const std::size_t unit = text.rfind(' ') + 1;  // 0 if there is none
  return unit == 0 ? text : text.substr(0, unit) + std::string(unit_in(view, std::string_view(text).substr(unit)));
}

/// Draws the value as it is shown elsewhere, and exactly.
void draw_value(View& view, ui::Rect place, const WhyAnswer& answer) {
  if (!answer.error.empty()) {
    view.canvas().text(place, Style::title, view.theme().text, view.say("There is no such number"));
    return;
  }
  ui::Canvas& canvas = view.canvas();
  const std::string text =
      with_unit(view, number_text(answer.derivation.path, answer.value())) + std::string(answer.star);
  ui::Space line(place);
  left_text(canvas, line, Style::number, view.theme().text, text, view.px(12));
  std::string exact = answer.derivation.value;
  if (exact.find_first_not_of("0123456789") == std::string::npos) exact = report::thousands(std::stoll(exact));
  if (answer.derivation.unit != "1") exact += sim::text(" ", unit_in(view, answer.derivation.unit));
  canvas.text(line.rest().moved(0, view.px(4)), Style::caption, view.theme().muted, exact);
}

/// Draws the search field; while the user types, the numbers found replace the answer. True then.
bool draw_search(View& view, ui::Rect line, ui::Rect body, const Question& question, const WhyAnswer& answer) {
  std::string search;
  const ui::Rect card{body.x, line.y, body.width, body.bottom() - line.y};
  ui::text_field(view.ui, "why/search", line, view.say("Find another number"), search, card);
  if (!ui::is_typing(view.ui, "why/search")) return false;
  ui::Space rest(body);
  const float high = view.px(view.for_fingers() ? 40 : 26);
  for (const std::string& path : answer.matching(search, most_found)) {
    const ui::Rect row = rest.top(high);
    if (row.height < high) break;
    const ui::Hit h = ui::hit(view.ui, "why/" + path, row);
    if (h.hovered) view.canvas().fill(row, view.theme().track, view.px(6));
    view.canvas().text(row.inset(view.px(8), 0), Style::table, view.theme().text, path);
    if (!h.clicked) continue;
    view.set([&](Look& look) { look.selection = selection_of({path, question.subject}); });
    view.ui.state.open.clear();
  }
  return true;
}

bool can_jump(const Question& question) { return question.subject == 0 && !question.path.starts_with(of_standard); }

float height_of(View& view, const WhyAnswer& answer, float width) {
  Content content(view, {0, 0, width, 0}, false);
  add_all(content, answer, false);
  return content.height();
}

void draw_card(View& view, ui::Rect card, const Question& question, const WhyAnswer& answer) {
  const float small = view.control_height(ui::Control::small);
  const auto [path, value, line, space, rest] =
      ui::rows(card.inset(view.px(padding), view.px(12)), 0,
               {small, view.px(36), std::max(view.px(30), small), view.px(10), ui::rest()});
  draw_path(view, path, question, answer);
  draw_value(view, value, answer);
  const std::string_view next = view.say("Next occurrence");
  const float width = ui::button_width(view.canvas(), next);
  const bool lines = !answer.derivation.terms.empty() && is_line(answer.derivation.terms.front());
  const bool jumps = lines && can_jump(question) && width < line.width / 2;
  const auto [search, button] = ui::columns(line, view.px(8), {ui::rest(), jumps ? width : 0});
  if (jumps && ui::button(view.ui, "why/occurrence", button, next)) view.edit(SeekAgain{});
  if (draw_search(view, search, rest, question, answer)) return;
  const float bar = view.px(12), height = height_of(view, answer, rest.width - bar);
  float& offset = view.ui.state.scrolled["why"];
  offset = ui::begin_scroll(view.ui, "why/scroll", rest, height, offset);
  Content content(view, {rest.x, rest.y - std::round(offset), rest.width - bar, height}, true);
  add_all(content, answer, can_jump(question));
  ui::end_scroll();
}

/// Rectangle of the card: below the number or above it; a sheet at the lower edge of narrow windows.
ui::Rect place_of(const View& view, ui::Rect window, const std::string& selection, float height, bool sheet) {
  const float margin = view.px(edge);
  if (sheet) {
    const float h = std::min(height, window.height * 0.62f);
    return {window.x + margin, window.bottom() - margin - h, window.width - 2 * margin, h};
  }
  const float width = std::min(view.px(wide), window.width - 2 * margin);
  const auto& probes = view.ui.state.probes;
  const auto found = probes.find("number/" + selection);
  const ui::Rect number =
      found == probes.end() ? ui::Rect{window.center().x - width / 2, view.px(150), 0, 0} : found->second;
  const float x = std::clamp(number.x - view.px(padding), margin, window.right() - margin - width);
  const float below = window.bottom() - margin - number.bottom() - margin, above = number.y - 2 * margin;
  if (below >= above) return {x, number.bottom() + margin, width, std::min(height, below)};
  const float h = std::min(height, above);
  return {x, number.y - margin - h, width, h};
}

}  // namespace

void draw_why(View& view, ui::Rect window, bool sheet) {
  const std::string selection = view.state.look.selection;
  if (selection.empty()) return;
  const Question question = question_of(selection);
  if (view.world.covered.hides(question.path)) return;
  const WhyAnswer& answer = answer_of(view, question);
  const float margin = sheet ? window.width - view.px(2 * edge) : std::min(view.px(wide), window.width);
  const float text_width = margin - view.px(2 * padding + 12);
  const float height = view.px(head + (view.for_fingers() ? 42 : 20)) + height_of(view, answer, text_width);
  ui::Rect card = place_of(view, window, selection, std::max(height, view.px(320)), sheet);
  card = {std::floor(card.x), std::floor(card.y), std::floor(card.width), std::floor(card.height)};
  ui::in_front(view.ui, "why card", card, [&](ui::Ui& ui) {
    View front{ui, view, view.index};
    draw_card(front, card, question, answer);
  });
}

}  // namespace explorer

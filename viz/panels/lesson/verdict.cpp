// The reply to an answer: pieces, each with its shape, and the factors and bars of a number.
#include <algorithm>
#include <utility>

#include "sim/base/text.h"
#include "sim/model/formula_symbols.h"
#include "viz/panels/lesson/blocks.h"
#include "viz/panels/lesson/question.h"
#include "viz/ui/rich_text.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

using lessons::Question;
using lessons::QuestionKind;
using ui::Rect;
using ui::Style;

/// Writes a mark, a label, and the answer at the right end, or below if it does not fit.
void write_line(Column& column, Mark mark, std::string_view label, const std::string& answer, bool struck) {
  View& view = column.view;
  const ui::Theme& theme = view.theme();
  const float width = written_width(view, Style::title, answer), left = view.px(32);
  const bool beside = left + view.canvas().text_width(Style::body, label) + view.px(16) + width <= column.width();
  const auto [sign, words, place] = ui::columns(column.take(view.px(28)), 0, {left, ui::rest(), beside ? width : 0});
  if (column.draws()) {
    draw_mark(view, {sign.x + view.px(10), sign.center().y}, mark);
    if (beside) {
      const ui::Color color = struck ? theme.muted : theme.text;
      ui::rich_text(view.canvas(), place, Style::title, {color, !struck, theme.card}, answer);
      if (struck) view.canvas().line({place.x, place.center().y}, {place.right(), place.center().y}, color, view.px(1));
    }
    view.canvas().text(words, Style::body, struck ? theme.muted : theme.text, label);
  }
  if (!beside && !answer.empty())
    column.boxed(
        32, 0, [](Rect) {}, [&](Column& inner) { write(inner, Style::body, answer); });
}

/// Writes both numbers as bars to scale, with their values.
void write_bars(Column& column, const LessonPage& page, const Question& question, const lessons::Verdict& verdict) {
  column.space(10);
  for (const Bar& bar : bars_of(column.view, page, question, verdict)) {
    const Rect line = column.take(column.view.px(26));
    if (column.draws()) draw_bar(column.view, line, bar);
  }
}

/// A factor of a count: its symbol, its value in this run, and its name.
struct Factor {
  std::string symbol, value, name;
};

/// Factors between the operators * outside brackets.
std::vector<std::string> factors_of(std::string_view product) {
  std::vector<std::string> factors(1);
  int depth = 0;
  for (const char c : product) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == '*' && depth == 0)
      factors.emplace_back();
    else if (c != ' ')
      factors.back() += c;
  }
  return factors;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// Formula as typed: for a count, with letters for its options.
std::string typed_formula(const Question& question) {
  if (question.kind == QuestionKind::formula) return question.solution;
  std::string formula = question.answer.substr(0, question.answer.find(" |"));
  for (const auto& [name, letter] : {std::pair("scenario.seqlen", "N"), std::pair("scenario.head-dim", "d"),
                                     std::pair("scenario.br", "Br"), std::pair("scenario.bc", "Bc")})
    formula = replaced(formula, name, letter);
  return formula;
}

/// Markup of a typed formula: "ceil(N/Br)" is the fraction with high brackets, "2+3*Tc" is "2 + 3 T_c".
std::string formula_markup(std::string formula) {
  if (formula.starts_with("ceil(") && formula.ends_with(")"))
    formula = "⌈" + formula.substr(5, formula.size() - 6) + "⌉";
  for (const auto& [typed, written] :
       {std::pair("*", " "), std::pair("/", " / "), std::pair("+", " + "), std::pair("Br", "B_r"),
        std::pair("Bc", "B_c"), std::pair("Tr", "T_r"), std::pair("Tc", "T_c")})
    formula = replaced(formula, typed, written);
  return formula;
}

std::string_view name_of_factor(const View& view, std::string_view factor) {
  if (factor == "N") return view.say("rows");
  if (factor == "d") return view.say("columns");
  if (factor == "e") return view.say("bytes each");
  if (factor == "h") return view.say("query heads");
  if (factor == "b") return view.say("batch");
  if (factor == "Tr" || factor == "ceil(N/Br)") return view.say("row blocks");
  if (factor == "Tc" || factor == "ceil(N/Bc)") return view.say("column blocks");
  if (factor == "Br") return view.say("queries");
  return factor == "Bc" ? view.say("keys") : std::string_view();
}

/// Factors of an answer that is a product; empty for others.
std::vector<Factor> derivation(const View& view, const LessonPage& page, const Question& question) {
  std::vector<Factor> factors;
  if (!page.scene || (question.kind != QuestionKind::number && question.kind != QuestionKind::formula)) return factors;
  double product = 1;
  try {
    for (const std::string& factor : factors_of(typed_formula(question))) {
      const double value = sim::formula_value(factor, page.scene->run().plan);
      product *= value;
      factors.push_back({formula_markup(factor), lessons::written_exactly(value, "number"),
                         std::string(name_of_factor(view, factor))});
    }
    if (factors.size() > 1 && product == page.scene->facts().quantity(question.answer).value) return factors;
  } catch (const sim::Error&) {  // the formula uses other numbers
  }
  return {};
}

float factor_width(const View& view, const Factor& factor) {
  return std::max({equation_width(view, Style::title, factor.symbol),
                   view.canvas().text_width(Style::body, factor.value),
                   view.canvas().text_width(Style::caption, factor.name)});
}

void draw_factors(View& view, Rect place, const std::vector<Factor>& factors) {
  const ui::Theme& theme = view.theme();
  ui::Space cells(place, view.px(20));
  for (std::size_t n = 0; n < factors.size(); ++n) {
    const Rect cell = cells.left(std::ceil(factor_width(view, factors[n])));
    const auto [symbol, value, name] = ui::rows(cell, 0, {ui::rest(), view.px(20), view.px(20)});
    const float margin = (symbol.width - equation_width(view, Style::title, factors[n].symbol)) / 2;
    draw_equation(view, symbol.inset(margin, 0), Style::title, factors[n].symbol);
    if (n + 1 < factors.size())
      view.canvas().text({cell.right(), cell.y, view.px(20), symbol.height}, Style::body, theme.muted, "·",
                         ui::Align::center);
    view.canvas().text(value, Style::body, theme.text, factors[n].value, ui::Align::center);
    view.canvas().text(name, Style::caption, theme.muted, factors[n].name, ui::Align::center);
  }
}

/// Writes factors in columns: below each one its value and name. Left out if they do not fit.
void write_factors(Column& column, const LessonPage& page, const Question& question) {
  View& view = column.view;
  const std::vector<Factor> factors = derivation(view, page, question);
  if (factors.empty()) return;
  float width = 0, height = 0;
  for (const Factor& factor : factors) {
    width += std::ceil(factor_width(view, factor)) + view.px(20);
    height = std::max(height, equation_height(view, Style::title, factor.symbol));
  }
  if (width > column.width() - view.px(28)) return;
  column.space(10);
  const auto inset = [&](Rect rect) { ui::inset_panel(view.canvas(), rect); };
  column.boxed(14, 10, inset, [&](Column& inner) {
    const Rect place = inner.take(height + view.px(40));
    if (inner.draws()) draw_factors(view, place, factors);
  });
}

/// Writes the reason, its first sentence as a headline, next to a bar.
void write_reason(Column& column, const std::string& reason) {
  if (reason.empty()) return;
  View& view = column.view;
  column.space(10);
  const auto bar = [&](Rect rect) {
    view.canvas().fill({rect.x, rect.y, view.px(3), rect.height}, view.theme().strong);
  };
  const std::size_t end = end_of_sentence(reason);
  column.boxed(16, 0, bar, [&](Column& inner) {
    write(inner, Style::title, reason.substr(0, end));
    if (end < reason.size()) write(inner, Style::body, sim::trimmed(std::string_view(reason).substr(end)));
  });
}

/// Writes a line of an order in the run's order.
void write_solution(Column& column, const lessons::Piece& piece) {
  column.space(2);
  const auto number = [&](Rect rect) {
    column.view.canvas().text({rect.x, rect.y, column.view.px(20), rect.height}, Style::caption,
                              column.view.theme().muted, piece.label);
  };
  column.boxed(24, 0, number, [&](Column& inner) { write_equation(inner, line_markup(piece.text)); });
}

void write_because(Column& column, const std::string& because) {
  column.space(10);
  write(column, Style::body, because);
}

void write_piece(Column& column, const lessons::Piece& piece) {
  using Kind = lessons::Piece::Kind;
  const std::string text = piece.markup ? piece.text : ui::escaped(piece.text);
  switch (piece.kind) {
    case Kind::right:
      return write_line(column, Mark::right, piece.label, text, false);
    case Kind::shown:
      return write_line(column, Mark::shown, piece.label, text, false);
    case Kind::wrong:
      if (text.empty()) return write(column, Style::title, piece.label);
      return write_line(column, Mark::wrong, piece.label, text, true);
    case Kind::given:
      column.space(4);
      return write_line(column, Mark::wrong, piece.label, text, true);
    case Kind::expected:
      return write_line(column, Mark::right, piece.label, text, false);
    case Kind::solution:
      return write_solution(column, piece);
    case Kind::reason:
      return write_reason(column, text);
    case Kind::because:
      return write_because(column, text);
    default:
      break;
  }
  column.space(8);
  write_muted(column, text);
}

}  // namespace

void write_reply(Column& column, const LessonPage& page, const Question& question, const Trying& trying) {
  if (!page.scene) return;
  const bool over = is_over(question, trying);
  bool counted = !over;  // factors and bars stand before the words that end the reply
  const auto count = [&] {
    if (std::exchange(counted, true)) return;
    write_factors(column, page, question);
    const bool wrong = trying.verdict && !trying.verdict->right;
    if (wrong && question.kind == QuestionKind::number && trying.verdict->ratio > 0)
      write_bars(column, page, question, *trying.verdict);
  };
  for (const lessons::Piece& piece :
       lessons::reply_pieces(page.asked(question), trying, say_in(column.view.state.look.language))) {
    if (piece.kind == lessons::Piece::Kind::because) count();
    write_piece(column, piece);
  }
  count();
}

}  // namespace explorer

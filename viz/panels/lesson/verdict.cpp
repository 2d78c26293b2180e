// Outcome of an answer: right or not yet, by a shape and a word; the run's value; the reason.
#include <algorithm>

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

/// Text of an answer: the label of a choice; numbers and tiles as given; empty for an order.
std::string shown_answer(const LessonPage& page, const Question& question, const std::string& answer) {
  if (question.kind == QuestionKind::order) return {};  // the lines are shown below
  return question.kind == QuestionKind::choice ? std::string(page.page.label(answer)) : ui::escaped(answer);
}

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

void write_because(Column& column, const LessonPage& page, const Question& question) {
  const std::string& because = page.words(question).because;
  if (because.empty()) return;
  column.space(10);
  write(column, Style::body, because);
}

/// Writes the lines in the run's order.
void write_lines(Column& column, const Question& question) {
  if (question.kind != QuestionKind::order) return;
  for (std::size_t n = 0; n < question.lines.size(); ++n) {
    column.space(2);
    const auto number = [&](Rect rect) {
      column.view.canvas().text({rect.x, rect.y, column.view.px(20), rect.height}, Style::caption,
                                column.view.theme().muted, sim::text(n + 1));
    };
    column.boxed(24, 0, number, [&](Column& inner) { write_equation(inner, line_markup(question.lines[n])); });
  }
}

void write_wrong(Column& column, const LessonPage& page, const Question& question, const lessons::Verdict& verdict) {
  const View& view = column.view;
  write(column, Style::title, view.say("Not yet."));
  column.space(4);
  write_line(column, Mark::wrong, view.say("you said"), shown_answer(page, question, verdict.given), true);
  write_line(column, Mark::right, view.say("the run counted"), expected_answer(page, question), false);
  write_lines(column, question);
  write_reason(column, reason_of(view.state.look.language, page, verdict));
  write_factors(column, page, question);
  if (question.kind == QuestionKind::number && verdict.ratio > 0) write_bars(column, page, question, verdict);
  write_because(column, page, question);
}

}  // namespace

std::string expected_answer(const LessonPage& page, const Question& question) {
  if (!page.scene) return {};
  if (question.kind == QuestionKind::number) {
    const lessons::Facts::Quantity right = page.scene->facts().quantity(question.answer);
    return lessons::written_exactly(right.value, right.unit);
  }
  const std::string answer = lessons::right_answer(question, *page.scene);
  return shown_answer(page, question, answer);
}

void write_try(Column& column, const LessonPage& page, const Question& question, const Trying& trying) {
  const View& view = column.view;
  const Language language = view.state.look.language;
  const std::string given = shown_answer(page, question, trying.verdict->given);
  write_line(column, Mark::wrong, view.say("Not yet."), given, !given.empty());
  write_reason(column, reason_of_try(language, page, question, *trying.verdict));
  column.space(8);
  write_muted(column, tries_left(language, question, trying));
}

void write_verdict(Column& column, const LessonPage& page, const Question& question, const Trying& trying) {
  const View& view = column.view;
  if (trying.verdict && !trying.verdict->right) return write_wrong(column, page, question, *trying.verdict);
  const bool right = trying.verdict.has_value();
  const std::string answer =
      right ? shown_answer(page, question, trying.verdict->given) : expected_answer(page, question);
  write_line(column, right ? Mark::right : Mark::shown, right ? view.say("Right.") : view.say("Shown."), answer, false);
  if (right && question.kind == QuestionKind::number && answer != expected_answer(page, question))
    write_line(column, Mark::right, view.say("the run counted"), expected_answer(page, question), false);
  if (right && trying.verdict->score > 0) write_muted(column, score_text(view, page, question, *trying.verdict));
  write_lines(column, question);
  write_factors(column, page, question);
  write_because(column, page, question);
}

}  // namespace explorer

// Input of answers, by kind of question.
#include <algorithm>

#include "sim/base/text.h"
#include "sim/catalogue/options.h"
#include "viz/model/listing/equation.h"
#include "viz/panels/lesson/blocks.h"
#include "viz/panels/lesson/question.h"
#include "viz/ui/rich_text.h"
#include "viz/ui/stack.h"
#include "viz/ui/text_field.h"

namespace explorer {
namespace {

using lessons::Question;
using lessons::QuestionKind;
using ui::Rect;
using ui::Style;

/// "read as 524,288 B"; empty if the text is not a number.
std::string read_as(const View& view, const LessonPage& page, const Question& question, const Trying& trying) {
  if (question.kind != QuestionKind::number || trying.typed.empty()) return {};
  const std::string typed = typed_answer(view.model, question);
  try {
    const std::string_view unit = page.scene->facts().quantity(question.answer).unit;
    return view.say("read as {}", lessons::written_exactly(lessons::read_number(typed, unit).value, unit));
  } catch (const sim::Error&) {
    return {};
  }
}

/// Draws buttons for the units of a number.
void draw_units(View& view, const Question& question, const Trying& trying, Rect place,
                const std::vector<std::string_view>& units) {
  const auto chosen = std::find(units.begin(), units.end(), trying.unit);
  const int now = chosen == units.end() ? 0 : static_cast<int>(chosen - units.begin());
  const int next = ui::segmented(view.ui, widget_of("unit", question), place, units, units, now);
  if (next == now) return;
  view.edit(TypeAnswer{question.text, trying.typed, std::string(units[static_cast<std::size_t>(next)]), {}});
}

bool write_field(Column& column, const LessonPage& page, const Question& question, const Trying& trying) {
  View& view = column.view;
  const std::vector<std::string_view> units = units_of(page, question);
  const auto [place, beside] = ui::columns(column.take(view.px(40)), view.px(8),
                                           {ui::rest(), units.empty() ? 0 : ui::segmented_width(view.canvas(), units)});
  bool entered = false;
  if (column.draws()) {
    if (!units.empty()) draw_units(view, question, trying, beside, units);
    const std::string id = widget_of("answer", question);
    view.ui.state.reading.field = id;
    const bool typing = ui::is_typing(view.ui, id);
    const ui::Theme& theme = view.theme();
    std::string typed = trying.typed;
    if (ui::text_field(view.ui, id, place, {}, typed)) view.edit(TypeAnswer{question.text, typed, trying.unit, {}});
    entered = typing && !ui::is_typing(view.ui, id) && ImGui::IsKeyPressed(ImGuiKey_Enter);
    view.canvas().stroke(place, typing ? theme.strong : theme.muted, view.px(1), view.px(ui::control_radius));
  }
  column.space(6);
  const std::string read = read_as(view, page, question, trying);
  const Rect line = column.take(view.px(18));
  if (column.draws())
    view.canvas().text(
        line, Style::caption, view.theme().muted,
        read.empty() ? lessons::how_to_answer(page.asked(question), say_in(view.state.look.language)) : read);
  return entered;
}

/// Writes a line that can be pressed, with a key or a position at its left. True if it was pressed.
template <class Write>
bool write_pressable(Column& column, const std::string& id, std::string_view cap, bool chosen, Write write_label) {
  View& view = column.view;
  bool clicked = false;
  const auto ground = [&](Rect rect) {
    const ui::Theme& theme = view.theme();
    const ui::Hit h = ui::hit(view.ui, id, rect);
    view.canvas().card(rect, h.hovered || chosen ? theme.track : theme.inset, chosen ? theme.strong : theme.border,
                       view.px(ui::control_radius));
    const Rect box{rect.x + view.px(8), rect.y + view.px(8), view.px(20), rect.height - 2 * view.px(8)};
    view.canvas().text(box, Style::caption, theme.muted, cap, ui::Align::center);
    clicked = h.clicked;
  };
  column.boxed(36, 6, ground, write_label);
  return clicked;
}

void write_choices(Column& column, const LessonPage& page, const Question& question, const Trying& trying) {
  const auto choose_answer = [&](const std::string& answer) {
    column.view.edit(TypeAnswer{question.text, answer, trying.unit, {}});
  };
  const std::vector<std::string> answers = keyed_answers(page, question);
  for (std::size_t n = 0; n < answers.size(); ++n) {
    if (n > 0) column.space(6);
    const std::string id = sim::text(widget_of("choice", question), "/", n + 1);
    const auto label = [&](Column& inner) { write(inner, Style::body, label_of(page, question, answers[n])); };
    if (write_pressable(column, id, sim::text(n + 1), trying.typed == answers[n], label)) choose_answer(answers[n]);
  }
  if (!column.draws()) return;
  const char key = column.view.ui.state.reading.key;
  if (key >= '1' && key < '1' + static_cast<int>(answers.size()))
    choose_answer(answers[static_cast<std::size_t>(key - '1')]);
}

/// Writes lines to be clicked in order; a second click on a line removes it.
void write_lines(Column& column, const Question& question, const Trying& trying) {
  const std::vector<std::size_t> shown = lessons::shown_order(question);
  write_muted(column, column.view.say("Click the lines in their order."));
  for (std::size_t n = 0; n < shown.size(); ++n) {
    column.space(6);
    const auto at = std::find(trying.order.begin(), trying.order.end(), n);
    const bool chosen = at != trying.order.end();
    const std::string place = chosen ? sim::text(at - trying.order.begin() + 1) : "·";
    const auto label = [&](Column& inner) { write_equation(inner, line_markup(question.lines[shown[n]])); };
    const std::string id = sim::text(widget_of("line", question), "/", n + 1);
    if (!write_pressable(column, id, place, chosen, label)) continue;
    TypeAnswer next{question.text, "", trying.unit, trying.order};
    if (chosen)
      std::erase(next.order, n);
    else
      next.order.push_back(n);
    for (const std::size_t line : next.order) next.typed += sim::text(next.typed.empty() ? "" : " ", line + 1);
    column.view.edit(std::move(next));
  }
}

std::string with_spaces(std::string text) {
  for (std::size_t at = 0; (at = text.find('&', at)) != std::string::npos; at += 3) text.replace(at, 1, ",  ");
  return text;
}

}  // namespace

std::string label_of(const LessonPage& page, const Question& question, const std::string& answer) {
  return question.kind == QuestionKind::tile ? "(" + answer + ")" : std::string(page.page.label(answer));
}

std::string line_markup(std::string_view line) {
  const std::size_t colon = line.find(": ");
  if (colon == std::string_view::npos) return equation_markup(line);
  return ui::escaped(line.substr(0, colon)) + ":  " + equation_markup(line.substr(colon + 2));
}

namespace {

/// Writes the options that the goal unlocks, for changes here or in the window, and the changes so far.
void write_goal(Column& column, const Question& question) {
  View& view = column.view;
  write_muted(column, view.say("Change these, all else is locked:"));
  column.space(6);
  const std::vector<std::string_view> options(question.change.begin(), question.change.end());
  write_options(column, options, "lesson/change/", scenario_values(view), nullptr);
  const std::string changes = changes_of(view.model);
  column.space(8);
  write(column, Style::body, changes.empty() ? view.say("Nothing is changed yet.") : ui::escaped(with_spaces(changes)));
}

/// Tiles of a matrix, if few enough for buttons.
std::vector<std::string> tiles_of(const LessonPage& page) {
  if (!page.scene) return {};
  const sim::Problem& problem = page.scene->run().plan.problem;
  const std::int64_t rows = sim::ceil_div(problem.shape.seqlen_q, problem.tiling.br);
  const std::int64_t cols = sim::ceil_div(problem.shape.seqlen_k, problem.tiling.bc);
  constexpr std::int64_t most = 9;
  std::vector<std::string> tiles;
  for (std::int64_t n = 0; rows * cols <= most && n < rows * cols; ++n)
    tiles.push_back(sim::text(n / cols, ", ", n % cols));
  return tiles;
}

}  // namespace

std::vector<std::string> keyed_answers(const LessonPage& page, const Question& question) {
  if (question.kind == QuestionKind::tile) return tiles_of(page);
  std::vector<std::string> answers;
  for (const lessons::Choice& choice : question.choices) answers.push_back(choice.name);
  return answers;
}

void write_options(Column& column, const std::vector<std::string_view>& options, std::string_view id,
                   const ScenarioValues& values, sim::OptionValues* draft) {
  View& view = column.view;
  ui::Space row{{}};
  for (const std::string_view option : options) {
    const std::string_view called = sim::option_called(option).label,
                           label = called.empty() ? option : view.say(called);
    const float width = std::min(option_width(view, option, label, values), column.width());
    if (row.width() < width) {
      if (row.height() > 0) column.space(6);
      row = ui::Space(column.take(view.control_height()), view.px(8));
    }
    const Rect chip = row.left(width);
    if (column.draws()) draw_option(view, chip, sim::text(id, option), option, label, values, draft);
  }
}

bool write_input(Column& column, const LessonPage& page, const Question& question, const Trying& trying) {
  if (question.kind == QuestionKind::until) {
    write_goal(column, question);
  } else if (question.kind == QuestionKind::order) {
    write_lines(column, question, trying);
  } else if (keyed_answers(page, question).empty()) {
    return write_field(column, page, question, trying);
  } else {
    write_choices(column, page, question, trying);
  }
  return false;
}

}  // namespace explorer

#include "viz/panels/lesson/question.h"

#include <algorithm>

#include "lessons/options_text.h"
#include "sim/base/text.h"
#include "viz/panels/lesson/marks.h"
#include "viz/ui/paragraph.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

using lessons::Question;
using lessons::QuestionKind;
using ui::Rect;
using ui::Style;

/// Writes "Predict" and the number of the question in the lesson.
void write_head(Column& column, const LessonPage& page, const Question& question, const std::string& kind) {
  View& view = column.view;
  ui::Space line(column.take(view.px(24)));
  if (!column.draws()) return;
  const Rect sign = line.left(view.px(30));
  draw_mark(view, {sign.x + view.px(10), sign.center().y}, Mark::asked);
  std::size_t number = 0, all = 0;
  for (const lessons::Step& step : page.lesson().steps) {
    for (const Question& other : step.questions) {
      ++all;
      if (&other == &question) number = all;
    }
  }
  const std::string count = view.say("question {} of {}", number, all);
  const Rect place = line.right(view.canvas().text_width(Style::caption, count) + view.px(2));
  view.canvas().text(place, Style::caption, view.theme().muted, count);
  view.canvas().text(line.rest(), Style::title, view.theme().text, kind);
}

/// Draws Check, the hints, and Show me.
void draw_buttons(View& view, const LessonPage& page, const Question& question, const Trying& trying, Rect place,
                  bool entered) {
  const char key = open_question(view.model) == &question ? view.ui.state.reading.key : '\0';
  const std::string_view check = view.say("Check"),
                         show = lessons::may_improve(trying) ? view.say("Take it") : view.say("Show me");
  ui::Space row(place, view.px(8));
  const Rect check_place = row.left(ui::button_width(view.canvas(), check) + 2 * view.px(16));
  if (ui::button(view.ui, widget_of("check", question), check_place, check, ui::Weight::primary) || entered ||
      (key == '\n' && !typed_answer(view.model, question).empty()))
    return view.edit(CheckAnswer{question.text, ""});
  const std::size_t hints = page.words(question).hints.size();
  const std::string_view hint = trying.hints == 0 ? view.say("Hint") : view.say("Next hint");
  if (trying.hints < hints) {
    const Rect hint_place = row.left(ui::button_width(view.canvas(), hint) + view.px(4));
    if (ui::button(view.ui, widget_of("hint", question), hint_place, hint) || key == 'h')
      view.edit(ShowHint{question.text});
  }
  const Rect show_place = row.right(ui::button_width(view.canvas(), show));
  const ui::Hit h = ui::hit(view.ui, widget_of("show", question), show_place);
  view.canvas().text(show_place, Style::control, h.hovered ? view.theme().text : view.theme().muted, show,
                     ui::Align::center);
  const bool nothing =
      key == '\n' && shows_tour(view.state.look);  // Enter, which goes on in the tour, without an answer
  if (h.clicked || key == 's' || nothing) view.edit(ShowAnswer{question.text, !h.clicked && key != 's'});
}

void write_box(Column& column, const LessonPage& page, const Question& question, const Trying& trying) {
  View& view = column.view;
  const auto frame = [&](Rect rect) {
    view.canvas().card(rect, view.theme().card, ui::mix(view.theme().border, view.theme().text, 0.45f),
                       view.px(ui::card_radius));
  };
  column.boxed(16, 14, frame, [&](Column& inner) {
    const lessons::Piece asks = lessons::question_piece(page.asked(question), say_in(view.state.look.language));
    write_head(inner, page, question, asks.label);
    inner.space(8);
    write(inner, Style::title, asks.text);
    inner.space(10);
    if (trying.verdict) {
      write_reply(inner, page, question, trying);
      inner.space(12);
    }
    const bool entered = write_input(inner, page, question, trying);
    if (!trying.error.empty()) {
      inner.space(6);
      write(inner, Style::caption, ui::escaped(lessons::for_learners(say_in(view.state.look.language)(trying.error))));
    }
    inner.space(12);
    const Rect row = inner.take(view.control_height());
    if (inner.draws()) draw_buttons(view, page, question, trying, row, entered);
  });
}

/// Options for a vote of the audience: the right number and the expected wrong ones, by size; the labels of choices;
/// the lines of an order.
std::vector<std::string> ballot(const LessonPage& page, const Question& question) {
  std::vector<std::string> options;
  if (question.kind == QuestionKind::order) {
    for (const std::size_t n : lessons::shown_order(question)) options.push_back(line_markup(question.lines[n]));
    return options;
  }
  if (question.kind != QuestionKind::number) {
    for (const std::string& answer : keyed_answers(page, question)) options.push_back(label_of(page, question, answer));
    return options;
  }
  const lessons::Facts& facts = page.scene->facts();
  std::vector<double> numbers = {facts.quantity(question.answer).value};
  for (const lessons::Wrong& wrong : question.wrong) numbers.push_back(facts.quantity(wrong.when).value);
  std::sort(numbers.rbegin(), numbers.rend());
  for (const double number : numbers) {
    const std::string text = lessons::written_exactly(number, facts.quantity(question.answer).unit);
    if (options.empty() || options.back() != text) options.push_back(ui::escaped(text));
  }
  return options;
}

void write_ballot(Column& column, const std::vector<std::string>& options) {
  View& view = column.view;
  for (std::size_t n = 0; n < options.size(); ++n) {
    column.space(6);
    const std::string letter(1, static_cast<char>('A' + n));
    const auto sign = [&](Rect rect) {
      view.canvas().text({rect.x, rect.y, view.px(16), ui::line_step(view.canvas(), Style::title)}, Style::body,
                         view.theme().muted, letter);
    };
    column.boxed(24, 0, sign, [&](Column& inner) { write(inner, Style::title, options[n]); });
  }
}

/// Writes a question for an audience: options A to D to vote on; R shows the run's value. The notebook stores nothing.
bool write_vote(Column& column, const LessonPage& page, const Question& question, const Trying& trying) {
  View& view = column.view;
  if (question.kind == QuestionKind::until || !view.bare) return false;
  const auto bar = [&](Rect rect) {
    view.canvas().fill({rect.x, rect.y, view.px(3), rect.height}, view.theme().strong);
  };
  column.boxed(14, 0, bar, [&](Column& inner) { write(inner, Style::title, page.words(question).question); });
  column.space(6);
  write_ballot(column, ballot(page, question));
  if (!column.draws() || open_question(view.model) != &question) return true;
  const char key = view.ui.state.reading.key;
  if (key == 'h' && trying.hints < page.words(question).hints.size()) view.edit(ShowHint{question.text});
  if (key == 'r') view.edit(ShowAnswer{question.text, false, true});
  return true;
}

/// Writes the hints below the box, one after the other.
void write_hints(Column& column, const LessonPage& page, const Question& question, const Trying& trying) {
  View& view = column.view;
  if (!page.scene) return;
  for (const lessons::Piece& hint :
       lessons::hint_pieces(page.asked(question), trying, say_in(view.state.look.language))) {
    column.space(12);
    const auto bubble = [&](Rect rect) { draw_mark(view, {rect.x + view.px(10), rect.y + view.px(10)}, Mark::hint); };
    column.boxed(32, 0, bubble, [&](Column& inner) {
      write_muted(inner, hint.label);
      write(inner, Style::body, hint.text);
    });
  }
}

void write_answered(Column& column, const LessonPage& page, const Question& question, const Trying& trying) {
  View& view = column.view;
  const ui::Theme& theme = view.theme();
  write(column, Words{Style::body, theme.muted, theme.card}, page.words(question).question);
  column.space(8);
  write_reply(column, page, question, trying);
  const bool last = &question == &page.step.questions.back();
  const bool key = last && view.ui.state.reading.key == 'r' && open_question(view.model) == nullptr;
  if (view.bare) {
    if (key && column.draws()) view.edit(AskAgain{question.text});
    return;
  }
  column.space(10);
  const std::string_view again = view.say("Again");
  const Rect row = column.take(view.control_height(ui::Control::small));
  if (!column.draws()) return;
  const Rect place{row.x, row.y, ui::button_width(view.canvas(), again), row.height};
  if (ui::button(view.ui, widget_of("again", question), place, again) || key) view.edit(AskAgain{question.text});
}

constexpr std::string_view free_play = "seqlen head-dim br bc";  // options

/// Count that answers a step's question, without the name of the run; empty if there is none.
std::string asked_count(const LessonPage& page) {
  for (const Question& question : page.step.questions) {
    if (question.kind != QuestionKind::number && question.kind != QuestionKind::formula) continue;
    std::string formula = question.answer;
    for (const lessons::Other& other : page.step.others) {
      if (formula.starts_with(other.name + " ")) formula.erase(0, other.name.size() + 1);
    }
    return formula;
  }
  return {};
}

/// Value of the step's count in the window's scenario, "4,194,304 B", with its ratio to the step's; empty if it does
/// not exist there.
std::string count_now(const View& view, const LessonPage& page) {
  try {
    lessons::Facts facts;
    facts.add("", view.world.run().simulation);
    const std::string formula = asked_count(page);
    const lessons::Facts::Quantity count = facts.quantity(formula);
    const double before = page.scene->facts().value(formula);
    const std::string text = lessons::written_exactly(count.value, count.unit);
    return before > 0 ? sim::text(text, "  (", lessons::written(count.value / before, "ratio"), ")") : text;
  } catch (const sim::Error&) {  // values at a cursor, or another run
    return {};
  }
}

/// Writes the count of the last run, and the button that runs the options chosen since.
void write_run(Column& column, const LessonPage& page) {
  View& view = column.view;
  const bool changed = !changes_of(view.model).empty(), waits = !view.state.lesson.draft.empty();
  const std::string count = changed && !waits && view.world.error().empty() ? count_now(view, page) : std::string();
  const std::string_view run = view.say("Run it");
  const auto [words, place] =
      ui::columns(column.take(view.control_height()), view.px(8), {ui::rest(), ui::button_width(view.canvas(), run)});
  if (!column.draws()) return;
  const std::string note =
      count.empty() ? std::string(view.say("Restore then leads back to the step.")) : view.say("now: {}", count);
  view.canvas().text(words, Style::caption, view.theme().muted, note);
  const ui::Weight weight = waits ? ui::Weight::primary : ui::Weight::normal;
  if (!ui::button(view.ui, "lesson/run", place, run, weight)) return;
  sim::OptionValues changes = view.state.lesson.draft;
  for (const auto& [name, value] : view.state.lesson.draft) {
    for (const std::string_view covered : sim::option_called(name).covers) changes[std::string(covered)] = "";
  }
  view.edit(SetOptions{changes});
  view.edit(Draft{});
}

/// Writes free play after the answers, if the count depends on options: fields for the learner's own numbers, and the
/// resulting count.
void write_free_play(Column& column, const LessonPage& page) {
  View& view = column.view;
  const std::string count = asked_count(page);
  const bool depends = count.find("here.") == std::string::npos && !count.starts_with("roofs.");
  if (count.empty() || !depends || !page.page.told.empty()) return;
  column.space(18);
  const auto frame = [&](Rect rect) {
    view.canvas().card(rect, view.theme().card, view.theme().border, view.px(ui::card_radius));
  };
  column.boxed(14, 12, frame, [&](Column& inner) {
    write(inner, Style::title, view.say("Try it with your own numbers"));
    inner.space(8);
    ScenarioValues values = scenario_values(inner.view);
    sim::OptionValues draft = view.state.lesson.draft;
    values.asked = lessons::changed(values.asked, draft);
    std::erase_if(values.asked, [](const auto& option) { return option.second.empty(); });
    write_options(inner, sim::split(free_play, " "), "lesson/try/", values, &draft);  // applied by "Run it"
    if (draft != view.state.lesson.draft) view.edit(Draft{draft});
    inner.space(8);
    write_run(inner, page);
  });
}

}  // namespace

std::string widget_of(std::string_view what, const Question& question) {
  return sim::text("lesson/", what, "/", question.text);
}

void write_questions(Column& column, const LessonPage& page, const Question* pinned) {
  for (const Question* question : readable_questions(column.view.model)) {
    if (question == pinned) return;
    write_question(column, page, *question);
  }
  if (open_question(column.view.model) == nullptr) write_free_play(column, page);
}

void write_question(Column& column, const LessonPage& page, const Question& question) {
  const Trying& trying = trying_of(column.view.model, question);
  column.space(18);
  if (is_over(question, trying)) return write_answered(column, page, question, trying);
  if (!write_vote(column, page, question, trying)) write_box(column, page, question, trying);
  write_hints(column, page, question, trying);
}

}  // namespace explorer

#include "viz/panels/lesson/mirror.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lessons/way.h"
#include "sim/base/text.h"
#include "viz/model/numbers.h"
#include "viz/panels/lesson/blocks.h"
#include "viz/panels/lesson/lesson.h"
#include "viz/panels/lesson/list.h"
#include "viz/panels/lesson/question.h"
#include "viz/ui/rich_text.h"

namespace explorer {
namespace {

using Json = nlohmann::ordered_json;
using lessons::Question;
using lessons::QuestionKind;

/// Markup of ui/rich_text.h without the marks of lessons: "[row block](memory) of **S_i**" is "row block of S_i".
std::string without_marks(std::string_view markup) {
  std::string text;
  while (!markup.empty()) {
    const std::size_t close = markup[0] == '[' ? markup.find("](") : std::string_view::npos;
    const std::size_t end = close == std::string_view::npos ? close : markup.find(')', close);
    if (end != std::string_view::npos) {
      text += markup.substr(1, close - 1);
      markup.remove_prefix(end + 1);
    } else if (markup.starts_with("**") || markup[0] == '`') {
      markup.remove_prefix(markup[0] == '`' ? 1 : 2);
    } else {
      text += markup[0];
      markup.remove_prefix(1);
    }
  }
  return text;
}

/// Text without marks and scripts: "row block of Si".
std::string spoken(std::string_view markup) { return ui::plain(without_marks(markup)); }

/// Text for the page: a string, or if it has scripts its pieces, [text, level], level 1 for a superscript.
Json written(std::string_view markup) {
  Json pieces = Json::array();
  bool scripts = false;
  for (const ui::Piece& piece : ui::parse_rich(without_marks(markup))) {
    scripts = scripts || piece.level != 0;
    if (!pieces.empty() && pieces.back()[1] == piece.level)
      pieces.back()[0] = pieces.back()[0].get<std::string>() + piece.text;
    else
      pieces.push_back({piece.text, piece.level});
  }
  return scripts ? pieces : Json(spoken(markup));
}

/// Cells of a table, the headings first.
Json written_rows(std::string_view table) {
  Json rows = Json::array();
  for (const auto& row : table_rows(table)) {
    Json cells = Json::array();
    for (const std::string_view cell : row) cells.push_back(written(cell));
    rows.push_back(cells);
  }
  return rows;
}

std::string_view name_of(lessons::BlockKind kind) {
  switch (kind) {
    case lessons::BlockKind::equations:
      return "equations";
    case lessons::BlockKind::item:
      return "item";
    case lessons::BlockKind::table:
      return "table";
    case lessons::BlockKind::myth:
      return "myth";
    case lessons::BlockKind::paragraph:
      break;
  }
  return "paragraph";
}

/// Joins the reply to the last try to one text.
std::string said(const Model& model, const LessonPage& page, const Question& question) {
  std::string text;
  const auto add = [&](std::string_view more) {
    if (!more.empty()) text += (text.empty() ? "" : " ") + std::string(more);
  };
  for (const lessons::Piece& piece :
       lessons::reply_pieces(page.asked(question), trying_of(model, question), say_in(model.state.look.language))) {
    const std::string words = piece.markup ? spoken(piece.text) : piece.text;
    const bool named = !piece.label.empty() && !words.empty() && !piece.label.ends_with(".");
    add(named ? sim::text(piece.label, ": ", words) : piece.label);
    if (!named) add(words);
  }
  return text;
}

Json choices_of(const LessonPage& page, const Question& question) {
  Json choices = Json::array();
  for (const lessons::Choice& choice : question.choices)
    choices.push_back({{"name", choice.name}, {"label", written(page.page.label(choice.name))}});
  return choices;
}

Json lines_of(const lessons::Pieces& pieces) {
  Json lines = Json::array();
  for (const lessons::Piece& piece : pieces) {
    if (piece.kind == lessons::Piece::Kind::line) lines.push_back(piece.text);
  }
  return lines;
}

/// Options that a goal allows to change, each with its value in the run.
Json options_of(const Model& model, const Question& question) {
  Json options = Json::array();
  if (question.kind != QuestionKind::until) return options;
  const sim::Plan& plan = model.world.run().simulation.plan;
  for (const std::string& name : question.change) {
    const sim::ScenarioOption& option = sim::option_called(name);
    const std::string_view label = option.label.empty() ? std::string_view(name) : option.label;
    options.push_back({{"name", name},
                       {"label", words::say(model.state.look.language, label)},
                       {"value", sim::text_of(option.resolved(plan))}});
  }
  return options;
}

Json question_of(const Model& model, const LessonPage& page, const Question& question) {
  const Trying& trying = trying_of(model, question);
  const lessons::Asked asked = page.asked(question);
  const lessons::Say say = say_in(model.state.look.language);
  const lessons::Pieces pieces = lessons::question_pieces(asked, say);
  const bool over = is_over(question, trying);
  const bool impossible = question.kind == QuestionKind::until && !model.world.error().empty();
  Json hints = Json::array();
  for (const lessons::Piece& hint : lessons::hint_pieces(asked, trying, say)) hints.push_back(written(hint.text));
  return {{"key", question.text},
          {"kind", lessons::name_of(question.kind)},
          {"text", written(pieces.front().text)},
          {"options", options_of(model, question)},
          {"choices", choices_of(page, question)},
          {"lines", lines_of(pieces)},
          {"hints", hints},
          {"more_hints", trying.hints < page.words(question).hints.size()},
          {"complaint", lessons::for_learners(say(impossible ? model.world.error() : trying.error))},
          {"over", over},
          {"said", over ? std::string() : said(model, page, question)},
          {"typed", trying.typed},
          {"show", say(sim::Sentence(lessons::may_improve(trying) ? /*say*/ "Take it" : /*say*/ "Show me"))},
          {"expected", over && !trying.right() ? spoken(lessons::expected_answer(asked)) : std::string()},
          {"answer", over ? said(model, page, question) : std::string()}};
}

/// Labels of the buttons.
Json labels_of(Language language) {
  const auto say = [&](std::string_view english) { return words::say(language, english); };
  return {{"check", say("Check")},     {"hint", say("Hint")},
          {"show", say("Show me")},    {"again", say("Again")},
          {"back", say("Back")},       {"next", say("Next")},
          {"list", say("Lessons")},    {"close", say("Close the lesson")},
          {"restore", say("Restore")}, {"retry", say("Try again")}};
}

Json blocks_of(const std::vector<lessons::Block>& blocks) {
  Json all = Json::array();
  for (const lessons::Block& block : blocks)
    all.push_back({{"kind", name_of(block.kind)},
                   {"text", block.kind == lessons::BlockKind::table ? written_rows(block.text) : written(block.text)}});
  return all;
}

Json step_of(const Model& model) {
  const LessonPage& page = page_of(model);
  const lessons::Page& words = following_page(model);
  Json blocks = blocks_of(words.blocks), questions = Json::array();
  if (!page.error.empty()) blocks.push_back({{"kind", "paragraph"}, {"text", page.error}});
  for (const Question* question : readable_questions(model)) questions.push_back(question_of(model, page, *question));
  return {{"state", "step"},
          {"title", page.written.words(language_of(model.state.look)).title},
          {"place", words::say_with(model.state.look.language, /*say*/ "step {} of {}", page.number, page.steps())},
          {"step", page.number},
          {"steps", page.steps()},
          {"heading", written(page.page.title)},
          {"blocks", blocks},
          {"told", blocks_of(open_question(model) == nullptr ? words.told : std::vector<lessons::Block>{})},
          {"changed", changes_more_than(model, {})},
          {"questions", questions}};
}

Json list_of(const Model& model) {
  Json rows = Json::array();
  for (const lessons::Summary& lesson : lessons::summaries()) {
    const LessonScore score = score_of(model, lesson);
    const lessons::Chapter* const chapter = lessons::begins_chapter(lesson);
    rows.push_back({{"id", lesson.id},
                    {"chapter", chapter == nullptr ? "" : chapter->title(language_of(model.state.look))},
                    {"title", sim::text(lesson.id.substr(0, 2), " ", lesson.title(language_of(model.state.look)))},
                    {"facts", facts_of(model, lesson)},
                    {"progress", state_of(model, lesson)},
                    {"answered", score.answered},
                    {"questions", score.questions}});
  }
  Json routes = Json::array();
  for (const lessons::RouteLessons& route : lessons::shorter_routes(lessons::summaries()))
    routes.push_back(sim::text(route.route->title(language_of(model.state.look)), ": ", lessons::numbers_of(route)));
  const auto say = [&](std::string_view english) { return words::say(model.state.look.language, english); };
  return {{"state", "list"},
          {"title", say(/*say*/ "Lessons")},
          {"routes_title", say(/*say*/ "Shorter routes")},
          {"routes", routes},
          {"lessons", rows}};
}

Json waiting_of(const Model& model) {
  const std::string error = waiting_text(model);
  return {{"state", "waiting"}, {"title", error}, {"failed", wanted_pack(model).empty()}};
}

Edits act_on_question(const std::string& action, const Question& question, const std::string& text) {
  if (action == "check") return {CheckAnswer{question.text, question.kind == QuestionKind::until ? "" : text}};
  if (action == "show") return {ShowAnswer{question.text}};
  if (action == "again") return {AskAgain{question.text}};
  return action == "hint" ? Edits{ShowHint{question.text}} : Edits{};
}

}  // namespace

Json lesson_mirror(const Model& model) {
  const Look& look = model.state.look;
  if (!has_lesson(model) && !shows_tour(look)) return nullptr;
  const bool step = shows_step(look) && opened(look).step > 0;
  Json mirror = look.lesson == "list" ? list_of(model) : step ? step_of(model) : waiting_of(model);
  mirror["labels"] = labels_of(look.language);
  return mirror;
}

Edits act_in_lesson(const Model& model, const std::string& action, const std::string& key, const std::string& text) {
  const Look& look = model.state.look;
  if (action == "close" && shows_tour(look)) return {SetLook{"overlay", ""}};
  if (action == "list") return {SetLook{"overlay", ""}, OpenLesson{"list"}};
  if (action == "retry") return {FetchAgain{awaited_pack(look)}};
  if (action == "close" || action == "open") return {OpenLesson{action == "open" ? key : ""}};
  if (!shows_step(look) || opened(look).step == 0) return {};
  const LessonPage& page = page_of(model);
  const int by = action == "next" ? 1 : action == "back" && page.number > 1 ? -1 : 0;
  if (by != 0 || action == "restore") return {TurnTo{page.number + by}};
  if (action == "set" && !is_locked(model, key)) return {SetOptions{{{key, text}}}};
  for (const Question& question : page.step.questions) {
    if (question.text == key && page.scene) return act_on_question(action, question, text);
  }
  return {};
}

}  // namespace explorer

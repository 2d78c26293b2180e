#include "viz/panels/lesson/picture.h"

#include <cmath>

#include "sim/model/formula_symbols.h"
#include "viz/panels/lesson/question.h"
#include "viz/panels/matrix/matrix.h"
#include "viz/ui/rich_text.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

using ui::Rect;

constexpr float scale_height = 84, gap = 12, least_picture = 300;  // CSS pixels

/// Marks on the matrix the run's tile, and the learner's if it differs.
void mark_tile(View& view, const MatrixFrame& frame, const std::string& answer, Mark mark) {
  const auto [i, j] = lessons::typed_tile(answer);
  if (i >= frame.matrix.rows.count() || j >= frame.matrix.cols.count()) return;  // the learner changed the tiles
  const Rect tile = frame.tile(i, j);
  view.canvas().push_clip(frame.lens.area.inset(-view.px(4)));
  if (mark == Mark::wrong)
    draw_dashed_frame(view, tile.inset(view.px(2)), view.theme().strong);
  else
    view.canvas().stroke(tile.inset(view.px(1)), view.theme().strong, view.px(2));
  const std::string_view who = mark == Mark::wrong ? view.say("you") : view.say("the run");
  const float high = view.px(24), wide = view.canvas().text_width(ui::Style::caption, who) + view.px(12);
  const bool named = tile.width > wide + high;
  const float width = named ? wide + high : high;
  const Rect sign{tile.center().x - width / 2, tile.center().y - high / 2, width, high};
  const auto [shape, name] = ui::columns(sign, 0, {high, ui::rest()});
  view.canvas().fill(sign, view.theme().card, high / 2);
  draw_mark(view, shape.center(), mark);
  if (named) view.canvas().text(name, ui::Style::caption, view.theme().text, who);
  view.canvas().pop_clip();
}

/// Marks the tiles of the answered questions.
void mark_tiles(View& view, const LessonPage& page) {
  const auto area = view.ui.state.probes.find("matrix");
  if (area == view.ui.state.probes.end()) return;
  const TileMatrix matrix(view.subject());
  const MatrixFrame frame{view, matrix, lens_of(view, matrix, area->second)};
  for (const lessons::Question& question : page.step.questions) {
    if (question.kind != lessons::QuestionKind::tile || !page.scene) continue;
    const Trying& trying = trying_of(view.model, question);
    if (!is_over(question, trying)) continue;
    const bool wrong = trying.verdict && !trying.verdict->right;
    if (wrong) mark_tile(view, frame, trying.verdict->given, Mark::wrong);
    mark_tile(view, frame, lessons::right_answer(question, *page.scene), trying.shown ? Mark::shown : Mark::right);
  }
}

/// Last number of the step that was answered wrongly; null if there is none, or a question is open.
const lessons::Question* wrong_number(const Model& model, const LessonPage& page) {
  const lessons::Question* wrong = nullptr;
  for (const lessons::Question& question : page.step.questions) {
    const Trying& trying = trying_of(model, question);
    if (!is_over(question, trying)) return nullptr;
    const bool number = question.kind == lessons::QuestionKind::number;
    if (number && trying.verdict && !trying.verdict->right && trying.verdict->ratio > 0) wrong = &question;
  }
  return wrong;
}

/// Letter of a count's only tensor: 'K' for "large tile_traffic.by_tensor.K"; 0 for other counts.
char tensor_of(std::string_view count);

/// First question of the step for another run's bytes of a tensor that this run moves as well; null if there is none.
const lessons::Question* asked_of_other(const LessonPage& page) {
  if (!page.scene) return nullptr;
  for (const lessons::Question& question : page.step.questions) {
    const std::size_t space = question.answer.find(' ');
    const std::string_view count = std::string_view(question.answer).substr(std::min(space, question.answer.size()));
    const bool other = count.starts_with(" tile_traffic.by_tensor.") && count.rfind(' ') == 0;
    if (question.kind == lessons::QuestionKind::number && other && tensor_of(count) != 0) return &question;
  }
  return nullptr;
}

/// Panel that a step points at, if it is shown; else the matrix.
Rect& picture_of(ui::Layout& stage, std::string_view point) {
  for (const auto& [name, place] : {std::pair("memory", &stage.memory), std::pair("code", &stage.code),
                                    std::pair("softmax", &stage.softmax), std::pair("roofline", &stage.roofline)}) {
    if (point == name && !place->empty()) return *place;
  }
  return stage.matrix;
}

void draw_two_bars(View& view, Rect place, const Bar& first, const Bar& second) {
  ui::panel(view.canvas(), place);
  const auto [above, below] = ui::rows(place.inset(view.px(14)), 0, {ui::share(1), ui::share(1)});
  draw_bar(view, above, first);
  draw_bar(view, below, second);
}

/// Draws the run's number as a bar and the learner's as a dashed frame, to the same scale.
void draw_to_scale(View& view, const LessonPage& page, const lessons::Question& question, Rect place) {
  const lessons::Verdict& verdict = *trying_of(view.model, question).verdict;
  const auto [yours, run] = bars_of(view, page, question, verdict);
  draw_two_bars(view, place, run, yours);
}

char tensor_of(std::string_view count) {
  constexpr std::string_view name = "by_tensor.";
  const std::size_t at = count.find(name), letter = at + name.size();
  if (at == std::string_view::npos || at != count.rfind(name)) return 0;
  const bool whole = letter + 1 == count.size() || std::string_view(" .)").find(count[letter + 1]) < 3;
  return whole && ui::is_tensor(count[letter]) ? count[letter] : '\0';
}

/// Number of times that a tensor as large as Q is moved, if the count is its traffic; 1 for other counts.
int passes_of(const LessonPage& page, std::string_view count) {
  const std::size_t last = count.rfind(' ') + 1;  // after the name of a run
  if (count.find('|') != std::string_view::npos || !count.substr(last).starts_with("tile_traffic.by_tensor.")) return 1;
  const lessons::Facts& facts = page.scene->facts();
  const std::string run(count.substr(0, last));
  if (facts.value(run + "scenario.seqlen") != facts.value("scenario.seqlen")) return 1;
  const double passes = facts.value(count) / sim::formula_value("N*d*e*b*h", page.scene->run().plan);
  return passes >= 1 && passes <= 1000 && passes == std::floor(passes) ? static_cast<int>(passes) : 1;
}

/// Draws the bytes moved in this run, in stripes, and below it those of the other run: covered until answered.
void draw_stripes(View& view, const LessonPage& page, const lessons::Question& question, Rect place) {
  const lessons::Facts& facts = page.scene->facts();
  const std::string mine = question.answer.substr(question.answer.find(' ') + 1);
  const double now = facts.quantity(mine).value, then = facts.quantity(question.answer).value;
  const ui::Color color = view.theme().tensor(tensor_of(question.answer));
  const bool over = is_over(question, trying_of(view.model, question));
  const auto bar = [&](std::string_view label, const std::string& count, double bytes) {
    return Bar{label,
               lessons::written(bytes, "bytes"),
               static_cast<float>(bytes / (over ? std::max(now, then) : now)),
               false,
               color,
               passes_of(page, count)};
  };
  draw_two_bars(view, place, bar(view.say("now"), mine, now),
                over ? bar(view.say("then"), question.answer, then) : Bar{view.say("then"), "?", 1, true});
}

}  // namespace

std::array<Bar, 2> bars_of(const View& view, const LessonPage& page, const lessons::Question& question,
                           const lessons::Verdict& verdict) {
  const double largest = std::max(1.0, verdict.ratio);
  Bar run{view.say("the run"), lessons::expected_answer(page.asked(question)), static_cast<float>(1 / largest)};
  if (const char tensor = tensor_of(question.answer)) {
    run.color = view.theme().tensor(tensor);
    run.stripes = passes_of(page, question.answer);
  }
  return {Bar{view.say("you"), ui::escaped(verdict.given), static_cast<float>(verdict.ratio / largest), true}, run};
}

Rect make_room(const Model& model, const LessonPage& page, bool presents, ui::Layout& stage) {
  Rect& picture = picture_of(stage, page.step.point);
  const float height = std::round(scale_height * stage.scale), space = std::round(gap * stage.scale);
  if (presents || picture.height < least_picture * stage.scale + height + space) return {};
  if (wrong_number(model, page) == nullptr && asked_of_other(page) == nullptr) return {};
  const auto [above, place] = ui::rows(picture, space, {ui::rest(), height});
  picture = above;
  return place;
}

void draw_in_picture(View& view, Rect place) {
  const LessonPage& page = page_of(view.model);
  mark_tiles(view, page);
  const lessons::Question* wrong = wrong_number(view.model, page);
  const lessons::Question* asked = asked_of_other(page);
  if (place.empty()) return;
  ui::mark_place(view.ui, "to scale", place);
  if (wrong != nullptr)
    draw_to_scale(view, page, *wrong, place);
  else if (asked != nullptr)
    draw_stripes(view, page, *asked, place);
}

}  // namespace explorer

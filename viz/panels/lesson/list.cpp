// List of lessons: titles, time and requirements, and the learner's progress.
#include "viz/panels/lesson/list.h"

#include <algorithm>

#include "lessons/way.h"
#include "viz/model/lesson/lesson.h"
#include "viz/panels/lesson/lesson.h"
#include "viz/panels/lesson/marks.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

void draw_row(View& view, const lessons::Summary& lesson, Rect row) {
  const ui::Theme& theme = view.theme();
  const LessonScore score = score_of(view.model, lesson);
  const ui::Hit h = ui::hit(view.ui, sim::text("lesson/open/", lesson.id), row);
  const ui::Color border = is_next(view.model, lesson) ? theme.strong : theme.border;
  view.canvas().card(row, h.hovered ? theme.track : theme.inset, border, view.px(ui::control_radius));
  const auto [number, words] = ui::columns(row.inset(view.px(12), view.px(8)), 0, {view.px(32), ui::rest()});
  view.canvas().text(number, Style::title, theme.muted, lesson.id.substr(0, 2));
  const auto [above, below] = ui::rows(words, 0, {ui::share(1), ui::share(1)});
  ui::Space line(above), facts(below);
  right_text(view.canvas(), line, Style::caption, theme.text, state_of(view.model, lesson), view.px(8));
  view.canvas().text(line.rest(), Style::title, theme.text, lesson.title(language_of(view.state.look)));
  if (score.questions > 0)
    right_text(view.canvas(), facts, Style::caption, theme.muted, sim::text(score.answered, " / ", score.questions),
               view.px(8));
  view.canvas().text(facts.rest(), Style::caption, theme.muted, facts_of(view.model, lesson));
  if (h.clicked) view.edit(OpenLesson{std::string(lesson.id)});
}

/// Writes the shorter routes: a line each, with a button for each of its lessons.
void write_routes(Column& column) {
  View& view = column.view;
  const std::vector<lessons::RouteLessons> routes = lessons::shorter_routes(lessons::summaries());
  if (routes.empty()) return;
  constexpr float number_width = 34, gap = 4;  // CSS pixels
  write(column, Style::title, view.say("Shorter routes"));
  column.space(6);
  for (const lessons::RouteLessons& route : routes) {
    write_muted(column, route.route->title(language_of(view.state.look)));
    column.space(3);
    Rect line{};
    float left = column.width() + 1;
    for (const lessons::Summary* lesson : route.lessons) {
      if (left + view.px(number_width) > column.width()) {
        line = column.take(view.control_height(ui::Control::small) + view.px(gap));
        left = 0;
      }
      const Rect place{line.x + left, line.y, view.px(number_width), line.height - view.px(gap)};
      left += view.px(number_width + gap);
      if (!column.draws()) continue;
      const std::string id = sim::text("lesson/route/", route.route->en, "/", lesson->id);
      if (ui::button(view.ui, id, place, lesson->id.substr(0, 2))) view.edit(OpenLesson{std::string(lesson->id)});
    }
    column.space(6);
  }
  column.space(6);
}

/// Writes the button that saves the notebook as a file, for marking; dropping the file on the page restores it.
void write_hand_out(Column& column) {
  View& view = column.view;
  if (!view.model.classroom.hands_out) return;
  column.space(8);
  const std::string_view label = view.say("Save my answers");
  const Rect row = column.take(view.control_height());
  if (column.draws()) {
    const Rect place{row.x, row.y, ui::button_width(view.canvas(), label) + view.px(16), row.height};
    if (ui::button(view.ui, "lesson/save", place, label)) view.edit(HandOut{});
  }
  column.space(4);
  write_muted(column, view.say("They stay in this browser. Drop the file on the page to continue elsewhere."));
}

}  // namespace

std::string facts_of(const Model& model, const lessons::Summary& lesson) {
  const Language language = model.state.look.language;
  const std::string arrow = lessons::arrow_to(lesson, "→");
  return words::say_with(language, /*say*/ "{} min", lesson.minutes) + "  ·  " +
         words::say_with(language, /*say*/ "{} steps", lesson.steps) + (arrow.empty() ? "" : "  ·  " + arrow);
}

bool is_next(const Model& model, const lessons::Summary& lesson) {
  return lessons::next_lesson(model.classroom.notebook, lessons::summaries()) == &lesson;
}

std::string_view state_of(const Model& model, const lessons::Summary& lesson) {
  const lessons::Progress progress = lessons::progress_of(model.classroom.notebook, lesson);
  const auto say = [&](std::string_view english) { return words::say(model.state.look.language, english); };
  if (progress == lessons::Progress::done) return say("done");
  if (progress == lessons::Progress::begun) return is_next(model, lesson) ? say("continue here") : say("begun");
  return is_next(model, lesson) ? say("begin here") : std::string_view();
}

void draw_lesson_list(View& view, Rect panel) {
  const auto [line, body] = ui::rows(panel.inset(view.px(20), view.px(10)), view.px(6), {view.px(36), ui::rest()});
  const auto [title, close] = ui::columns(line, 0, {ui::rest(), view.px(28)});
  const bool closes = draw_close(view, close.inset(0, view.px(4)).moved(view.px(6), 0));
  view.canvas().text(title, Style::number, view.theme().text, view.say("Lessons"));
  draw_scrolled(view, body, [](Column& column) {
    write_muted(column, column.view.say("Predict first, then let the run count. Nothing is locked."));
    column.space(10);
    write_routes(column);
    for (const lessons::Summary& lesson : lessons::summaries()) {
      if (const lessons::Chapter* chapter = lessons::begins_chapter(lesson)) {
        column.space(4);
        write(column, Style::title, chapter->title(language_of(column.view.state.look)));
        column.space(6);
      }
      const Rect row = column.take(column.view.px(60));
      if (column.draws()) draw_row(column.view, lesson, row);
      column.space(8);
    }
    write_hand_out(column);
  });
  if (closes) view.edit(OpenLesson{});
}

}  // namespace explorer

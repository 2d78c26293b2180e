// List of lessons: titles, time and requirements, and the learner's progress.
#include "viz/panels/lesson/list.h"

#include <algorithm>

#include "lessons/way.h"
#include "viz/model/lesson/lesson.h"
#include "viz/panels/lesson/lesson.h"
#include "viz/panels/lesson/marks.h"

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
  Rect rest = row.inset(view.px(12), view.px(8));
  view.canvas().text(cut_left(rest, view.px(32)), Style::title, theme.muted, lesson.id.substr(0, 2));
  const std::string_view state = state_of(view.model, lesson);
  const float width = state.empty() ? 0 : view.canvas().text_width(Style::caption, state) + view.px(2);
  Rect line = cut_top(rest, rest.height / 2);
  view.canvas().text(cut_right(line, width), Style::caption, theme.text, state, ui::Align::right);
  cut_right(line, view.px(8));
  view.canvas().text(line, Style::title, theme.text, lesson.title(language_of(view.state.look)));
  if (score.questions > 0) {
    const std::string count = sim::text(score.answered, " / ", score.questions);
    const Rect place = cut_right(rest, view.canvas().text_width(Style::caption, count) + view.px(2));
    view.canvas().text(place, Style::caption, theme.muted, count, ui::Align::right);
    cut_right(rest, view.px(8));
  }
  view.canvas().text(rest, Style::caption, theme.muted, facts_of(view.model, lesson));
  if (h.clicked) view.edit(OpenLesson{std::string(lesson.id)});
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
  Rect rest = panel.inset(view.px(20), view.px(10));
  Rect line = cut_top(rest, view.px(36));
  const Rect close = cut_right(line, view.px(28)).inset(0, view.px(4)).moved(view.px(6), 0);
  const bool closes = draw_close(view, close);
  view.canvas().text(line, Style::number, view.theme().text, view.say("Lessons"));
  cut_top(rest, view.px(6));
  draw_scrolled(view, rest, [](Column& column) {
    write_muted(column, column.view.say("Predict first, then let the run count. Nothing is locked."));
    column.space(10);
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

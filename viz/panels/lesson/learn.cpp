// The door Learn of the first view: the tour and the lessons, with the learner's progress.
#include <cmath>

#include "lessons/way.h"
#include "viz/panels/first/first.h"
#include "viz/panels/lesson/lesson.h"
#include "viz/panels/lesson/list.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

/// Steps of the tour whose questions are all answered, and the first that is not.
struct TourProgress {
  std::vector<bool> done;
  std::size_t next = 0;
  std::string title;  ///< of the next step; empty while its text is not available
};

TourProgress tour_progress(View& view) {
  TourProgress progress;
  const std::string tour(tour_id);
  if (!lessons::is_here(tour, language_of(view.state.look))) return progress;
  const lessons::WrittenLesson& written = lesson_of(view.model, tour);
  for (const lessons::Step& step : written.lesson.steps) {
    const auto is_answered = [&](const lessons::Question& question) {
      return answered(view.model, written.lesson, step, question) != Answered::no;
    };
    progress.done.push_back(!step.questions.empty() &&
                            std::all_of(step.questions.begin(), step.questions.end(), is_answered));
  }
  while (progress.next + 1 < progress.done.size() && progress.done[progress.next]) ++progress.next;
  const lessons::Step& next = written.lesson.steps[progress.next];
  progress.title = written.words(language_of(view.state.look)).page(next.name).title;
  return progress;
}

/// Draws a box for each step: filled once it is done, the next one outlined.
void draw_boxes(View& view, Rect row, const TourProgress& progress) {
  const float n = static_cast<float>(progress.done.size()), gap = view.px(3);
  for (std::size_t step = 0; step < progress.done.size(); ++step) {
    const float left = n - static_cast<float>(step);
    const Rect box = cut_left(row, std::floor((row.width - (left - 1) * gap) / left));
    cut_left(row, gap);
    view.canvas().fill(box, progress.done[step] ? view.theme().strong : view.theme().track);
    if (step == progress.next) view.canvas().stroke(box, view.theme().strong, view.px(1.5f));
  }
}

void draw_tour_line(View& view, Rect place) {
  const TourProgress progress = tour_progress(view);
  const ui::Hit hit = ui::hit(view.ui, "first/tour", place);
  if (hit.hovered) view.canvas().fill(place, view.theme().track, view.px(5));
  Rect rest = place.inset(view.px(4), view.px(3));
  const Rect boxes = cut_bottom(rest, view.px(8));
  const lessons::Summary& tour = lessons::summary_of(tour_id);
  const std::string facts = view.say("Tour  {} steps, {} min", tour.steps, tour.minutes);
  cut_left(rest, view.canvas().text(rest, Style::control, view.theme().text, facts) + view.px(12));
  const std::string next = progress.title.empty() ? "" : view.say("step {}: {}", progress.next + 1, progress.title);
  if (view.canvas().text_width(Style::caption, next) <= rest.width)
    view.canvas().text(rest, Style::caption, view.theme().muted, next, ui::Align::right);
  draw_boxes(view, boxes, progress);
  if (hit.clicked) view.edit(Follow{sim::text("overlay=tour&tour-step=", progress.next + 1)});
}

/// Width of a tile with its whole title, without the minutes.
float tile_width(const View& view, const lessons::Summary& lesson) {
  return view.px(50) + view.canvas().text_width(Style::caption, lesson.title(language_of(view.state.look)));
}

void draw_tile(View& view, const lessons::Summary& lesson, Rect tile) {
  const ui::Theme& theme = view.theme();
  const bool done = lessons::progress_of(view.model.classroom.notebook, lesson) == lessons::Progress::done;
  const ui::Hit hit = ui::hit(view.ui, sim::text("first/lesson/", lesson.id), tile);
  view.canvas().card(tile, hit.hovered ? theme.track : theme.inset, done ? theme.strong : theme.border,
                     view.px(ui::control_radius));
  Rect rest = tile.inset(view.px(8), 0);
  const std::string number = sim::text(lesson.id.substr(0, 2), done ? " ✓" : ""),
                    minutes = view.say("{} min", lesson.minutes);
  cut_left(rest, view.canvas().text(rest, Style::table, theme.muted, number) + view.px(8));
  const std::string_view title = lesson.title(language_of(view.state.look));
  const float wide = view.canvas().text_width(Style::caption, minutes) + 1;
  if (view.canvas().text_width(Style::caption, title) + view.px(8) + wide <= rest.width)
    view.canvas().text(cut_right(rest, wide), Style::caption, theme.muted, minutes);
  view.canvas().text(rest, Style::caption, theme.text, title);
  if (hit.clicked) view.edit(Follow{sim::text("lesson=", lesson.id)});
}

}  // namespace

void draw_learn(View& view, Rect card) {
  bool opened = false;
  Rect rest = draw_door(view, card, "first/learn", view.say("Learn"),
                        view.say("a question, a guess, then the picture that answers it"), opened);
  if (opened) leave_by(view, {OpenLesson{"list"}});
  const auto is_tour = [](const lessons::Summary& lesson) { return lesson.id == tour_id; };
  std::vector<lessons::Summary> all = lessons::summaries();
  const bool tour = std::erase_if(all, is_tour) > 0;
  if (tour) draw_tour_line(view, cut_top(rest, view.px(38)));
  cut_top(rest, view.px(8));
  constexpr std::size_t columns = 2, most_rows = 4;
  const std::size_t rows = std::clamp<std::size_t>((all.size() + columns - 1) / columns, 1, most_rows);
  const float gap = view.px(5), n = static_cast<float>(rows);
  const float high = std::min(view.px(32), std::floor((rest.height - (n - 1) * gap) / n));
  for (std::size_t row = 0; row < rows; ++row) {
    Rect line = cut_top(rest, high);
    cut_top(rest, gap);
    const std::size_t left = row * columns, right = left + 1;
    if (left >= all.size()) return;
    const float half = std::floor((line.width - gap) / 2);
    const float beside = right < all.size() ? tile_width(view, all[right]) + gap : half + gap;
    const float room = line.width - beside;  // that the other tile leaves
    draw_tile(view, all[left],
              cut_left(line, std::clamp(tile_width(view, all[left]), std::min(half, room), std::max(half, room))));
    cut_left(line, gap);
    if (right < all.size()) draw_tile(view, all[right], line);
  }
}

}  // namespace explorer

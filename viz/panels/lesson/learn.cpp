// The door Learn of the first view: the tour and the lessons, with the learner's progress.
#include <cmath>

#include "lessons/way.h"
#include "viz/panels/first/first.h"
#include "viz/panels/lesson/lesson.h"
#include "viz/panels/lesson/list.h"
#include "viz/ui/stack.h"

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
  const std::vector<ui::Part> parts(progress.done.size(), ui::rest());
  const std::vector<Rect> boxes = ui::columns(row, view.px(3), parts);
  for (std::size_t step = 0; step < boxes.size(); ++step) {
    view.canvas().fill(boxes[step], progress.done[step] ? view.theme().strong : view.theme().track);
    if (step == progress.next) view.canvas().stroke(boxes[step], view.theme().strong, view.px(1.5f));
  }
}

void draw_tour_line(View& view, Rect place) {
  const TourProgress progress = tour_progress(view);
  const ui::Hit hit = ui::hit(view.ui, "first/tour", place);
  if (hit.hovered) view.canvas().fill(place, view.theme().track, view.px(5));
  const auto [above, boxes] = ui::rows(place.inset(view.px(4), view.px(3)), 0, {ui::rest(), view.px(8)});
  ui::Space rest(above);
  const lessons::Summary& tour = lessons::summary_of(tour_id);
  const std::string facts = view.say("Tour  {} steps, {} min", tour.steps, tour.minutes);
  left_text(view.canvas(), rest, Style::control, view.theme().text, facts, view.px(12));
  const std::string next = progress.title.empty() ? "" : view.say("step {}: {}", progress.next + 1, progress.title);
  fitting_text(view.canvas(), rest.rest(), Style::caption, view.theme().muted, next, ui::Align::right);
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
  ui::Space rest(tile.inset(view.px(8), 0));
  const std::string number = sim::text(lesson.id.substr(0, 2), done ? " ✓" : ""),
                    minutes = view.say("{} min", lesson.minutes);
  left_text(view.canvas(), rest, Style::table, theme.muted, number, view.px(8));
  const std::string_view title = lesson.title(language_of(view.state.look));
  const auto [name, beside] = ui::columns(rest.rest(), view.px(8),
                                          {ui::rest(view.canvas().text_width(Style::caption, title)),
                                           ui::optional(view.canvas().text_width(Style::caption, minutes) + 1)});
  view.canvas().text(name, Style::caption, theme.text, title);
  view.canvas().text(beside, Style::caption, theme.muted, minutes);
  if (hit.clicked) view.edit(Follow{sim::text("lesson=", lesson.id)});
}

/// Draws two tiles of equal width, unless a title needs more and the other one less.
void draw_tiles(View& view, Rect line, const lessons::Summary& left, const lessons::Summary* right) {
  const float gap = view.px(5), half = std::floor((line.width - gap) / 2);
  const float room = right == nullptr ? half : line.width - gap - tile_width(view, *right);
  const float width = std::clamp(tile_width(view, left), std::min(half, room), std::max(half, room));
  const auto [first, second] = ui::columns(line, gap, {width, ui::rest()});
  draw_tile(view, left, first);
  if (right != nullptr) draw_tile(view, *right, second);
}

}  // namespace

void draw_learn(View& view, Rect card) {
  bool opened = false;
  ui::Space rest{draw_door(view, card, "first/learn", view.say("Learn"),
                           view.say("a question, a guess, then the picture that answers it"), opened)};
  if (opened) leave_by(view, {OpenLesson{"list"}});
  const auto is_tour = [](const lessons::Summary& lesson) { return lesson.id == tour_id; };
  std::vector<lessons::Summary> all = lessons::summaries();
  const bool tour = std::erase_if(all, is_tour) > 0;
  if (tour) draw_tour_line(view, rest.top(view.px(38)));
  rest.top(view.px(8));
  constexpr std::size_t most_rows = 4;
  const std::size_t count = std::clamp<std::size_t>((all.size() + 1) / 2, 1, most_rows);
  const std::vector<Rect> lines = ui::equal_rows(rest.rest(), view.px(5), count, view.px(32));
  for (std::size_t n = 0; n < all.size() && n < 2 * count; n += 2)
    draw_tiles(view, lines[n / 2], all[n], n + 1 < all.size() ? &all[n + 1] : nullptr);
}

}  // namespace explorer

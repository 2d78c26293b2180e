// The lesson panel from top to bottom: title, progress, scrolling text, and a fixed footer.
#include <imgui.h>

#include <algorithm>

#include "viz/model/center_view.h"
#include "viz/panels/lesson/blocks.h"
#include "viz/panels/lesson/lesson.h"
#include "viz/panels/lesson/list.h"
#include "viz/panels/lesson/question.h"
#include "viz/ui/rich_text.h"
#include "viz/ui/stack.h"

namespace explorer {
namespace {

using ui::Rect;
using ui::Style;

constexpr float padding = 20, head = 28, title = 30, progress = 24, footer = 64,
                least_text = 60;  // CSS pixels

/// Draws the handle of a sheet at its upper edge: a tap or pull draws the sheet up over the picture, or down again.
void draw_handle(View& view, Rect panel) {
  const Rect place{panel.center().x - view.px(44), panel.y, view.px(88), view.px(32)};
  const ui::Hit h = ui::hit(view.ui, "lesson/sheet", place);
  const float pulled = h.held || h.clicked ? ImGui::GetMouseDragDelta(0, view.px(12)).y : 0;
  const bool up = view.state.lesson.drawn_up, next = pulled != 0 ? pulled < 0 : h.clicked ? !up : up;
  if (next != up) view.edit(DrawUp{next});
  const ui::Color color = h.hovered ? view.theme().muted : view.theme().faint;
  view.canvas().fill({place.center().x - view.px(18), place.y + view.px(6), view.px(36), view.px(4)}, color,
                     view.px(2));
}

/// Draws the buttons to leave, the word that starts presenting in large type (P starts and ends it too), and the time
/// left.
void draw_head(View& view, const LessonPage& page, Rect line, bool can_present) {
  const std::string_view label = view.say("Present");
  const float wide = can_present ? view.canvas().text_width(Style::control, label) + view.px(2) : 0;
  const auto [time, word] = ui::columns(draw_ways_out(view, line), view.px(14), {ui::rest(), wide});
  if (can_present && draw_word(view, "lesson/present", word, label, ui::Align::right)) view.edit(Present{true});
  const int left = (page.lesson().minutes * (page.steps() - page.number + 1) + page.steps() - 1) / page.steps();
  view.canvas().text(time, Style::caption, view.theme().muted, view.say("about {} min left", left), ui::Align::right);
}

void draw_title(View& view, const LessonPage& page, Rect place) {
  const ui::Theme& theme = view.theme();
  const auto counted = [&](int step) {
    return view.for_fingers() ? sim::text(step, " / ", page.steps()) : view.say("step {} of {}", step, page.steps());
  };
  const std::string count = counted(page.number), widest = counted(page.steps());  // the title keeps its size
  const float room =
      std::max(view.canvas().text_width(Style::control, count), view.canvas().text_width(Style::control, widest));
  ui::Space line(place, view.px(8));
  view.canvas().text(line.right(room + view.px(2)), Style::control, theme.muted, count, ui::Align::right);
  const std::string number(page.lesson().number());
  const std::string& name = page.written.words(language_of(view.state.look)).title;
  const float large = view.canvas().text_width(Style::number, number + name) + view.px(12);
  const Style style = large <= line.width() ? Style::number : Style::title;
  left_text(view.canvas(), line, style, theme.muted, number, view.px(10));
  view.canvas().text(line.rest(), style, theme.text, name);
}

/// Draws the dot of a question: past ones grey, the current step's elongated, future ones like the track; a hollow ring
/// was wrong.
void draw_dot(View& view, const LessonPage& page, const lessons::Step& step, const lessons::Question& question,
              Rect place) {
  const ui::Theme& theme = view.theme();
  const ui::Point center = place.center();
  const Answered how = answered(view.model, page.lesson(), step, question);
  if (how == Answered::wrong) return view.canvas().ring(center, view.px(4), theme.tile_done, view.px(1.5f));
  view.canvas().disc(center, view.px(4), how == Answered::yes ? theme.tile_done : theme.track);
}

/// Draws the progress: a bar per step, a dot per question. Returns the clicked step; 0 if none.
int draw_progress(View& view, const LessonPage& page, Rect rect) {
  const ui::Theme& theme = view.theme();
  const LessonScore score = score_of(view.model, page.lesson());
  const float dot = std::min(view.px(12), rect.width / static_cast<float>(2 * score.questions + 1));
  const float bar = (rect.width - dot * static_cast<float>(score.questions)) / static_cast<float>(page.steps());
  ui::Space line(rect);
  int chosen = 0;
  for (int n = 1; n <= page.steps(); ++n) {
    const lessons::Step& step = page.lesson().steps[static_cast<std::size_t>(n - 1)];
    const Rect place = line.left(bar);
    const ui::Hit h = ui::hit(view.ui, sim::text("lesson/step/", n), place);
    const bool here = n == page.number;
    const float high = view.px(here ? 8 : 4);
    const ui::Color color = here || h.hovered ? theme.strong : n < page.number ? theme.tile_done : theme.track;
    const float gap = std::min(view.px(4), bar / 4);
    view.canvas().fill({place.x, std::round(place.center().y - high / 2), bar - gap, high}, color, high / 2);
    if (h.clicked) chosen = n;
    for (std::size_t q = 0; q < step.questions.size(); ++q) {
      const Rect spot = line.left(dot);
      if (ui::hit(view.ui, sim::text("lesson/dot/", n, "/", q + 1), spot).clicked) chosen = n;
      draw_dot(view, page, step, step.questions[q], spot.moved(-gap / 2, 0));
    }
  }
  return chosen;
}

/// Draws the keys of a question, or the number of questions answered.
void draw_footer_note(View& view, const LessonPage& page, Rect row, bool open) {
  const LessonScore score = score_of(view.model, page.lesson());
  if (score.questions == 0) return;
  const std::string note = open && !view.for_fingers() ? std::string(view.say("Enter checks  ·  H hint"))
                                                       : view.say("answered {} of {}", score.answered, score.questions);
  view.canvas().text(row, Style::caption, view.theme().muted, note, ui::Align::center);
}

/// Draws the footer. Returns the step to go to; 0 if none, the number of steps + 1 to leave.
int draw_footer(View& view, const LessonPage& page, Rect rect) {
  view.canvas().fill({rect.x, rect.y, rect.width, std::max(1.f, view.px(1))}, view.theme().border);
  int chosen = 0;
  const Rect row = rect.inset(view.px(padding), (rect.height - view.control_height()) / 2);
  const Rect between = draw_turns(view, page, row, chosen);
  draw_footer_note(view, page, between, open_question(view.model) != nullptr);
  return chosen;
}

/// Writes the moment that the picture shows.
void write_moment(Column& column, const LessonPage& page) {
  const View& view = column.view;
  if (!page.scene || !page.step.at || page.step.point == "race" || view.world.covered.order) return;
  if (shows_no_moment(view.state.look)) return;
  const std::string line = line_markup(page.step.at->line);
  column.space(2);
  write_muted(column, page.step.at->begin ? view.say("In the picture: before {}", line)
                                          : view.say("In the picture: after {}", line));
}

void write_step(Column& column, const LessonPage& page, const lessons::Question* pinned) {
  column.space(4);
  write(column, Style::title, page.page.title);
  write_moment(column, page);
  column.space(8);
  write_page(column, page, pinned);
  column.space(16);
}

/// On a phone the open question stands below the text, which scrolls by itself: its field is visible when it opens.
/// Returns null if text and question do not fit below each other: the sheet is then drawn up.
const lessons::Question* pinned_question(View& view, const LessonPage& page, Rect text, float& height) {
  const lessons::Question* const open = page.scene ? open_question(view.model) : nullptr;
  if (open == nullptr) return nullptr;
  Column measured(view, text, false);
  write_question(measured, page, *open);
  height = measured.used();
  return height + view.px(least_text) <= text.height ? open : nullptr;
}

/// Draws the docked panel. Returns the step to go to; 0 if none.
int draw_docked(View& view, const LessonPage& page, const LessonFrame& frame) {
  const auto [inside, bottom] = ui::rows(frame.layout.panel, 0, {ui::rest(), view.px(footer)});
  const auto [top, text, changed] =
      ui::rows(inside.inset(view.px(padding), view.px(10)), view.px(8),
               {view.px(head) + view.px(title) + view.px(progress), ui::rest(), changed_height(view, page)});
  const auto [ways_out, name, bars] = ui::rows(top, 0, {view.px(head), view.px(title), ui::rest()});
  int chosen = draw_footer(view, page, bottom);
  draw_head(view, page, ways_out, frame.can_present);
  if (frame.layout.sheet) draw_handle(view, frame.layout.panel);
  draw_title(view, page, name);
  if (const int clicked = draw_progress(view, page, bars); clicked != 0) chosen = clicked;
  if (draw_changed(view, changed)) chosen = page.number;
  float height = 0;
  const lessons::Question* const pinned = frame.layout.sheet ? pinned_question(view, page, text, height) : nullptr;
  const auto [words, question] = ui::rows(text, 0, {ui::rest(), pinned != nullptr ? height : 0});
  const bool opens = view.ui.state.reading.turned != view.model.classroom.turned;
  if (frame.layout.sheet && opens && pinned == nullptr && open_question(view.model) != nullptr) view.edit(DrawUp{true});
  draw_scrolled(view, words, [&](Column& column) { write_step(column, page, pinned); });
  if (pinned == nullptr) return chosen;
  Column column(view, question, true);
  write_question(column, page, *pinned);
  return chosen;
}

/// True if the scenario differs from the step's, apart from options that the step lets the learner change.
bool is_changed(const Model& model, const LessonPage& page) {
  std::vector<std::string> allowed;
  for (const lessons::Question& question : page.step.questions)
    allowed.insert(allowed.end(), question.change.begin(), question.change.end());
  for (const lessons::Other& option : page.step.drag) allowed.push_back(option.name);
  return changes_more_than(model, allowed);
}

}  // namespace

float changed_height(const View& view, const LessonPage& page) {
  return is_changed(view.model, page) ? view.control_height(ui::Control::small) : 0;
}

bool draw_changed(View& view, Rect line) {
  if (line.empty()) return false;
  const std::string_view label = view.say("Restore");
  const auto [note, place] = ui::columns(line, view.px(8), {ui::rest(), ui::button_width(view.canvas(), label)});
  view.canvas().text(note, Style::caption, view.theme().muted,
                     view.say("You changed it: these are the step's numbers."));
  return ui::button(view.ui, "lesson/restore", place, label);
}

Rect draw_turns(View& view, const LessonPage& page, Rect row, int& chosen) {
  const bool open = open_question(view.model) != nullptr, last = page.number == page.steps();
  const std::string_view next = open ? view.say("Later") : last ? view.say("Done") : view.say("Next");
  const std::string_view back = view.say("Back");
  const char key = view.ui.state.reading.key;
  const auto [back_place, between, next_place] =
      ui::columns(row, view.px(8),
                  {ui::button_width(view.canvas(), back) + view.px(8), ui::rest(),
                   ui::button_width(view.canvas(), next) + view.px(24)});
  const ui::Weight weight = open ? ui::Weight::normal : ui::Weight::primary;
  if (ui::button(view.ui, "lesson/next", next_place, next, weight) || key == '>' || (key == '\n' && !open))
    chosen = page.number + 1;
  if (ui::button(view.ui, "lesson/back", back_place, back) || key == '<') chosen = std::max(1, page.number - 1);
  return between;
}

void write_page(Column& column, const LessonPage& page, const lessons::Question* pinned) {
  const lessons::Page& words = following_page(column.view.model);
  write_blocks(column, words.blocks, "lesson/link");
  if (!page.error.empty()) write(column, Style::body, ui::escaped(page.error));
  if (page.scene) write_questions(column, page, pinned);
  if (!page.scene || open_question(column.view.model) != nullptr) return;
  if (!words.told.empty()) {
    column.space(14);
    write_blocks(column, words.told, "lesson/told");
  }
  write_drags(column, page);
}

bool draw_word(View& view, std::string_view id, Rect place, std::string_view text, ui::Align align) {
  const ui::Hit h = ui::hit(view.ui, id, place);
  view.canvas().text(place, Style::control, h.hovered ? view.theme().text : view.theme().muted, text, align);
  return h.clicked;
}

Rect draw_ways_out(View& view, Rect line) {
  const std::string_view back = view.say("Lessons");
  const float wide = view.canvas().text_width(Style::control, back) + view.px(4);
  const auto [sign, word, left, space, close] =
      ui::columns(line, 0, {view.px(12), wide, ui::rest(), view.px(6), line.height});
  if (draw_close(view, close.moved(view.px(6), 0))) view.edit(OpenLesson{});
  const ui::Point tip{sign.x + view.px(1), sign.center().y};
  view.canvas().triangle(tip, {tip.x + view.px(5), tip.y - view.px(4)}, {tip.x + view.px(5), tip.y + view.px(4)},
                         view.theme().muted);
  if (draw_word(view, "lesson/list", word, back, ui::Align::left)) view.edit(OpenLesson{"list"});
  return left;
}

bool draw_close(View& view, Rect place) {
  const ui::Theme& theme = view.theme();
  const ui::Hit h = ui::hit(view.ui, "lesson/close", place);
  if (h.hovered) view.canvas().fill(place, theme.track, view.px(ui::control_radius));
  ui::draw_icon(view.canvas(), ui::Icon::close, place.center(), h.hovered ? theme.text : theme.muted, theme.card);
  return h.clicked;
}

void draw_scrolled(View& view, Rect rect, const std::function<void(Column&)>& write_all) {
  const auto height_of = [&](float width) {
    Column measured(view, {rect.x, 0, width, 0}, false);
    write_all(measured);
    return measured.used();
  };
  float width = rect.width, height = height_of(width);
  if (height > rect.height) height = height_of(width -= view.px(12));  // next to the scroll bar
  float& offset = view.ui.state.scrolled["lesson/text"];
  const int turned = view.model.classroom.turned;
  if (std::exchange(view.ui.state.reading.turned, turned) != turned) offset = 0;
  offset = ui::begin_scroll(view.ui, "lesson/scroll", rect, height, offset);
  Column column(view, {rect.x, rect.y - std::round(offset), width, 0}, true);
  write_all(column);
  ui::end_scroll();
}

void draw_step(View& view, const LessonFrame& frame) {
  const LessonPage& page = page_of(view.model);
  const char key = view.ui.state.reading.key;
  const int chosen = view.bare ? draw_presented(view, page, frame.layout.panel) : draw_docked(view, page, frame);
  if (key == 'p') view.edit(Present{!view.state.look.presents});  // the next frame has other fonts
  if (key == 'l' && chosen <= page.steps()) return view.edit(OpenLesson{"list"});
  if (chosen == 0) return;
  view.edit(TurnTo{chosen});
  if (chosen < page.number) view.edit(TurnPage{last_part});
}

}  // namespace explorer

#include "viz/panels/lesson/lesson.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lessons/places.h"
#include "sim/base/text.h"
#include "viz/model/center_view.h"
#include "viz/panels/lesson/chip_values.h"
#include "viz/panels/lesson/cover.h"
#include "viz/panels/lesson/list.h"
#include "viz/panels/lesson/picture.h"
#include "viz/panels/lesson/places.h"
#include "viz/panels/lesson/question.h"
#include "viz/ui/imgui_version.h"
#include "viz/ui/stack.h"
#include "viz/ui/text_field.h"

namespace explorer {
namespace {

using ui::Rect;

bool shows_list(const Look& look) { return look.lesson == "list"; }

/// True if a letter or digit is a command of the panel; others belong to the explorer.
bool counts(const View& view, char key) {
  const Model& model = view.model;
  const bool tour = shows_tour(model.state.look);
  if (key == 'l') return !tour;
  if (!shows_step(model.state.look)) return false;
  if (key == 'p') return !tour;
  const LessonPage& page = page_of(model);
  const lessons::Question* open = open_question(model);
  if (key == 'h' || key == 's') return open != nullptr;
  if (key == 'r') return (open == nullptr || view.ui.state.reading.presents) && !page.step.questions.empty();
  return open != nullptr && key >= '1' && key < '1' + static_cast<int>(keyed_answers(page, *open).size());
}

char key_now(const View& view) {
  if (ImGui::IsKeyPressed(ImGuiKey_Enter) || ImGui::IsKeyPressed(ui::imgui::keypad_enter)) return '\n';
  if (ImGui::IsKeyPressed(ImGuiKey_PageDown)) return '>';
  if (ImGui::IsKeyPressed(ImGuiKey_PageUp)) return '<';
  ImGuiIO& io = ImGui::GetIO();
  const bool turns = (view.ui.state.reading.presents || shows_tour(view.state.look)) && !io.KeyCtrl && !io.KeyShift;
  if (turns && ImGui::IsKeyPressed(ImGuiKey_RightArrow)) return '>';
  if (turns && ImGui::IsKeyPressed(ImGuiKey_LeftArrow)) return '<';
  if (io.KeyCtrl || io.KeySuper || io.InputQueueCharacters.empty()) return 0;
  const ImWchar typed = io.InputQueueCharacters.front();
  const char key = typed < 0x80 ? sim::in_lower_case(static_cast<char>(typed)) : '\0';
  if (key == 0 || !counts(view, key)) return 0;
  io.InputQueueCharacters.resize(0);  // consumed
  return key;
}

/// True if a character begins an answer to a number, or to a formula, whose names are letters.
bool begins_answer(lessons::QuestionKind kind, ImWchar typed) {
  constexpr std::string_view number = "0123456789.,-+(e", formula = "NdBTMb";
  const char key = typed < 0x80 ? static_cast<char>(typed) : '\0';
  return key != 0 && (number.find(key) != std::string_view::npos ||
                      (kind == lessons::QuestionKind::formula && formula.find(key) != std::string_view::npos));
}

/// Begins to type into the answer field of the last frame if a character begins an answer; the field reads it. True if
/// it does.
bool begin_answer(const View& view) {
  const Model& model = view.model;
  const std::string field = std::exchange(view.ui.state.reading.field, {});
  const ImGuiIO& io = ImGui::GetIO();
  if (field.empty() || !shows_step(model.state.look)) return false;
  if (io.KeyCtrl || io.KeySuper || io.InputQueueCharacters.empty()) return false;
  const lessons::Question* open = open_question(model);
  if (open == nullptr || !begins_answer(open->kind, io.InputQueueCharacters.front())) return false;
  ui::begin_typing(view.ui.state, field, trying_of(model, *open).typed);
  return true;
}

/// True if Escape closes the lesson; it closes cards in front first.
bool is_left(const Look& look) {
  return ImGui::IsKeyPressed(ImGuiKey_Escape) && look.selection.empty() && !look.options && !look.playback;
}

bool has_room(float width, float height, float dpr) {
  return width >= ui::least_presenter_width * dpr && height >= ui::least_presenter_height * dpr;
}

/// Layout for an audience, with one picture: the panel that the step points at.
ui::LessonLayout presented(const LessonPage& page, float width, float height, float dpr, ui::Tab tab) {
  const auto is_goal = [](const auto& question) { return question.kind == lessons::QuestionKind::until; };
  const bool goal = std::any_of(page.step.questions.begin(), page.step.questions.end(), is_goal);
  ui::LessonLayout layout = ui::make_presenter_layout(width, height, dpr, tab, goal);
  ui::Layout& stage = layout.stage;
  if (page.step.point == "timeline") {
    stage.timeline = std::exchange(stage.matrix, Rect{});
  } else if (page.step.point == "roofline" && !stage.roofline.empty()) {
    const Rect first = stage.counters[0], last = stage.roofline;
    stage.roofline = {first.x, first.y, last.right() - first.x, last.bottom() - first.y};
    stage.counters = {};
  } else {
    stage.roofline = {};  // too small next to the counters
  }
  return layout;
}

/// Keeps only the counters that the step mentions, side by side; if there are none, the picture gets their row.
void keep_counters(const LessonPage& page, ui::Layout& stage) {
  if (stage.tabbed || stage.counters[0].empty()) return;
  const lessons::Words& words = page.written.words(page.language);
  const std::vector<std::size_t> kept = lessons::counters_of(page.step, words.page(page.step.name));
  const Rect first = stage.counters[0], row = around(first, stage.counters.back());
  stage.counters = {};
  if (kept.empty()) {
    for (Rect* panel : {&stage.matrix, &stage.memory, &stage.code, &stage.softmax, &stage.roofline}) {
      if (panel->empty()) continue;
      panel->height += panel->y - row.y;
      panel->y = row.y;
    }
    return;
  }
  const std::vector<ui::Part> parts(kept.size(), ui::rest());
  const std::vector<Rect> places = ui::columns(row, std::round(12 * stage.scale), parts);
  for (std::size_t n = 0; n < kept.size(); ++n) stage.counters[kept[n]] = places[n];
}

}  // namespace

/// Highlighted place: of the word under the pointer, else of the word clicked last, else the step's first.
std::string lit_place(const View& view) {
  const ui::Reading& reading = view.ui.state.reading;
  const std::string& chosen = view.state.lesson.chosen;
  if (!reading.pointed.empty() || !chosen.empty()) return reading.pointed.empty() ? chosen : reading.pointed;
  if (reading.presents && !reading.first.empty()) return reading.first;
  const std::vector<std::string> places = shown_places(view.model);
  return places.empty() ? "" : places.front();
}

/// Highlights the place of the next (direction +1) or the previous (-1) word, as a click on that word would.
void choose_place(const View& view, int direction) {
  const std::vector<std::string> places = shown_places(view.model);
  if (places.empty()) return;
  const auto count = static_cast<int>(places.size());
  const auto lit = std::find(places.begin(), places.end(), lit_place(view));
  const int now = lit == places.end() ? 0 : static_cast<int>(lit - places.begin());
  const std::string& place = places[static_cast<std::size_t>((now + count + direction) % count)];
  view.edit(PointAt{place, view.ui.state.reading.tabbed});
}

void light_up(View& view, const ui::Layout& stage) {
  ui::Reading& reading = view.ui.state.reading;
  reading.lit = lit_place(view);
  reading.lit_places = rects_of(view, stage, reading.lit);
  for (const Rect& rect : reading.lit_places) view.canvas().stroke(rect, view.theme().strong, view.px(2), view.px(3));
}

bool begin_lesson(const View& view) {
  const Look& look = view.state.look;
  ui::UiState& state = view.ui.state;
  const bool tour = shows_tour(look);
  state.reading.key = 0;
  state.reading.pointed.clear();
  if (look.lesson.empty() && !tour) return false;
  if (ImGui::GetIO().WantTextInput || !state.open.empty() || (look.overlay != Overlay::none && !tour)) return false;
  if (begin_answer(view)) return true;
  if (tour) {
    state.reading.key = key_now(view);
    const int along =
        (ImGui::IsKeyPressed(ImGuiKey_DownArrow) ? 1 : 0) - (ImGui::IsKeyPressed(ImGuiKey_UpArrow) ? 1 : 0);
    if (along != 0 && shows_step(look)) choose_place(view, along);
    return state.reading.key == '<' || state.reading.key == '>';
  }
  if (is_left(look) && !state.reading.presents) {
    view.edit(OpenLesson{});
    return false;
  }
  state.reading.key = is_left(look) ? 'p' : key_now(view);
  return state.reading.presents && (state.reading.key == '<' || state.reading.key == '>');
}

bool presents(const Model& model, float width, float height, float dpr) {
  return model.state.look.presents && shows_step(model.state.look) && !shows_tour(model.state.look) &&
         (!model.state.compares() || model.state.plays_run()) && has_room(width, height, dpr);
}

namespace {

/// Gives the view that fills the window its rectangle, and covers what would reveal the answer of a question.
void cover(const Model& model, const LessonPage& page, const lessons::Question* open, LessonFrame& frame) {
  if (open != nullptr) frame.covered = cover(frame.layout, page, *open);
  if (open == nullptr && model.classroom.handout) frame.covered = cover_all(frame.layout, page);
  if (!frame.layout.full.empty()) frame.layout.covered.clear();  // the view hatches itself
}

void fill(const Model& model, ui::LessonLayout& layout) {
  if (model.world.subject(0).is_ragged() || fills_window(model.state.look, layout.stage.tabbed))
    layout.full = layout.stage.panels();
}

/// Layout of a window without a lesson panel: for a handout, or below the card of the tour. Whole runs have nothing
/// covered.
LessonFrame frame_without_panel(const Model& model, float width, float height, float dpr, ui::Tab tab) {
  LessonFrame frame{{{}, ui::make_layout(width, height, dpr, tab)}};
  fill(model, frame.layout);
  frame.whole = frame.layout.stage;
  const bool step = shows_step(model.state.look) && (model.classroom.handout || shows_tour(model.state.look));
  if (!step || model.state.compares()) return frame;
  cover(model, page_of(model), model.classroom.handout ? nullptr : open_question(model), frame);
  return frame;
}

}  // namespace

LessonFrame lesson_frame(const Model& model, float width, float height, float dpr, ui::Tab tab) {
  if (!has_lesson(model) || model.classroom.handout) return frame_without_panel(model, width, height, dpr, tab);
  const bool presented_now = presents(model, width, height, dpr);
  LessonFrame frame;
  frame.can_present = has_room(width, height, dpr);
  frame.layout = presented_now ? presented(page_of(model), width, height, dpr, tab)
                               : ui::make_lesson_layout(width, height, dpr, tab, model.state.lesson.drawn_up);
  ui::LessonLayout& layout = frame.layout;
  fill(model, layout);
  layout.races = model.state.compares() && !layout.stage.tabbed && layout.full.empty();
  if (layout.races || !shows_step(model.state.look)) return frame;
  const LessonPage& page = page_of(model);
  keep_counters(page, layout.stage);
  cover(model, page, open_question(model), frame);
  if (layout.full.empty()) frame.values = take_values_place(page, layout.stage);
  frame.to_scale = make_room(model, page, presented_now, layout.stage);
  return frame;
}

void draw_lesson(View& view, const LessonFrame& frame) {
  const ui::LessonLayout& layout = frame.layout;
  if (layout.panel.empty()) {  // a handout
    for (const Rect& place : layout.covered) draw_cover(view, place);
    return;
  }
  if (!layout.presented) ui::panel(view.canvas(), layout.panel);
  const Look& look = view.state.look;
  if (shows_list(look)) return draw_lesson_list(view, layout.panel);
  if (!shows_step(look)) return draw_waiting(view, layout.panel);
  draw_step(view, frame);
  for (const Rect& place : layout.covered) draw_cover(view, place);
  if (!frame.values.empty()) {
    view.canvas().cover_texts(&view.world.covered.numbers);
    draw_chip_values(view, frame.values);
    view.canvas().cover_texts(nullptr);
  }
  draw_in_picture(view, frame.to_scale);
  light_up(view, layout.stage);
}

}  // namespace explorer

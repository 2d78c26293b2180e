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
#include "viz/ui/text_field.h"

namespace explorer {
namespace {

using ui::Rect;

bool shows_list(const Look& look) { return look.lesson == "list"; }

/// Step at which the learner stopped, from 1.
int last_step(ViewModel& model, const lessons::Lesson& lesson) {
  const std::string& name = memory_of(model).notebook.notes(lesson).step;
  const auto at = std::find_if(lesson.steps.begin(), lesson.steps.end(),
                               [&](const lessons::Step& step) { return step.name == name; });
  return at == lesson.steps.end() ? 1 : static_cast<int>(at - lesson.steps.begin()) + 1;
}

/// Replaces the lesson and step of a link by existing ones.
void settle(ViewModel& model) {
  Look& look = model.look;
  if (look.lesson.empty() || shows_list(look)) return;
  try {
    look.lesson = lessons::id_called(look.lesson, lessons::built_in_ids());
  } catch (const sim::Error& error) {
    model.notice = words::translate(model.look.language, error.sentence());
    look.lesson = "list";
    return;
  }
  if (!shows_step(look)) return;  // waiting for its pack
  const lessons::Lesson& lesson = lessons::built_in(look.lesson).lesson;
  const bool goes = model.lesson.opens_lesson || look.lesson_step == 0;
  const int step = look.lesson_step == 0 ? last_step(model, lesson) : look.lesson_step;
  look.lesson_step = std::min(step, static_cast<int>(lesson.steps.size()));
  if (goes) go_to_lesson_step(model, lesson.id, look.lesson_step);
}

/// Locks all options except those that an open goal lets the learner change.
void lock(ViewModel& model) {
  model.lesson.unlocked.clear();
  if (!shows_step(model.look)) return;
  const lessons::Question* open = open_question(model, page_of(model));
  if (open == nullptr || open->kind != lessons::QuestionKind::until) return;
  model.lesson.unlocked = sim::joined(open->change, ",");
}

/// Chooses a tile clicked on the matrix, as its button would.
void take_tile(ViewModel& model) {
  const auto clicked = std::exchange(model.lesson.clicked_tile, std::nullopt);
  model.lesson.asks_tile = false;
  if (!shows_step(model.look)) return;
  LessonPage& page = page_of(model);
  const lessons::Question* open = open_question(model, page);
  model.lesson.asks_tile = open != nullptr && open->kind == lessons::QuestionKind::tile;
  if (model.lesson.asks_tile && clicked)
    trying_of(model, page, *open).typed = sim::text(clicked->first, ", ", clicked->second);
}

/// True if a letter or digit is a command of the panel; others belong to the explorer.
bool counts(ViewModel& model, char key) {
  const bool tour = shows_tour(model.look);
  if (key == 'l') return !tour;
  if (!shows_step(model.look)) return false;
  if (key == 'p') return !tour;
  LessonPage& page = page_of(model);
  const lessons::Question* open = open_question(model, page);
  if (key == 'h' || key == 's') return open != nullptr;
  if (key == 'r') return (open == nullptr || memory_of(model).presents) && !page.step.questions.empty();
  return open != nullptr && key >= '1' && key < '1' + static_cast<int>(keyed_answers(page, *open).size());
}

char key_now(ViewModel& model) {
  if (ImGui::IsKeyPressed(ImGuiKey_Enter) || ImGui::IsKeyPressed(ui::imgui::keypad_enter)) return '\n';
  if (ImGui::IsKeyPressed(ImGuiKey_PageDown)) return '>';
  if (ImGui::IsKeyPressed(ImGuiKey_PageUp)) return '<';
  ImGuiIO& io = ImGui::GetIO();
  const bool turns = (memory_of(model).presents || shows_tour(model.look)) && !io.KeyCtrl && !io.KeyShift;
  if (turns && ImGui::IsKeyPressed(ImGuiKey_RightArrow)) return '>';
  if (turns && ImGui::IsKeyPressed(ImGuiKey_LeftArrow)) return '<';
  if (io.KeyCtrl || io.KeySuper || io.InputQueueCharacters.empty()) return 0;
  const ImWchar typed = io.InputQueueCharacters.front();
  const char key = typed < 0x80 ? sim::in_lower_case(static_cast<char>(typed)) : '\0';
  if (key == 0 || !counts(model, key)) return 0;
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
bool begin_answer(ViewModel& model, ui::UiState& state) {
  const std::string field = std::exchange(memory_of(model).field, {});
  const ImGuiIO& io = ImGui::GetIO();
  if (field.empty() || !shows_step(model.look)) return false;
  if (io.KeyCtrl || io.KeySuper || io.InputQueueCharacters.empty()) return false;
  LessonPage& page = page_of(model);
  const lessons::Question* open = open_question(model, page);
  if (open == nullptr || !begins_answer(open->kind, io.InputQueueCharacters.front())) return false;
  ui::begin_typing(state, field, trying_of(model, page, *open).typed);
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
  const float gap = std::round(12 * stage.scale);
  if (kept.empty()) {
    for (Rect* panel : {&stage.matrix, &stage.memory, &stage.code, &stage.softmax, &stage.roofline}) {
      if (panel->empty()) continue;
      panel->height += panel->y - row.y;
      panel->y = row.y;
    }
    return;
  }
  Rect rest = row;
  for (std::size_t n = 0; n < kept.size(); ++n) {
    const float left = static_cast<float>(kept.size() - n);
    stage.counters[kept[n]] = cut_left(rest, std::round((rest.width - (left - 1) * gap) / left));
    cut_left(rest, gap);
  }
}

}  // namespace

void light_up(View& view, const ui::Layout& stage) {
  LessonMemory& memory = memory_of(view.of_lesson());
  memory.was_lit = lit_place(view.of_lesson(), page_of(view.of_lesson()));
  memory.lit = rects_of(view, stage, memory.was_lit);
  for (const Rect& rect : memory.lit) view.canvas().stroke(rect, view.theme().strong, view.px(2), view.px(3));
}

bool begin_lesson(ViewModel& model, ui::UiState& state) {
  model.lesson.teaches = true;
  settle(model);
  take_tile(model);
  lock(model);
  const bool tour = shows_tour(model.look);
  if (model.look.lesson.empty() && !tour) return false;
  LessonMemory& memory = memory_of(model);
  memory.key = 0;
  memory.pointed.clear();
  if (tour) model.look.lesson.clear();  // lesson and tour exclude each other
  if (ImGui::GetIO().WantTextInput || !state.open.empty() || (model.look.overlay != Overlay::none && !tour))
    return false;
  if (begin_answer(model, state)) return true;
  if (tour) {
    memory.key = key_now(model);
    const int along =
        (ImGui::IsKeyPressed(ImGuiKey_DownArrow) ? 1 : 0) - (ImGui::IsKeyPressed(ImGuiKey_UpArrow) ? 1 : 0);
    if (along != 0 && shows_step(model.look)) choose_place(model, page_of(model), along);
    return memory.key == '<' || memory.key == '>';
  }
  if (is_left(model.look) && !memory.presents) {
    model.look.lesson.clear();
    model.look.lesson_step = 0;
    return false;
  }
  memory.key = is_left(model.look) ? 'p' : key_now(model);
  return memory.presents && (memory.key == '<' || memory.key == '>');
}

bool presents(const ViewModel& model, float width, float height, float dpr) {
  return model.look.presents && shows_step(model.look) && !shows_tour(model.look) &&
         (model.subjects() < 2 || model.plays_run()) && has_room(width, height, dpr);
}

namespace {

void fill(const ViewModel& model, ui::LessonLayout& layout) {
  if (model.subject(0).is_ragged() || fills_window(model.look, layout.stage.tabbed))
    layout.full = layout.stage.panels();
}

/// Layout of the window below the card of the tour.
ui::LessonLayout tour_layout(ViewModel& model, ui::LessonLayout layout) {
  if (!shows_tour(model.look)) return layout;
  LessonMemory& memory = memory_of(model);
  memory.whole = layout.stage;
  memory.turns = layout.stage.tabbed;
  memory.presents = memory.is_sheet = false;
  memory.to_scale = memory.values = {};
  LessonPage& page = page_of(model);
  const lessons::Question* open = model.subjects() == 1 ? open_question(model, page) : nullptr;
  if (open != nullptr) model.lesson.covered = cover(layout, page, *open);
  if (!layout.full.empty()) layout.covered.clear();  // the view hatches itself
  return layout;
}

/// Layout of the window without a lesson panel; whole runs have nothing covered.
ui::LessonLayout handout_layout(ViewModel& model, float width, float height, float dpr, ui::Tab tab) {
  ui::LessonLayout layout{{}, ui::make_layout(width, height, dpr, tab)};
  fill(model, layout);
  if (model.subjects() == 1 && shows_step(model.look)) model.lesson.covered = cover_all(layout, page_of(model));
  if (!layout.full.empty()) layout.covered.clear();
  return layout;
}

}  // namespace

ui::LessonLayout lesson_layout(ViewModel& model, float width, float height, float dpr, ui::Tab tab) {
  model.lesson.covered = {};
  if (!has_lesson(model)) {
    ui::LessonLayout layout{{}, ui::make_layout(width, height, dpr, tab)};
    fill(model, layout);
    return tour_layout(model, std::move(layout));
  }
  if (model.lesson.handout) return handout_layout(model, width, height, dpr, tab);
  const bool races = model.subjects() > 1;
  LessonMemory& memory = memory_of(model);
  memory.can_present = has_room(width, height, dpr);
  memory.presents = presents(model, width, height, dpr);
  ui::LessonLayout layout = memory.presents ? presented(page_of(model), width, height, dpr, tab)
                                            : ui::make_lesson_layout(width, height, dpr, tab, memory.drawn_up);
  memory.is_sheet = layout.sheet;
  fill(model, layout);
  layout.races = races && !layout.stage.tabbed && layout.full.empty();
  if (layout.races) return layout;
  if (!shows_step(model.look)) return layout;
  LessonPage& page = page_of(model);
  keep_counters(page, layout.stage);
  memory.turns = layout.stage.tabbed;
  if (const lessons::Question* open = open_question(model, page)) model.lesson.covered = cover(layout, page, *open);
  if (!layout.full.empty()) layout.covered.clear();  // the view hatches itself
  memory.values = layout.full.empty() ? take_values_place(page, layout.stage) : ui::Rect{};
  make_room(model, page, layout.stage);
  return layout;
}

void draw_lesson(View& view, const ui::LessonLayout& layout) {
  if (layout.panel.empty()) {  // a handout
    for (const Rect& place : layout.covered) draw_cover(view, place);
    return;
  }
  if (!layout.presented) ui::panel(view.canvas(), layout.panel);
  const Look& look = view.model.look;
  const auto begun = std::pair(look.lesson, look.lesson_step);
  if (shows_list(look))
    draw_lesson_list(view, layout.panel);
  else if (shows_step(look))
    draw_step(view, layout.panel);
  else
    draw_waiting(view, layout.panel);
  for (const Rect& place : layout.covered) draw_cover(view, place);
  const bool stays = begun == std::pair(look.lesson, look.lesson_step);  // no click has led elsewhere
  if (!stays || !shows_step(look)) return;
  if (!memory_of(view.of_lesson()).values.empty()) {
    view.canvas().cover_texts(&view.model.lesson.covered.numbers);
    draw_chip_values(view, memory_of(view.of_lesson()).values,
                     open_question(view.of_lesson(), page_of(view.of_lesson())));
    view.canvas().cover_texts(nullptr);
  }
  draw_in_picture(view);
  light_up(view, layout.stage);
}

}  // namespace explorer

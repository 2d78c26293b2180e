#include "viz/explorer/explorer.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "sim/base/text.h"
#include "viz/model/first_view.h"
#include "viz/model/gpus.h"
#include "viz/panels/batch/batch.h"
#include "viz/panels/description.h"
#include "viz/panels/first/first.h"
#include "viz/panels/lesson/lesson.h"
#include "viz/panels/lesson/tour.h"
#include "viz/panels/narrow/narrow.h"
#include "viz/panels/overlay.h"
#include "viz/panels/pages/pages.h"
#include "viz/panels/panels.h"
#include "viz/panels/race/race.h"
#include "viz/panels/roles/roles.h"
#include "viz/panels/scenario/comparison.h"
#include "viz/panels/scenario/device_form.h"
#include "viz/panels/view.h"
#include "viz/ui/compare_layout.h"
#include "viz/ui/imgui_version.h"
#include "viz/ui/text_field.h"

namespace explorer {
namespace {

// Panels that share a tab bar: on narrow screens all of Tab, for compared runs the first three.

ui::Tab layout_tab(Tab tab) {
  static_assert(static_cast<int>(Tab::softmax) == static_cast<int>(ui::Tab::softmax), "both have the same order");
  static_assert(static_cast<int>(Tab::counters) + 1 == ui::tabs);
  return static_cast<ui::Tab>(tab);
}

/// Titles in the order of Tab.
std::array<std::string_view, ui::tabs> tab_titles(const View& view) {
  return {view.say("Views"), view.say("Memory"), view.say("Code"), view.say("Softmax"), view.say("Counters")};
}

// Window that compares runs.

void draw_pane(View& view, const ui::ComparePane& pane) {
  if (pane.header.empty()) return;
  draw_run_header(view, pane.header);
  // The header's button may have removed the run.
  if (view.index >= view.world.subjects() || !view.subject().error.empty()) return;
  if (!pane.matrix.empty()) draw_center(view, pane.matrix);
  if (!pane.memory.empty()) draw_memory(view, pane.memory);
  if (!pane.code.empty()) draw_listing(view, pane.code);
}

/// The pane in front: runs may have been removed since it was chosen.
int shown_pane(const Model& model) {
  return std::min(model.state.look.pane, static_cast<int>(model.world.subjects()) - 1);
}

/// Draws the runs by number, as tabs.
void draw_run_tabs(View& view, ui::Rect rect) {
  std::vector<std::string> names, labels;
  for (std::size_t n = 0; n < view.world.subjects(); ++n) {
    names.push_back(sim::text(n + 1));
    labels.push_back(
        sim::text(n + 1, " ", algorithm_label(view, view.world.subject(n).simulation().plan.program->name)));
  }
  const std::vector<std::string_view> name_views(names.begin(), names.end()), views(labels.begin(), labels.end());
  const int pane = ui::segmented(view.ui, "pane", rect, name_views, views, shown_pane(view.model));
  if (pane != view.state.look.pane) view.set([&](Look& look) { look.pane = pane; });
}

constexpr std::size_t panels = 3;

/// Panel of a run that shares a tab with others; the first panel for tabs that exist only for a single run.
Tab panel_of(const Look& look) { return static_cast<std::size_t>(look.tab) < panels ? look.tab : Tab::matrix; }

void draw_panel_list(View& view, ui::Rect rect) {
  const auto titles = tab_titles(view);
  const std::vector<std::string_view> names = link_words("tab");
  const int now = static_cast<int>(panel_of(view.state.look));
  const int next =
      ui::drop_down(view.ui, "tab", rect, {}, std::span(titles).first(panels), now, std::span(names).first(panels));
  if (next != now) view.set([&](Look& look) { look.tab = static_cast<Tab>(next); });
}

/// Draws the comparison instead of the panels of one run.
void draw_comparison(ui::Ui& ui, Model& model, float width, float height, float dpr) {
  View first{ui, model};
  const std::size_t runs = model.world.subjects();
  const ui::CompareLayout layout = ui::make_compare_layout(
      width, height, dpr, runs, static_cast<std::size_t>(shown_pane(model)), layout_tab(panel_of(model.state.look)));
  draw_title(first, layout.title);
  if (!layout.controls.empty()) draw_controls(first, layout.controls);
  draw_actions(first, layout.actions);
  draw_comparison_bar(first, layout.bar);
  if (first.subject().is_ragged()) return;  // changed during this frame
  if (layout.tabbed) {
    draw_run_tabs(first, layout.tab_bar);
    draw_panel_list(first, layout.panel_list);
  }
  for (std::size_t n = 0; n < runs && n < model.world.subjects(); ++n) {
    View view{ui, model, n};
    draw_pane(view, layout.panes[n]);
  }
  draw_timeline(first, layout.timeline);
}

// Window in which whole runs race.

void draw_race_cards(ui::Ui& ui, Model& model, const ui::RaceLayout& layout) {
  View first{ui, model};
  draw_title(first, layout.title);
  if (!layout.controls.empty()) draw_controls(first, layout.controls);
  draw_actions(first, layout.actions);
  if (first.subject().is_ragged()) return;  // changed during this frame
  for (std::size_t n = 0; n < layout.cards.size() && n < model.world.subjects(); ++n) {
    View view{ui, model, n};
    ui::mark_place(ui, sim::text("run:", n), layout.cards[n].card);
    draw_race_card(view, layout.cards[n]);
  }
  draw_race_footer(first, layout);
  if (!layout.bar.empty()) draw_comparison_bar(first, layout.bar);  // last, since it may remove runs
}

/// Draws the race next to a lesson, in the stage of its layout.
void draw_race(ui::Ui& ui, Model& model, const ui::Layout& stage) {
  draw_race_cards(ui, model, ui::make_race_layout(stage, model.world.subjects()));
}

/// Draws the race instead of the panels.
void draw_race(ui::Ui& ui, Model& model, float width, float height, float dpr) {
  draw_race_cards(ui, model, ui::make_race_layout(width, height, dpr, model.world.subjects()));
}

// Window of one run.

void draw_tab_bar(View& view, ui::Rect rect) { choose(view, "tab", rect, "tab", tab_titles(view)); }

/// Draws the first view instead of the panels, and the cards in front of it.
void draw_first(ui::Ui& ui, Model& model, float width, float height, float dpr) {
  View view{ui, model};
  model.world.covered = {};
  draw_first_view(view, width, height, dpr);
  draw_link_errors(view, {0, 0, width, height});
  if (model.state.look.overlay == Overlay::help) draw_help(view);
  if (model.state.look.overlay == Overlay::device) draw_device_form(view);
  draw_notice(view, {0, 0, width, height});
}

/// Draws a panel unless the layout has no space for it.
void draw_where_visible(View& view, ui::Rect rect, void (*draw)(View&, ui::Rect)) {
  if (!rect.empty()) draw(view, rect);
}

void draw_panels(View& view, const ui::Layout& layout, ui::Rect full) {
  draw_where_visible(view, layout.title, draw_title);
  draw_where_visible(view, layout.controls, draw_controls);
  draw_where_visible(view, layout.actions, draw_actions);
  draw_where_visible(view, layout.tab_bar, draw_tab_bar);
  if (!full.empty()) return draw_full_view(view, full);
  if (view.subject().is_ragged()) return;  // changed during this frame
  draw_counters(view, layout.counters);
  draw_where_visible(view, layout.roofline, draw_roofline);
  draw_where_visible(view, layout.memory, draw_memory);
  draw_where_visible(view, layout.matrix, draw_center);
  draw_where_visible(view, layout.code, draw_listing);
  draw_where_visible(view, layout.softmax, draw_softmax);
  draw_where_visible(view, layout.timeline, draw_timeline);
}

/// The panel in the middle, or the one shown instead.
ui::Rect middle_of(const ui::Layout& layout) {
  for (const ui::Rect& panel : {layout.matrix, layout.memory, layout.code, layout.softmax, layout.counters[0]}) {
    if (!panel.empty()) return panel;
  }
  return layout.window;
}

/// Area of all panels, below the top bar and the tabs.
ui::Rect below_top_bar(const ui::Layout& layout) {
  float top = layout.window.y;
  for (const ui::Rect& bar : {layout.title, layout.controls, layout.actions, layout.tab_bar}) {
    if (!bar.empty()) top = std::max(top, bar.bottom());
  }
  return {layout.window.x, top, layout.window.width, layout.window.bottom() - top};
}

}  // namespace

bool Explorer::update(double seconds) {
  const bool moved = model.tick(seconds);
  return model.advance() || moved;
}

void Explorer::draw(ui::Ui& ui, float width, float height, float dpr) {
  settle_lesson(model);
  View view{ui, model};
  const bool taken = begin_lesson(view);
  model.apply_edits();
  if (!taken) take_keys(model, ui.state);
  if (shows_first(model)) {
    draw_first(ui, model, width, height, dpr);
    return model.apply_edits();
  }
  give_way(view, width, height, dpr);
  model.apply_edits();
  model.leave_race();
  const LessonFrame frame = lesson_frame(model, width, height, dpr, layout_tab(model.state.look.tab));
  model.world.covered = frame.covered;
  const ui::LessonLayout& lesson = frame.layout;
  const ui::Layout& layout = lesson.stage;
  view.bare = ui.state.reading.presents = lesson.presented;
  ui.state.reading.tabbed = layout.tabbed;
  const bool ragged = model.world.subject(0).is_ragged();
  if (!ragged && model.state.look.play == Play::run && (model.state.look.lesson.empty() || model.classroom.handout)) {
    draw_race(ui, model, width, height, dpr);
  } else if (!ragged && lesson.races) {
    draw_race(ui, model, layout);
    draw_lesson(view, frame);
  } else if (!ragged && model.world.subjects() > 1 && lesson.panel.empty() && lesson.full.empty()) {
    draw_comparison(ui, model, width, height, dpr);
  } else {
    ui.canvas.cover_texts(&model.world.covered.numbers);
    draw_panels(view, layout, lesson.full);
    ui.canvas.cover_texts(nullptr);  // texts of the lesson itself stay visible
    draw_lesson(view, frame);
    ui.canvas.cover_texts(&model.world.covered.numbers);
  }
  const bool paints = model.state.look.overlay == Overlay::pattern;
  // The editor of patterns reports an impossible scenario itself, and of a bad link one card says all.
  if (!paints && model.link_errors.empty()) draw_error(view, middle_of(layout), below_top_bar(layout));
  draw_link_errors(view, layout.window);
  draw_why(view, layout.window, layout.tabbed);
  if (model.state.look.overlay == Overlay::tour) draw_tour(view, frame);
  if (model.state.look.overlay == Overlay::help) draw_help(view);
  if (model.state.look.overlay == Overlay::palette) draw_palette(view);
  if (paints) draw_pattern_editor(view);
  if (model.state.look.overlay == Overlay::device) draw_device_form(view);
  draw_notice(view, {0, 0, width, height});
  model.apply_edits();
}

float Explorer::scale(float width, float height, float dpr) const {
  return presents(model, width, height, dpr) ? ui::presenter_scale(width, height, dpr)
                                             : ui::ui_scale(width, height, dpr);
}

std::string Explorer::description() const {
  if (shows_first(model)) return first_view_text(model);
  if (in_pages(model) && !model.world.covered.order)
    return model.world.covered.without_answer(pages_description(model.state.look.language, model.state, model.world));
  if (in_numbers(model) && !model.world.covered.order && model.world.covered.quantities.empty())
    return model.world.covered.without_answer(
        narrow_sentence(model.state.look.language, narrow_numbers(model.state, model.world)));
  if (in_gpus(model) && !model.world.covered.order && model.world.covered.quantities.empty())
    return gpus_description(model.state.look.language, gpus_moment(model.world));
  if (model.world.subject(0).is_ragged()) return batch_sentence(model.state.look.language, model.world.subject(0));
  if (model.state.plays_run()) return race_sentence(model);
  if (model.state.look.center == Center::roles && !model.world.replay().roles.empty() && !model.world.covered.order)
    return model.world.covered.without_answer(roles_sentence(model.state.look.language, model.world.subject(0)));
  return description_text(model.state.look.language, model.world.subject(0), model.world.covered);
}

namespace {

constexpr std::string_view ctrl_prefix = "Ctrl+", shift_prefix = "Shift+";

constexpr std::array<std::pair<std::string_view, ImGuiKey>, 8> named_keys = {{{"Space", ImGuiKey_Space},
                                                                              {"Left", ImGuiKey_LeftArrow},
                                                                              {"Right", ImGuiKey_RightArrow},
                                                                              {"Up", ImGuiKey_UpArrow},
                                                                              {"Down", ImGuiKey_DownArrow},
                                                                              {"Home", ImGuiKey_Home},
                                                                              {"End", ImGuiKey_End},
                                                                              {"Escape", ImGuiKey_Escape}}};

bool cut_prefix(std::string_view& text, std::string_view prefix) {
  const bool found = text.substr(0, prefix.size()) == prefix;
  if (found) text.remove_prefix(prefix.size());
  return found;
}

/// True if a chord such as "Ctrl+Left" was pressed.
bool chord_pressed(std::string_view chord) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool ctrl = cut_prefix(chord, ctrl_prefix), shift = cut_prefix(chord, shift_prefix);
  const bool has_ctrl = io.KeyCtrl || io.KeySuper;  // Command, on a Mac
  for (const auto& [name, key] : named_keys) {
    if (name == chord) return ctrl == has_ctrl && shift == io.KeyShift && ImGui::IsKeyPressed(key);
  }
  if (ctrl) return has_ctrl && ImGui::IsKeyPressed(ui::imgui::key_of_letter(chord[0]));
  return !has_ctrl && ui::typed(chord[0]);
}

/// True for actions that do not change the step; the arrows and Enter belong to the tour.
bool in_tour(std::string_view name) {
  constexpr std::string_view counts[] = {"play",  "to-start", "to-end", "slower", "faster",
                                         "still", "theme",    "undo",   "redo"};
  return std::find(std::begin(counts), std::end(counts), name) != std::end(counts);
}

/// True if an action is available in the first view: the film, and what leads out of it.
bool counts_in_first(std::string_view name) {
  return in_tour(name) || name == "step" || name == "step-back" || name == "language" || name == "help" ||
         name == "close" || name == "palette";
}

/// True if an action is available under an overlay, which reserves the other keys.
bool counts_under(Overlay overlay, const Action& action) {
  if (overlay == Overlay::none) return true;
  if (action.name == "close") return true;
  const bool opens = action.name == "help" || action.name == "palette";
  if (overlay == Overlay::tour) return in_tour(action.name);
  if (overlay == Overlay::device) return action.name == "undo" || action.name == "redo";
  if (overlay == Overlay::pattern) return action.name == "pattern" || action.name == "undo" || action.name == "redo";
  return overlay == Overlay::help ? opens : overlay == Overlay::palette && action.name == "palette";
}

}  // namespace

bool pressed(std::string_view keys) {
  while (!keys.empty()) {
    const std::size_t end = std::min(keys.find(' '), keys.size());
    if (chord_pressed(keys.substr(0, end))) return true;
    keys.remove_prefix(std::min(end + 1, keys.size()));
  }
  return false;
}

void take_keys(Model& model, ui::UiState& state) {
  ImGuiIO& io = ImGui::GetIO();
  const std::string letters = std::exchange(state.letters, {});
  if (io.WantTextInput || !state.open.empty()) return;
  const Overlay overlay = model.state.look.overlay;
  const bool first = shows_first(model);
  for (const Action& action : actions()) {
    if (!counts_under(overlay, action) || (first && !counts_in_first(action.name))) continue;
    // The palette takes "/" as a letter.
    const std::string_view keys =
        overlay == Overlay::palette ? action.keys.substr(0, action.keys.find(' ')) : action.keys;
    if (keys.size() == 1 && letters.find(keys) != std::string::npos) continue;
    if (!pressed(keys)) continue;
    if (first && action.name == "palette") {  // the first view has a field of its own for the same entries
      ui::begin_typing(state, "first/field", model.state.palette.typed);
      io.InputQueueCharacters.resize(0);
      return;
    }
    for (const Edit& edit : action.edits(model)) model.apply(edit);
    if (model.state.look.overlay != overlay || shows_first(model) != first) {
      io.InputQueueCharacters.resize(0);  // the key that opens the palette is not typed into it
      return;
    }
  }
}

}  // namespace explorer

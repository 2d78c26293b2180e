#include "viz/model/action.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sim/programs/programs.h"
#include "viz/model/causes.h"
#include "viz/model/center_view.h"
#include "viz/model/gpus.h"
#include "viz/model/microscope.h"
#include "viz/model/narrow.h"
#include "viz/model/numbers.h"
#include "viz/model/pages.h"

namespace explorer {
namespace {

constexpr std::array<double, 7> speeds = {0.25, 0.5, 1, 2, 4, 8, 16};

/// Changes to the next faster or slower speed; stays at the ends.
Edits change_speed(const Model& model, int direction) {
  const double now = model.state.speed;
  double next = now;
  for (const double speed : speeds) {
    if (direction > 0 && speed > now) return {SetSpeed{speed}};
    if (direction < 0 && speed < now) next = speed;
  }
  return {SetSpeed{next}};
}

template <class Change>
Edits look(const Model& model, Change change) {
  return edits_of(model.state.look, change);
}

Edits change_unit(const Model& model, int direction) {
  const int next = static_cast<int>(model.state.look.unit) + direction;
  return look(model, [&](Look& l) { l.unit = static_cast<Step>(std::clamp(next, 0, static_cast<int>(Step::kernel))); });
}

Edits go_to(const Model& model, sim::Cycles time) {
  if (in_pages(model)) return to_token(model, time > sim::Cycles{} ? most_tokens : 0);
  if (!model.state.plays_run()) return {PlayOn{false}, Seek{time}};
  return {PlayOn{false}, SeekRun{time > sim::Cycles{} ? model.world.run_end() : 0}};
}

Edits open(const Model& model, Overlay overlay) {
  Edits edits = look(model, [&](Look& l) { l.overlay = l.overlay == overlay ? Overlay::none : overlay; });
  edits.push_back(TypeInPalette{});
  return edits;
}

/// Compares with standard attention, or standard attention with FlashAttention-2; ends a comparison in progress.
Edits compare(const Model& model) {
  if (model.state.compares()) return {Compare{}};
  const std::string_view standard = sim::programs::standard.name;
  const bool is_standard = model.world.subject(0).scenario().algorithm == standard;
  return {compare_with_algorithm(model.state, is_standard ? sim::Scenario{}.algorithm : standard)};
}

/// Plays the whole run, from the start if it is at its end; in a race, returns to one CTA.
Edits race(const Model& model) {
  if (model.state.look.play == Play::run) return {PlayOn{false}, SetLook{"play", "cta"}};
  const bool pauses = model.state.plays_run() && model.playing();
  Edits edits = model.state.plays_run() ? Edits{} : look(model, [](Look& l) { l.play = Play::run; });
  edits.push_back(PlayOn{!pauses});
  return edits;
}

/// The selected span, or all of the CTA if there is none.
TimeSpan span_of(const Model& model) {
  return model.state.look.span.value_or(TimeSpan{{}, model.world.replay().index.end()});
}

/// Selects a span with one edge at the playhead. An edge moved past the other resets that one to its end of the CTA.
Edits select_span(const Model& model, TimeSpan span) {
  const bool from_moved = span.from == model.world.time();
  if (span.from >= span.to && from_moved) span.to = model.world.replay().index.end();
  if (span.from >= span.to) span.from = {};
  if (span.from >= span.to) return {};
  return look(model, [&](Look& l) { l.span = span; });
}

/// True if the microscope fills the window: arrow keys then move along its row, and from row to row.
bool in_microscope(const Model& model) {
  return model.state.look.center == Center::microscope && fills_window(model.state.look, false);
}

/// Moves by a step of the chosen unit, along the row of the microscope, by a token of the pages, or by a tile of Q.
Edits step(const Model& model, int direction) {
  if (in_pages(model)) return step_pages(model, direction);
  if (in_numbers(model)) return next_tile_of_q(model, direction);
  if (in_microscope(model)) return {StepRow{direction}};
  return {StepBy{model.state.look.unit, direction}};
}

/// Moves by one unit, whichever is chosen.
template <Step unit, int direction>
Edits step_by(const Model& model) {
  if (unit == Step::row_block && in_pages(model)) return next_page(model, direction);
  return {StepBy{unit, direction}};
}

Edits next_row(const Model& model, int direction) { return {ShowQuery{shown_row(model).query + direction}}; }

/// Down (1) and Up (-1): another row, sequence or GPU where a view has them, else another unit of steps.
Edits down(const Model& model, int direction) {
  if (in_gpus(model)) return next_gpu(model, direction);
  if (in_pages(model)) return next_sequence(model, direction);
  return in_microscope(model) ? next_row(model, direction) : change_unit(model, -direction);
}

/// Closes what is in front: a card, the first view, the options, the playback, an explanation, a cause, a span, a
/// chosen row.
Edits close(const Model& model) {
  if (model.state.look.overlay == Overlay::none && model.state.look.first) return {LeaveFirst{}};
  return look(model, [&](Look& l) {
    if (l.overlay != Overlay::none) return void(l.overlay = Overlay::none);
    if (l.options) return void(l.options = false);
    if (l.playback) return void(l.playback = false);
    if (!l.selection.empty()) return l.selection.clear();
    if (!l.cause.empty()) return l.cause.clear();
    if (l.span) return l.span.reset();
    if (in_microscope(model)) l.row = Look{}.row;
  });
}

/// Inverts a field of two values.
template <bool Look::*field>
Edits invert(const Model& model) {
  return look(model, [](Look& l) { l.*field = !(l.*field); });
}

/// Sets a field to one value, or to the other if it has that.
template <auto field, auto one, auto other>
Edits switch_between(const Model& model) {
  return look(model, [](Look& l) { l.*field = l.*field == one ? other : one; });
}

template <Request request>
Edits ask(const Model&) {
  return {Ask{request}};
}

/// Placeholder in the table below for the actions that show the middle views.
constexpr Action show_view = {"", "", "", nullptr};

constexpr Action table[] = {
    {"play", "Space", /*say*/ "Play or pause", [](const Model& m) { return Edits{PlayOn{!m.playing()}}; }},
    {"step-back", "Left", /*say*/ "One step back", [](const Model& m) { return step(m, -1); }},
    {"step", "Right", /*say*/ "One step on", [](const Model& m) { return step(m, 1); }},
    {"smaller-step", "Down", /*say*/ "Smaller steps", [](const Model& m) { return down(m, 1); }},
    {"larger-step", "Up", /*say*/ "Larger steps", [](const Model& m) { return down(m, -1); }},
    {"row-block-back", "Shift+Left", /*say*/ "One row block back", step_by<Step::row_block, -1>},
    {"row-block", "Shift+Right", /*say*/ "One row block on", step_by<Step::row_block, 1>},
    {"cta-back", "Ctrl+Left", /*say*/ "One CTA back", step_by<Step::cta, -1>},
    {"cta", "Ctrl+Right", /*say*/ "One CTA on", step_by<Step::cta, 1>},
    {"to-start", "Home", /*say*/ "To the start of the CTA", [](const Model& m) { return go_to(m, {}); }},
    {"to-end", "End", /*say*/ "To the end of the CTA",
     [](const Model& m) { return go_to(m, m.world.replay().index.end()); }},
    {"slower", "-", /*say*/ "Slower", [](const Model& m) { return change_speed(m, -1); }},
    {"faster", "+ =", /*say*/ "Faster", [](const Model& m) { return change_speed(m, 1); }},
    {"loop", "L", /*say*/ "Play the same step again and again", invert<&Look::loop>},
    {"still", "S", /*say*/ "Playback without animation", invert<&Look::still>},
    {"bookmark", "B", /*say*/ "Set or remove a bookmark here", [](const Model&) { return Edits{ToggleBookmark{}}; }},
    {"next-bookmark", "N", /*say*/ "To the next bookmark", [](const Model&) { return Edits{GoToBookmark{1}}; }},
    {"previous-bookmark", "P", /*say*/ "To the previous bookmark",
     [](const Model&) { return Edits{GoToBookmark{-1}}; }},
    {"fit", "F", /*say*/ "The timeline as it was in the beginning",
     [](const Model& m) {
       return look(m, [](Look& l) {
         l.zoom = 0;
         l.timeline = TimelineOf::cta;
       });
     }},
    {"grid", "G", /*say*/ "One CTA, or all SMs, on the timeline",
     switch_between<&Look::timeline, TimelineOf::grid, TimelineOf::cta>},
    {"drag", "V", /*say*/ "Dragging over the lanes moves them, or selects", invert<&Look::drag_selects>},
    {"select-from", "[", /*say*/ "Select from here on",
     [](const Model& m) {
       return select_span(m, {m.world.time(), span_of(m).to});
     }},
    {"select-to", "]", /*say*/ "Select up to here",
     [](const Model& m) {
       return select_span(m, {span_of(m).from, m.world.time()});
     }},
    {"next-cause", "K", /*say*/ "Highlight the next cause of time on the timeline", next_light},
    {"fewer-keys", ",", /*say*/ "Half as many keys, N", [](const Model& m) { return scaled_keys(m, false); }},
    {"more-keys", ".", /*say*/ "Twice as many keys, N", [](const Model& m) { return scaled_keys(m, true); }},
    {"less-sram", "<", /*say*/ "Less SRAM for a CTA", [](const Model& m) { return stepped_sram(m, false); }},
    {"more-sram", ">", /*say*/ "More SRAM for a CTA", [](const Model& m) { return stepped_sram(m, true); }},
    show_view,
    {"pattern", "E", /*say*/ "Paint the pattern of blocks", [](const Model& m) { return open(m, Overlay::pattern); }},
    {"device", "", /*say*/ "A GPU like this one, but for some fields",
     [](const Model& m) { return open(m, Overlay::device); }},
    {"source", "", /*say*/ "The listing as equations or as C++", invert<&Look::source>},
    {"why", "W", /*say*/ "Explain the predicted time",
     [](const Model& m) {
       return look(m, [](Look& l) { l.selection = l.selection.empty() ? "time.microseconds" : ""; });
     }},
    {"compare", "C", /*say*/ "Compare with standard attention", compare},
    {"race", "R", /*say*/ "Play the whole run, or one CTA", race},
    {"theme", "T", /*say*/ "Dark or light", switch_between<&Look::theme, Theme::dark, Theme::light>},
    {"language", "", /*say*/ "English or Chinese", switch_between<&Look::language, Language::en, Language::zh>},
    {"undo", "Ctrl+Z", /*say*/ "Undo the last change of the scenario", [](const Model&) { return Edits{Undo{}}; }},
    {"redo", "Ctrl+Y", /*say*/ "Do it again", [](const Model&) { return Edits{Redo{}}; }},
    {"copy-link", "", /*say*/ "Copy a link to this view", ask<Request::copy_link>},
    {"save-png", "", /*say*/ "Save the picture as PNG", ask<Request::save_png>},
    {"save-csv", "", /*say*/ "Save the numbers as CSV", ask<Request::save_csv>},
    {"save-json", "", /*say*/ "Save the numbers as JSON", ask<Request::save_json>},
    {"save-perfetto", "", /*say*/ "Save the trace for Perfetto", ask<Request::save_perfetto>},
    {"licences", "", /*say*/ "Show the licences of FlashScope and of its parts", ask<Request::show_licences>},
    {"first", "", /*say*/ "To the first view: the race, and doors to all else",
     [](const Model&) { return Edits{OpenFirst{}}; }},
    {"palette", "Ctrl+K /", /*say*/ "Find anything by its name",
     [](const Model& m) { return open(m, Overlay::palette); }},
    {"help", "?", /*say*/ "These keys", [](const Model& m) { return open(m, Overlay::help); }},
    {"close", "Escape", /*say*/ "Close what is in front", close},
};

template <std::size_t n>
Action view_action() {
  constexpr CenterView view = center_views[n];
  return {view.name, view.key, view.sentence,
          [](const Model& m) { return look(m, [](Look& l) { show_center(l, static_cast<Center>(n)); }); }};
}

template <std::size_t... n>
std::vector<Action> with_views(std::index_sequence<n...>) {
  std::vector<Action> all;
  for (const Action& action : table) {
    if (action.edits != nullptr) all.push_back(action);
    if (action.edits == nullptr) (all.push_back(view_action<n>()), ...);
  }
  return all;
}

}  // namespace

std::span<const Action> actions() {
  static const std::vector<Action> all = with_views(std::make_index_sequence<center_views.size()>());
  return all;
}

const Action& action(std::string_view name) {
  const auto all = actions();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Action& a) { return a.name == name; });
  sim::require(found != all.end(), "actions: none is called \"", name, "\"");
  return *found;
}

}  // namespace explorer

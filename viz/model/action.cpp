#include "viz/model/action.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sim/programs/programs.h"
#include "viz/model/causes.h"
#include "viz/model/center_view.h"
#include "viz/model/microscope.h"
#include "viz/model/numbers.h"

namespace explorer {
namespace {

using Model = const ViewModel&;

constexpr std::array<double, 7> speeds = {0.25, 0.5, 1, 2, 4, 8, 16};

/// Changes to the next faster or slower speed; stays at the ends.
Edits change_speed(Model model, int direction) {
  const double now = model.speed();
  double next = now;
  for (const double speed : speeds) {
    if (direction > 0 && speed > now) return {SetSpeed{speed}};
    if (direction < 0 && speed < now) next = speed;
  }
  return {SetSpeed{next}};
}

template <class Change>
Edits look(Model model, Change change) {
  return edits_of(model.look, change);
}

Edits change_unit(Model model, int direction) {
  const int next = static_cast<int>(model.look.unit) + direction;
  return look(model, [&](Look& l) { l.unit = static_cast<Step>(std::clamp(next, 0, static_cast<int>(Step::kernel))); });
}

Edits go_to(Model model, sim::Cycles time) {
  if (!model.plays_run()) return {PlayOn{false}, Seek{time}};
  return {PlayOn{false}, SeekRun{time > sim::Cycles{} ? model.run_end() : 0}};
}

Edits open(Model model, Overlay overlay) {
  Edits edits = look(model, [&](Look& l) { l.overlay = l.overlay == overlay ? Overlay::none : overlay; });
  edits.push_back(TypeInPalette{});
  return edits;
}

/// Compares with standard attention, or standard attention with FlashAttention-2; ends a comparison in progress.
Edits compare(Model model) {
  if (model.compares()) return {Compare{}};
  const std::string_view standard = sim::programs::standard.name;
  const bool is_standard = model.subject(0).scenario().algorithm == standard;
  return {compare_with_algorithm(model, is_standard ? sim::Scenario{}.algorithm : standard)};
}

/// Plays the whole run, from the start if it is at its end; in a race, returns to one CTA.
Edits race(Model model) {
  if (model.look.play == Play::run) return {PlayOn{false}, SetLook{"play", "cta"}};
  const bool pauses = model.plays_run() && model.playing();
  Edits edits = model.plays_run() ? Edits{} : look(model, [](Look& l) { l.play = Play::run; });
  edits.push_back(PlayOn{!pauses});
  return edits;
}

/// The selected span, or all of the CTA if there is none.
TimeSpan span_of(Model model) { return model.look.span.value_or(TimeSpan{{}, model.replay().index.end()}); }

/// Selects a span with one edge at the playhead. An edge moved past the other resets that one to its end of the CTA.
Edits select_span(Model model, TimeSpan span) {
  const bool from_moved = span.from == model.time();
  if (span.from >= span.to && from_moved) span.to = model.replay().index.end();
  if (span.from >= span.to) span.from = {};
  if (span.from >= span.to) return {};
  return look(model, [&](Look& l) { l.span = span; });
}

/// True if the microscope fills the window: arrow keys then move along its row, and from row to row.
bool in_microscope(Model model) { return model.look.center == Center::microscope && fills_window(model.look, false); }

/// Moves by a step of the chosen unit, or along the row of the microscope.
Edits step(Model model, int direction) {
  if (in_microscope(model)) return {StepRow{direction}};
  return {StepBy{model.look.unit, direction}};
}

/// Moves by one unit, whichever is chosen.
template <Step unit, int direction>
Edits step_by(Model) {
  return {StepBy{unit, direction}};
}

Edits next_row(Model model, int direction) { return {ShowQuery{shown_row(model).query + direction}}; }

/// Closes what is in front: a card, the first view, the options, the playback, an explanation, a cause, a span, a
/// chosen row.
Edits close(Model model) {
  if (model.look.overlay == Overlay::none && model.look.first) return {LeaveFirst{}};
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
Edits invert(Model model) {
  return look(model, [](Look& l) { l.*field = !(l.*field); });
}

/// Sets a field to one value, or to the other if it has that.
template <auto field, auto one, auto other>
Edits switch_between(Model model) {
  return look(model, [](Look& l) { l.*field = l.*field == one ? other : one; });
}

template <Request request>
Edits ask(Model) {
  return {Ask{request}};
}

/// Placeholder in the table below for the actions that show the middle views.
constexpr Action show_view = {"", "", "", nullptr};

constexpr Action table[] = {
    {"play", "Space", /*say*/ "Play or pause", [](Model m) { return Edits{PlayOn{!m.playing()}}; }},
    {"step-back", "Left", /*say*/ "One step back", [](Model m) { return step(m, -1); }},
    {"step", "Right", /*say*/ "One step on", [](Model m) { return step(m, 1); }},
    {"smaller-step", "Down", /*say*/ "Smaller steps",
     [](Model m) { return in_microscope(m) ? next_row(m, 1) : change_unit(m, -1); }},
    {"larger-step", "Up", /*say*/ "Larger steps",
     [](Model m) { return in_microscope(m) ? next_row(m, -1) : change_unit(m, 1); }},
    {"row-block-back", "Shift+Left", /*say*/ "One row block back", step_by<Step::row_block, -1>},
    {"row-block", "Shift+Right", /*say*/ "One row block on", step_by<Step::row_block, 1>},
    {"cta-back", "Ctrl+Left", /*say*/ "One CTA back", step_by<Step::cta, -1>},
    {"cta", "Ctrl+Right", /*say*/ "One CTA on", step_by<Step::cta, 1>},
    {"to-start", "Home", /*say*/ "To the start of the CTA", [](Model m) { return go_to(m, {}); }},
    {"to-end", "End", /*say*/ "To the end of the CTA", [](Model m) { return go_to(m, m.replay().index.end()); }},
    {"slower", "-", /*say*/ "Slower", [](Model m) { return change_speed(m, -1); }},
    {"faster", "+ =", /*say*/ "Faster", [](Model m) { return change_speed(m, 1); }},
    {"loop", "L", /*say*/ "Play the same step again and again", invert<&Look::loop>},
    {"still", "S", /*say*/ "Playback without animation", invert<&Look::still>},
    {"bookmark", "B", /*say*/ "Set or remove a bookmark here", [](Model) { return Edits{ToggleBookmark{}}; }},
    {"next-bookmark", "N", /*say*/ "To the next bookmark", [](Model) { return Edits{GoToBookmark{1}}; }},
    {"previous-bookmark", "P", /*say*/ "To the previous bookmark", [](Model) { return Edits{GoToBookmark{-1}}; }},
    {"fit", "F", /*say*/ "The timeline as it was in the beginning",
     [](Model m) {
       return look(m, [](Look& l) {
         l.zoom = 0;
         l.timeline = TimelineOf::cta;
       });
     }},
    {"grid", "G", /*say*/ "One CTA, or all SMs, on the timeline",
     switch_between<&Look::timeline, TimelineOf::grid, TimelineOf::cta>},
    {"drag", "V", /*say*/ "Dragging over the lanes moves them, or selects", invert<&Look::drag_selects>},
    {"select-from", "[", /*say*/ "Select from here on",
     [](Model m) {
       return select_span(m, {m.time(), span_of(m).to});
     }},
    {"select-to", "]", /*say*/ "Select up to here",
     [](Model m) {
       return select_span(m, {span_of(m).from, m.time()});
     }},
    {"next-cause", "K", /*say*/ "Highlight the next cause of time on the timeline", next_light},
    {"fewer-keys", ",", /*say*/ "Half as many keys, N", [](Model m) { return scaled_keys(m, false); }},
    {"more-keys", ".", /*say*/ "Twice as many keys, N", [](Model m) { return scaled_keys(m, true); }},
    {"less-sram", "<", /*say*/ "Less SRAM for a CTA", [](Model m) { return stepped_sram(m, false); }},
    {"more-sram", ">", /*say*/ "More SRAM for a CTA", [](Model m) { return stepped_sram(m, true); }},
    show_view,
    {"pattern", "E", /*say*/ "Paint the pattern of blocks", [](Model m) { return open(m, Overlay::pattern); }},
    {"device", "", /*say*/ "A GPU like this one, but for some fields",
     [](Model m) { return open(m, Overlay::device); }},
    {"source", "", /*say*/ "The listing as equations or as C++", invert<&Look::source>},
    {"why", "W", /*say*/ "Explain the predicted time",
     [](Model m) { return look(m, [](Look& l) { l.selection = l.selection.empty() ? "time.microseconds" : ""; }); }},
    {"compare", "C", /*say*/ "Compare with standard attention", compare},
    {"race", "R", /*say*/ "Play the whole run, or one CTA", race},
    {"theme", "T", /*say*/ "Dark or light", switch_between<&Look::theme, Theme::dark, Theme::light>},
    {"language", "", /*say*/ "English or Chinese", switch_between<&Look::language, Language::en, Language::zh>},
    {"undo", "Ctrl+Z", /*say*/ "Undo the last change of the scenario", [](Model) { return Edits{Undo{}}; }},
    {"redo", "Ctrl+Y", /*say*/ "Do it again", [](Model) { return Edits{Redo{}}; }},
    {"copy-link", "", /*say*/ "Copy a link to this view", ask<Request::copy_link>},
    {"save-png", "", /*say*/ "Save the picture as PNG", ask<Request::save_png>},
    {"save-csv", "", /*say*/ "Save the numbers as CSV", ask<Request::save_csv>},
    {"save-json", "", /*say*/ "Save the numbers as JSON", ask<Request::save_json>},
    {"save-perfetto", "", /*say*/ "Save the trace for Perfetto", ask<Request::save_perfetto>},
    {"first", "", /*say*/ "To the first view: the race, and doors to all else",
     [](Model) { return Edits{OpenFirst{}}; }},
    {"palette", "Ctrl+K /", /*say*/ "Find anything by its name", [](Model m) { return open(m, Overlay::palette); }},
    {"help", "?", /*say*/ "These keys", [](Model m) { return open(m, Overlay::help); }},
    {"close", "Escape", /*say*/ "Close what is in front", close},
};

template <std::size_t n>
Action view_action() {
  constexpr CenterView view = center_views[n];
  return {view.name, view.key, view.sentence,
          [](Model m) { return look(m, [](Look& l) { show_center(l, static_cast<Center>(n)); }); }};
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

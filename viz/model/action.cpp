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

using Model = ViewModel&;

constexpr std::array<double, 7> speeds = {0.25, 0.5, 1, 2, 4, 8, 16};

/// Moves to the next faster or slower speed; stays at the ends.
void change_speed(Model model, int direction) {
  const double now = model.speed();
  double next = now;
  for (const double speed : speeds) {
    if (direction > 0 && speed > now) return model.set_speed(speed);
    if (direction < 0 && speed < now) next = speed;
  }
  model.set_speed(next);
}

void change_unit(Model model, int direction) {
  const int next = static_cast<int>(model.look.unit) + direction;
  model.look.unit = static_cast<Step>(std::clamp(next, 0, static_cast<int>(Step::kernel)));
}

void go_to(Model model, sim::Cycles time) {
  model.play(false);
  if (model.plays_run()) return model.seek_run(time > sim::Cycles{} ? model.run_end() : 0);
  model.seek(time);
}

void open(Model model, Overlay overlay) {
  model.look.overlay = model.look.overlay == overlay ? Overlay::none : overlay;
  model.palette.typed.clear();
  model.palette.chosen = 0;
}

/// Compares with standard attention, or standard attention with FlashAttention-2; ends a comparison in progress.
void compare(Model model) {
  if (model.subjects() > 1) {
    model.compare_with("");
    return;
  }
  const std::string_view standard = sim::programs::standard.name;
  const bool is_standard = model.subject(0).scenario().algorithm == standard;
  model.add_peer({{"algorithm", is_standard ? sim::Scenario{}.algorithm : std::string(standard)}});
}

/// The selected span, or all of the CTA if there is none.
TimeSpan span_of(Model model) { return model.look.span.value_or(TimeSpan{{}, model.replay().index.end()}); }

/// Selects a span with one edge at the playhead. An edge moved past the other resets that one to its end of the CTA.
void select_span(Model model, TimeSpan span) {
  const bool from_moved = span.from == model.time();
  if (span.from >= span.to && from_moved) span.to = model.replay().index.end();
  if (span.from >= span.to) span.from = {};
  if (span.from < span.to) model.look.span = span;
}

/// True if the microscope fills the window: arrow keys then move along its row, and from row to row.
bool in_microscope(const ViewModel& model) {
  return model.look.center == Center::microscope && fills_window(model.look, false);
}

void next_row(Model model, int direction) { show_query(model, shown_row(model).query + direction); }

/// Placeholder in the table below for the actions that show the middle views.
constexpr Action show_view = {"", "", "", nullptr};

constexpr Action table[] = {
    {"play", "Space", /*say*/ "Play or pause", [](Model m) { m.play(!m.playing()); }},
    {"step-back", "Left", /*say*/ "One step back",
     [](Model m) { in_microscope(m) ? step_row(m, -1) : m.step(m.look.unit, -1); }},
    {"step", "Right", /*say*/ "One step on",
     [](Model m) { in_microscope(m) ? step_row(m, 1) : m.step(m.look.unit, 1); }},
    {"smaller-step", "Down", /*say*/ "Smaller steps",
     [](Model m) { in_microscope(m) ? next_row(m, 1) : change_unit(m, -1); }},
    {"larger-step", "Up", /*say*/ "Larger steps",
     [](Model m) { in_microscope(m) ? next_row(m, -1) : change_unit(m, 1); }},
    {"row-block-back", "Shift+Left", /*say*/ "One row block back", [](Model m) { m.step(Step::row_block, -1); }},
    {"row-block", "Shift+Right", /*say*/ "One row block on", [](Model m) { m.step(Step::row_block, 1); }},
    {"cta-back", "Ctrl+Left", /*say*/ "One CTA back", [](Model m) { m.step(Step::cta, -1); }},
    {"cta", "Ctrl+Right", /*say*/ "One CTA on", [](Model m) { m.step(Step::cta, 1); }},
    {"to-start", "Home", /*say*/ "To the start of the CTA", [](Model m) { go_to(m, {}); }},
    {"to-end", "End", /*say*/ "To the end of the CTA", [](Model m) { go_to(m, m.replay().index.end()); }},
    {"slower", "-", /*say*/ "Slower", [](Model m) { change_speed(m, -1); }},
    {"faster", "+ =", /*say*/ "Faster", [](Model m) { change_speed(m, 1); }},
    {"loop", "L", /*say*/ "Play the same step again and again", [](Model m) { m.look.loop = !m.look.loop; }},
    {"still", "S", /*say*/ "Playback without animation", [](Model m) { m.look.still = !m.look.still; }},
    {"bookmark", "B", /*say*/ "Set or remove a bookmark here", [](Model m) { m.toggle_bookmark(); }},
    {"next-bookmark", "N", /*say*/ "To the next bookmark", [](Model m) { m.go_to_bookmark(1); }},
    {"previous-bookmark", "P", /*say*/ "To the previous bookmark", [](Model m) { m.go_to_bookmark(-1); }},
    {"fit", "F", /*say*/ "The timeline as it was in the beginning",
     [](Model m) {
       m.look.zoom = 0;
       m.look.timeline = TimelineOf::cta;
     }},
    {"grid", "G", /*say*/ "One CTA, or all SMs, on the timeline",
     [](Model m) { m.look.timeline = m.look.timeline == TimelineOf::grid ? TimelineOf::cta : TimelineOf::grid; }},
    {"drag", "V", /*say*/ "Dragging over the lanes moves them, or selects",
     [](Model m) { m.look.drag_selects = !m.look.drag_selects; }},
    {"select-from", "[", /*say*/ "Select from here on",
     [](Model m) {
       select_span(m, {m.time(), span_of(m).to});
     }},
    {"select-to", "]", /*say*/ "Select up to here",
     [](Model m) {
       select_span(m, {span_of(m).from, m.time()});
     }},
    {"next-cause", "K", /*say*/ "Highlight the next cause of time on the timeline", light_next},
    {"fewer-keys", ",", /*say*/ "Half as many keys, N", [](Model m) { scale_keys(m, false); }},
    {"more-keys", ".", /*say*/ "Twice as many keys, N", [](Model m) { scale_keys(m, true); }},
    {"less-sram", "<", /*say*/ "Less SRAM for a CTA", [](Model m) { step_sram(m, false); }},
    {"more-sram", ">", /*say*/ "More SRAM for a CTA", [](Model m) { step_sram(m, true); }},
    show_view,
    {"pattern", "E", /*say*/ "Paint the pattern of blocks", [](Model m) { open(m, Overlay::pattern); }},
    {"device", "", /*say*/ "A GPU like this one, but for some fields", [](Model m) { open(m, Overlay::device); }},
    {"source", "", /*say*/ "The listing as equations or as C++", [](Model m) { m.look.source = !m.look.source; }},
    {"why", "W", /*say*/ "Explain the predicted time",
     [](Model m) { m.look.selection = m.look.selection.empty() ? "time.microseconds" : ""; }},
    {"compare", "C", /*say*/ "Compare with standard attention", compare},
    {"race", "R", /*say*/ "Play the whole run, or one CTA",
     [](Model m) { m.look.play = m.plays_run() ? Play::cta : Play::run; }},
    {"theme", "T", /*say*/ "Dark or light",
     [](Model m) { m.look.theme = m.look.theme == Theme::dark ? Theme::light : Theme::dark; }},
    {"language", "", /*say*/ "English or Chinese",
     [](Model m) { m.look.language = m.look.language == Language::en ? Language::zh : Language::en; }},
    {"undo", "Ctrl+Z", /*say*/ "Undo the last change of the scenario", [](Model m) { m.undo(); }},
    {"redo", "Ctrl+Y", /*say*/ "Do it again", [](Model m) { m.redo(); }},
    {"copy-link", "", /*say*/ "Copy a link to this view", [](Model m) { m.requests.push_back(Request::copy_link); }},
    {"save-png", "", /*say*/ "Save the picture as PNG", [](Model m) { m.requests.push_back(Request::save_png); }},
    {"save-csv", "", /*say*/ "Save the numbers as CSV", [](Model m) { m.requests.push_back(Request::save_csv); }},
    {"save-json", "", /*say*/ "Save the numbers as JSON", [](Model m) { m.requests.push_back(Request::save_json); }},
    {"save-perfetto", "", /*say*/ "Save the trace for Perfetto",
     [](Model m) { m.requests.push_back(Request::save_perfetto); }},
    {"palette", "Ctrl+K /", /*say*/ "Find anything by its name", [](Model m) { open(m, Overlay::palette); }},
    {"help", "?", /*say*/ "These keys", [](Model m) { open(m, Overlay::help); }},
    {"close", "Escape", /*say*/ "Close what is in front",
     [](Model m) {
       if (m.look.overlay != Overlay::none) return void(m.look.overlay = Overlay::none);
       if (m.look.options) return void(m.look.options = false);
       if (m.look.playback) return void(m.look.playback = false);
       if (!m.look.selection.empty()) return m.look.selection.clear();
       if (!m.look.cause.empty()) return m.look.cause.clear();
       if (m.look.span) return m.look.span.reset();
       if (in_microscope(m)) m.look.row = Look{}.row;
     }},
};

template <std::size_t n>
Action view_action() {
  constexpr CenterView view = center_views[n];
  return {view.name, view.key, view.sentence, [](Model m) { show_center(m.look, static_cast<Center>(n)); }};
}

template <std::size_t... n>
std::vector<Action> with_views(std::index_sequence<n...>) {
  std::vector<Action> all;
  for (const Action& action : table) {
    if (action.run != nullptr) all.push_back(action);
    if (action.run == nullptr) (all.push_back(view_action<n>()), ...);
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

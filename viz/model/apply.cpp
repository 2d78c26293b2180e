// Applies edits: what panels change goes through here.
#include <algorithm>
#include <cmath>
#include <utility>

#include "viz/model/action.h"
#include "viz/model/causes.h"
#include "viz/model/first_view.h"
#include "viz/model/lesson/lesson.h"
#include "viz/model/microscope.h"
#include "viz/model/numbers.h"
#include "viz/model/painting.h"

namespace explorer {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

/// The earliest event of a line at a time or later, or only later.
const sim::Event* first_of_line(const Replay& replay, int line, sim::Cycles time, bool or_at) {
  const sim::Event* first = nullptr;
  for (const sim::Event& event : replay.trace.events) {
    const bool later = or_at ? event.begin >= time : event.begin > time;
    if (event.line == line && later && (first == nullptr || event.begin < first->begin)) first = &event;
  }
  return first;
}

void seek_line(Model& model, const std::string& where) {
  const std::size_t colon = where.find(':');
  const auto& launches = model.world.run().simulation.plan.launches;
  for (std::size_t k = 0; k < launches.size(); ++k) {
    if (launches[k].name != where.substr(0, colon)) continue;
    if (model.world.replay().kernel != k) model.look_at(k, model.world.replay().place);
    const int line = std::atoi(where.c_str() + colon + 1);
    if (const sim::Event* event = first_of_line(model.world.replay(), line, {}, true)) model.seek(event->begin);
    return;
  }
}

void seek_again(Model& model) {
  const std::int32_t here = model.world.replay().index.current(model.world.time());
  if (here < 0) return;
  const int line = model.world.replay().trace.events[static_cast<std::size_t>(here)].line;
  if (const sim::Event* event = first_of_line(model.world.replay(), line, model.world.time(), false))
    model.seek(event->begin);
}

void seek_tile(Model& model, const SeekTile& to) {
  const auto& visits = model.world.replay().index.visits();
  const auto found = std::find_if(visits.begin(), visits.end(),
                                  [&](const Visit& visit) { return visit.row == to.row && visit.col == to.col; });
  if (found != visits.end()) model.seek(found->begin);
}

void seek_share(Model& model, double share) {
  model.seek(sim::Cycles(std::llround(share * static_cast<double>(model.world.replay().index.end().count()))));
}

void light(Model& model, const LightUp& up) {
  for (const sim::Cause cause : sim::all_causes) {
    if (sim::key_of(cause) == up.cause) light_up(model, up.subject, cause);
  }
}

void move_brush(Model& model, const MoveBrush& move) {
  if (move.shows) paint(model, model.state.brush.block, move.to, *move.shows);
  model.state.brush.block = move.to;
}

/// Sets a field as a link does; the text of its default always resets it.
void set_look(Look& look, const SetLook& to) {
  const LookField& field = look_field(to.field);
  if (to.value != field.text(Look{})) {
    sim::require(field.set(look, to.value), "look: ", to.field, " = \"", to.value, "\" is not one of ", field.values);
    return;
  }
  Look next;
  for (const LookField& other : look_fields()) {
    if (other.name != to.field && other.text(look) != other.text(next)) other.set(next, other.text(look));
  }
  look = std::move(next);
}

}  // namespace

Edits edits_between(const Look& from, const Look& to) {
  Edits edits;
  for (const LookField& field : look_fields()) {
    if (field.text(from) != field.text(to)) edits.push_back(SetLook{std::string(field.name), field.text(to)});
  }
  return edits;
}

Compare compare_with_algorithm(const State& state, std::string_view algorithm) {
  Compare all{state.changes};
  all.changes.push_back({{"algorithm", std::string(algorithm)}});
  return all;
}

Compare without_run(const State& state, std::size_t subject) {
  Compare rest{state.changes};
  rest.changes.erase(rest.changes.begin() + static_cast<std::ptrdiff_t>(subject) - 1);
  return rest;
}

void Model::apply(const Edit& edit) {
  const auto show = [&](const SetLook& to) {
    set_look(state.look, to);
    if (to.field == "sync") world.move_to(world.time(), state.look.sync);
    if (to.field != "center" || state.look.center != Center::roles) return;
    const std::size_t kernel = kernel_with_roles(world.run().simulation, world.replay().kernel);
    if (kernel != world.replay().kernel) look_at(kernel, {});
  };
  std::visit(Overloaded{
                 [&](const SetOptions& to) { change_options(to.changes, to.subject); },
                 [&](const SetNumber& to) { change_number(*this, to.option, to.text, to.drags); },
                 [&](const EndDrag&) { history_.end_drag(); },
                 [&](const Undo&) { undo(); },
                 [&](const Redo&) { redo(); },
                 [&](const Compare& to) { compare(to.changes); },
                 [&](const LookAt& at) { look_at(at.kernel, at.cta); },
                 [&](const Seek& to) { seek_subject(to.subject, to.time); },
                 [&](const SeekShare& to) { seek_share(*this, to.share); },
                 [&](const SeekRun& to) { seek_run(to.microseconds); },
                 [&](const SeekTile& to) { seek_tile(*this, to); },
                 [&](const SeekLine& to) { seek_line(*this, to.line); },
                 [&](const SeekAgain&) { seek_again(*this); },
                 [&](const SeekStage& to) {
                   go_to_stop(*this, {to.tile, static_cast<RowStage>(to.stage)});
                 },
                 [&](const StepBy& by) { step(by.unit, by.direction); },
                 [&](const StepRow& by) { step_row(*this, by.direction); },
                 [&](const ToggleBookmark&) { toggle_bookmark(); },
                 [&](const GoToBookmark& to) { go_to_bookmark(to.direction); },
                 [&](const ShowQuery& to) { show_query(*this, to.query); },
                 [&](const ShowHead& to) { show_head(*this, to.head); },
                 [&](const PlayOn& to) { play(to.on); },
                 [&](const SetSpeed& to) { set_speed(to.speed); },
                 show,
                 [&](const LightUp& up) { light(*this, up); },
                 [&](const ChooseText& to) { choose_text(*this, to.text); },
                 [&](const Act& of) { apply(action(of.action).edits(*this)); },
                 [&](const Follow& to) { go_to_link(*this, to.link); },
                 [&](const OpenFirst&) { open_first(*this, state.look.first ? state.first_view.behind : link()); },
                 [&](const RememberLast& at) { state.first_view.behind = at.link; },
                 [&](const LeaveFirst&) { leave_first(*this); },
                 [&](const BeginStroke& at) { begin_stroke(*this, at.at); },
                 [&](const Stroke& to) { go_on_with_stroke(*this, to.to); },
                 [&](const EndStroke&) { state.brush.stroke.reset(); },
                 [&](const MoveBrush& to) { move_brush(*this, to); },
                 [&](const TypeInPalette& to) {
                   state.palette = {to.text, to.chosen};
                 },
                 [&](const Draft& of) { state.lesson.draft = of.options; },
                 [&](const TurnPage& to) { state.lesson.part = to.part; },
                 [&](const DrawUp& to) { state.lesson.drawn_up = to.up; },
                 [&](const FetchAgain& of) { classroom.missed.erase(of.pack); },
                 [&](const HandOut&) { classroom.handed_out = true; },
                 [&](const Ask& of) { requests.push_back(of.request); },
                 [&](const Tell& of) { notice = of.notice; },
                 [&](const DismissErrors&) { link_errors.clear(); },
                 [&](const auto& of_lesson) { apply_in_lesson(*this, of_lesson); },
             },
             edit);
}

void Model::apply(const Edits& all) {
  for (const Edit& edit : all) apply(edit);
}

void Model::apply_edits() {
  apply(std::exchange(edits, {}));
  leave_race();
}

}  // namespace explorer

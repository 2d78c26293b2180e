#include "viz/model/model.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/programs/recorded/recording.h"
#include "viz/model/center_view.h"
#include "viz/model/comparison.h"

namespace explorer {

Model::Model(sim::GpuLookup gpu, sim::OptionValues first) : world(std::move(gpu)), history_{std::move(first)} {
  rebuild();
}

void Model::change_options(const sim::OptionValues& changes, std::size_t subject) {
  sim::OptionValues next = subject == 0 ? state.options : state.changes.at(subject - 1);
  for (const auto& [name, value] : changes) {
    if (value.empty())
      next.erase(name);
    else
      next[name] = value;
  }
  if (next.count("seqlens") == 0) next.erase("issue");  // an order of its lines
  if (changes.count("seqlens") > 0 && next.count("seqlens") > 0) {
    show_center(state.look, Center::batch);
    state.look.run_time = std::numeric_limits<double>::max();  // its end
  }
  if (changes.count("algorithm") + changes.count("seqlens") > 0) next = sim::without_others(std::move(next));
  if (subject == 0) return change(std::move(next));
  state.changes[subject - 1] = std::move(next);
  rebuild_compared();
}

void Model::open_program(const std::string& text, const std::string& called) {
  const auto program = sim::parse_program(text, called);
  sim::load_program(program);
  sim::OptionValues next = state.options;
  next["algorithm"] = program->name;
  history_.add(sim::without_others(std::move(next)));
  rebuild();
}

void Model::drag_option(const std::string& name, const std::string& value) {
  if (history_.drag(name, value)) rebuild();
}

void Model::change(sim::OptionValues next) {
  if (history_.add(std::move(next))) rebuild();
}

void Model::undo() {
  if (!can_undo()) return;
  history_.undo();
  rebuild();
}

void Model::redo() {
  if (!can_redo()) return;
  history_.redo();
  rebuild();
}

/// Simulates the current options. If they are impossible together, the world keeps the last possible run.
void Model::rebuild() {
  double& run_time = state.look.run_time;
  const bool over = world.has_run() && run_time > 0 && run_time >= world.run_end();
  state.options = history_.now();
  playhead_.set_clip({});
  if (!world.simulate(state)) return;
  run_time = over ? world.run_end() : std::min(run_time, world.run_end());  // stays at the end
  world.move_to(state.place.time, state.look.sync);
  settle();
}

/// Rebuilds the compared runs, and the first run too if there is a pattern: it uses the tiles of one of them.
void Model::rebuild_compared() {
  if (state.options.contains("pattern")) rebuild();
  if (!state.options.contains("pattern") || !world.error().empty()) simulate_peers();
}

void Model::simulate_peers() {
  world.simulate_peers(state);
  state.look.run_time = std::min(state.look.run_time, world.run_end());
  settle();
}

void Model::compare(std::vector<sim::OptionValues> changes) {
  state.changes = std::move(changes);
  state.changes.resize(std::min(state.changes.size(), most_subjects - 1));
  rebuild_compared();
}

/// Takes the place that the world has replayed. During a preview the time stays the one wanted in the whole replay.
void Model::settle() {
  state.place.kernel = world.replay().kernel;
  state.place.place = world.replay().place;
  if (!world.previewing()) state.place.time = world.time();
}

void Model::replay_whole() {
  world.replay_whole(state);
  settle();
}

void Model::leave_race() {
  world.leave_race(state);
  settle();
}

bool Model::advance() {
  const bool more = world.advance(state);
  settle();
  return more;
}

void Model::seek(sim::Cycles time) {
  replay_whole();
  state.place.time = time;
  world.move_to(time, state.look.sync);
  settle();
}

void Model::seek_subject(std::size_t subject, sim::Cycles time) {
  if (subject == 0) return seek(time);
  replay_whole();
  if (const auto to = world.go_along(subject, time, state.look.sync)) seek(*to);
}

void Model::seek_run(double microseconds) { state.look.run_time = std::clamp(microseconds, 0., world.run_end()); }

void Model::look_at(std::size_t kernel, sim::CtaPlace place) {
  replay_whole();
  if (world.look_at(state, kernel, place)) playhead_.set_clip({});
  settle();
}

}  // namespace explorer

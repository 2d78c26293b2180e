#include "viz/model/view_model.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/programs/recorded/recording.h"
#include "viz/model/center_view.h"

namespace explorer {
namespace {

constexpr double most_at_once = 16e3, most_previewed = 1 << 21;  // events of a CTA: replayed in about 10 ms; rejected

}  // namespace

ViewModel::ViewModel(sim::GpuLookup gpu, sim::OptionValues first) : gpu_(std::move(gpu)), history_{std::move(first)} {
  rebuild();
}

void ViewModel::set_option(const std::string& name, const std::string& value) { change_options({{name, value}}); }

void ViewModel::change_options(const sim::OptionValues& changes, std::size_t subject) {
  sim::OptionValues next = subject == 0 ? options() : changes_.at(subject - 1);
  for (const auto& [name, value] : changes) {
    if (value.empty())
      next.erase(name);
    else
      next[name] = value;
  }
  if (next.count("seqlens") == 0) next.erase("issue");  // an order of its lines
  if (changes.count("seqlens") > 0 && next.count("seqlens") > 0) {
    show_center(look, Center::batch);
    look.run_time = std::numeric_limits<double>::max();  // its end
  }
  if (changes.count("algorithm") + changes.count("seqlens") > 0) next = sim::without_others(std::move(next));
  if (subject == 0) return change(std::move(next));
  changes_[subject - 1] = std::move(next);
  rebuild_compared();
}

void ViewModel::reset_option(const std::string& name) { change_options({{name, ""}}); }

void ViewModel::open_program(const std::string& text, const std::string& called) {
  const auto program = sim::parse_program(text, called);
  sim::load_program(program);
  sim::OptionValues next = options();
  next["algorithm"] = program->name;
  history_.add(sim::without_others(std::move(next)));
  rebuild();
}

void ViewModel::drag_option(const std::string& name, const std::string& value) {
  if (history_.drag(name, value)) rebuild();
}

void ViewModel::change(sim::OptionValues next) {
  if (history_.add(std::move(next))) rebuild();
}

void ViewModel::undo() {
  if (!can_undo()) return;
  history_.undo();
  rebuild();
}

void ViewModel::redo() {
  if (!can_redo()) return;
  history_.redo();
  rebuild();
}

/// Simulates the current options. If they are impossible together, keeps the last possible run.
void ViewModel::rebuild() {
  const bool over = main_.run != nullptr && run_time() > 0 && run_time() >= run_end();
  main_.error = {};
  playhead_.set_clip({});
  try {
    const auto scenario = scenarios_of(options(), changes_, gpu_).front();
    auto run = make_run(scenario ? *scenario : sim::scenario_from(options(), gpu_));
    const std::size_t kernel =
        std::min(main_.replay ? main_.replay->kernel : 0, run->simulation.plan.launches.size() - 1);
    const double events = sim::events_of_cta(run->simulation, kernel);
    const bool ragged = run->simulation.plan.classes != nullptr;
    const bool replayable = events < most_previewed || ragged || shows_no_moment(look);
    const bool preview = races() || ((changes_.empty() || ragged) && events > most_at_once && replayable);
    auto replay = (preview ? make_preview : make_replay)(run->simulation, kernel,
                                                         main_.replay ? main_.replay->place : sim::CtaPlace{});
    main_.run = std::move(run);
    main_.clock = std::make_shared<RaceRun>(main_.run);
    main_.replay = std::move(replay);
    main_.options = options();
    if (!previewing_) wanted_ = main_.time;
    previewing_ = changed_ = preview;
    raced_ = races();
    if (over) look.run_time = std::numeric_limits<double>::max();  // stays at the end
    rebuild_peers();
    move_to(wanted_);
  } catch (const sim::Error& error) {
    main_.error = error.sentence();
  }
}

/// True if the preview suffices: no panel shows a CTA of a race or of a ragged batch.
bool ViewModel::keeps_preview() const { return shows_no_moment(look) || main_.is_ragged() || races(); }

void ViewModel::leave_race() {
  if (raced_ && !races()) replay_whole();
}

void ViewModel::replay_whole() {
  if (!previewing_ || keeps_preview()) return;
  previewing_ = false;  // even if the whole is rejected: preview and error stay
  try {
    main_.replay = make_replay(main_.run->simulation, main_.replay->kernel, main_.replay->place);
  } catch (const sim::Error& error) {
    main_.error = error.sentence();
  }
  raced_ = false;
  rebuild_chains();
  move_to(wanted_);
}

bool ViewModel::advance() {
  leave_race();
  if (!previewing_ || keeps_preview()) return tasks.advance();
  if (!std::exchange(changed_, false)) replay_whole();
  return true;
}

void ViewModel::move_to(sim::Cycles time) {
  main_.time = std::clamp(time, sim::Cycles{}, main_.replay->index.end());
  follow_first();
}

void ViewModel::seek(sim::Cycles time) {
  replay_whole();
  if (previewing_) wanted_ = time;
  move_to(time);
}

void ViewModel::look_at(std::size_t kernel, sim::CtaPlace place) {
  replay_whole();
  try {
    const bool there = kernel == main_.replay->kernel && place_text(place) == place_text(main_.replay->place);
    if (!there) {
      main_.replay = make_replay(main_.run->simulation, kernel, place);
      playhead_.set_clip({});
    }
    if (main_.options == options()) main_.error = {};  // impossible options keep their error
  } catch (const sim::Error& error) {                  // too many events to keep
    main_.error = error.sentence();
  }
  rebuild_chains();
  move_to(main_.time);
}

}  // namespace explorer

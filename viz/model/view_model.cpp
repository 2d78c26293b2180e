#include "viz/model/view_model.h"

#include <algorithm>

namespace explorer {
namespace {

constexpr std::size_t most_versions = 1000;

}  // namespace

ViewModel::ViewModel(sim::GpuLookup gpu) : gpu_(std::move(gpu)), history_(1) { rebuild(); }

void ViewModel::set_option(const std::string& name, const std::string& value) {
  sim::OptionValues next = options();
  next[name] = value;
  change(std::move(next));
}

void ViewModel::change_options(const sim::OptionValues& changes, std::size_t subject) {
  sim::OptionValues next = subject == 0 ? options() : changes_.at(subject - 1);
  for (const auto& [name, value] : changes) {
    if (value.empty())
      next.erase(name);
    else
      next[name] = value;
  }
  if (subject == 0) return change(std::move(next));
  changes_[subject - 1] = std::move(next);
  rebuild_peers();
}

void ViewModel::reset_option(const std::string& name) {
  sim::OptionValues next = options();
  next.erase(name);
  change(std::move(next));
}

void ViewModel::drag_option(const std::string& name, const std::string& value) {
  if (dragged_ == name && version_ + 1 == history_.size()) {
    history_[version_][name] = value;
    return rebuild();
  }
  set_option(name, value);
  dragged_ = name;
}

void ViewModel::change(sim::OptionValues next) {
  dragged_.clear();
  if (next == options()) return;
  history_.resize(version_ + 1);
  history_.push_back(std::move(next));
  if (history_.size() > most_versions) history_.erase(history_.begin());
  version_ = history_.size() - 1;
  rebuild();
}

void ViewModel::undo() {
  if (!can_undo()) return;
  dragged_.clear();
  --version_;
  rebuild();
}

void ViewModel::redo() {
  if (!can_redo()) return;
  ++version_;
  rebuild();
}

/// Keeps the last possible run when the options are impossible together.
void ViewModel::rebuild() {
  main_.error.clear();
  try {
    auto run = make_run(sim::scenario_from(options(), gpu_));
    auto replay = make_replay(run->simulation, main_.replay ? main_.replay->kernel : 0,
                              main_.replay ? main_.replay->place : sim::CtaPlace{});
    main_.run = std::move(run);
    main_.replay = std::move(replay);
    main_.options = options();
    rebuild_peers();
    seek(main_.time);
  } catch (const sim::Error& error) {
    main_.error = error.what();
  }
}

void ViewModel::seek(sim::Cycles time) {
  main_.time = std::clamp(time, sim::Cycles{}, main_.replay->index.end());
  follow_first();
}

void ViewModel::look_at(std::size_t kernel, sim::CtaPlace place) {
  try {
    const bool there = kernel == main_.replay->kernel && place_text(place) == place_text(main_.replay->place);
    if (!there) main_.replay = make_replay(main_.run->simulation, kernel, place);
    if (main_.options == options()) main_.error.clear();  // impossible options stay so
  } catch (const sim::Error& error) {                     // too many events to keep
    main_.error = error.what();
  }
  rebuild_chains();
  seek(main_.time);
}

}  // namespace explorer

#include "viz/model/view_model.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace explorer {
namespace {

constexpr std::size_t most_versions = 1000;
constexpr double microseconds_per_second = 1;  // of the GPU per second of the viewer, at speed 1
constexpr double slowest = 0.01, fastest = 100;

TraceIndex::Unit unit_of(Step step) {
  switch (step) {
    case Step::event:
      return TraceIndex::Unit::event;
    case Step::line:
      return TraceIndex::Unit::line;
    case Step::tile:
      return TraceIndex::Unit::tile;
    default:
      return TraceIndex::Unit::row_block;
  }
}

/// CTAs of a head before CTAs of the next, as they are issued. False at either end of the grid.
bool advance(sim::CtaPlace& place, const sim::CtaPlace& size, int direction) {
  const std::array<std::pair<std::int64_t*, std::int64_t>, 4> digits = {
      {{&place.col, size.col}, {&place.row, size.row}, {&place.head, size.head}, {&place.batch, size.batch}}};
  for (const auto& [digit, count] : digits) {
    *digit += direction;
    if (*digit >= 0 && *digit < count) return true;
    *digit = direction > 0 ? 0 : count - 1;
  }
  return false;
}

}  // namespace

ViewModel::ViewModel(sim::GpuLookup gpu) : gpu_(std::move(gpu)), history_(1) { rebuild(); }

void ViewModel::set_option(const std::string& name, const std::string& value) {
  sim::OptionValues next = options();
  next[name] = value;
  change(std::move(next));
}

void ViewModel::reset_option(const std::string& name) {
  sim::OptionValues next = options();
  next.erase(name);
  change(std::move(next));
}

void ViewModel::change(sim::OptionValues next) {
  if (next == options()) return;
  history_.resize(version_ + 1);
  history_.push_back(std::move(next));
  if (history_.size() > most_versions) history_.erase(history_.begin());
  version_ = history_.size() - 1;
  rebuild();
}

void ViewModel::undo() {
  if (!can_undo()) return;
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
    seek(main_.time);
  } catch (const sim::Error& error) {
    main_.error = error.what();
  }
}

void ViewModel::seek(sim::Cycles time) { main_.time = std::clamp(time, sim::Cycles{}, main_.replay->index.end()); }

void ViewModel::look_at(std::size_t kernel, sim::CtaPlace place) {
  try {
    main_.replay = make_replay(main_.run->simulation, kernel, place);
    if (main_.options == options()) main_.error.clear();  // else the scenario is still impossible
  } catch (const sim::Error& error) {  // too many events to keep
    main_.error = error.what();
  }
  seek(main_.time);
}

bool ViewModel::next_cta(int direction) {
  sim::CtaPlace place = main_.replay->place;
  std::size_t kernel = main_.replay->kernel;
  if (!advance(place, grid_of(main_.run->simulation, kernel), direction)) {
    if (direction > 0 ? kernel + 1 == main_.run->simulation.plan.launches.size() : kernel == 0) return false;
    kernel += direction > 0 ? 1 : static_cast<std::size_t>(-1);
    const sim::CtaPlace size = grid_of(main_.run->simulation, kernel);
    place = direction > 0 ? sim::CtaPlace{} : sim::CtaPlace{size.batch - 1, size.head - 1, size.row - 1, size.col - 1};
  }
  look_at(kernel, place);
  seek(direction > 0 ? sim::Cycles{} : main_.replay->index.end());
  return true;
}

void ViewModel::step(Step unit, int direction) {
  playing_ = false;
  if (unit == Step::kernel) {
    const std::size_t kernels = main_.run->simulation.plan.launches.size();
    const std::size_t kernel = main_.replay->kernel + (direction > 0 ? 1 : static_cast<std::size_t>(-1));
    if (kernel < kernels) look_at(kernel, {});
    return seek({});
  }
  if (unit == Step::cta) {
    if (next_cta(direction)) seek({});
    return;
  }
  const auto& stops = main_.replay->index.stops(unit_of(unit));
  if (direction > 0) {
    const auto next = std::upper_bound(stops.begin(), stops.end(), main_.time);
    if (next != stops.end()) return seek(*next);
  } else {
    const auto here = std::lower_bound(stops.begin(), stops.end(), main_.time);
    if (here != stops.begin()) return seek(*std::prev(here));
  }
  next_cta(direction);
}

void ViewModel::set_speed(double speed) {
  if (std::isfinite(speed)) speed_ = std::clamp(speed, slowest, fastest);
}

bool ViewModel::tick(double seconds) {
  if (!playing_ || !(seconds > 0)) return false;
  const auto hertz = static_cast<double>(main_.run->simulation.plan.scenario.gpu->clock_hz);
  const double ticks = std::min(seconds, 1.0) * speed_ * microseconds_per_second * 1e-6 * hertz *
                       static_cast<double>(sim::ticks_per_cycle);
  if (main_.time >= main_.replay->index.end() && !next_cta(1)) return playing_ = false;
  seek(main_.time + sim::Cycles(std::max<std::int64_t>(1, static_cast<std::int64_t>(ticks))));
  return true;
}

}  // namespace explorer

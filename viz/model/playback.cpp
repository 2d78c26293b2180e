// The playhead: steps, playback and bookmarks.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "viz/model/first_view.h"

namespace explorer {
namespace {

constexpr double run_steps = 100;  // per whole run

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

/// Moves to the next CTA in issue order: all CTAs of a head before the next head. False at either end of the grid.
bool next_place(sim::CtaPlace& place, const sim::CtaPlace& size, int direction) {
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

/// Returns the times at which a step stops: of events, those of the selected role, one for each softmax of a tile.
const std::vector<sim::Cycles>& ViewModel::stops_of(Step unit) const {
  const RoleTrace& roles = main_.replay->roles;
  if (unit != Step::event || roles.empty()) return main_.replay->index.stops(unit_of(unit));
  return look.role < 0 ? roles.stops() : roles.stops(static_cast<std::size_t>(look.role));
}

bool ViewModel::next_cta(int direction) {
  if (chain_) return next_in_chain(direction);
  sim::CtaPlace place = main_.replay->place;
  std::size_t kernel = main_.replay->kernel;
  if (!next_place(place, grid_of(main_.run->simulation, kernel), direction)) {
    if (direction > 0 ? kernel + 1 == main_.run->simulation.plan.launches.size() : kernel == 0) return false;
    kernel += direction > 0 ? 1 : static_cast<std::size_t>(-1);
    const sim::CtaPlace size = grid_of(main_.run->simulation, kernel);
    place = direction > 0 ? sim::CtaPlace{} : sim::CtaPlace{size.batch - 1, size.head - 1, size.row - 1, size.col - 1};
  }
  look_at(kernel, place);
  seek(direction > 0 ? sim::Cycles{} : main_.replay->index.end());
  return true;
}

/// Moves by one unit. False at either end of the run.
bool ViewModel::move(Step unit, int direction) {
  replay_whole();
  if (unit == Step::kernel) {
    const std::size_t kernel = main_.replay->kernel + (direction > 0 ? 1 : static_cast<std::size_t>(-1));
    const bool exists = kernel < main_.run->simulation.plan.launches.size();
    if (exists) look_at(kernel, {});
    seek({});
    return exists;
  }
  if (unit == Step::cta) {
    if (!next_cta(direction)) return false;
    seek({});
    return true;
  }
  const auto& stops = stops_of(unit);
  if (direction > 0) {
    const auto next = std::upper_bound(stops.begin(), stops.end(), main_.time);
    if (next != stops.end()) return seek(*next), true;
  } else {
    const auto here = std::lower_bound(stops.begin(), stops.end(), main_.time);
    if (here != stops.begin()) return seek(*std::prev(here)), true;
  }
  return next_cta(direction);
}

/// The playhead: cycles in the CTA, or microseconds if whole runs play.
double ViewModel::clock() const {
  return plays_run() ? run_time() : static_cast<double>(main_.time.count()) / static_cast<double>(sim::ticks_per_cycle);
}

void ViewModel::set_clock(double time) {
  if (plays_run()) return seek_run(time);
  seek(sim::Cycles(std::llround(time * static_cast<double>(sim::ticks_per_cycle))));
}

void ViewModel::play(bool on) {
  if (!on) return void(playhead_.stop());
  const bool rewinds = playhead_.start(clock(), plays_run());
  if (!rewinds && plays_run() && run_time() >= run_end()) seek_run(0);
}

void ViewModel::play_clip(double from) {
  replay_whole();
  if (from >= clock()) return;
  playhead_.set_clip(Clip{from, clock(), plays_run()});
  play(true);
}

void ViewModel::step(Step unit, int direction) {
  playhead_.stop();
  if (plays_run()) return seek_run(run_time() + direction * run_end() / run_steps);
  move(unit, direction);
}

std::pair<sim::Cycles, sim::Cycles> ViewModel::around(Step unit) const {
  if (unit == Step::cta || unit == Step::kernel) return {sim::Cycles{}, main_.replay->index.end()};
  const auto& stops = stops_of(unit);
  auto next = std::upper_bound(stops.begin(), stops.end(), main_.time);
  if (next == stops.end()) --next;  // the playhead is at the end
  return {next == stops.begin() ? *next : *std::prev(next), *next};
}

double ViewModel::pace() const {
  const double tiles = static_cast<double>(main_.replay->index.visits().size());
  return main_.replayed(main_.replay->index.end()) / (tiles > 0 ? tiles : 4);
}

bool ViewModel::play_in_steps(double seconds, Step step) {
  for (int due = playhead_.steps_due(seconds); due > 0; --due) {
    if (!move(step, 1)) return playhead_.stop();
  }
  return true;
}

bool ViewModel::play_run(double seconds) {
  if (run_time() >= run_end() && !look.loop) {
    if (!look.first || !first_view.again) return playhead_.stop();
    first_view.stood += seconds;
    first_view.again = first_view.stood < film_stands;
    if (!first_view.again) seek_run(0);
    return true;
  }
  const double next = run_time() + playhead_.passed(seconds) * run_end() / race_seconds;
  seek_run(next > run_end() && look.loop ? 0 : next);
  return true;
}

bool ViewModel::tick(double seconds) {
  if (!playing() || !(seconds > 0)) return false;
  if (const auto begin = playhead_.take_rewind(plays_run())) set_clock(*begin);
  const double before = clock();
  const bool moved = pass(seconds);
  const Clip* clip = playhead_.clip(plays_run());
  if (clip != nullptr && before < clip->to && clock() >= clip->to) {
    set_clock(clip->to);
    playhead_.stop();
  }
  return moved;
}

bool ViewModel::pass(double seconds) {
  if (plays_run()) return play_run(seconds);
  replay_whole();
  if (look.play == Play::event) return play_in_steps(seconds, Step::event);
  if (look.still) return play_in_steps(seconds, look.unit);
  const auto hertz = static_cast<double>(sim::clock_hz(main_.run->simulation.plan, main_.launch()));
  const double ticks = playhead_.passed(seconds) * pace() * 1e-6 * hertz * static_cast<double>(sim::ticks_per_cycle);
  const sim::Cycles next = main_.time + sim::Cycles(std::max<std::int64_t>(1, std::llround(ticks)));
  if (look.loop) {
    const auto [begin, end] = around(look.unit);
    const std::int64_t length = std::max<std::int64_t>(1, (end - begin).count());
    seek(next < end ? next : begin + sim::Cycles((next - begin).count() % length));
    return true;
  }
  if (main_.time >= main_.replay->index.end()) return next_cta(1) || playhead_.stop();
  seek(next);
  return true;
}

bool ViewModel::at_bookmark() const {
  const auto is_here = [&](const Bookmark& mark) { return same(mark, here()); };
  return std::any_of(look.bookmarks.begin(), look.bookmarks.end(), is_here);
}

void ViewModel::toggle_bookmark() {
  replay_whole();
  const auto place = std::lower_bound(look.bookmarks.begin(), look.bookmarks.end(), here(), before);
  if (at_bookmark()) {
    look.bookmarks.erase(place);
  } else if (look.bookmarks.size() < most_bookmarks) {
    look.bookmarks.insert(place, here());
  }
}

void ViewModel::go_to_bookmark(int direction) {
  if (look.bookmarks.empty()) return;
  playhead_.stop();
  const auto first = look.bookmarks.begin(), last = look.bookmarks.end();
  auto mark = first;
  if (direction > 0) {
    mark = std::upper_bound(first, last, here(), before);
    if (mark == last) mark = first;
  } else {
    mark = std::lower_bound(first, last, here(), before);
    mark = mark == first ? last - 1 : mark - 1;
  }
  const Bookmark wanted = *mark;
  if (wanted.kernel != main_.replay->kernel || place_text(wanted.place) != place_text(main_.replay->place))
    look_at(wanted.kernel, wanted.place);
  seek(wanted.time);
  if (same(wanted, here())) return;  // otherwise it was set in another scenario, and is clamped to this one
  look.bookmarks.erase(mark);
  if (!at_bookmark()) toggle_bookmark();
}

}  // namespace explorer

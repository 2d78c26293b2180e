// The playhead: steps, playback and bookmarks.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "viz/model/first_view.h"
#include "viz/model/pages.h"

namespace explorer {
namespace {

constexpr double run_steps = 100;  // per whole run

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

bool Model::next_cta(int direction) {
  sim::CtaPlace place = world.replay().place;
  std::size_t kernel = world.replay().kernel;
  if (world.has_chain()) {  // compared runs go on at the same position, in the next kernel
    if (!world.go_to_link(kernel + (direction > 0 ? 1 : static_cast<std::size_t>(-1)))) return false;
    seek(direction > 0 ? sim::Cycles{} : world.replay().index.end());
    return true;
  }
  if (!next_place(place, grid_of(world.run().simulation, kernel), direction)) {
    if (direction > 0 ? kernel + 1 == world.run().simulation.plan.launches.size() : kernel == 0) return false;
    kernel += direction > 0 ? 1 : static_cast<std::size_t>(-1);
    const sim::CtaPlace size = grid_of(world.run().simulation, kernel);
    place = direction > 0 ? sim::CtaPlace{} : sim::CtaPlace{size.batch - 1, size.head - 1, size.row - 1, size.col - 1};
  }
  look_at(kernel, place);
  seek(direction > 0 ? sim::Cycles{} : world.replay().index.end());
  return true;
}

/// Moves by one unit. False at either end of the run.
bool Model::move(Step unit, int direction) {
  replay_whole();
  if (unit == Step::kernel) {
    const std::size_t kernel = world.replay().kernel + (direction > 0 ? 1 : static_cast<std::size_t>(-1));
    const bool exists = kernel < world.run().simulation.plan.launches.size();
    if (exists) look_at(kernel, {});
    seek({});
    return exists;
  }
  if (unit == Step::cta) {
    if (!next_cta(direction)) return false;
    seek({});
    return true;
  }
  const auto& stops = world.stops_of(unit, state.look);
  if (direction > 0) {
    const auto next = std::upper_bound(stops.begin(), stops.end(), world.time());
    if (next != stops.end()) return seek(*next), true;
  } else {
    const auto here = std::lower_bound(stops.begin(), stops.end(), world.time());
    if (here != stops.begin()) return seek(*std::prev(here)), true;
  }
  return next_cta(direction);
}

/// The playhead: cycles in the CTA, or microseconds if whole runs play.
double Model::clock() const {
  return state.plays_run() ? state.look.run_time
                           : static_cast<double>(world.time().count()) / static_cast<double>(sim::ticks_per_cycle);
}

void Model::set_clock(double time) {
  if (state.plays_run()) return seek_run(time);
  seek(sim::Cycles(std::llround(time * static_cast<double>(sim::ticks_per_cycle))));
}

void Model::play(bool on) {
  if (!on) return void(playhead_.stop());
  const bool rewinds = playhead_.start(clock(), state.plays_run());
  if (in_pages(*this) && state.look.token >= page_moment(state, world).steps()) state.look.token = 0;
  if (!rewinds && state.plays_run() && state.look.run_time >= world.run_end()) seek_run(0);
}

void Model::set_speed(double speed) {
  if (std::isfinite(speed)) state.speed = std::clamp(speed, slowest_speed, fastest_speed);
}

void Model::play_clip(double from) {
  replay_whole();
  if (from >= clock()) return;
  playhead_.set_clip(Clip{from, clock(), state.plays_run()});
  play(true);
}

void Model::step(Step unit, int direction) {
  playhead_.stop();
  if (state.plays_run()) return seek_run(state.look.run_time + direction * world.run_end() / run_steps);
  move(unit, direction);
}

bool Model::play_in_steps(double seconds, Step step) {
  for (int due = playhead_.steps_due(seconds, state.speed); due > 0; --due) {
    if (!move(step, 1)) return playhead_.stop();
  }
  return true;
}

bool Model::play_run(double seconds) {
  if (state.look.run_time >= world.run_end() && !state.look.loop) {
    if (!state.look.first || !state.first_view.again) return playhead_.stop();
    state.first_view.stood += seconds;
    state.first_view.again = state.first_view.stood < film_stands;
    if (!state.first_view.again) seek_run(0);
    return true;
  }
  const double next = state.look.run_time + playhead_.passed(seconds, state.speed) * world.run_end() / race_seconds;
  seek_run(next > world.run_end() && state.look.loop ? 0 : next);
  return true;
}

/// Plays all steps of the pages in the time of a race.
bool Model::play_pages(double seconds) {
  const std::int64_t steps = page_moment(state, world).steps();
  const double rate = std::max(1., static_cast<double>(steps) / race_seconds);
  const std::int64_t next = state.look.token + playhead_.steps_due(seconds, state.speed * rate);
  if (next <= steps) return state.look.token = static_cast<int>(next), true;
  state.look.token = state.look.loop ? 0 : static_cast<int>(steps);
  return state.look.loop || playhead_.stop();
}

bool Model::tick(double seconds) {
  if (!playing() || !(seconds > 0)) return false;
  if (const auto begin = playhead_.take_rewind(state.plays_run())) set_clock(*begin);
  const double before = clock();
  const bool moved = pass(seconds);
  const Clip* clip = playhead_.clip(state.plays_run());
  if (clip != nullptr && before < clip->to && clock() >= clip->to) {
    set_clock(clip->to);
    playhead_.stop();
  }
  return moved;
}

bool Model::pass(double seconds) {
  if (state.plays_run()) return play_run(seconds);
  if (in_pages(*this)) return play_pages(seconds);
  replay_whole();
  if (state.look.play == Play::event) return play_in_steps(seconds, Step::event);
  if (state.look.still) return play_in_steps(seconds, state.look.unit);
  const auto hertz = static_cast<double>(sim::clock_hz(world.run().simulation.plan, world.subject(0).launch()));
  const double ticks =
      playhead_.passed(seconds, state.speed) * world.pace() * 1e-6 * hertz * static_cast<double>(sim::ticks_per_cycle);
  const sim::Cycles next = world.time() + sim::Cycles(std::max<std::int64_t>(1, std::llround(ticks)));
  if (state.look.loop) {
    const auto [begin, end] = world.around(state.look.unit, state.look);
    const std::int64_t length = std::max<std::int64_t>(1, (end - begin).count());
    seek(next < end ? next : begin + sim::Cycles((next - begin).count() % length));
    return true;
  }
  if (world.time() >= world.replay().index.end()) return next_cta(1) || playhead_.stop();
  seek(next);
  return true;
}

bool Model::at_bookmark() const {
  const auto is_here = [&](const Bookmark& mark) { return same(mark, here()); };
  return std::any_of(state.look.bookmarks.begin(), state.look.bookmarks.end(), is_here);
}

void Model::toggle_bookmark() {
  replay_whole();
  const auto place = std::lower_bound(state.look.bookmarks.begin(), state.look.bookmarks.end(), here(), before);
  if (at_bookmark()) {
    state.look.bookmarks.erase(place);
  } else if (state.look.bookmarks.size() < most_bookmarks) {
    state.look.bookmarks.insert(place, here());
  }
}

void Model::go_to_bookmark(int direction) {
  if (state.look.bookmarks.empty()) return;
  playhead_.stop();
  const auto first = state.look.bookmarks.begin(), last = state.look.bookmarks.end();
  auto mark = first;
  if (direction > 0) {
    mark = std::upper_bound(first, last, here(), before);
    if (mark == last) mark = first;
  } else {
    mark = std::lower_bound(first, last, here(), before);
    mark = mark == first ? last - 1 : mark - 1;
  }
  const Bookmark wanted = *mark;
  if (wanted.kernel != world.replay().kernel || place_text(wanted.place) != place_text(world.replay().place))
    look_at(wanted.kernel, wanted.place);
  seek(wanted.time);
  if (same(wanted, here())) return;  // otherwise it was set in another scenario, and is clamped to this one
  state.look.bookmarks.erase(mark);
  if (!at_bookmark()) toggle_bookmark();
}

}  // namespace explorer

#include "viz/model/world.h"

#include <algorithm>
#include <utility>

#include "sim/programs/programs.h"
#include "sim/programs/ragged.h"
#include "viz/model/batch.h"
#include "viz/model/center_view.h"
#include "viz/model/comparison.h"

namespace explorer {
namespace {

constexpr double most_at_once = 16e3, most_previewed = 1 << 21;  // events of a CTA: replayed in about 10 ms; rejected

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

}  // namespace

bool World::simulate(const State& state) {
  main_.error = {};
  try {
    const auto scenario = scenarios_of(state.options, state.changes, gpu_).front();
    auto run = make_run(scenario ? *scenario : sim::scenario_from(state.options, gpu_));
    std::size_t kernel = std::min(state.place.kernel, run->simulation.plan.launches.size() - 1);
    if (state.look.center == Center::roles) kernel = kernel_with_roles(run->simulation, kernel);
    const double events = sim::events_of_cta(run->simulation, kernel);
    const bool ragged = run->simulation.plan.classes != nullptr;
    const bool replayable = events < most_previewed || ragged || shows_no_moment(state.look);
    const bool preview = state.races() || ((!state.compares() || ragged) && events > most_at_once && replayable);
    auto replay = (preview ? make_preview : make_replay)(run->simulation, kernel, state.place.place);
    main_.run = std::move(run);
    main_.clock = std::make_shared<RaceRun>(main_.run);
    main_.replay = std::move(replay);
    main_.options = state.options;
    previewing_ = changed_ = preview;
    raced_ = state.races();
    simulate_peers(state);
    return true;
  } catch (const sim::Error& error) {
    main_.error = error.sentence();
    return false;
  }
}

/// True if the preview suffices: no panel shows a CTA of a race or of a ragged batch.
bool World::keeps_preview(const State& state) const {
  return shows_no_moment(state.look) || main_.is_ragged() || state.races();
}

void World::leave_race(const State& state) {
  if (raced_ && !state.races()) replay_whole(state);
}

void World::replay_whole(const State& state) {
  if (!previewing_ || keeps_preview(state)) return;
  previewing_ = false;  // even if the whole is rejected: preview and error stay
  try {
    main_.replay = make_replay(main_.run->simulation, main_.replay->kernel, main_.replay->place);
  } catch (const sim::Error& error) {
    main_.error = error.sentence();
  }
  raced_ = false;
  make_chains(state.look.sync);
  move_to(state.place.time, state.look.sync);
}

bool World::advance(const State& state) {
  leave_race(state);
  if (!previewing_ || keeps_preview(state)) return tasks.advance();
  if (!std::exchange(changed_, false)) replay_whole(state);
  return true;
}

bool World::look_at(const State& state, std::size_t kernel, sim::CtaPlace place) {
  bool other = false;
  try {
    other = kernel != main_.replay->kernel || place_text(place) != place_text(main_.replay->place);
    if (other) main_.replay = make_replay(main_.run->simulation, kernel, place);
    if (main_.options == state.options) main_.error = {};  // impossible options keep their error
  } catch (const sim::Error& error) {                      // too many events to keep
    main_.error = error.sentence();
    other = false;
  }
  make_chains(state.look.sync);
  move_to(main_.time, state.look.sync);
  return other;
}

/// Standard attention next to a run with these options, if one of the runs so far has simulated it.
std::shared_ptr<const sim::Simulation> World::standard_of(const sim::OptionValues& options) const {
  const sim::OptionValues change = {{"algorithm", std::string(sim::programs::standard.name)}};
  const sim::OptionValues standard = changed(options, change);
  if (options == standard || options.contains("pattern") || options.contains("seqlens")) return nullptr;
  for (std::size_t n = 0; n < subjects(); ++n) {
    const Subject& s = subject(n);
    if (!s.error.empty()) continue;
    if (s.options == standard) return {s.run, &s.run->simulation};
    if (changed(s.options, change) == standard) return s.run->standard;
  }
  return nullptr;
}

void World::simulate_peers(const State& state) {
  peers_.clear();
  if (state.compares()) replay_whole(state);
  const bool packings = !state.compares() && main_.is_ragged();
  const sim::OptionValues& first = packings ? main_.options : state.options;
  const std::vector<sim::OptionValues> changes = packings ? packings_beside(main_.scenario()) : state.changes;
  const auto scenarios = scenarios_of(first, changes, gpu_);
  for (std::size_t n = 0; n < changes.size(); ++n) {
    Peer peer;
    peer.subject.options = changed(first, changes[n]);
    try {
      const auto& scenario = scenarios[n + 1];
      if (scenario && !main_.is_ragged()) sim::require_alike(*scenario, "run next to another");
      peer.subject.run = make_run(scenario ? *scenario : sim::scenario_from(peer.subject.options, gpu_),
                                  standard_of(peer.subject.options));
    } catch (const sim::Error& error) {
      peer.subject.run = main_.run;
      peer.subject.error = error.sentence();
    }
    peer.subject.clock = std::make_shared<RaceRun>(peer.subject.run);
    peers_.push_back(std::move(peer));
  }
  make_chains(state.look.sync);
}

double World::run_end() const {
  double end = 0;
  for (std::size_t n = 0; n < subjects(); ++n) end = std::max(end, subject(n).simulation().microseconds);
  return end;
}

double World::pace() const {
  const double tiles = static_cast<double>(main_.replay->index.visits().size());
  return main_.replayed(main_.replay->index.end()) / (tiles > 0 ? tiles : 4);
}

const std::vector<sim::Cycles>& World::stops_of(Step unit, const Look& look) const {
  const RoleTrace& roles = main_.replay->roles;
  if (unit != Step::event || roles.empty()) return main_.replay->index.stops(unit_of(unit));
  return look.role < 0 ? roles.stops() : roles.stops(static_cast<std::size_t>(look.role));
}

std::pair<sim::Cycles, sim::Cycles> World::around(Step unit, const Look& look) const {
  if (unit == Step::cta || unit == Step::kernel) return {sim::Cycles{}, main_.replay->index.end()};
  const auto& stops = stops_of(unit, look);
  auto next = std::upper_bound(stops.begin(), stops.end(), main_.time);
  if (next == stops.end()) --next;  // the playhead is at the end
  return {next == stops.begin() ? *next : *std::prev(next), *next};
}

// Compared runs: their playheads follow the first one's.

/// Makes all chains at the position of the first run.
void World::make_chains(Sync sync) {
  chain_.reset();
  if (peers_.empty()) return;
  if (main_.is_ragged() || raced_) {  // no panel shows their CTAs
    for (Peer& peer : peers_) peer.subject.replay = make_preview(peer.subject.simulation(), 0, {});
    return;
  }
  try {
    chain_ = std::make_shared<const Chain>(*main_.clock, main_.replay->place);
  } catch (const sim::Error& error) {
    main_.error = error.sentence();
  }
  for (Peer& peer : peers_) {
    const sim::Simulation& simulation = peer.subject.run->simulation;
    peer.chain.reset();
    try {
      peer.chain =
          std::make_shared<const Chain>(*peer.subject.clock, same_place(main_, main_.replay->place, simulation));
    } catch (const sim::Error& error) {
      peer.subject.error = error.sentence();
    }
    if (!peer.chain) peer.subject.replay = make_preview(simulation, 0, {});  // however long its CTAs are
  }
  move_to(main_.time, sync);
}

std::optional<double> World::common(Sync sync) const {
  return chain_ ? std::optional(chain_->amount(sync, {main_.replay->kernel, main_.time})) : std::nullopt;
}

void World::move_to(sim::Cycles time, Sync sync) {
  main_.time = std::clamp(time, sim::Cycles{}, main_.replay->index.end());
  const std::optional<double> amount = common(sync);
  for (Peer& peer : peers_) {
    if (!peer.chain || !amount) continue;
    const Chain::Moment moment = peer.chain->moment(sync, *amount);
    peer.subject.replay = peer.chain->replay(moment.kernel);
    peer.subject.time = moment.time;
  }
}

bool World::go_to_link(std::size_t kernel) {
  if (kernel >= chain_->kernels()) return false;
  main_.replay = chain_->replay(kernel);
  return true;
}

std::optional<sim::Cycles> World::go_along(std::size_t subject, sim::Cycles time, Sync sync) {
  const Peer& peer = peers_.at(subject - 1);
  if (!chain_ || !peer.chain) return std::nullopt;
  const Chain::Moment to = chain_->moment(sync, peer.chain->amount(sync, {peer.subject.replay->kernel, time}));
  main_.replay = chain_->replay(to.kernel);
  return to.time;
}

}  // namespace explorer

// Compared runs: simulated when they change; their playheads follow the first one's.
#include "sim/programs/programs.h"
#include "sim/programs/ragged.h"
#include "viz/model/batch.h"
#include "viz/model/view_model.h"

namespace explorer {

bool ViewModel::compare_with(std::string_view text) {
  auto changes = read_comparison(text);
  if (!changes) return false;
  changes_ = std::move(*changes);
  rebuild_compared();
  return true;
}

void ViewModel::add_peer(const sim::OptionValues& change) {
  if (subjects() == most_subjects) return;
  changes_.push_back(change);
  rebuild_compared();
}

/// Rebuilds the compared runs, and the first run too if there is a pattern: it uses the tiles of one of them.
void ViewModel::rebuild_compared() {
  if (options().contains("pattern")) rebuild();
  if (!options().contains("pattern") || !main_.error.empty()) rebuild_peers();
}

/// Standard attention next to a run with these options, if one of the runs so far has simulated it.
std::shared_ptr<const sim::Simulation> ViewModel::standard_of(const sim::OptionValues& options) const {
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

/// Rebuilds the compared runs; next to a ragged batch, its other packings unless runs are named. An impossible one
/// shows the first run, with its own error.
void ViewModel::rebuild_peers() {
  peers_.clear();
  if (!changes_.empty()) replay_whole();
  const bool packings = changes_.empty() && main_.is_ragged();
  const sim::OptionValues& first = packings ? main_.options : options();
  const std::vector<sim::OptionValues> changes = packings ? packings_beside(main_.scenario()) : changes_;
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
  look.run_time = std::min(look.run_time, run_end());
  rebuild_chains();
}

double ViewModel::run_end() const {
  double end = 0;
  for (std::size_t n = 0; n < subjects(); ++n) end = std::max(end, subject(n).simulation().microseconds);
  return end;
}

void ViewModel::seek_run(double microseconds) { look.run_time = std::clamp(microseconds, 0., run_end()); }

/// Rebuilds all chains at the position of the first run.
void ViewModel::rebuild_chains() {
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
  follow_first();
}

std::optional<double> ViewModel::common() const {
  return chain_ ? std::optional(chain_->amount(look.sync, {main_.replay->kernel, main_.time})) : std::nullopt;
}

void ViewModel::follow_first() {
  const std::optional<double> amount = common();
  for (Peer& peer : peers_) {
    if (!peer.chain || !amount) continue;
    const Chain::Moment moment = peer.chain->moment(look.sync, *amount);
    peer.subject.replay = peer.chain->replay(moment.kernel);
    peer.subject.time = moment.time;
  }
}

/// Moves compared runs to the next kernel at the same position.
bool ViewModel::next_in_chain(int direction) {
  if (direction > 0 ? main_.replay->kernel + 1 == chain_->kernels() : main_.replay->kernel == 0) return false;
  main_.replay = chain_->replay(main_.replay->kernel + (direction > 0 ? 1 : static_cast<std::size_t>(-1)));
  seek(direction > 0 ? sim::Cycles{} : main_.replay->index.end());
  return true;
}

void ViewModel::seek_subject(std::size_t subject, sim::Cycles time) {
  if (subject == 0) return seek(time);
  replay_whole();
  const Peer& peer = peers_.at(subject - 1);
  if (!chain_ || !peer.chain) return;
  const Chain::Moment to =
      chain_->moment(look.sync, peer.chain->amount(look.sync, {peer.subject.replay->kernel, time}));
  main_.replay = chain_->replay(to.kernel);
  seek(to.time);
}

}  // namespace explorer

// Compared runs: simulated when they change; their playheads follow the first one's.
#include "sim/programs/ragged.h"
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

/// Rebuilds the compared runs. An impossible one shows the first run, with its own error.
void ViewModel::rebuild_peers() {
  if (!changes_.empty()) replay_whole();
  peers_.clear();
  const auto scenarios = scenarios_of(options(), changes_, gpu_);
  for (std::size_t n = 0; n < changes_.size(); ++n) {
    Peer peer;
    peer.subject.options = changed(options(), changes_[n]);
    try {
      const auto& scenario = scenarios[n + 1];
      if (scenario) sim::require_alike(*scenario, "run next to another");
      peer.subject.run = make_run(scenario ? *scenario : sim::scenario_from(peer.subject.options, gpu_));
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
  if (main_.is_ragged()) {  // cannot be compared
    for (Peer& peer : peers_) peer.subject.replay = main_.replay;
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

void ViewModel::follow_first() {
  if (!chain_) return;
  const double amount = chain_->amount(look.sync, {main_.replay->kernel, main_.time});
  for (Peer& peer : peers_) {
    if (!peer.chain) continue;
    const Chain::Moment moment = peer.chain->moment(look.sync, amount);
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
  const Peer& peer = peers_.at(subject - 1);
  if (!chain_ || !peer.chain) return;
  const Chain::Moment to =
      chain_->moment(look.sync, peer.chain->amount(look.sync, {peer.subject.replay->kernel, time}));
  main_.replay = chain_->replay(to.kernel);
  seek(to.time);
}

}  // namespace explorer

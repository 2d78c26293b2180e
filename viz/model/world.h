// What is computed from the state: the shown runs, their replays, and the results of tasks. Panels read it; the model
// computes it anew where the state changes.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "viz/model/chain.h"
#include "viz/model/covered.h"
#include "viz/model/state.h"
#include "viz/model/subject.h"
#include "viz/model/task.h"
#include "viz/model/verification.h"

namespace measurements {
struct Recording;
}

namespace explorer {

class World {
 public:
  /// `gpu`: resolves device names.
  explicit World(sim::GpuLookup gpu) : gpu_(std::move(gpu)) {}

  // Shown runs: the first, then the compared ones.
  std::size_t subjects() const { return 1 + peers_.size(); }
  const Subject& subject(std::size_t n) const { return n == 0 ? main_ : peers_[n - 1].subject; }
  // The first one:
  bool has_run() const { return main_.run != nullptr; }
  const Run& run() const { return *main_.run; }
  /// A preview for a moment if the change of a long CTA is shown at once: advance() then replays the whole.
  const Replay& replay() const { return *main_.replay; }
  bool previewing() const { return previewing_; }
  /// The playhead, within the replay.
  sim::Cycles time() const { return main_.time; }
  /// Reason why the scenario is impossible; run() keeps the last possible one. Otherwise empty.
  const sim::Sentence& error() const { return main_.error; }

  /// End of the slowest run, in microseconds since its first launch.
  double run_end() const;
  /// The quantity that the playheads have in common; empty if nothing is compared.
  std::optional<double> common(Sync sync) const;
  /// Microseconds of the GPU per second of the viewer at speed 1: a tile, or a quarter of a CTA without tiles.
  double pace() const;
  /// Times at which a step stops: of events, those of the selected role, one for each softmax of a tile.
  const std::vector<sim::Cycles>& stops_of(Step unit, const Look& look) const;
  /// Start and end of the playhead's current step, which look.loop repeats.
  std::pair<sim::Cycles, sim::Cycles> around(Step unit, const Look& look) const;

  mutable Tasks tasks;                       ///< what is computed from the state, also while it is drawn
  std::shared_ptr<const Verifier> verifier;  ///< runs kernels; null in the browser
  const std::vector<measurements::Recording>* recordings = nullptr;  ///< measured on GPUs; null: the project's
  Covered covered;  ///< hidden in this frame: it would reveal the answer of the open question
  const sim::GpuLookup& gpu() const { return gpu_; }

  // For the model.
  /// Simulates the state's scenario and the compared runs. If it is impossible, keeps the last possible run, sets
  /// error() and returns false.
  bool simulate(const State& state);
  /// Simulates the compared runs; next to a ragged batch, its other packings unless runs are named. An impossible one
  /// shows the first run, with its own error.
  void simulate_peers(const State& state);
  /// Replays the whole CTA after a preview, unless the preview suffices.
  void replay_whole(const State& state);
  /// Replays the CTAs that a race does not show, once it has ended.
  void leave_race(const State& state);
  /// Runs a slice of pending work. False if there is none.
  bool advance(const State& state);
  /// Replays another CTA; true if it is one.
  bool look_at(const State& state, std::size_t kernel, sim::CtaPlace place);
  /// Moves the playhead, and those of the compared runs to the same common quantity.
  void move_to(sim::Cycles time, Sync sync);
  /// True if the playhead moves along kernels at one position: runs are compared.
  bool has_chain() const { return chain_ != nullptr; }
  /// Goes to a kernel of that path; false if there is none.
  bool go_to_link(std::size_t kernel);
  /// Goes to the kernel where the first run has done as much as a compared one at a time; returns the time in it.
  std::optional<sim::Cycles> go_along(std::size_t subject, sim::Cycles time, Sync sync);

 private:
  bool keeps_preview(const State& state) const;
  void make_chains(Sync sync);
  std::shared_ptr<const sim::Simulation> standard_of(const sim::OptionValues& options) const;

  struct Peer {
    Subject subject;
    std::shared_ptr<const Chain> chain;  ///< at the position of the first subject; null if it cannot be replayed
  };
  sim::GpuLookup gpu_;
  Subject main_;
  std::vector<Peer> peers_;
  std::shared_ptr<const Chain> chain_;  ///< chain of the first subject; null if nothing is compared
  bool previewing_ = false;             ///< main_.replay is a preview
  bool raced_ = false;    ///< main_.replay is a preview and there are no chains, since only whole runs are shown
  bool changed_ = false;  ///< since the last advance(): dragging does not wait for each whole replay
};

}  // namespace explorer

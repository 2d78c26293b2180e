// The first view: what the explorer opens on without a link. Whole runs race, and doors lead to what the explorer has.
#pragma once
#include "viz/model/model.h"

namespace explorer {

/// Seconds for which the film stands at its end before it plays once more.
inline constexpr double film_stands = 3;
/// Moment that is shown without motion, as a share of the slowest run: one run is done, the slowest has just begun.
inline constexpr double film_moment = 0.23;

/// Completes a link that opens the first view: names the runs unless it names a scenario, and makes whole runs play.
void complete_first(Link& link, const sim::GpuLookup& gpu);
/// True if the first view fills the window.
bool shows_first(const Model& model);
/// Opens the first view and plays its film, unless motion is off. `behind`: the link that leave_first() returns to;
/// empty for the default scenario.
void open_first(Model& model, std::string behind);
/// Returns to the explorer as it was.
void leave_first(Model& model);
/// Follows a link; keeps theme, language and motion.
void go_to_link(Model& model, std::string_view link);

/// Runs that the answers of the first view are computed from.
enum class FactRun { standard, flash1, flash2, small_tiles, long_standard, long_flash2, causal, decoding };
inline constexpr std::size_t fact_runs = 8;

/// Computes the runs one by one; each takes some milliseconds.
class FirstFacts : public Task {
 public:
  explicit FirstFacts(sim::GpuLookup gpu) : gpu_(std::move(gpu)) {}
  bool advance() override;
  bool ready() const { return made_.size() == fact_runs; }
  /// A run; all must be ready.
  const sim::Simulation& operator[](FactRun run) const { return *made_[static_cast<std::size_t>(run)]; }

 private:
  sim::GpuLookup gpu_;
  std::vector<std::shared_ptr<const sim::Simulation>> made_;
};

/// The facts of the first view, computed in slices once a view needs them.
const FirstFacts& first_facts(const Model& model);

}  // namespace explorer

// A step prepared for display and checks: its runs, and the cursor in them.
#pragma once
#include <map>
#include <memory>
#include <optional>

#include "lessons/cursor.h"
#include "lessons/facts.h"
#include "lessons/lesson.h"
#include "sim/catalogue/options.h"

namespace lessons {

/// Returns the scenario of a step: the lesson's, changed by the step, then by `changes`, which a learner makes.
sim::OptionValues options_of(const Lesson& lesson, const Step& step, const sim::OptionValues& changes = {});

/// Returns the explorer's link to a step: scenario, CTA and time of its cursor, and the keys of Step::look.
std::string link_of(const sim::OptionValues& options, const Step& step, const std::optional<Cursor>& cursor = {});

/// Simulations by their options, kept so that steps with the same scenario share one.
class KeptRuns {
 public:
  std::shared_ptr<const sim::Simulation> of(const sim::OptionValues& options, const sim::GpuLookup& gpu);

 private:
  std::map<sim::OptionValues, std::shared_ptr<const sim::Simulation>> kept_;
};

/// The runs of a step. Costs a few simulations, each microseconds to a millisecond.
class Scene {
 public:
  /// Throws sim::Error that names the run if one is impossible. `runs`: takes simulations from there, and adds its own.
  Scene(const Lesson& lesson, const Step& step, sim::GpuLookup gpu, const sim::OptionValues& changes = {});
  Scene(const Lesson& lesson, const Step& step, sim::GpuLookup gpu, const sim::OptionValues& changes, KeptRuns& runs);

  const sim::OptionValues& options() const { return options_; }
  const sim::Simulation& run() const { return *run_; }
  const sim::GpuLookup& gpu() const { return gpu_; }
  const Facts& facts() const { return facts_; }
  const std::optional<Cursor>& cursor() const { return cursor_; }

 private:
  sim::GpuLookup gpu_;
  sim::OptionValues options_;
  std::shared_ptr<const sim::Simulation> run_;
  Facts facts_;
  std::optional<Cursor> cursor_;
};

}  // namespace lessons

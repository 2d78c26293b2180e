// The view "GPUs" of a run whose sequences several GPUs share: its three owners side by side, each measured by
// sim/model/several_gpus, and what every GPU does in every step.
#pragma once
#include <optional>

#include "sim/model/several_gpus.h"
#include "viz/model/model.h"
#include "viz/words/language.h"

namespace explorer {

/// Times of one owner's run, in microseconds.
struct OwnerRun {
  sim::Parallel parallel = sim::Parallel::ring;
  sim::GpuMeters meters;
  double computes = 0;   ///< mean over the GPUs
  double imbalance = 0;  ///< what the slowest of each step computes more than the mean
  double link = 0;       ///< transfers that nothing hides
  double all() const { return computes + imbalance + link; }
  /// Microseconds that a GPU computes in a step; 0 for none.
  double compute(std::int64_t step, std::int64_t gpu) const;
};

/// All owners of a run on several GPUs, or why there are none.
class GpusMoment final : public Task {
 public:
  static constexpr std::int64_t most_lanes = 16, most_drawn = 64;

  GpusMoment(const sim::OptionValues& options, const sim::GpuLookup& gpu);
  bool advance() override { return false; }

  const std::vector<OwnerRun>& owners() const { return owners_; }  ///< ring, striped, zigzag; empty: see error()
  const std::string& error() const { return error_; }
  const sim::Scenario& scenario() const { return scenario_; }
  std::int64_t gpus() const { return scenario_.gpus; }
  const OwnerRun& slowest() const;

 private:
  sim::Scenario scenario_;
  std::vector<OwnerRun> owners_;
  std::string error_;
};

/// True if several GPUs share the sequences of a run.
bool has_gpus(const Subject& subject);
const GpusMoment& gpus_moment(const World& world, std::size_t subject = 0);

/// The GPU that owns each of `side` tokens, as many for each GPU.
std::vector<std::int64_t> owners_of(const sim::GpuRun& run, std::int64_t side);

/// Owners that are always shown, with their titles in English.
struct OwnerWords {
  sim::Parallel parallel;
  std::string_view title, note;
  double published;  ///< share of 8 x one GPU, forward, 8 x H800, 8k tokens a GPU
};
const OwnerWords& words_of(sim::Parallel parallel);

/// The rates to choose from, in bytes a second of one direction.
struct LinkPreset {
  std::string_view name;  ///< also in probes
  std::int64_t bytes_per_second;
};
std::span<const LinkPreset> link_presets();
/// The device of the options with another link.
std::string with_link(const sim::OptionValues& options, std::int64_t bytes_per_second);

/// "8 GPUs: zigzag takes 3.63 ms, contiguous 6.37 ms".
std::string gpus_headline(Language language, const GpusMoment& moment);
/// What decides: "A hop of 37.3 us is hidden behind each step: ...".
std::string gpus_sentence(Language language, const GpusMoment& moment);

}  // namespace explorer

// The view "GPUs" of a run whose sequences several GPUs share: three owners side by side, each measured by
// sim/model/several_gpus, and what every GPU does in every step. One of them is that of the run: "all-gather" and
// "Ulysses" stand in the place of "contiguous", whose tokens they have.
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
  /// Microseconds that a GPU computes in a step; 0 for none. Of K and V gathered from all, the first and the last GPU
  /// are measured; a GPU between them takes longer than the first in proportion to its further pairs.
  double compute(std::int64_t step, std::int64_t gpu) const;
  double computes_in_all(std::int64_t gpu) const;  ///< microseconds
  /// Visible pairs of all / (GPUs x what the slowest computes, whose tiles at the diagonal are whole).
  double balance_of_tiles() const;
  bool passes() const { return meters.run.steps > 1; }  ///< K and V go around the GPUs, step by step
};

/// All owners of a run on several GPUs, or why there are none.
class GpusMoment final : public Task {
 public:
  static constexpr std::int64_t most_lanes = 16, most_drawn = 64;

  GpusMoment(const sim::OptionValues& options, const sim::GpuLookup& gpu);
  bool advance() override { return false; }

  /// Contiguous tokens, as the run shares them or in a ring, striped, zigzag; without those that the length refuses.
  /// Empty: see error().
  const std::vector<OwnerRun>& owners() const { return owners_; }
  const std::string& error() const { return error_; }
  const sim::Scenario& scenario() const { return scenario_; }
  std::int64_t gpus() const { return scenario_.gpus; }
  const OwnerRun& own() const;  ///< that of the run
  const OwnerRun& slowest() const;
  const OwnerRun& fastest() const;

 private:
  void add_owner(sim::Parallel parallel);
  sim::Scenario scenario_;
  std::vector<OwnerRun> owners_;
  std::string error_;
};

/// True if several GPUs share the sequences of a run.
bool has_gpus(const Subject& subject);
const GpusMoment& gpus_moment(const World& world, std::size_t subject = 0);

/// The GPU whose rows, lane and circle are bright: that of the look, or the one that computes longest in the run.
std::int64_t chosen_gpu(const Look& look, const GpusMoment& moment);
/// True if the view fills the window: keys then choose another GPU.
bool in_gpus(const Model& model);
Edits next_gpu(const Model& model, int direction);

/// The GPU that owns each of `side` tokens, as many for each GPU.
std::vector<std::int64_t> owners_of(const sim::GpuRun& run, std::int64_t side);

/// Owners that are always shown, with their titles in English.
struct OwnerWords {
  sim::Parallel parallel;
  std::string_view title, note;
  double published = 0;  ///< share of 8 x one GPU, forward, 8 x H800, 8k tokens a GPU; 0: none
};
const OwnerWords& words_of(sim::Parallel parallel);

/// The links to choose from: the rate of one direction, and the time until the first byte arrives.
struct LinkPreset {
  std::string_view name;  ///< also in probes
  std::int64_t bytes_per_second, nanoseconds;
};
std::span<const LinkPreset> link_presets();
/// The device of the options with another link.
std::string with_link(const sim::OptionValues& options, const LinkPreset& link);

/// "8 GPUs: Zigzag takes 3.63 ms, Contiguous 6.37 ms".
std::string gpus_headline(Language language, const GpusMoment& moment);
/// What decides in the run: "A hop of 39.8 us hides behind each step, of 447 us or more: ...".
std::string gpus_sentence(Language language, const GpusMoment& moment);
std::string gpus_description(Language language, const GpusMoment& moment);  ///< both
/// From how many tokens a GPU on every step hides its hop; empty if K and V do not go around.
std::string threshold_sentence(Language language, const GpusMoment& moment);
/// What the balance of an owner comes from, and what is left of it with whole tiles at the diagonal.
std::string balance_sentence(Language language, const GpusMoment& moment, const OwnerRun& owner);

}  // namespace explorer

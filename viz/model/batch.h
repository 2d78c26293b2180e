// A batch whose entries differ in length, next to the same batch padded and in both orders of issue: three runs on one
// clock.
#pragma once
#include <array>
#include <optional>

#include "viz/model/look.h"
#include "viz/model/race_lanes.h"

namespace explorer {

inline constexpr std::size_t packings = 3;

/// The scenario with its entries padded to the longest one, or packed in one of the orders of issue; as it is where all
/// entries are alike.
sim::Scenario packed_as(const sim::Scenario& scenario, Packing packing);

/// The packing of a run: that of its --issue; padded where all entries are alike.
Packing packing_of(const sim::Scenario& scenario);

/// The classes of entries of a scenario; one where all are alike.
sim::SequenceClasses sequences_of(const sim::Simulation& simulation);

/// The class of a batch entry, counted over all classes.
const sim::SequenceClass& class_of_entry(const sim::SequenceClasses& classes, std::int64_t entry);

/// The classes where one entry, counted over all of them, has other lengths: a class of its own.
sim::SequenceClasses with_lengths(const sim::SequenceClasses& classes, std::int64_t entry, std::int64_t queries,
                                  std::int64_t keys);

/// Positions of the classes between the shortest keys, 0, and the longest, 1, by their rank; of equal ones the queries
/// decide. A single one is at 1.
std::vector<float> ranks_of(const sim::SequenceClasses& classes);

/// Parts of the work of a padded kernel's CTAs that are of use: 1 for a CTA whose tiles all lie in its entry, 0 for one
/// past its end. A kernel without a loop over tiles counts rows.
class UsefulParts {
 public:
  UsefulParts(const sim::Simulation& padded, const sim::Simulation& packed, std::size_t kernel);
  double of(const sim::CtaPlace& place) const;
  std::size_t class_of(std::int64_t entry) const;

 private:
  std::vector<std::int64_t> first_entry_;  // by class
  std::vector<std::vector<float>> parts_;  // by class and block of the padded grid
  std::int64_t cols_ = 1;
};

/// The three runs, counted and placed on the SMs a slice at a time. Of a batch whose entries are alike it is one.
class BatchRuns : public Task {
 public:
  explicit BatchRuns(std::shared_ptr<const Run> run) : run_(std::move(run)) {}
  bool advance() override;
  bool ready() const { return counted_ == packings && clock(Packing::longest).ready(); }
  bool counted() const { return counted_ == packings; }

  bool is_ragged() const { return run_->simulation.plan.scenario.sequences != nullptr; }
  const std::shared_ptr<RaceRun>& shared(Packing packing) const { return clocks_[static_cast<std::size_t>(packing)]; }
  const RaceRun& clock(Packing packing) const { return *shared(packing); }
  const sim::Simulation& simulation(Packing packing) const { return clock(packing).run().simulation; }
  /// The end of the slowest, in microseconds.
  double end() const;

 private:
  std::shared_ptr<const Run> run_;
  std::array<std::shared_ptr<RaceRun>, packings> clocks_;
  std::size_t counted_ = 0;
};

/// The tail of a run: when the first SM of its longest kernel runs dry and when that kernel ends, in microseconds.
CtaTimes tail_of(const RaceRun& clock);

/// Padding, instead of a step of the order.
inline constexpr std::uint8_t padding_step = order_steps;

/// The SMs of one of the runs over time: which class of entries has most of each cell, or padding. A padded CTA does
/// its useful tiles first.
class BatchLanes : public Task {
 public:
  /// `packed`: the run whose classes there are, in any order of issue.
  BatchLanes(std::shared_ptr<RaceRun> run, std::shared_ptr<const Run> packed, LaneGrid grid);
  /// A kernel of the run, or a band, in a slice. O(CTAs of a band + columns).
  bool advance() override;
  const std::vector<LaneRect>& rects() const { return rects_; }
  bool ready() const { return ready_; }
  /// True where every CTA of every kernel is known by itself; others are drawn nowhere.
  bool one_by_one() const;

 private:
  struct Kernel {
    CtaNumbers numbers;
    std::optional<UsefulParts> useful;  // where the run is padded
  };
  void begin();
  void add_sm(std::size_t kernel, std::int64_t sm);
  void add_cta(const Kernel& of, const CtaSpan& span, CtaTimes times, double weight);
  void add(double begin, double end, std::size_t step, double weight);
  void close_band(std::int64_t sms);
  std::size_t step_of_class(std::size_t n) const;

  std::shared_ptr<RaceRun> run_;
  std::shared_ptr<const Run> packed_;
  LaneGrid grid_;
  std::vector<float> ranks_;
  std::vector<Kernel> kernels_;
  std::vector<float> weights_;      // of a band: columns x (order_steps + 1)
  std::vector<std::int8_t> steps_;  // of all cells; -1: nothing
  std::size_t next_ = 0;
  bool ready_ = false;
  std::vector<LaneRect> rects_;
};

}  // namespace explorer

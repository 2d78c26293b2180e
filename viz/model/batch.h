// A ragged batch: its packings as compared runs, its classes of entries, and the part of a padded run that is of use.
#pragma once
#include <optional>

#include "viz/model/subject.h"

namespace explorer {

class Model;

/// The form in which a run holds the entries of a ragged batch: each padded to the longest, or unpadded in the order of
/// the file or with the most work per CTA first.
enum class Packing { padded, file, longest };

/// The runs next to a ragged batch unless a link names others, as changes of its options: padded, and packed in the
/// other order.
std::vector<sim::OptionValues> packings_beside(const sim::Scenario& ragged);

/// The packing of a run next to a ragged batch; empty if it differs in other ways, or if the batch is not ragged.
std::optional<Packing> packing_of(const Subject& run, const Subject& ragged);

/// The runs in the order of their lanes: as compared, but packings from the padded one to the best order. Ratios refer
/// to the first.
std::vector<std::size_t> lane_order(const Model& model);

/// The classes of entries of a scenario; one where all are alike.
sim::SequenceClasses sequences_of(const sim::Simulation& simulation);

/// True if a run has the entries of a ragged batch, packed or padded.
bool has_entries_of(const Subject& run, const Subject& ragged);

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

/// When the first SM of the longest kernel of a run has no CTA left, and when that kernel ends, in microseconds.
CtaTimes idle_end_of(const RaceRun& clock);

}  // namespace explorer

// Ragged batches: a scenario and its plan with batch entries of different lengths.
#pragma once
#include "sim/programs/run.h"

namespace sim {

/// Returns the scenario with the batch entries of all its classes, and their largest numbers of queries and keys;
/// unchanged if all entries have equal lengths. Throws Error if an option contradicts --seqlens.
Scenario with_sizes(Scenario scenario);

/// Returns the shape of the entries of one class, as users give it.
Shape shape_of(const Scenario& scenario, const SequenceClass& sequences);

/// Throws Error if the classes together have more row blocks or key blocks than a plan may have.
void check_class_blocks(const SequenceClasses& classes, const Tiling& tiling);

/// A CTA of one batch entry, in the plan of its class.
struct PlaceInClass {
  const Plan& plan;
  CtaPlace place;
};

/// Returns the class of the batch entry of a place, which counts entries over all classes. Throws Error if there is no
/// such entry.
PlaceInClass place_in_class(const Plan& plan, const CtaPlace& place);

/// A query head, counted over the batch entries of all classes, in the plan of its class.
struct HeadInClass {
  const Plan& plan;
  std::int64_t head = 0;
  std::int64_t queries_before = 0, keys_before = 0;  ///< rows of Q and of K of all heads of earlier classes
};
HeadInClass head_in_class(const Plan& plan, std::int64_t head);

/// Returns the inputs of one class from those of all entries, stored one after the other, each (heads, Nq or Nk, d).
AttentionInputs inputs_of_class(const Plan& plan, const AttentionInputs& all, const Plan& of_class);

/// Throws Error if the batch is ragged or decodes over steps: `what` does not support different lengths.
void require_alike(const Scenario& scenario, std::string_view what);

}  // namespace sim

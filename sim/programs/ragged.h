// Ragged batches: a scenario and its plan where batch entries have lengths of their own.
#pragma once
#include "sim/programs/run.h"

namespace sim {

/// The scenario with the batch entries of all its classes, the most queries and the most keys; as it is where all
/// entries are alike. Throws Error where an option contradicts --seqlens.
Scenario with_sizes(Scenario scenario);

/// The shape of the entries of one class, as users give it.
Shape shape_of(const Scenario& scenario, const SequenceClass& sequences);

/// Throws Error where the classes together have more row blocks or key blocks than a plan may have.
void check_class_blocks(const SequenceClasses& classes, const Tiling& tiling);

/// A CTA of one batch entry as the plan of its class has it.
struct PlaceInClass {
  const Plan& plan;
  CtaPlace place;
};

/// The class of the batch entry of a place, which counts entries over all classes. Throws Error for no such entry.
PlaceInClass place_in_class(const Plan& plan, const CtaPlace& place);

/// A query head, counted over the batch entries of all classes, as the plan of its class has it.
struct HeadInClass {
  const Plan& plan;
  std::int64_t head = 0;
  std::int64_t queries_before = 0, keys_before = 0;  ///< rows of Q and of K of all heads of the classes before it
};
HeadInClass head_in_class(const Plan& plan, std::int64_t head);

/// The inputs of one class: all of them lie entry after entry, each (heads, Nq or Nk, d).
AttentionInputs inputs_of_class(const Plan& plan, const AttentionInputs& all, const Plan& of_class);

/// Throws Error where the batch is ragged: `what` does not follow entries of different lengths.
void require_alike(const Scenario& scenario, std::string_view what);

}  // namespace sim

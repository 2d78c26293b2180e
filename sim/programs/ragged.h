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

/// Throws Error where the batch is ragged: `what` does not follow entries of different lengths.
void require_alike(const Scenario& scenario, std::string_view what);

}  // namespace sim

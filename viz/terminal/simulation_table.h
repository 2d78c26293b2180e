// One simulation as a report for people.
#pragma once
#include "sim/model/simulation.h"
#include "viz/terminal/document.h"

namespace terminal {

/// Where the time goes: a row for each cause that takes any, a column for each kernel, or for the longest of more than
/// four, and for their sum.
report::Table budget_table(const sim::Simulation& simulation);

/// `standard`: the same scenario with standard attention, for the ratio; null when there is none. `sizes_from_files`:
/// batch and heads are those of files.
Document simulation_document(const sim::Simulation& simulation, const sim::Simulation* standard,
                             bool sizes_from_files = false);

}  // namespace terminal

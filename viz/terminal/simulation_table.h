// One simulation as a report for people.
#pragma once
#include "sim/model/simulation.h"
#include "viz/terminal/document.h"

namespace terminal {

/// Table of time by cause: a row for each cause with time, a column for each kernel (for the longest one if there are
/// more than four) and for their sum.
report::Table budget_table(const sim::Simulation& simulation);

/// `standard`: the scenario with standard attention, for the ratio; null if there is none. `sizes_from_files`: batch
/// and heads are those of files.
Document simulation_document(const sim::Simulation& simulation, const sim::Simulation* standard,
                             bool sizes_from_files = false);

}  // namespace terminal

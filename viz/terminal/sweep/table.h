// Rows of a sweep as tables: for a terminal and Markdown, and for LaTeX.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/model/busy_sms.h"
#include "sim/report/numbers.h"
#include "viz/results/sweep.h"

namespace terminal {

/// Busy SMs from a row with the default columns.
sim::BusySms busy_sms_of(const nlohmann::ordered_json& row);

/// A row for each point: its values on the axes, its numbers with their units, its error. `rows`: by column name.
report::Table sweep_table(const results::Sweep& sweep, const std::vector<nlohmann::ordered_json>& rows);

/// Chosen numbers as a LaTeX tabular, which needs \usepackage{booktabs}; each column has one unit, named in its header.
/// The reasons of points that cannot run are comments. `command`: the command line, for the comment at the top.
std::string sweep_latex(const results::Sweep& sweep, const std::vector<nlohmann::ordered_json>& rows,
                        const std::string& command);

}  // namespace terminal

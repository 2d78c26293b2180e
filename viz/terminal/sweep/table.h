// The rows of a sweep as tables: for a terminal and Markdown, and for LaTeX.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/model/busy_sms.h"
#include "sim/report/numbers.h"
#include "viz/results/sweep.h"

namespace terminal {

/// The SMs of a row with the usual columns.
sim::BusySms busy_sms_of(const nlohmann::ordered_json& row);

/// A row for each point: its place on the axes, its numbers with their units, its error. `rows`: by names of columns.
report::Table sweep_table(const results::Sweep& sweep, const std::vector<nlohmann::ordered_json>& rows);

/// Chosen numbers as a LaTeX tabular, each column in one unit, which its head names; the reasons of points that cannot
/// run are comments. It needs \usepackage{booktabs}. `command`: what made it, for the comment on top.
std::string sweep_latex(const results::Sweep& sweep, const std::vector<nlohmann::ordered_json>& rows,
                        const std::string& command);

}  // namespace terminal

// Predicted against published and recorded times as tables, JSON and CSV.
#pragma once
#include <string>

#include "sim/model/accuracy.h"
#include "sim/model/fit.h"
#include "sim/model/validation.h"

namespace terminal {

/// Accuracy as a sentence: "± 12.3 %, the mean error against 6 published times on h100-sxm (fa3-paper-h100)" or "not
/// validated: ...".
std::string accuracy_text(const sim::Accuracy& accuracy);

/// Accuracy for a table cell: "± 12.3 %" or "unknown".
std::string accuracy_cell(const sim::Accuracy& accuracy);

/// Errors by group and algorithm, whether scored or not; totals of the fitted and the held-out points, whose times the
/// latter are, and why others count by their ratios only.
std::string error_table(const sim::Validation& validation);

/// Full report: errors, cost of tiles, ratios, contradicted numbers, skipped points; with `points` every point.
std::string validation_table(const sim::Validation& validation, bool points);

/// Predicted over published and recorded times as an SVG, a mark for each. Throws Error if none can be drawn.
std::string validation_svg(const sim::Validation& validation);

/// "+4.7 %".
std::string signed_percent(double fraction);

/// A fit as text: every constant before and after.
std::string fit_table(const sim::Fit& fit, const sim::TimingConstants& before);

/// CSV rows of the groups, or of the points.
std::string validation_csv(const sim::Validation& validation, bool points);

}  // namespace terminal

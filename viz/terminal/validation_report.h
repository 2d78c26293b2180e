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

/// Errors by group and algorithm, and totals of the fitted and the held-out points.
std::string error_table(const sim::Validation& validation);

/// Full report: errors, ratios, contradicted numbers, skipped points; with `points` every point.
std::string validation_table(const sim::Validation& validation, bool points);

/// A fit as text: every constant before and after.
std::string fit_table(const sim::Fit& fit, const sim::TimingConstants& before);

/// CSV rows of the groups, or of the points.
std::string validation_csv(const sim::Validation& validation, bool points);

}  // namespace terminal

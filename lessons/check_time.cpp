// Checks that claims and questions about predicted time stay within the known error of the predictions.
#include <algorithm>
#include <cmath>

#include "lessons/check.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"

namespace lessons {
namespace {

using std::string;
using std::string_view;

constexpr string_view within_sign = " within ";

bool is_time(string_view name) {
  return name.starts_with("time.") &&
         (name.ends_with("microseconds") || name.ends_with("cycles") || name.find("budget.") != string_view::npos);
}

/// Returns the runs whose times a formula names; the main one is "".
std::vector<string> timed_runs(string_view formula, const Facts& facts) {
  std::vector<string> runs;
  string run;
  for (const FormulaPart& part : formula_parts(formula)) {
    if (part.kind != FormulaPart::Kind::word) continue;
    const bool names_run = facts.run(part.text) != nullptr;
    if (!names_run && is_time(part.text)) runs.push_back(run);
    run = names_run ? part.text : "";
  }
  return runs;
}

/// Returns the largest error of the predictions of some runs, in percent; empty if one of them is unknown.
std::optional<double> error_of(const std::vector<string>& runs, const Facts& facts) {
  double largest = 0;
  for (const string& run : runs) {
    const auto& error = facts.run(run)->at("time").at("error_percent");
    if (!error.is_number()) return std::nullopt;
    largest = std::max(largest, error.get<double>());
  }
  return largest;
}

/// Returns the relative change, in percent, of a number that would make a claim false.
double margin_of(string_view text, const Facts& facts) {
  const Claim claim = claim_of(text);
  const double left = facts.value(claim.left), right = facts.value(claim.right);
  if (claim.percent.empty()) return 100 * std::abs(left - right) / std::min(std::abs(left), std::abs(right));
  return std::abs(100 * std::abs(left - right) / std::abs(right) - facts.value(claim.percent));
}

/// Returns an error if times of this error cannot prove a claim or condition; else "".
string unproven(string_view claim, const Facts& facts, double error) {
  if (claim.find(within_sign) == string_view::npos && claim.find_first_of("<>") == string_view::npos)
    return sim::text("a time is taken for exact: ", claim);
  const double margin = margin_of(claim, facts);
  if (margin >= 2 * error) return "";
  return sim::text("the margin of ", margin, " % is less than twice the error of ", error, " %: ", claim);
}

bool is_order(string_view claim) {
  return claim.find_first_of("<>") != string_view::npos && bare_number(claim).empty();
}

constexpr string_view instead = "ask for bytes, or for bytes over bandwidth: ";

string condition_asked(string_view condition, const Facts& facts) {
  const std::vector<string> runs = timed_runs(condition, facts);
  if (runs.empty()) return "";
  const std::optional<double> error = error_of(runs, facts);
  return error ? unproven(condition, facts, *error)
               : sim::text("the error of this time is unknown; ", instead, condition);
}

}  // namespace

string time_claimed(string_view claim, const Facts& facts) {
  const std::vector<string> runs = timed_runs(claim, facts);
  if (runs.empty()) return "";
  const std::optional<double> error = error_of(runs, facts);
  if (error) return unproven(claim, facts, *error);
  return is_order(claim) ? ""
                         : sim::text("the error of this time is unknown, so only its order can be claimed: ", claim);
}

string time_asked(const Question& question, const Facts& facts) {
  std::vector<string> conditions{question.until};
  for (const Choice& choice : question.choices) conditions.push_back(choice.when);
  for (const string& condition : conditions) {
    if (string error = condition_asked(condition, facts); !error.empty()) return error;
  }
  const std::vector<string> runs = timed_runs(question.answer, facts);
  const std::optional<double> error = error_of(runs, facts);
  if (runs.empty() || (error && 100 * question.tolerance >= 2 * *error)) return "";
  return sim::text("the error of this time is ", error ? "more than half of the tolerance; " : "unknown; ", instead,
                   question.answer);
}

}  // namespace lessons

#include "viz/results/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/report/numbers.h"

namespace results {
namespace {

constexpr double tolerance = 0.01;

bool same(double ratio, double first) { return std::abs(ratio - first) <= tolerance * first; }

/// "all 12 points", or "the only point that runs".
std::string all_points(std::size_t count) {
  return count == 1 ? "the only point that runs"
                    : fmt::format("all {} points", report::thousands(static_cast<std::int64_t>(count)));
}

}  // namespace

void FormulaVerdict::add(double ratio, double formula) {
  ratios_.push_back(ratio);
  if (!std::isnan(ratio)) whole_ = whole_ && std::max(formula, ratio * formula) < 0x1p53;
}

std::string FormulaVerdict::text() const {
  std::vector<std::int64_t> rows;  // rows with a ratio
  for (std::size_t row = 0; row < ratios_.size(); ++row) {
    if (!std::isnan(ratios_[row])) rows.push_back(static_cast<std::int64_t>(row));
  }
  if (rows.empty()) return "no point could run: nothing to compare";
  for (const std::int64_t row : rows) {
    if (!same(ratio(row), ratio(rows.front()))) return departure(rows, row);
  }
  if (ratio(rows.front()) == 0) return "the count is 0 on " + all_points(rows.size());
  return agreement(rows);
}

/// Text of an agreement. "Exactly" requires every digit: a formula that is off by 1 in 3e14 agrees to 3.3e-13 %.
std::string FormulaVerdict::agreement(const std::vector<std::int64_t>& rows) const {
  const double first = ratio(rows.front());
  double from_first = 0, from_one = 0;
  for (const std::int64_t row : rows) {
    from_first = std::max(from_first, std::abs(ratio(row) / first - 1));
    from_one = std::max(from_one, std::abs(ratio(row) - 1));
  }
  const std::string points = all_points(rows.size()), digits = whole_ ? "exactly" : "to all digits of a double";
  if (from_one == 0) return "agrees " + digits + " on " + points;
  if (from_one < 0.0005) return fmt::format("agrees to {:.2g} % on {}", 100 * from_one, points);
  if (rows.size() == 1) return fmt::format("count = {:.3g} x formula on {}", first, points);
  return fmt::format("count = {:.3g} x formula on {} ({}): right up to a constant factor", first, points,
                     from_first > 0 ? fmt::format("to {:.2g} %", 100 * from_first) : digits);
}

std::string FormulaVerdict::departure(const std::vector<std::int64_t>& rows, std::int64_t departing) const {
  const auto less = [this](std::int64_t a, std::int64_t b) { return ratio(a) < ratio(b); };
  auto from = std::min_element(rows.begin(), rows.end(), less), to = std::max_element(rows.begin(), rows.end(), less);
  const bool grows = *from < *to;
  if (!grows) std::swap(from, to);
  return fmt::format(
      "departs: the ratio count / formula {} from {:.3g} at {} to {:.3g} at {}; first departs at {} ({:.3g}){}",
      grows ? "grows" : "falls", ratio(*from), sweep_.place(*from), ratio(*to), sweep_.place(*to),
      sweep_.place(departing), ratio(departing), along_axes());
}

std::string FormulaVerdict::along_axes() const {
  if (sweep_.axes().size() < 2) return "";
  std::string varying, steady;
  for (std::size_t axis = 0; axis < sweep_.axes().size(); ++axis) {
    const Along found = along(axis);
    if (found == Along::unknown) continue;
    std::string& list = found == Along::varies ? varying : steady;
    list += (list.empty() ? "" : ", ") + sweep_.axes()[axis].name;
  }
  return (varying.empty() ? "" : "; it varies along " + varying) + (steady.empty() ? "" : "; not along " + steady);
}

/// Compares each point with the first one on its line along the axis.
FormulaVerdict::Along FormulaVerdict::along(std::size_t axis) const {
  std::int64_t stride = 1;
  for (std::size_t a = axis + 1; a < sweep_.axes().size(); ++a)
    stride *= static_cast<std::int64_t>(sweep_.axes()[a].values.size());
  Along found = Along::unknown;
  for (std::int64_t row = 0; row < static_cast<std::int64_t>(ratios_.size()); ++row) {
    const std::int64_t points = static_cast<std::int64_t>(sweep_.coordinate(row, axis)) * stride;
    const std::int64_t start = row - points / sweep_.shard().of;
    if (points == 0 || points % sweep_.shard().of != 0 || start < 0) continue;  // the first point is in another shard
    if (std::isnan(ratio(row)) || std::isnan(ratio(start))) continue;
    if (!same(ratio(row), ratio(start))) return Along::varies;
    found = Along::same;
  }
  return found;
}

}  // namespace results

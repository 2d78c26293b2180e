#include "kernels/profile/comparison.h"

#include <algorithm>
#include <cmath>

#include "kernels/profile/cause.h"
#include "kernels/profile/simulated.h"
#include "sim/base/check.h"

namespace profile {
namespace {

struct Measured {
  double value = 0, rounding = 0;
  Source terms;  ///< those that the file has
};

const Reading* reading_of(const Launch& launch, const Term& term) {
  const auto found = launch.readings.find(std::string_view(term.metric));
  return found == launch.readings.end() || !found->second ? nullptr : &*found->second;
}

/// The terms that every launch has; nothing where one is missing that must be there.
std::optional<Source> terms_in(const Source& source, const std::vector<const Launch*>& launches) {
  Source terms;
  for (const Term& term : source) {
    const bool there = std::all_of(launches.begin(), launches.end(),
                                   [&](const Launch* launch) { return reading_of(*launch, term) != nullptr; });
    if (there) terms.push_back(term);
    if (!there && !term.optional) return std::nullopt;
  }
  return terms;
}

/// One term over all launches.
Reading total(const Term& term, const std::vector<const Launch*>& launches) {
  Reading sum;
  for (const Launch* launch : launches) {
    const Reading* reading = reading_of(*launch, term);
    sum.value += reading->value * term.factor;
    sum.rounding += reading->rounding * term.factor;
  }
  return sum;
}

Measured sum_of(const Source& terms, const std::vector<const Launch*>& launches) {
  Measured measured{0, 0, terms};
  for (const Term& term : terms) {
    const Reading reading = total(term, launches);
    measured.value += reading.value;
    measured.rounding += reading.rounding;
  }
  return measured;
}

Measured largest_of(const Source& terms, const std::vector<const Launch*>& launches) {
  Measured largest{0, 0, terms};
  for (const Launch* launch : launches) {
    const Measured one = sum_of(terms, {launch});
    if (one.value > largest.value) largest = one;
  }
  return largest;
}

/// Percentages of several launches make no percentage.
std::optional<Measured> share_of(const Source& terms, const std::vector<const Launch*>& launches) {
  if (terms.size() == 1) return launches.size() == 1 ? std::optional(sum_of(terms, launches)) : std::nullopt;
  const Reading part = total(terms[0], launches), whole = total(terms[1], launches);
  if (whole.value <= 0) return std::nullopt;
  return Measured{part.value / whole.value, (part.rounding + whole.rounding) / whole.value, terms};
}

/// The tensor-core metric of another dtype measures something else.
bool applies(const Source& source, const Quantity& quantity, const sim::Simulation& program) {
  if (quantity.path != path::matmul) return true;
  const std::string dtype = "src_" + std::string(sim::name_of(program.plan.scenario.dtype));
  return std::string_view(source.front().metric).find(dtype) != std::string_view::npos;
}

std::optional<Measured> measure(const Quantity& quantity, const sim::Simulation& program,
                                const std::vector<const Launch*>& launches) {
  for (const Source& source : quantity.sources) {
    const std::optional<Source> terms = terms_in(source, launches);
    if (!terms || !applies(source, quantity, program)) continue;
    if (quantity.grouping == Grouping::sum) return sum_of(*terms, launches);
    if (quantity.grouping == Grouping::largest) return largest_of(*terms, launches);
    if (auto share = share_of(*terms, launches)) return share;
  }
  return std::nullopt;
}

/// The metrics of a source that must be there, as an option of ncu.
std::string recording_option(const Source& source) {
  std::string names;
  for (const Term& term : source) {
    if (!term.optional) names += (names.empty() ? "" : ",") + std::string(term.metric);
  }
  return "--metrics " + names;
}

/// A metric of the source that some launch has as "n/a".
std::optional<std::string> refused_metric(const Source& source, const std::vector<const Launch*>& launches) {
  for (const Term& term : source) {
    for (const Launch* launch : launches) {
      const auto found = launch->readings.find(std::string_view(term.metric));
      if (found != launch->readings.end() && !found->second) return term.metric;
    }
  }
  return std::nullopt;
}

/// Why a quantity is not there, and what adds it.
std::string missing(const Quantity& quantity, const sim::Simulation& program,
                    const std::vector<const Launch*>& launches) {
  std::string option;
  for (const Source& source : quantity.sources) {
    if (!applies(source, quantity, program)) continue;
    if (const auto metric = refused_metric(source, launches)) return "n/a in the file: " + *metric;
    if (option.empty() || quantity.path == path::matmul)  // whose name depends on the chip
      option += (option.empty() ? "" : " or ") + recording_option(source);
  }
  return std::string("not in the file") + (launches.size() > 1 ? " for each launch: add " : ": add ") + option;
}

Row make_row(const Quantity& quantity, const Kernels& kernels, double simulated,
             const std::vector<const Launch*>& launches) {
  Row row{quantity.path, quantity.unit, simulated, {}, 0, "", quantity.expectation, ""};
  if (const auto measured = measure(quantity, kernels.program, launches)) {
    sim::require(measured->value < 0x1p62, quantity.path, ": the launches add up to ", measured->value,
                 ": less than 2^62 is allowed");
    row.measured = measured->value;
    row.rounding = measured->rounding;
    row.metric = name_of(measured->terms, quantity.grouping);
  } else {
    row.cause = missing(quantity, kernels.program, launches);
  }
  return row;
}

Part make_part(std::string name, const Kernels& kernels, std::vector<const Launch*> launches) {
  Part part{std::move(name), std::move(launches), {}};
  for (const Quantity& quantity : quantities()) {
    if (const auto simulated = simulated_value(quantity.path, kernels))
      part.rows.push_back(make_row(quantity, kernels, *simulated, part.launches));
  }
  for (Row& row : part.rows) {
    if (row.measured) row.cause = cause_of(row, part, kernels);
  }
  return part;
}

}  // namespace

bool Row::within() const {
  if (!expectation) return true;
  return std::abs(difference()) <= std::max(*expectation * simulated, rounding);
}

std::size_t Comparison::rows() const {
  std::size_t measured = 0;
  for (const Part& part : parts) {
    for (const Row& row : part.rows) measured += row.measured ? 1 : 0;
  }
  return measured;
}

std::size_t Comparison::outside() const {
  std::size_t count = 0;
  for (const Part& part : parts) {
    for (const Row& row : part.rows) count += row.within() ? 0 : 1;
  }
  return count;
}

Comparison compare(const sim::Simulation& program, const std::vector<const Launch*>& launches) {
  const std::size_t count = program.kernels.size();
  Comparison comparison;
  comparison.in_order = launches.size() == count;
  if (comparison.in_order) {
    for (std::size_t k = 0; k < count; ++k)
      comparison.parts.push_back(make_part(program.kernels[k].name, {program, k, k + 1}, {launches[k]}));
  }
  if (!comparison.in_order || count > 1)
    comparison.parts.push_back(
        make_part(count == 1 ? program.kernels[0].name : "all kernels", {program, 0, count}, launches));
  return comparison;
}

}  // namespace profile

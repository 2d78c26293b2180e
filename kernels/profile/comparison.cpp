#include "kernels/profile/comparison.h"

#include <algorithm>
#include <cmath>

#include "kernels/profile/cause.h"
#include "kernels/profile/grid.h"
#include "kernels/profile/simulated.h"
#include "sim/base/check.h"

namespace profile {
namespace {

struct Measured {
  double value = 0, rounding = 0;
  Source terms;  ///< terms that the file has
};

const Reading* reading_of(const Launch& launch, const Term& term) {
  const auto found = launch.readings.find(std::string_view(term.metric));
  return found == launch.readings.end() || !found->second ? nullptr : &*found->second;
}

/// Terms that every launch has; empty if a required one is missing.
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

/// Sum of one term over all launches.
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

/// Percentages of several launches cannot be combined, and neither can rates.
std::optional<Measured> quotient_of(const Source& terms, const std::vector<const Launch*>& launches) {
  if (terms.size() == 1) return launches.size() == 1 ? std::optional(sum_of(terms, launches)) : std::nullopt;
  const Reading part = total(terms[0], launches), whole = total(terms[1], launches);
  if (whole.value <= 0) return std::nullopt;
  const double value = part.value / whole.value;
  return Measured{value, (part.rounding + value * whole.rounding) / whole.value, terms};
}

/// True unless the source is the tensor-core metric of another dtype.
bool applies(const Source& source, const Quantity& quantity, const sim::Simulation& program) {
  if (quantity.path != path::matmul) return true;
  const std::string dtype = "src_" + std::string(sim::name_of(program.plan.scenario.dtype));
  return std::string_view(source.front().metric).find(dtype) != std::string_view::npos;
}

/// Evaluates one pass by one source; empty if the pass lacks a metric.
std::optional<Measured> measure_pass(const Source& source, Grouping grouping,
                                     const std::vector<const Launch*>& launches) {
  const std::optional<Source> terms = terms_in(source, launches);
  if (!terms) return std::nullopt;
  if (grouping == Grouping::sum) return sum_of(*terms, launches);
  if (grouping == Grouping::largest) return largest_of(*terms, launches);
  return quotient_of(*terms, launches);
}

/// Evaluates the passes by the best source that most of them have.
std::vector<Measured> measure(const Quantity& quantity, const sim::Simulation& program, const KernelComparison& part) {
  std::vector<Measured> best;
  for (const Source& source : quantity.sources) {
    if (!applies(source, quantity, program)) continue;
    std::vector<Measured> measured;
    for (const std::vector<const Launch*>& pass : part.passes) {
      if (auto one = measure_pass(source, quantity.grouping, pass)) measured.push_back(std::move(*one));
    }
    if (measured.size() > best.size()) best = std::move(measured);
    if (best.size() == part.passes.size()) break;
  }
  return best;
}

/// The required metrics of a source, as an option of ncu.
std::string recording_option(const Source& source) {
  std::string names;
  for (const Term& term : source) {
    if (!term.optional) names += (names.empty() ? "" : ",") + std::string(term.metric);
  }
  return "--metrics " + names;
}

/// A metric of the source that is "n/a" in some launch.
std::optional<std::string> refused_metric(const Source& source, const KernelComparison& part) {
  const auto refuses = [&](const Launch* launch, const Term& term) {
    const auto found = launch->readings.find(std::string_view(term.metric));
    return found != launch->readings.end() && !found->second;
  };
  for (const Term& term : source) {
    for (const std::vector<const Launch*>& pass : part.passes) {
      for (const Launch* launch : pass) {
        if (refuses(launch, term)) return term.metric;
      }
    }
  }
  return std::nullopt;
}

/// Explains why a quantity is missing, and how to record it.
std::string missing(const Quantity& quantity, const sim::Simulation& program, const KernelComparison& part) {
  std::string option;
  for (const Source& source : quantity.sources) {
    if (!applies(source, quantity, program)) continue;
    if (const auto metric = refused_metric(source, part)) return "n/a in the file: " + *metric;
    if (option.empty() || quantity.path == path::matmul)  // its name depends on the chip
      option += (option.empty() ? "" : " or ") + recording_option(source);
  }
  return std::string("not in the file") + (part.launches() > 1 ? " for each launch: add " : ": add ") + option;
}

/// Median of sorted values: the middle one, or the mean of the two in the middle.
Measured median(const std::vector<Measured>& sorted) {
  const Measured &low = sorted[(sorted.size() - 1) / 2], &high = sorted[sorted.size() / 2];
  return {low.value + (high.value - low.value) / 2, std::max(low.rounding, high.rounding), low.terms};
}

Row make_row(const Quantity& quantity, const Kernels& kernels, double simulated, const KernelComparison& part) {
  Row row{quantity.path, quantity.unit, simulated, {}, 0, "", quantity.expectation, ""};
  std::vector<Measured> passes = measure(quantity, kernels.program, part);
  if (passes.empty()) {
    row.cause = missing(quantity, kernels.program, part);
    return row;
  }
  std::sort(passes.begin(), passes.end(), [](const Measured& a, const Measured& b) { return a.value < b.value; });
  sim::require(passes.back().value < 0x1p62, quantity.path, ": the launches add up to ", passes.back().value,
               ": less than 2^62 is allowed");
  const Measured measured = median(passes);
  row.measured = measured.value;
  row.rounding = measured.rounding;
  row.metric = name_of(measured.terms, quantity.grouping);
  row.repetitions = passes.size();
  row.low = passes.front().value;
  row.high = passes.back().value;
  return row;
}

KernelComparison make_part(std::string name, const Kernels& kernels, std::vector<std::vector<const Launch*>> passes) {
  KernelComparison part{std::move(name), std::move(passes), {}};
  for (const Quantity& quantity : quantities()) {
    const std::optional<double> simulated = simulated_value(quantity.path, kernels);
    if (!simulated) continue;
    Row row = make_row(quantity, kernels, *simulated, part);
    if (row.measured || !quantity.beside) part.rows.push_back(std::move(row));
  }
  for (Row& row : part.rows) {
    if (row.measured) row.cause = cause_of(row, part, kernels);
  }
  return part;
}

/// Another problem explains every difference, except of what does not depend on it.
void explain_by_grid(Comparison& comparison) {
  for (KernelComparison& part : comparison.parts) {
    for (Row& row : part.rows) {
      const bool of_kernel = row.quantity == path::clock || row.quantity == path::shared_memory;
      if (row.measured && !row.cause.empty() && !of_kernel) row.cause = comparison.grid;
    }
  }
}

/// Launches at one position of each pass.
std::vector<std::vector<const Launch*>> position(const Passes& passes, std::size_t n) {
  std::vector<std::vector<const Launch*>> launches;
  for (const std::vector<const Launch*>& pass : passes.passes) launches.push_back({pass[n]});
  return launches;
}

}  // namespace

bool Row::within() const {
  if (!expectation) return true;
  return std::abs(difference()) <= std::max(*expectation * simulated, rounding);
}

std::size_t Comparison::rows() const {
  std::size_t measured = 0;
  for (const KernelComparison& part : parts) {
    for (const Row& row : part.rows) measured += row.measured ? 1 : 0;
  }
  return measured;
}

std::size_t Comparison::outside() const {
  std::size_t count = 0;
  for (const KernelComparison& part : parts) {
    for (const Row& row : part.rows) count += row.within() ? 0 : 1;
  }
  return count;
}

bool Comparison::nothing() const {
  return std::none_of(parts.begin(), parts.end(), [](const KernelComparison& part) {
    return std::any_of(part.rows.begin(), part.rows.end(),
                       [](const Row& row) { return row.measured && row.quantity != path::clock; });
  });
}

Comparison compare(const sim::Simulation& program, const std::vector<const Launch*>& launches) {
  const std::size_t count = program.kernels.size();
  Passes passes = find_passes(launches, count);
  Comparison comparison;
  comparison.in_order = passes.launches() == count;
  comparison.left_out = std::move(passes.left_out);
  if (comparison.in_order) comparison.grid = other_grid(program, passes.passes.front());
  if (comparison.in_order) {
    for (std::size_t k = 0; k < count; ++k)
      comparison.parts.push_back(make_part(program.kernels[k].name, {program, k, k + 1}, position(passes, k)));
  }
  if (!comparison.in_order || count > 1)
    comparison.parts.push_back(
        make_part(count == 1 ? program.kernels[0].name : "all kernels", {program, 0, count}, std::move(passes.passes)));
  if (!comparison.grid.empty()) explain_by_grid(comparison);
  return comparison;
}

}  // namespace profile

// Compares a profile with a program: a GPU's counters of any attention kernel and the numbers of a scenario's program,
// row by row. Inaccuracies: metrics include other activity of their unit (instruction fetches, other users of L2); see
// cause.cpp.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "kernels/profile/metric.h"
#include "kernels/profile/passes.h"
#include "kernels/profile/profile.h"
#include "sim/model/simulation.h"

namespace profile {

/// One quantity, simulated and measured.
struct Row {
  std::string_view quantity, unit;
  double simulated = 0;
  std::optional<double> measured;     ///< empty if the file lacks it; `cause` then tells how to add it
  double rounding = 0;                ///< rounding of the numbers in the file
  std::string metric;                 ///< name of the measured metric
  std::optional<double> expectation;  ///< see Quantity
  std::string cause;                  ///< cause of a larger difference; "" if there is nothing to explain
  std::size_t repetitions = 0;        ///< number of passes that have it; `measured` is their median
  double low = 0, high = 0;           ///< minimum and maximum over them

  double difference() const { return measured.value_or(simulated) - simulated; }
  /// True if the difference is at most the expectation and rounding; also if nothing is measured or expected.
  bool within() const;
};

/// One kernel of the program, or all, and the launches compared with it.
struct KernelComparison {
  std::string kernel;
  std::vector<std::vector<const Launch*>> passes;  ///< repetitions of the same launches
  std::vector<Row> rows;
  std::size_t launches() const { return passes.front().size(); }  ///< in one pass
};

/// Parts of a comparison. In order: one per kernel, and if there are several, one of all; else only one of all.
struct Comparison {
  bool in_order = true;
  std::string grid;  ///< the problem that another grid than the program's shows, see other_grid(); "" if it fits
  std::vector<KernelComparison> parts;
  std::vector<const Launch*> left_out;  ///< launches that fit no pass
  std::size_t repetitions() const { return parts.back().passes.size(); }
  std::size_t rows() const;     ///< measured ones
  std::size_t outside() const;  ///< beyond the expectation
  bool nothing() const;         ///< no row but that of the clock is measured
};

/// Compares launches with the program's kernels, by the median of their passes. Leaves out reads of reductions: a GPU
/// returns nothing to the SM. Throws sim::Error if launches add up to 2^62 or more.
Comparison compare(const sim::Simulation& program, const std::vector<const Launch*>& launches);

}  // namespace profile

// A profile beside a program: what a GPU's counters showed of any attention kernel, beside what the program of a
// scenario does, row by row. Inaccuracies: metrics count what else their unit did (instruction fetches, other users of
// L2); see cause.cpp.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "kernels/profile/metric.h"
#include "kernels/profile/profile.h"
#include "sim/model/simulation.h"

namespace profile {

/// One quantity of both.
struct Row {
  std::string_view quantity, unit;
  double simulated = 0;
  std::optional<double> measured;     ///< nothing where the file does not have it; `cause` says what adds it
  double rounding = 0;                ///< of the numbers in the file
  std::string metric;                 ///< what was measured
  std::optional<double> expectation;  ///< see Quantity
  std::string cause;                  ///< of a difference beyond it; "" where there is nothing to say

  double difference() const { return measured.value_or(simulated) - simulated; }
  /// No further off than expected and rounded; true where nothing is measured or expected.
  bool within() const;
};

/// One kernel of the program, or all, and the launches beside it.
struct Part {
  std::string kernel;
  std::vector<const Launch*> launches;
  std::vector<Row> rows;
};

/// In order: a launch for each kernel; then, of several kernels, all together. Else one part of all kernels.
struct Comparison {
  bool in_order = true;
  std::vector<Part> parts;
  std::size_t rows() const;     ///< measured ones
  std::size_t outside() const;  ///< beyond the expectation
};

/// Sets launches beside the program's kernels. Reads of reductions are left out: a GPU returns nothing to the SM.
/// Throws sim::Error where launches add up to 2^62 or more.
Comparison compare(const sim::Simulation& program, const std::vector<const Launch*>& launches);

}  // namespace profile

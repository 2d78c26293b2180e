// A profile beside a program: what a GPU's counters showed of any attention kernel, beside what the program of a
// scenario does, row by row. Inaccuracies: metrics count what else their unit did (instruction fetches, other users of
// L2); see cause.cpp.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "kernels/profile/metric.h"
#include "kernels/profile/passes.h"
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
  std::size_t repetitions = 0;        ///< how many passes have it; `measured` is their median
  double low = 0, high = 0;           ///< the least and the most of them

  double difference() const { return measured.value_or(simulated) - simulated; }
  /// No further off than expected and rounded; true where nothing is measured or expected.
  bool within() const;
};

/// One kernel of the program, or all, and the launches next to it.
struct Part {
  std::string kernel;
  std::vector<std::vector<const Launch*>> passes;  ///< repetitions of the same launches
  std::vector<Row> rows;
  std::size_t launches() const { return passes.front().size(); }  ///< of one pass
};

/// In order: a launch for each kernel; then, of several kernels, all together. Else one part of all kernels.
struct Comparison {
  bool in_order = true;
  std::vector<Part> parts;
  std::vector<const Launch*> left_out;  ///< launches that fit no pass
  std::size_t repetitions() const { return parts.back().passes.size(); }
  std::size_t rows() const;     ///< measured ones
  std::size_t outside() const;  ///< beyond the expectation
  bool nothing() const;         ///< no row but that of the clock is measured
};

/// Sets launches next to the program's kernels: the median of their passes. Reads of reductions are left out: a GPU
/// returns nothing to the SM. Throws sim::Error if launches add up to 2^62 or more.
Comparison compare(const sim::Simulation& program, const std::vector<const Launch*>& launches);

}  // namespace profile

// Parts of marking.h: typed numbers and reasons from their ratios, the order of lines, formulas, goals.
#pragma once
#include "lessons/marking.h"

namespace lessons {

Verdict mark_number(const Question& question, const Scene& scene, std::string_view answer);

/// Converts characters of a Chinese keyboard or copied from a page to ASCII: "３×１０２４，" is "3*1024,", "N²" is
/// "N^2", "⌈N / B_r⌉" is "ceil(N / B_r)".
std::string in_plain_signs(std::string_view typed);

/// Returns what a typed formula may mean, as formulas of sim/base/expression.h: "2 N T_c" is 2 * N * Tc. Neighbours are
/// multiplied, from left to right like other products; "N / 2 d" has the reading N / (2 * d) as well. Throws Unclear
/// for a name that is not among `symbols`.
std::vector<std::string> formula_readings(std::string_view typed, const std::vector<std::string>& symbols);

/// Formats a number as a learner would type it, with all its digits.
std::string typed_number(const Facts::Quantity& quantity);

/// Parses "3 1 2", each number of 1 to `count` once, to indices from 0. Throws sim::Error.
std::vector<std::size_t> typed_places(std::string_view answer, std::size_t count);

/// Order constraints between lines: a line follows those that made its operands when it first ran, and kernels keep
/// their order. Throws sim::Error for a line that does not run.
class LineOrder {
 public:
  LineOrder(const Question& question, const sim::Simulation& run);
  /// Says which line of an order comes too early, and which one it needs; empty if the order is right.
  sim::Sentence too_early(const std::vector<std::size_t>& lines) const;
  bool allows(const std::vector<std::size_t>& lines) const { return too_early(lines).empty(); }

 private:
  sim::Sentence early(std::size_t line, const std::vector<std::size_t>& later) const;

  std::vector<std::string> lines_;
  std::vector<std::size_t> kernel_of_;     ///< of each line
  std::vector<std::vector<bool>> before_;  ///< [a][b]: a must come before b
};

/// Returns the best known score of a goal: Question::par if it is set (a formula), else the score of its solution.
double par_of(const Lesson& lesson, const Step& step, const Question& goal, const Scene& scene);

}  // namespace lessons

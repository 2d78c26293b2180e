// Parts of marking.h: typed numbers and reasons from their ratios, the order of lines, formulas, goals.
#pragma once
#include "lessons/marking.h"

namespace lessons {

Verdict mark_number(const Question& question, const Scene& scene, std::string_view answer);

/// Formats a number as a learner would type it, with all its digits.
std::string typed_number(const Facts::Quantity& quantity);

/// Parses "3 1 2", each number of 1 to `count` once, to indices from 0. Throws sim::Error.
std::vector<std::size_t> typed_places(std::string_view answer, std::size_t count);

/// Order constraints between lines: a line follows those that made its operands when it first ran, and kernels keep
/// their order. Throws sim::Error for a line that does not run.
class LineOrder {
 public:
  LineOrder(const Question& question, const sim::Simulation& run);
  bool allows(const std::vector<std::size_t>& lines) const;

 private:
  std::vector<std::vector<bool>> before_;  ///< [a][b]: a must come before b
};

/// Returns the best known score of a goal: Question::par if it is set (a formula), else the score of its solution.
double par_of(const Lesson& lesson, const Step& step, const Question& goal, const Scene& scene);

}  // namespace lessons

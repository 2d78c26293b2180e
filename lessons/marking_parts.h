// The parts of marking.h: typed numbers and what their ratios say, the order of lines, formulas, goals.
#pragma once
#include "lessons/marking.h"

namespace lessons {

Verdict mark_number(const Question& question, const Scene& scene, std::string_view answer);

/// A number as a learner would type it, with all its digits.
std::string typed_number(const Facts::Quantity& quantity);

/// "3 1 2", each place of 1 to `count` once: from 0. Throws sim::Error.
std::vector<std::size_t> typed_places(std::string_view answer, std::size_t count);

/// Which lines must come before which: a line after those that made its operands when it ran first, kernels in their
/// order. Throws sim::Error for a line that does not run.
class LineOrder {
 public:
  LineOrder(const Question& question, const sim::Simulation& run);
  bool allows(const std::vector<std::size_t>& lines) const;

 private:
  std::vector<std::vector<bool>> before_;  ///< [a][b]: a must come before b
};

/// The best score of a goal that is known: of Question::par, which is a formula or, without one, of its solution.
double par_of(const Lesson& lesson, const Step& step, const Question& goal, const Scene& scene);

}  // namespace lessons

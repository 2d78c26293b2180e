// Checks of the numbers that questions ask for: that they are answers, and that no text has given them away before.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lessons/facts.h"
#include "lessons/lesson.h"
#include "lessons/page.h"

namespace lessons {

/// Returns an error if a number is 0, or if its tolerance spans several counts; else "".
std::string number_error(const Question& question, const Facts& facts);

/// Returns errors for reasons of choices, which are read before the last try, with a number of the right answer that
/// the step has not shown.
std::vector<std::string> reason_errors(const Question& question, const Page& page, const Facts& facts);

/// The numbers in the texts that a learner has read, in order, to find those that answer a later question. Numbers are
/// compared as quantities, not as digits: {1 / 3 | percent} answers a question for 0.333.
class ReadNumbers {
 public:
  /// Reads a step, and returns errors for the answers that were in a text before their question. Questions that recall
  /// something are left out.
  std::vector<std::pair<const Question*, std::string>> read(const Step& step, const Page& page, const Facts& facts);

 private:
  struct Number {
    double value;
    std::string_view unit;
    std::string step, formula;
  };
  void add(std::string_view text, const Step& step, const Facts& facts);
  std::string answered(const Question& question, const Facts& facts) const;

  std::vector<Number> numbers_;
};

}  // namespace lessons

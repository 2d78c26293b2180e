// Questions that a body may ask while it is recorded; a table has a body for each answer.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "sim/programs/recorded/recording.h"

namespace sim::recorded {

struct Question {
  std::string_view name;
  bool (*of_problem)(const Problem&) = nullptr;  ///< null: of a CTA
  bool (*of_cta)(const Cta&) = nullptr;
};
std::span<const Question> questions();

/// Do all answers hold? Without a CTA: those of the problem.
bool holds(const std::vector<Answer>& answers, const Cta* cta, const Problem& problem);

/// "dropout = true, live row = false": the answers that now hold to these questions.
std::string answers_now(const std::vector<Answer>& answers, const Cta& cta, const Problem& problem);

}  // namespace sim::recorded

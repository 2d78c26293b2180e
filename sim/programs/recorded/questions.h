// Questions that a body may ask while it is recorded; a table has a body for each combination of answers.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "sim/programs/recorded/recording.h"

namespace sim::recorded {

struct Question {
  std::string_view name;
  bool (*of_problem)(const Problem&) = nullptr;  ///< null: a question about a CTA
  bool (*of_cta)(const Cta&) = nullptr;
};
std::span<const Question> questions();

/// True if all answers hold. Without a CTA, only answers about the problem are allowed.
bool holds(const std::vector<Answer>& answers, const Cta* cta, const Problem& problem);

/// True if the answers about the problem hold, whatever the CTA.
bool may_hold(const std::vector<Answer>& answers, const Problem& problem);

/// Returns the answers that currently hold to these questions: "dropout = true, live row = false".
std::string answers_now(const std::vector<Answer>& answers, const Cta& cta, const Problem& problem);

}  // namespace sim::recorded

#include "sim/programs/recorded/questions.h"

#include <algorithm>

#include "sim/machine/cta.h"

namespace sim::recorded {
namespace {

constexpr Question all_questions[] = {
    {"dropout", [](const Problem& p) { return p.dropout.any(); }},
    {"causal", [](const Problem& p) { return p.shape.mask.causal; }},
    {"masked", [](const Problem& p) { return p.shape.mask.any(); }},
    {"modified", [](const Problem& p) { return p.modified(); }},
    {"alibi", [](const Problem& p) { return p.alibi(); }},
    {"sinks", [](const Problem& p) { return p.has_sinks(); }},
    {"paged", [](const Problem& p) { return p.paged(); }},
    {"row fits", [](const Problem& p) { return Bytes(product(p.shape.seqlen_k, size_of(p.dtype))) <= p.row_capacity; }},
    {"live row", nullptr, [](const Cta& cta) { return cta.live(cta.row()); }},
    {"seen row", nullptr, [](const Cta& cta) { return cta.seen(cta.row()); }},
    {"seen col", nullptr, [](const Cta& cta) { return cta.seen(cta.col()); }},
};

bool now(const Question& question, const Cta* cta, const Problem& problem) {
  return question.of_problem != nullptr ? question.of_problem(problem) : question.of_cta(*cta);
}

}  // namespace

std::span<const Question> questions() { return all_questions; }

bool holds(const std::vector<Answer>& answers, const Cta* cta, const Problem& problem) {
  return std::all_of(answers.begin(), answers.end(), [&](const Answer& answer) {
    return now(all_questions[answer.question], cta, problem) == answer.is;
  });
}

bool may_hold(const std::vector<Answer>& answers, const Problem& problem) {
  return std::all_of(answers.begin(), answers.end(), [&](const Answer& answer) {
    const Question& question = all_questions[answer.question];
    return question.of_problem == nullptr || question.of_problem(problem) == answer.is;
  });
}

std::string answers_now(const std::vector<Answer>& answers, const Cta& cta, const Problem& problem) {
  std::string all;
  for (const Answer& answer : answers) {
    const Question& question = all_questions[answer.question];
    all += text(all.empty() ? "" : ", ", question.name, " = ", now(question, &cta, problem) ? "true" : "false");
  }
  return all;
}

}  // namespace sim::recorded

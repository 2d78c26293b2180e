#include "lessons/pieces.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lessons/telling.h"
#include "sim/base/text.h"
#include "sim/catalogue/options.h"

namespace lessons {
namespace {

using std::string;
using std::string_view;
using Kind = Piece::Kind;

/// A sentence with values, to be translated.
template <class... Value>
sim::Sentence sentence(string_view english, const Value&... values) {
  return sim::Sentence(english, values...);
}

bool is_choice(const Asked& asked) { return asked.question.kind == QuestionKind::choice; }

string kind_text(const Question& question, const Say& say) {
  if (question.retrieval) return say(sentence(/*say*/ "Recall"));
  return say(question.kind == QuestionKind::until ? sentence(/*say*/ "Your turn") : sentence(/*say*/ "Predict"));
}

/// Says how to type a number: "a number, with or without a unit: 2.5 MB, 3*1024".
string how_to_type(string_view unit, const Say& say) {
  struct Example {
    string_view unit;
    bool needs_unit;
    string_view example;
  };
  constexpr Example examples[] = {{"bytes", false, "2.5 MB, 3*1024"},       {"exact_bytes", false, "2.5 MB, 3*1024"},
                                  {"kibibytes", true, "2.5 kB, 64 KiB"},    {"microseconds", true, "2.5 ms, 340 µs"},
                                  {"percent", false, "12.5 %, 12.5"},       {"flops", true, "2.5 GFLOP"},
                                  {"intensity", false, "2.5 FLOP/B, 5/2"},  {"flop_rate", true, "120 TFLOP/s"},
                                  {"byte_rate", true, "2.5 TB/s, 800 GB/s"}};
  const auto* const known =
      std::find_if(std::begin(examples), std::end(examples), [&](const Example& one) { return one.unit == unit; });
  if (known == std::end(examples)) return say(sentence(/*say*/ "a number: {}", sim::Sentence::name("2.5, 3*1024")));
  const sim::Sentence example = sim::Sentence::name(known->example);
  return say(known->needs_unit ? sentence(/*say*/ "a number with its unit: {}", example)
                               : sentence(/*say*/ "a number, with or without a unit: {}", example));
}

/// "score 919,552 B, par 919,552 B", and while it may improve, that the learner may go on.
string score_text(const Asked& asked, const Attempt& attempt, const Say& say) {
  const string_view unit = asked.scene.facts().quantity(asked.question.score).unit;
  const auto number = [&](double value) { return sim::Sentence::name(written_exactly(value, unit)); };
  const Verdict& last = *attempt.verdict;
  return say(may_improve(attempt) && !attempt.taken
                 ? sentence(/*say*/ "score {}, par {}: go on, or take it", number(last.score), number(last.par))
                 : sentence(/*say*/ "score {}, par {}", number(last.score), number(last.par)));
}

/// The reasons why an answer is wrong: the lesson's, and the one that the run gives.
std::vector<string> reasons_of(const Asked& asked, const Verdict& verdict, const Say& say) {
  std::vector<string> reasons;
  if (!verdict.why.empty()) reasons.emplace_back(asked.page.reason(verdict.why));
  if (!verdict.reason.empty()) reasons.push_back(say(verdict.reason));
  return reasons;
}

/// Reasons while tries are left: none is derived from the right answer, and numbers that reveal it are covered.
std::vector<string> covered_reasons(const Asked& asked, const Verdict& verdict, const Say& say) {
  std::vector<string> reasons = reasons_of(asked, verdict, say);
  if (reasons.empty() && verdict.ratio > 0)
    reasons.push_back(say(verdict.ratio > 1 ? sentence(/*say*/ "Too large.") : sentence(/*say*/ "Too small.")));
  for (string& reason : reasons) reason = without_answer(reason, asked.question, asked.scene.facts());
  return reasons;
}

std::vector<string> all_reasons(const Asked& asked, const Verdict& verdict, const Say& say) {
  std::vector<string> reasons = reasons_of(asked, verdict, say);
  if (reasons.empty() && verdict.ratio > 0)
    reasons.push_back(say(sentence(/*say*/ "{} times the right number.", written(verdict.ratio, "number"))));
  return reasons;
}

void add(Pieces& pieces, Kind kind, string label, string text, bool markup = true) {
  pieces.push_back({kind, std::move(label), std::move(text), markup});
}

void add_solution(Pieces& pieces, const Asked& asked) {
  if (asked.question.kind != QuestionKind::order) return;
  for (std::size_t n = 0; n < asked.question.lines.size(); ++n)
    add(pieces, Kind::solution, sim::text(n + 1), asked.question.lines[n], false);
}

void add_because(Pieces& pieces, const Asked& asked) {
  const string& because = asked.page.words(asked.question.text).because;
  if (!because.empty()) add(pieces, Kind::because, "", because);
}

void add_expected(Pieces& pieces, const Asked& asked, const Say& say) {
  const string expected = expected_answer(asked);
  if (expected.empty()) return;
  const bool counted = asked.question.kind == QuestionKind::number || asked.question.kind == QuestionKind::formula;
  add(pieces, Kind::expected, say(counted ? sentence(/*say*/ "the run counted") : sentence(/*say*/ "the answer")),
      expected, is_choice(asked));
}

/// After a wrong answer with tries left.
Pieces try_pieces(const Asked& asked, const Attempt& attempt, const Say& say) {
  Pieces pieces;
  add(pieces, Kind::wrong, say(sentence(/*say*/ "Not yet.")), readable_answer(asked, attempt.verdict->given),
      is_choice(asked));
  for (string& reason : covered_reasons(asked, *attempt.verdict, say)) add(pieces, Kind::reason, "", std::move(reason));
  const int left = asked.question.tries - attempt.wrong;
  add(pieces, Kind::left, "",
      say(left == 1 ? sentence(/*say*/ "One more try.") : sentence(/*say*/ "{} more tries.", left)), false);
  return pieces;
}

/// After the last wrong answer.
Pieces wrong_pieces(const Asked& asked, const Attempt& attempt, const Say& say) {
  Pieces pieces;
  add(pieces, Kind::wrong, say(sentence(/*say*/ "Not yet.")), "");
  const string given = readable_answer(asked, attempt.verdict->given);
  if (!given.empty()) add(pieces, Kind::given, say(sentence(/*say*/ "you said")), given, is_choice(asked));
  add_expected(pieces, asked, say);
  add_solution(pieces, asked);
  for (string& reason : all_reasons(asked, *attempt.verdict, say)) add(pieces, Kind::reason, "", std::move(reason));
  add_because(pieces, asked);
  return pieces;
}

/// While a goal is tried.
Pieces goal_pieces(const Asked& asked, const Attempt& attempt, const Say& say) {
  Pieces pieces;
  const bool reached = attempt.right();
  add(pieces, reached ? Kind::right : Kind::wrong,
      say(reached ? sentence(/*say*/ "The goal is reached.") : sentence(/*say*/ "The goal is not reached yet.")), "");
  if (attempt.verdict->score > 0) add(pieces, Kind::score, "", score_text(asked, attempt, say), false);
  return pieces;
}

Pieces right_pieces(const Asked& asked, const Attempt& attempt, const Say& say) {
  Pieces pieces;
  const string given = readable_answer(asked, attempt.verdict->given), expected = expected_answer(asked);
  add(pieces, Kind::right, say(sentence(/*say*/ "Right.")), given, is_choice(asked));
  if (asked.question.kind == QuestionKind::number && given != expected) add_expected(pieces, asked, say);
  if (attempt.verdict->score > 0) add(pieces, Kind::score, "", score_text(asked, attempt, say), false);
  add_solution(pieces, asked);
  add_because(pieces, asked);
  return pieces;
}

Pieces shown_pieces(const Asked& asked, const Say& say) {
  Pieces pieces;
  add(pieces, Kind::shown, say(sentence(/*say*/ "Shown.")), expected_answer(asked), is_choice(asked));
  add_solution(pieces, asked);
  add_because(pieces, asked);
  return pieces;
}

/// An anticipated wrong answer, as a learner reads it.
string mistaken_answer(const Asked& asked, const Wrong& wrong) {
  const Facts& facts = asked.scene.facts();
  if (asked.question.kind != QuestionKind::number) return wrong_answer(asked.question, wrong, asked.scene);
  return written_exactly(facts.quantity(wrong.when).value, facts.quantity(asked.question.answer).unit);
}

/// Value of an option in the step's run; of one that JSON leaves out, its default.
string value_now(const Scene& scene, const string& name) {
  const nlohmann::ordered_json& now = scene.facts().run("")->at("scenario");
  const auto found = now.find(name);
  if (found == now.end()) return sim::text_of(sim::option_called(name).resolved(scene.run().plan));
  return found->is_string() ? found->get<string>() : found->dump();
}

}  // namespace

string for_learners(string error) {
  const std::size_t file = error.find(".cpp:"), end = error.find(": ");
  if (file < end && end != string::npos) error.erase(0, end + 2);
  for (std::size_t at = 0; (at = error.find("--", at)) != string::npos;) {
    const bool option = at + 2 < error.size() && sim::is_letter(error[at + 2]) && (at == 0 || error[at - 1] == ' ');
    if (option)
      error.erase(at, 2);
    else
      at += 2;
  }
  return error;
}

string how_to_answer(const Asked& asked, const Say& say) {
  switch (asked.question.kind) {
    case QuestionKind::number:
      return how_to_type(asked.scene.facts().quantity(asked.question.answer).unit, say);
    case QuestionKind::choice:
      return say(sentence(/*say*/ "the number of one of these"));
    case QuestionKind::tile:
      return say(sentence(/*say*/ "a tile: its row block and its column block, from 0: 0, 1"));
    case QuestionKind::order:
      return say(sentence(/*say*/ "the order of the lines: 3 1 2"));
    case QuestionKind::formula:
      return say(sentence(/*say*/ "a formula in N d Br Bc Tr Tc M e h b: 2*N*d*e"));
    case QuestionKind::until:
      break;
  }
  string options;
  for (const string& name : asked.question.change)
    options += (options.empty() ? "" : " ") + name + "=" + value_now(asked.scene, name);
  return say(sentence(/*say*/ "type what you change, now: {} (all else is locked)", sim::Sentence::name(options)));
}

string readable_answer(const Asked& asked, const string& answer) {
  if (asked.question.kind == QuestionKind::order) return {};
  return is_choice(asked) ? string(asked.page.label(answer)) : answer;
}

string expected_answer(const Asked& asked) {
  if (asked.question.kind == QuestionKind::number) {
    const Facts::Quantity right = asked.scene.facts().quantity(asked.question.answer);
    return written_exactly(right.value, right.unit);
  }
  return readable_answer(asked, right_answer(asked.question, asked.scene));
}

Piece question_piece(const Asked& asked, const Say& say) {
  return {Kind::question, kind_text(asked.question, say), asked.page.words(asked.question.text).question};
}

Pieces question_pieces(const Asked& asked, const Say& say) {
  const Question& question = asked.question;
  Pieces pieces = {question_piece(asked, say)};
  for (std::size_t n = 0; n < question.choices.size(); ++n)
    add(pieces, Kind::choice, sim::text(n + 1), string(asked.page.label(question.choices[n].name)));
  if (question.kind == QuestionKind::order) {
    const std::vector<std::size_t> shown = shown_order(question);
    for (std::size_t n = 0; n < shown.size(); ++n)
      add(pieces, Kind::line, sim::text(n + 1), question.lines[shown[n]], false);
  }
  add(pieces, Kind::how, "", how_to_answer(asked, say), false);
  return pieces;
}

Pieces hint_pieces(const Asked& asked, const Attempt& attempt, const Say& say) {
  const std::vector<string>& hints = asked.page.words(asked.question.text).hints;
  Pieces pieces;
  for (std::size_t n = 0; n < std::min(attempt.hints, hints.size()); ++n)
    add(pieces, Kind::hint, say(sentence(/*say*/ "Hint {} of {}", n + 1, hints.size())), hints[n]);
  return pieces;
}

Pieces reply_pieces(const Asked& asked, const Attempt& attempt, const Say& say) {
  if (attempt.shown) return shown_pieces(asked, say);
  if (!attempt.verdict) return {};
  const bool over = is_over(asked.question, attempt);
  if (asked.question.kind == QuestionKind::until && !over) return goal_pieces(asked, attempt, say);
  if (attempt.right()) return right_pieces(asked, attempt, say);
  return over ? wrong_pieces(asked, attempt, say) : try_pieces(asked, attempt, say);
}

Pieces key_pieces(const Asked& asked, const Say& say) {
  Pieces pieces;
  add_expected(pieces, asked, say);
  add_solution(pieces, asked);
  add_because(pieces, asked);
  for (const Wrong& wrong : asked.question.wrong)
    add(pieces, Kind::mistake, mistaken_answer(asked, wrong), string(asked.page.reason(wrong.why)));
  for (std::size_t n = 0; n < asked.question.choices.size(); ++n) {
    const string_view reason = asked.page.reason(asked.question.choices[n].name);
    if (!reason.empty()) add(pieces, Kind::mistake, sim::text(n + 1), string(reason));
  }
  return pieces;
}

}  // namespace lessons

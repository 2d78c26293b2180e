// The answer to "why this number?", computed once for a number of a run.
#pragma once
#include "viz/model/explained.h"
#include "viz/model/task.h"
#include "viz/panels/view.h"
#include "viz/panels/why/formula.h"

namespace explorer {

/// What a selection names: a path, and of which of the compared runs: "time.microseconds@2".
struct Question {
  std::string path;
  std::size_t subject = 0;
};
Question question_of(std::string_view selection);
std::string selection_of(const Question& question);

/// Its derivation, or why there is none; and all numbers that can be asked for.
class WhyAnswer : public Task {
 public:
  WhyAnswer(const std::shared_ptr<const Run>& run, const std::string& path, Language language);
  bool advance() override { return false; }

  sim::Derivation derivation;
  std::vector<FormulaLine> formula;
  std::int64_t largest_term = 0;
  std::string error;
  std::vector<std::string> paths;

  double value() const;
  /// The path that stands `step` places further in the list.
  std::string neighbour(int step) const;
  /// At most `most` of the paths that hold all words of a search.
  std::vector<std::string> matching(std::string_view search, std::size_t most) const;
};

WhyAnswer& answer_of(View& view, const Question& question);

/// A line of a listing: "flash2_forward:20". False for another place, such as a tensor.
bool is_line(const sim::DerivationTerm& term);
/// Moves the playhead to the first event of that line in the CTA that is looked at, in its kernel.
void jump_to(ViewModel& model, const sim::DerivationTerm& term);
/// Moves it to the next event of the line that it stands on.
void jump_to_next(ViewModel& model);

}  // namespace explorer

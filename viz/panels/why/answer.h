// Answer to "why this number?", computed once for a number of a run.
#pragma once
#include "viz/model/explained.h"
#include "viz/model/task.h"
#include "viz/panels/view.h"
#include "viz/panels/why/formula.h"

namespace explorer {

/// Target of a selection: a path, and the index of the compared run: "time.microseconds@2".
struct Question {
  std::string path;
  std::size_t subject = 0;
};
Question question_of(std::string_view selection);
std::string selection_of(const Question& question);

/// Derivation of a number, or why there is none; and the paths of all numbers that have one.
class WhyAnswer : public Task {
 public:
  WhyAnswer(const std::shared_ptr<const Run>& run, const std::string& path, Language language);
  bool advance() override { return false; }

  sim::Derivation derivation;
  std::vector<FormulaLine> formula;
  std::int64_t largest_term = 0;
  std::string error;
  std::string_view star;  ///< after a time that is an estimate for the tiles
  std::vector<std::string> paths;

  double value() const;
  /// Path `step` positions further in the list.
  std::string neighbour(int step) const;
  /// Returns at most `most` paths that contain all words of a search.
  std::vector<std::string> matching(std::string_view search, std::size_t most) const;
};

WhyAnswer& answer_of(View& view, const Question& question);

/// True if a term names a line of a listing: "flash2_forward:20". False for other places, such as a tensor.
bool is_line(const sim::DerivationTerm& term);

}  // namespace explorer

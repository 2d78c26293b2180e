// Every value of a run under its path: `simulate --format json` prints them as a tree, CSV as a list, and --why prints
// their derivations. Each value is defined once, together with its explanation. Other code uses values_of() and
// number_at() only.
#pragma once
#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/text.h"
#include "sim/catalogue/derivation.h"
#include "sim/model/closed_form.h"

namespace sim {

/// Derivation of a number.
struct Explanation {
  std::vector<Sentence> formula = {};
  std::vector<DerivationTerm> terms = {};
};

/// Empty if a run has no such value.
using RunValue = std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<std::string>>;

struct PathValue {
  std::string path;
  RunValue value;
  std::function<Explanation()> explain = {};  ///< for numbers; evaluated on demand, while the simulation lives
};

/// Collects values in the order of the JSON.
class RunValues {
 public:
  using Explain = std::function<Explanation()>;

  void number(std::string path, std::int64_t value, Explain explain) {
    all_.push_back({std::move(path), value, std::move(explain)});
  }
  void number(std::string path, double value, Explain explain) {
    all_.push_back({std::move(path), value, std::move(explain)});
  }
  void text(std::string path, RunValue value) { all_.push_back({std::move(path), std::move(value)}); }
  std::vector<PathValue> take() { return std::move(all_); }

 private:
  std::vector<PathValue> all_;
};

/// Returns every value of a run, in the order of the JSON.
std::vector<PathValue> values_of(const Simulation& simulation);

/// Returns the number at a path, or the sum of its read and written bytes; throws Error if there is none.
double number_at(const std::vector<PathValue>& values, const std::string& path);

void add_scenario(const Simulation& s, RunValues& values);
void add_kernels(const Simulation& s, RunValues& values);
void add_tile_traffic(const Simulation& s, RunValues& values);
void add_hbm_traffic(const Simulation& s, RunValues& values);
void add_links(const Simulation& s, RunValues& values);
void add_memory(const Simulation& s, RunValues& values);
void add_pages(const Simulation& s, RunValues& values);
void add_work(const Simulation& s, RunValues& values);
void add_time(const Simulation& s, RunValues& values);
void add_banks(const Simulation& s, RunValues& values);
void add_steps(const Simulation& s, RunValues& values);
void add_several_gpus(const Simulation& s, RunValues& values);
void add_stalls(const Simulation& s, RunValues& values);
void add_check(const Simulation& s, RunValues& values);

/// Returns a sentence on why a number, such as the time, is unknown for the device; "" if it is known, or is not a
/// number of any device.
std::string why_unknown(const Simulation& s, std::string_view path);

/// Groups the events that have an amount by kernel, line and amount, with the listing line.
using Amount = std::function<std::int64_t(const Event&)>;
std::vector<DerivationTerm> event_terms(const Simulation& s, const Amount& amount);

/// Returns "B = 1, H = 2, d = 64".
std::string values_text(const std::vector<std::pair<std::string, std::int64_t>>& values);

/// Returns "B H d   with B = 1, H = 2, d = 64".
std::string with_values(const std::string& equation, const std::vector<std::pair<std::string, std::int64_t>>& values);

/// Returns the equation of a term with its values; for a ragged batch the sum over its classes, of which the first are
/// written out.
template <class Term>
std::string equation_of(const Term& term) {
  constexpr std::size_t most_rows = 8;
  if (term.classes.empty()) return with_values(term.equation, term.values);
  const bool of_steps = term.equation.ends_with(" T");  // the problems that one of several GPUs runs
  std::string all = (of_steps ? "sum over kinds of step of " : "sum over classes of ") + term.equation;
  for (std::size_t n = 0; n < std::min(most_rows, term.classes.size()); ++n)
    all += (n == 0 ? ": " : "; ") + values_text(term.classes[n].values) + ": " + std::to_string(term.classes[n].result);
  if (term.classes.size() > most_rows) all += "; and " + std::to_string(term.classes.size() - most_rows) + " more";
  return all;
}

/// Template of the line that explains symbols; its value is a list of symbols and their meanings.
inline constexpr std::string_view glossary_words = "where {}";

inline const Sentence no_closed_form(/*say*/ "no closed form, since the program was recorded: the sum of its lines");

/// Adds the line that explains the symbols of these terms.
template <class Term>
void explain_symbols(std::vector<Sentence>& lines, const std::vector<Term>& terms) {
  std::vector<Sentence> glossary;
  std::set<std::string> seen;
  for (const Term& term : terms) {
    for (const auto& [symbol, value] : term.values) {
      if (!seen.insert(symbol).second) continue;
      const bool summed = is_sum_over_steps(symbol);
      glossary.emplace_back(summed ? /*say*/ "{} {}, summed over the steps" : "{} {}", symbol, symbol_meaning(symbol));
    }
  }
  if (!glossary.empty()) lines.emplace_back(glossary_words, Sentence::list(glossary, "; "));
}

}  // namespace sim

// Every value of a run under its path: `simulate --format json` is these as a tree, CSV their list, and --why says how
// a number comes about. A value is written down once, with its explanation. Others use values_of() and number_at()
// alone.
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

/// How a number comes about.
struct Explanation {
  std::vector<Sentence> formula = {};
  std::vector<DerivationTerm> terms = {};
};

/// None where a run has no such value.
using RunValue = std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<std::string>>;

struct PathValue {
  std::string path;
  RunValue value;
  std::function<Explanation()> explain = {};  ///< of numbers; made on demand, while the simulation lives
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

/// Every value of a run, in the order of the JSON.
std::vector<PathValue> values_of(const Simulation& simulation);

/// The number at a path, or the sum of what is read and written there; Error for none.
double number_at(const std::vector<PathValue>& values, const std::string& path);

void add_scenario(const Simulation& s, RunValues& values);
void add_kernels(const Simulation& s, RunValues& values);
void add_tile_traffic(const Simulation& s, RunValues& values);
void add_hbm_traffic(const Simulation& s, RunValues& values);
void add_links(const Simulation& s, RunValues& values);
void add_memory(const Simulation& s, RunValues& values);
void add_work(const Simulation& s, RunValues& values);
void add_time(const Simulation& s, RunValues& values);
void add_banks(const Simulation& s, RunValues& values);
void add_stalls(const Simulation& s, RunValues& values);
void add_check(const Simulation& s, RunValues& values);

/// Says why a device has no number at a path, as of its time: a sentence; "" where it has one, or nobody has.
std::string why_unknown(const Simulation& s, std::string_view path);

/// The events that have an amount, grouped by kernel, line and amount, with the listing line.
using Amount = std::function<std::int64_t(const Event&)>;
std::vector<DerivationTerm> event_terms(const Simulation& s, const Amount& amount);

/// "B = 1, H = 2, d = 64"
std::string values_text(const std::vector<std::pair<std::string, std::int64_t>>& values);

/// "B H d   with B = 1, H = 2, d = 64"
std::string with_values(const std::string& equation, const std::vector<std::pair<std::string, std::int64_t>>& values);

/// The equation of a term with its values; of a ragged batch the sum over its classes, of which some are written out.
template <class Term>
std::string equation_of(const Term& term) {
  constexpr std::size_t most_rows = 8;
  if (term.classes.empty()) return with_values(term.equation, term.values);
  std::string all = "sum over classes of " + term.equation;
  for (std::size_t n = 0; n < std::min(most_rows, term.classes.size()); ++n)
    all += (n == 0 ? ": " : "; ") + values_text(term.classes[n].values) + ": " + std::to_string(term.classes[n].result);
  if (term.classes.size() > most_rows) all += "; and " + std::to_string(term.classes.size() - most_rows) + " more";
  return all;
}

/// Words of the line that says what symbols stand for; its value is a list of a symbol and its meaning.
inline constexpr std::string_view glossary_words = "where {}";

inline const Sentence no_closed_form(/*say*/ "no closed form, since the program was recorded: the sum of its lines");

/// Adds the line that says what the symbols of these terms stand for.
template <class Term>
void explain_symbols(std::vector<Sentence>& lines, const std::vector<Term>& terms) {
  std::vector<Sentence> glossary;
  std::set<std::string> seen;
  for (const Term& term : terms) {
    for (const auto& [symbol, value] : term.values) {
      if (seen.insert(symbol).second) glossary.emplace_back("{} {}", symbol, symbol_meaning(symbol));
    }
  }
  if (!glossary.empty()) lines.emplace_back(glossary_words, Sentence::list(glossary, "; "));
}

}  // namespace sim

// The index of derivations: one entry per path, made on demand. Internal to sim/model/derivation*.cpp.
#pragma once
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/model/closed_form.h"
#include "sim/model/derivation.h"

namespace sim {

using Maker = std::function<Derivation()>;
using DerivationIndex = std::vector<std::pair<std::string, Maker>>;
using Amount = std::function<std::int64_t(const Event&)>;

/// The events that have an amount, grouped by kernel, line and amount, with the listing line.
std::vector<DerivationTerm> event_terms(const Simulation& s, const Amount& amount);

/// "B H d   with B = 1, H = 2, d = 64"
std::string with_values(const std::string& equation, const std::vector<std::pair<std::string, std::int64_t>>& values);

/// Adds the line that says what the symbols of these terms stand for.
template <class Term>
void explain_symbols(std::vector<std::string>& lines, const std::vector<Term>& terms) {
  std::string glossary;
  std::set<std::string> seen;
  for (const Term& term : terms) {
    for (const auto& [symbol, value] : term.values) {
      if (seen.insert(symbol).second)
        glossary += text(glossary.empty() ? "" : "; ", symbol, " ", symbol_meaning(symbol));
    }
  }
  if (!glossary.empty()) lines.push_back("where " + glossary);
}

Derivation of_bytes(std::int64_t value, std::vector<std::string> formula, std::vector<DerivationTerm> terms);

void add_tile_traffic(const Simulation& s, DerivationIndex& index);
void add_hbm_traffic(const Simulation& s, DerivationIndex& index);
void add_memory(const Simulation& s, DerivationIndex& index);
void add_work(const Simulation& s, DerivationIndex& index);
void add_time(const Simulation& s, DerivationIndex& index);
void add_kernels(const Simulation& s, DerivationIndex& index);

}  // namespace sim

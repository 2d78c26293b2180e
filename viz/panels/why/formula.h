// The lines of a derivation, made ready to be typeset.
#pragma once
#include <string>
#include <string_view>

#include "sim/base/sentence.h"
#include "viz/model/look.h"

namespace explorer {

/// "flash2_forward Q read: B H Rq d e   with B = 1, H = 1, Rq = 2048, d = 64, e = 2 = 262144" in parts.
struct FormulaLine {
  std::string heading;   ///< "flash2_forward Q read"; empty for none
  std::string equation;  ///< markup of ui/rich_text.h: "B · H · R_q · d · e"
  std::string filled;    ///< with values in place of symbols, "1 · 1 · 2,048 · 64 · 2 = 262,144"; empty without any
  bool is_note = false;  ///< words rather than an equation
};

FormulaLine read_formula(const sim::Sentence& line, Language language = Language::en);

/// A symbol such as "Rq" as markup: "R_q".
std::string symbol_markup(std::string_view symbol);

}  // namespace explorer

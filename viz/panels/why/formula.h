// Lines of a derivation, prepared for typesetting.
#pragma once
#include <string>
#include <string_view>

#include "sim/base/sentence.h"
#include "viz/model/look.h"

namespace explorer {

/// Parts of "flash2_forward Q read: B H Rq d e   with B = 1, H = 1, Rq = 2048, d = 64, e = 2 = 262144".
struct FormulaLine {
  std::string heading;   ///< "flash2_forward Q read"; may be empty
  std::string equation;  ///< markup of ui/rich_text.h: "B · H · R_q · d · e"
  std::string filled;    ///< values in place of symbols, "1 · 1 · 2,048 · 64 · 2 = 262,144"; may be empty
  bool is_note = false;  ///< text, not an equation
};

FormulaLine read_formula(const sim::Sentence& line, Language language = Language::en);

/// Markup of a symbol: "R_q" for "Rq".
std::string symbol_markup(std::string_view symbol);

}  // namespace explorer

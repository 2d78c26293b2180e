// The comments of a program read as equations: "S = Q_i K_j^T    (Br, Bc) line 9" becomes markup of ui/rich_text.h.
#pragma once
#include <string>
#include <string_view>

namespace explorer {

/// The parts of a comment, as written; what is not there is empty.
struct LineComment {
  std::string equation;   ///< "S = Q_i K_j^T", or words
  std::string shape;      ///< "(Br, Bc)"
  std::string reference;  ///< "line 9" or "equation 3" of the paper
};

/// Takes a comment without its slashes apart. A shape is a bracket of N, Br, Bc, d and numbers only.
LineComment read_comment(std::string_view comment);

/// Markup of an equation: "O = diag(l)^-1 O_i" -> "O ← diag(ℓ)^{−1} O_i".
std::string equation_markup(std::string_view equation);

/// Markup that shows words as they are.
std::string words_markup(std::string_view words);

}  // namespace explorer

// Parses the comment at the end of a program line: "S = Q_i K_j^T    (Br, Bc) line 9".
#pragma once
#include <string>
#include <string_view>

namespace sim {

/// Parts of a comment, as written; a missing part is empty.
struct LineComment {
  std::string equation;   ///< "S = Q_i K_j^T", or prose
  std::string shape;      ///< "(Br, Bc)"
  std::string reference;  ///< "line 9" or "equation 3" of the paper
};

/// Position of a line's comment, including the two blanks before it: "  // " of C++ or "  # " of Python, whichever is
/// first; npos if there is none.
std::size_t comment_at(std::string_view line);

/// Parses a comment without its marker. A shape is a bracket of N, Br, Bc, d and numbers only.
LineComment read_comment(std::string_view comment);

/// Parses the comment of a line of code; all parts are empty if there is none.
LineComment comment_of(std::string_view line);

}  // namespace sim

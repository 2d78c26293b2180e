// The comment at the end of a line of a program, taken apart: "S = Q_i K_j^T    (Br, Bc) line 9".
#pragma once
#include <string>
#include <string_view>

namespace sim {

/// The parts of a comment, as written; what is not there is empty.
struct LineComment {
  std::string equation;   ///< "S = Q_i K_j^T", or words
  std::string shape;      ///< "(Br, Bc)"
  std::string reference;  ///< "line 9" or "equation 3" of the paper
};

/// Where the comment of a line begins, with the two blanks before it: "  // " of C++, "  # " of Python, whichever is
/// first; npos where it has none.
std::size_t comment_at(std::string_view line);

/// Takes a comment without its sign apart. A shape is a bracket of N, Br, Bc, d and numbers only.
LineComment read_comment(std::string_view comment);

/// The comment of a line of code, read; all parts are empty where it has none.
LineComment comment_of(std::string_view line);

}  // namespace sim

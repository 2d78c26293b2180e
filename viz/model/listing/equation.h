// The equations of a program, read from its comments by sim/trace/line_comment.h, as markup of ui/rich_text.h.
#pragma once
#include <string>
#include <string_view>

namespace explorer {

/// Markup of an equation: "O = diag(l)^-1 O_i" -> "O ← diag(ℓ)^{−1} O_i".
std::string equation_markup(std::string_view equation);

/// Markup that shows a text unchanged.
std::string words_markup(std::string_view words);

/// Markup of a statement with which a warpgroup meets others, or its own products: "wait K.full[n]", "release K[n]",
/// "arrive turns[w]", "products(0)". Empty for other statements.
std::string sync_markup(std::string_view code);

}  // namespace explorer

// Line breaking: between words, between Chinese characters, and never before a closing mark, after an opening one, or
// between a number and its unit. Independent of fonts: the terminal, whose character widths are here as well, uses it
// too.
#pragma once
#include <functional>
#include <string_view>
#include <vector>

namespace report {

/// Width of a text in terminal columns: Chinese characters take two.
float columns_of(std::string_view text);

using WidthOf = std::function<float(std::string_view)>;

/// Splits a text in the markup of rich_text.h into lines of at most `width`, without the spaces at their ends. A line
/// feed ends a line; a word wider than a line is split at the end of the line, after at least one character. Calls
/// width_of about three times for each word.
std::vector<std::string_view> break_lines(std::string_view markup, float width, const WidthOf& width_of);

}  // namespace report

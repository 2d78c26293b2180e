// Where a text goes on in the next line: between words, between Chinese characters, and never before a closing mark,
// after an opening one, or between a number and its unit. Knows no fonts: the terminal, whose widths are here as well,
// breaks lines with it too.
#pragma once
#include <functional>
#include <string_view>
#include <vector>

namespace report {

/// Columns of a terminal that a text takes: Chinese characters take two.
float columns_of(std::string_view text);

using WidthOf = std::function<float(std::string_view)>;

/// The lines of a text in the markup of rich_text.h: parts of it, without the spaces at their ends, that are at most
/// `width` wide. A line feed ends a line; a word wider than a line is broken where the line ends, or kept where not
/// even a character fits. Calls width_of about three times for each word.
std::vector<std::string_view> break_lines(std::string_view markup, float width, const WidthOf& width_of);

}  // namespace report

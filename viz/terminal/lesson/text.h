// Lesson texts for a terminal: lines of limited width, equations in plain form.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "lessons/page.h"
#include "sim/report/line_breaks.h"
#include "sim/report/numbers.h"

namespace terminal {

inline constexpr int widest_text = 100;  ///< columns

using report::columns_of;

/// Markup in plain form: Q_i K_j^T and e^(m - m') without braces and backslashes, links as their text.
std::string typed(std::string_view markup);

/// Breaks a text into lines of at most `columns`; the first follows `start`, the others are indented to match.
std::string in_lines(const std::string& text, int columns = widest_text, const std::string& start = "");

/// A single line, or, if it is too wide, broken as by in_lines().
std::string kept_line(const std::string& text, int columns, const std::string& start = "");

/// Arranges short pieces in rows, separated by two spaces; none is broken.
std::string in_row(const std::vector<std::string>& pieces, int columns = widest_text);

/// Cells of a table of lessons/page.h, in plain form: its header, then its rows, without the line of dashes.
std::vector<std::vector<std::string>> rows_of(std::string_view table);

/// A table, or a list if it is too wide for the terminal: each row as its first cell, followed by "header: cell" lines
/// for the others. Nothing is cut off.
std::string fitted(const report::Table& table, int columns);

/// A block with its line breaks: equations one per line, tables in columns.
std::string block_text(const lessons::Block& block, int columns = widest_text);

/// Blocks separated by empty lines, except between the items of a list.
std::string blocks_text(const std::vector<lessons::Block>& blocks, int columns = widest_text);

/// The text in ASCII: symbols of formulas by name, other characters as "?".
std::string in_ascii(std::string_view text);

}  // namespace terminal

// The words of lessons as a terminal shows them: lines of bearable length, equations as they are typed.
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

/// Markup as typed: Q_i K_j^T and e^(m - m') need neither braces nor backslashes, and links are their words.
std::string typed(std::string_view markup);

/// A text broken into lines of at most `columns`, the first after `start`, the others below it.
std::string in_lines(const std::string& text, int columns = widest_text, const std::string& start = "");

/// A line as it is, or, where it is too wide, broken as above.
std::string kept_line(const std::string& text, int columns, const std::string& start = "");

/// Short pieces beside each other with two spaces between them, in as many lines as they need; none is broken.
std::string in_row(const std::vector<std::string>& pieces, int columns = widest_text);

/// The cells of a table as lessons/page.h has it, as typed: its head, then its rows, without the line of dashes.
std::vector<std::vector<std::string>> rows_of(std::string_view table);

/// A table, or, where the columns of a terminal do not suffice, a list: each row is its first cell, and below it
/// "header: cell" for the others. Nothing is cut off.
std::string fitted(const report::Table& table, int columns);

/// A block with its line ends: equations one below the other, tables in columns.
std::string block_text(const lessons::Block& block, int columns = widest_text);

/// Blocks with an empty line before each, but for the items of a list below the first.
std::string blocks_text(const std::vector<lessons::Block>& blocks, int columns = widest_text);

/// The text in ASCII: signs of formulas by their names, what has none as "?".
std::string in_ascii(std::string_view text);

}  // namespace terminal

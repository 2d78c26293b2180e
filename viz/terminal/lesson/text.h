// Lesson texts for a terminal: lines of limited width, equations in plain form.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lessons/page.h"
#include "sim/report/line_breaks.h"
#include "sim/report/numbers.h"
#include "viz/words/words.h"

namespace terminal {

inline constexpr int widest_text = 100;  ///< columns

using report::columns_of;

/// A sentence of viz/words in the language of a lesson, with values in place of its {}.
template <class... Values>
std::string say(lessons::Language language, std::string_view english, const Values&... values) {
  const bool chinese = language == lessons::Language::zh;
  return words::say_with(chinese ? words::Language::zh : words::Language::en, english, values...);
}

/// A sentence with values in the language of a lesson.
std::string said(lessons::Language language, const sim::Sentence& sentence);

/// Separator between two of these in a line: empty in Chinese.
inline std::string gap(lessons::Language language) { return language == lessons::Language::zh ? "" : " "; }

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

// Colours in a terminal. As in the explorer, a colour always means a tensor, and only repeats its letter.

/// A tensor and its colour among the terminal's 256: the explorer's hue, in a lightness readable on black and on white.
struct TensorColour {
  char tensor;
  int number;         ///< index among the 256
  std::uint32_t rgb;  ///< RGB value of that index, for tests
};
inline constexpr std::array<TensorColour, 6> tensor_colours = {{{'Q', 32, 0x0087D7},
                                                                {'K', 130, 0xAF5F00},
                                                                {'V', 29, 0x00875F},
                                                                {'S', 100, 0x878700},
                                                                {'P', 160, 0xD70000},
                                                                {'O', 133, 0xAF5FAF}}};

/// Colours the names of tensors in a text: words made only of the letters Q K V S P O (QK, S, not SMs), or of d and one
/// of them. O(N d) is not a tensor.
std::string in_colours(std::string_view text);

}  // namespace terminal

#include "viz/terminal/lesson/text.h"

#include <algorithm>

#include "sim/base/check.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"

namespace terminal {
namespace {

using std::string;
using std::string_view;

/// Equations one per line; a line that is too wide continues on the next.
string equation_lines(string_view text, int columns) {
  string lines;
  for (const string_view one : sim::split(text, lessons::between_equations))
    lines += kept_line(typed(one), columns, "    ");
  return lines;
}

bool is_rule(string_view row) { return row.find_first_not_of("|-: ") == string_view::npos; }

std::vector<string> cells_of(string_view row) {
  std::vector<string> cells;
  row = sim::trimmed(row);
  if (row.starts_with('|')) row.remove_prefix(1);
  if (row.ends_with('|')) row.remove_suffix(1);
  for (const string_view cell : sim::split(row, "|")) cells.push_back(typed(sim::trimmed(cell)));
  return cells;
}

string table_text(string_view text, int columns) {
  const std::vector<std::vector<string>> rows = rows_of(text);
  report::Table table(rows.front());
  for (std::size_t n = 1; n < rows.size(); ++n) table.row(rows[n]);
  return fitted(table, columns);
}

}  // namespace

std::vector<std::vector<string>> rows_of(string_view table) {
  std::vector<std::vector<string>> rows;
  for (const string_view row : sim::split(table, "\n")) {
    if (rows.empty() || !is_rule(row)) rows.push_back(cells_of(row));
  }
  return rows;
}

string said(lessons::Language language, const sim::Sentence& sentence) {
  if (language == lessons::Language::en) return words::translate(words::Language::en, sentence);
  return words::spaced(words::translate(words::Language::zh, sentence));
}

string typed(string_view markup) {
  string text;
  while (!markup.empty()) {
    const std::size_t close = markup[0] == '[' ? markup.find("](") : string_view::npos;
    const std::size_t end = close == string_view::npos ? close : markup.find(')', close);
    if (end != string_view::npos) {
      text += typed(markup.substr(1, close - 1));
      markup.remove_prefix(end + 1);
      continue;
    }
    const char c = markup[0];
    if (c == '{') text += '(';
    if (c == '}') text += ')';
    const bool strong = markup.starts_with("**");
    if (c != '{' && c != '}' && c != '\\' && c != '`' && !strong) text += c;
    markup.remove_prefix(strong ? 2 : 1);
  }
  return text;
}

string in_lines(const string& text, int columns, const string& start) {
  string result, indent = start;
  const auto room = static_cast<float>(columns) - columns_of(start);
  for (const string_view line : report::break_lines(text, std::max(room, 10.f), columns_of)) {
    result += indent + string(line) + "\n";
    indent.assign(static_cast<std::size_t>(columns_of(start)), ' ');
  }
  return result;
}

string kept_line(const string& text, int columns, const string& start) {
  const string line = start + text + "\n";
  return columns_of(start + text) <= static_cast<float>(columns) ? line : in_lines(text, columns, start);
}

string in_row(const std::vector<string>& pieces, int columns) {
  const string between = "  ";
  string text;
  float width = 0;
  for (const string& piece : pieces) {
    const float wider = width + columns_of(between + piece);
    const bool fits = wider <= static_cast<float>(columns);
    text += (text.empty() ? "" : fits ? between : "\n") + piece;
    width = text.size() == piece.size() || !fits ? columns_of(piece) : wider;
  }
  return text + "\n";
}

string fitted(const report::Table& table, int columns) {
  if (table.columns() <= static_cast<std::size_t>(columns)) return table.text();
  const auto& rows = table.rows();
  const std::vector<string>& header = rows.front();
  string text;
  for (std::size_t r = 2; r < rows.size(); ++r) {
    if (!rows[r].empty()) text += in_lines(rows[r][0], columns);
    for (std::size_t c = 1; c < rows[r].size(); ++c)
      text += in_lines((c < header.size() ? header[c] + ": " : "") + rows[r][c], columns, "  ");
  }
  return text;
}

string in_ascii(string_view text) {
  constexpr std::pair<char32_t, string_view> signs[] = {
      {U'ℓ', "l"},   {U'×', "x"},     {U'′', "'"},     {U'−', "-"}, {U'α', "alpha"},  {U'β', "beta"}, {U'·', "*"},
      {U'∞', "inf"}, {U'√', "sqrt "}, {U'⌈', "ceil("}, {U'⌉', ")"}, {U'⌊', "floor("}, {U'⌋', ")"},    {U'≈', "~"},
      {U'Σ', "sum"}, {U'…', "..."},   {U'Θ', "O"},     {U'µ', "u"}, {U'≤', "<="},     {U'≥', ">="},   {U'→', "->"},
      {U'←', "="},   {U'∘', "o"},     {U'—', "-"},     {U'–', "-"}, {U'²', "^2"},     {U'≠', "!="},   {U'°', "deg"}};
  string ascii;
  while (!text.empty()) {
    const sim::Character character = sim::first_character(text);
    const auto sign =
        std::find_if(std::begin(signs), std::end(signs), [&](const auto& one) { return one.first == character.code; });
    if (character.valid && character.code < 0x80)
      ascii += text[0];
    else
      ascii += sign == std::end(signs) ? "?" : sign->second;
    text.remove_prefix(character.size);
  }
  return ascii;
}

string block_text(const lessons::Block& block, int columns) {
  switch (block.kind) {
    case lessons::BlockKind::equations:
      return equation_lines(block.text, columns);
    case lessons::BlockKind::table:
      return table_text(block.text, columns);
    case lessons::BlockKind::item:
      return in_lines(typed(block.text), columns, "  - ");
    case lessons::BlockKind::myth:
      return in_lines(typed(block.text), columns, "  | ");
    case lessons::BlockKind::paragraph:
      break;
  }
  return in_lines(typed(block.text), columns);
}

string blocks_text(const std::vector<lessons::Block>& blocks, int columns) {
  string text;
  const lessons::Block* before = nullptr;
  for (const lessons::Block& block : blocks) {
    const bool list = before != nullptr && before->kind == block.kind && block.kind == lessons::BlockKind::item;
    text += (list ? "" : "\n") + block_text(block, columns);
    before = &block;
  }
  return text;
}

namespace {

/// The colour of a letter; null if it does not name a tensor.
const TensorColour* colour_of(char letter) {
  const auto* const found = std::find_if(tensor_colours.begin(), tensor_colours.end(),
                                         [&](const TensorColour& colour) { return colour.tensor == letter; });
  return found == tensor_colours.end() ? nullptr : found;
}

string coloured(string_view letters, char tensor) {
  return sim::text("\x1b[38;5;", colour_of(tensor)->number, "m", letters, "\x1b[39m");
}

bool all_tensors(string_view word) { return std::all_of(word.begin(), word.end(), colour_of); }
bool is_gradient(string_view word) { return word.size() == 2 && word[0] == 'd' && colour_of(word[1]) != nullptr; }

bool belongs_to_word(char c) { return sim::is_letter(c) || sim::is_digit(c); }

/// The alphanumeric word at the start of a text.
string_view word_at(string_view text) {
  const auto* const end = std::find_if_not(text.begin(), text.end(), belongs_to_word);
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

}  // namespace

string in_colours(string_view text) {
  string result;
  while (!text.empty()) {
    const string_view word = word_at(text);
    const string_view rest = text.substr(std::max<std::size_t>(word.size(), 1));
    const bool order = word == "O" && rest.starts_with("(");  // O(N d)
    if (is_gradient(word)) {
      result += coloured(word, word[1]);
    } else if (!word.empty() && all_tensors(word) && !order) {
      for (const char& letter : word) result += coloured({&letter, 1}, letter);
    } else {
      result += text.substr(0, text.size() - rest.size());
    }
    text = rest;
  }
  return result;
}

}  // namespace terminal

#include "viz/terminal/document.h"

#include <algorithm>

#include "sim/base/printable.h"
#include "sim/base/text.h"

namespace terminal {
namespace {

std::string escaped(const std::string& text, const std::string& special, char escape) {
  std::string result;
  for (const char c : text) {
    if (special.find(c) != std::string::npos) result += escape;
    result += c;
  }
  return result;
}

/// The cells of a row, extended to the number of columns.
std::vector<std::string> cells_of(const std::vector<std::string>& row, std::size_t columns) {
  std::vector<std::string> cells = row;
  cells.resize(columns);
  cells[0] = dashed(cells[0]);
  return cells;
}

std::vector<std::string> full_lines(const std::string& words) {
  std::vector<std::string> lines;
  for (const std::string_view line : sim::split(words, "\n")) {
    if (!line.empty()) lines.emplace_back(line);
  }
  return lines;
}

std::string words_markdown(const std::string& words) {
  std::string out;
  bool listed = false;
  for (const std::string& line : full_lines(words)) {
    const bool item = line.starts_with("  ");
    if (!out.empty() && !(item && listed)) out += "\n";
    out += (item ? "- " : "") + markdown(std::string(sim::trimmed(line))) + "\n";
    listed = item;
  }
  return out;
}

std::string words_latex(const std::string& words) {
  std::string out;
  for (const std::string& line : full_lines(words)) {
    out += out.empty() ? "" : "\n";
    out +=
        (line.starts_with("  ") ? "\\noindent\\quad " : "\\noindent ") + latex(std::string(sim::trimmed(line))) + "\n";
  }
  return out;
}

std::string table_latex(const report::Table& table) {
  const std::vector<bool> words = table.word_columns();
  std::string out = "\\noindent\\begin{tabular}{";
  for (const bool word : words) out += word ? 'l' : 'r';
  out += "}\n\\toprule\n";
  for (const auto& row : table.rows()) {
    if (row.empty()) {
      out += "\\midrule\n";
      continue;
    }
    const std::vector<std::string> cells = cells_of(row, words.size());
    for (std::size_t c = 0; c < cells.size(); ++c) out += (c == 0 ? "" : " & ") + latex(cells[c]);
    out += " \\\\\n";
  }
  return out + "\\bottomrule\n\\end{tabular}\n";
}

}  // namespace

std::string dashed(const std::string& title) {
  const bool part = title.starts_with("  ") && title.size() > 2 && title[2] != ' ';
  return part ? "- " + title.substr(2) : std::string(sim::trimmed(title));
}

std::string markdown(const std::string& text) {
  std::string result;
  for (const char c : escaped(sim::printable(text), "\\`*_[]|~", '\\'))
    result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return result;
}

std::string latex(const std::string& text) {
  constexpr std::string_view plus_minus = "±";
  const std::string printable = sim::printable(text);
  std::string result;
  for (std::string_view rest = printable; !rest.empty(); rest.remove_prefix(1)) {
    const char c = rest[0];
    if (rest.starts_with(plus_minus)) {
      result += "$\\pm$";
      rest.remove_prefix(plus_minus.size() - 1);
    } else if (c == '\\') {
      result += "\\textbackslash{}";
    } else if (c == '<' || c == '>' || c == '|') {
      result += c == '<' ? "\\textless{}" : c == '>' ? "\\textgreater{}" : "\\textbar{}";
    } else if (c == '^' || c == '~') {
      result += std::string("\\") + c + "{}";
    } else {
      result += escaped(std::string(1, c), "_%&#${}", '\\');
    }
  }
  return result;
}

std::string latex_head(const std::string& title, const report::CommonUnit& unit) {
  return latex(title) + (unit.name.empty() ? "" : " " + latex_unit(unit));
}

std::string latex_unit(const report::CommonUnit& unit) {
  if (unit.name.empty()) return "";
  return "(" + (unit.name == "us" ? "$\\mu$s" : latex(unit.name)) + ")";
}

/// A comment extends to the end of its line.
std::string latex_comment(const std::string& text) { return "% " + sim::printable(text) + "\n"; }

std::string table_markdown(const report::Table& table) {
  const std::vector<bool> words = table.word_columns();
  std::string out, rule = "|";
  for (const bool word : words) rule += word ? "---|" : "---:|";
  for (std::size_t n = 0; n < table.rows().size(); ++n) {
    const auto& row = table.rows()[n];
    if (n == 1) out += rule + "\n";  // the rule below the header; Markdown has no other rules
    if (row.empty()) continue;
    out += "|";
    for (const std::string& cell : cells_of(row, words.size())) out += " " + markdown(cell) + " |";
    out += "\n";
  }
  return out;
}

std::string document_text(const Document& document) {
  std::string out;
  for (const DocumentPart& part : document)
    out += (&part == &document.front() ? "" : "\n") + part.words + (part.table ? part.table->text() : "");
  return out;
}

std::string document_markdown(const Document& document) {
  std::string out;
  for (const DocumentPart& part : document)
    out += (&part == &document.front() ? "" : "\n") +
           (part.table ? table_markdown(*part.table) : words_markdown(part.words));
  return out;
}

std::string document_latex(const Document& document, const std::string& command) {
  std::string out = latex_comment("made by: " + command) + latex_comment("needs \\usepackage{booktabs}");
  for (const DocumentPart& part : document)
    out += "\n" + (part.table ? table_latex(*part.table) : words_latex(part.words));
  return out;
}

}  // namespace terminal

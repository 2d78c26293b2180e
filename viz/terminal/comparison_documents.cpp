// A comparison as a table for documents: Markdown and LaTeX.
#include "sim/base/printable.h"
#include "sim/report/numbers.h"
#include "viz/terminal/comparison.h"

namespace terminal {
namespace {

/// "3.77 GB (0.32 x)"
std::string cell(const ComparisonRow& row, std::size_t run) {
  return row.values[run] + (row.ratios[run].empty() ? "" : " (" + row.ratios[run] + ")");
}

/// A row that is part of the one above begins with spaces; documents show that with a dash.
std::string title_of(const ComparisonRow& row) {
  return row.title.starts_with("  ") ? "- " + row.title.substr(2) : row.title;
}

std::string escaped(const std::string& text, const std::string& special, char escape) {
  std::string result;
  for (const char c : text) {
    if (special.find(c) != std::string::npos) result += escape;
    result += c;
  }
  return result;
}

/// What Markdown, or the HTML within it, would take for its own.
std::string markdown(const std::string& text) {
  std::string result;
  for (const char c : escaped(sim::printable(text), "\\`*_[]|~", '\\'))
    result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return result;
}

/// Escapes what LaTeX takes for its own; the title of a device file may hold any of it.
std::string latex(const std::string& text) {
  std::string result;
  for (const char c : sim::printable(text)) {
    if (c == '\\') {
      result += "\\textbackslash{}";
    } else if (c == '^' || c == '~') {
      result += std::string("\\") + c + "{}";
    } else {
      result += escaped(std::string(1, c), "_%&#${}", '\\');
    }
  }
  return result;
}

/// A comment ends with its line.
std::string comment(const std::string& text) { return "% " + sim::printable(text) + "\n"; }

std::string markdown_rows(const std::vector<ComparisonRow>& rows) {
  std::string out;
  for (const ComparisonRow& row : rows) {
    out += "| " + markdown(title_of(row)) + " |";
    for (std::size_t run = 0; run < row.values.size(); ++run) out += " " + markdown(cell(row, run)) + " |";
    out += "\n";
  }
  return out;
}

std::string latex_rows(const std::vector<ComparisonRow>& rows) {
  std::string out;
  for (const ComparisonRow& row : rows) {
    out += latex(title_of(row));
    for (std::size_t run = 0; run < row.values.size(); ++run) out += " & " + latex(cell(row, run));
    out += " \\\\\n";
  }
  return out;
}

}  // namespace

std::string comparison_markdown(const std::vector<sim::Simulation>& runs) {
  const Comparison comparison = compare_runs(runs);
  std::string out = markdown(comparison.title) + "\n\n|", rule = "\n|---|";
  out += " |";
  for (const std::string& name : comparison.algorithms) {
    out += " " + markdown(name) + " |";
    rule += "---:|";
  }
  out += rule + "\n";
  out += markdown_rows(comparison.rows) + markdown_rows(comparison.roofline);
  return out + "\nx: ratio to " + markdown(comparison.algorithms.front()) + ". " + time_note() +
         ".\nRoofline: " + markdown(comparison.roofs) + ".\n";
}

std::string comparison_latex(const std::vector<sim::Simulation>& runs, const std::string& command) {
  const Comparison comparison = compare_runs(runs);
  std::string out =
      comment(comparison.title) + comment("made by: " + command) +
      comment("needs \\usepackage{booktabs}; x: ratio to " + comparison.algorithms.front() + "; " + time_note()) +
      comment("roofline: " + comparison.roofs) + "\\begin{tabular}{l" + std::string(comparison.algorithms.size(), 'r') +
      "}\n\\toprule\n";
  for (const std::string& name : comparison.algorithms) out += " & " + latex(name);
  out += " \\\\\n\\midrule\n";
  out += latex_rows(comparison.rows) + "\\midrule\n" + latex_rows(comparison.roofline);
  return out + "\\bottomrule\n\\end{tabular}\n";
}

}  // namespace terminal

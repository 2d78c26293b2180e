// A comparison as a table for documents: Markdown and LaTeX.
#include "viz/terminal/comparison.h"
#include "viz/terminal/document.h"

namespace terminal {
namespace {

/// "3.77 GB (0.32 x)"
std::string cell(const ComparisonRow& row, std::size_t run) {
  return row.values[run] + (row.ratios[run].empty() ? "" : " (" + row.ratios[run] + ")");
}

std::string markdown_rows(const std::vector<ComparisonRow>& rows) {
  std::string out;
  for (const ComparisonRow& row : rows) {
    out += "| " + markdown(dashed(row.title)) + " |";
    for (std::size_t run = 0; run < row.values.size(); ++run) out += " " + markdown(cell(row, run)) + " |";
    out += "\n";
  }
  return out;
}

std::string latex_rows(const std::vector<ComparisonRow>& rows) {
  std::string out;
  for (const ComparisonRow& row : rows) {
    out += latex(dashed(row.title));
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
      latex_comment(comparison.title) + latex_comment("made by: " + command) +
      latex_comment("needs \\usepackage{booktabs}; x: ratio to " + comparison.algorithms.front() + "; " + time_note()) +
      latex_comment("roofline: " + comparison.roofs) + "\\begin{tabular}{l" +
      std::string(comparison.algorithms.size(), 'r') + "}\n\\toprule\n";
  for (const std::string& name : comparison.algorithms) out += " & " + latex(name);
  out += " \\\\\n\\midrule\n";
  out += latex_rows(comparison.rows) + "\\midrule\n" + latex_rows(comparison.roofline);
  return out + "\\bottomrule\n\\end{tabular}\n";
}

}  // namespace terminal

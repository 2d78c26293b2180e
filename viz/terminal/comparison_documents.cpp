// The comparison as a table for documents: Markdown and LaTeX.
#include <algorithm>

#include "sim/report/common_unit.h"
#include "viz/terminal/comparison.h"
#include "viz/terminal/document.h"

namespace terminal {
namespace {

constexpr const char* few_columns = "tile-traffic,hbm-traffic,peak-memory,time,error-of-time";

/// Text of a cell: "3.77 GB (0.32 x)".
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

/// "0.32 x" with a mathematical multiplication sign.
std::string latex_ratio(const std::string& ratio) {
  return ratio.empty() ? "" : ratio.substr(0, ratio.find(' ')) + "$\\times$";
}

/// A LaTeX row: numbers in the unit named in its title, and their ratios in a row below.
std::string latex_row(const ComparisonRow& row) {
  std::vector<double> numbers;
  for (const auto& number : row.numbers) numbers.push_back(number.value_or(0));
  const report::CommonUnit unit = report::common_unit(row.unit, numbers);
  std::string out = latex_head(dashed(row.brief), row.numbers.empty() ? report::CommonUnit() : unit);
  std::string ratios;
  for (std::size_t run = 0; run < row.values.size(); ++run) {
    const bool in_unit = !row.numbers.empty() && row.numbers[run];
    out += " & " + latex(in_unit ? unit.text(*row.numbers[run]) : row.values[run]);
    ratios += " & " + latex_ratio(row.ratios[run]);
  }
  const bool any = std::any_of(row.ratios.begin(), row.ratios.end(), [](const auto& ratio) { return !ratio.empty(); });
  return out + " \\\\\n" + (any ? "\\quad ratio" + ratios + " \\\\\n" : "");
}

std::string latex_rows(const std::vector<ComparisonRow>& rows) {
  std::string out;
  for (const ComparisonRow& row : rows) out += latex_row(row);
  return out;
}

}  // namespace

std::string comparison_markdown(const std::vector<sim::Simulation>& runs, const std::string& columns) {
  const Comparison comparison = compare_runs(runs, columns);
  std::string out = markdown(comparison.title) + "\n\n|", rule = "\n|---|";
  out += " |";
  for (const std::string& name : comparison.algorithms) {
    out += " " + markdown(name) + " |";
    rule += "---:|";
  }
  out += rule + "\n";
  out += markdown_rows(comparison.rows) + markdown_rows(comparison.roofline);
  return out + "\nx: ratio to " + markdown(comparison.algorithms.front()) + ". " + markdown(time_note(runs)) +
         ".\nRoofline: " + markdown(comparison.roofs) + ".\n";
}

std::string comparison_latex(const std::vector<sim::Simulation>& runs, const std::string& command,
                             const std::string& columns) {
  const Comparison comparison = compare_runs(runs, columns.empty() ? few_columns : columns);
  std::string out = latex_comment(comparison.title) + latex_comment("made by: " + command) +
                    latex_comment("needs \\usepackage{booktabs}; ratio: to " + comparison.algorithms.front() + "; " +
                                  time_note(runs)) +
                    "\\noindent{\\setlength{\\tabcolsep}{3pt}%\n\\begin{tabular}{@{}l" +
                    std::string(comparison.algorithms.size(), 'r') + "@{}}\n\\toprule\n";
  for (const std::string& name : comparison.algorithms) out += " & " + latex(name);
  out += " \\\\\n\\midrule\n";
  out += latex_rows(comparison.rows);
  return out + "\\bottomrule\n\\end{tabular}}\n";
}

}  // namespace terminal

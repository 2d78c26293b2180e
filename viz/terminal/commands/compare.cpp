// flashscope compare: several algorithms on one scenario, with ratios to the first.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/report/numbers.h"
#include "sim/report/run_json.h"
#include "viz/files/output_file.h"
#include "viz/results/compared.h"
#include "viz/results/measured_text.h"
#include "viz/results/table_numbers.h"
#include "viz/terminal/citations.h"
#include "viz/terminal/command.h"
#include "viz/terminal/comparison.h"
#include "viz/terminal/input_file.h"
#include "viz/terminal/output_format.h"
#include "viz/terminal/request.h"

namespace terminal {
namespace {

using Times = std::vector<std::optional<double>>;

std::string compare_json(const std::vector<sim::Simulation>& runs, const Times& measured) {
  nlohmann::ordered_json comparison = results::comparison_json(runs);
  for (std::size_t n = 0; n < measured.size(); ++n) {
    if (measured[n]) comparison["results"][n]["measured"] = results::measured_json(runs[n], *measured[n]);
  }
  return report::to_text(comparison);
}

/// The default columns of a CSV.
std::vector<results::TableNumber> usual_numbers() {
  std::vector<results::TableNumber> numbers = results::exact_numbers();
  for (const char* path : {"check.max_abs_error", "check.max_rel_error"}) numbers.push_back({path, path, path});
  return numbers;
}

std::string compare_csv(const std::vector<sim::Simulation>& runs, const std::string& columns) {
  const std::vector<results::TableNumber> numbers =
      columns.empty() ? usual_numbers() : results::chosen_numbers(columns);
  std::vector<std::vector<sim::PathValue>> values;
  for (const sim::Simulation& s : runs) values.push_back(sim::values_of(s));
  if (!columns.empty()) results::require_numbers(numbers, values);
  std::string out = "algorithm";
  for (const results::TableNumber& number : numbers) out += "," + number.path;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    out += "\n" + runs[run].plan.scenario.algorithm;
    for (const results::TableNumber& number : numbers)
      out += "," + report::csv_cell(results::number_in(values[run], number.path));
  }
  return out + "\n";
}

const std::vector<std::string> formats = {"table", "json", "csv", "markdown", "latex", "svg"};

std::string measured_words(const std::vector<sim::Simulation>& runs, const Times& measured) {
  std::string words;
  for (std::size_t n = 0; n < measured.size(); ++n) {
    if (measured[n]) words += "\n" + results::measured_text(runs[n], *measured[n]);
  }
  return words;
}

/// Times of --measured, checked before any work.
Times times_in(const Arguments& arguments, const std::string& format, std::size_t algorithms) {
  const auto typed = arguments.find("measured");
  Times measured = typed ? results::measured_times(*typed, algorithms) : Times();
  sim::require(measured.empty() || format == "json" || format == "table", "measured: is of --format table and json");
  return measured;
}

std::string in_format(const std::string& format, const std::vector<sim::Simulation>& runs, const Arguments& arguments,
                      const Times& measured, bool sizes_from_files) {
  const std::string columns = arguments.value("columns", "");
  if (format == "json") return compare_json(runs, measured);
  if (format == "csv") return compare_csv(runs, columns);
  if (format == "markdown") return comparison_markdown(runs, columns);
  if (format == "latex") return comparison_latex(runs, command_text(compare_syntax(), arguments), columns);
  if (format == "table") {
    const std::string table = comparison_table(runs, sizes_from_files, columns);
    return sim::printable_lines(table + (columns.empty() ? "\n" + roofline_table(runs) : "") +
                                measured_words(runs, measured));
  }
  const std::string chart = arguments.value("chart", "tile-traffic");
  const auto found = std::find(chart_names().begin(), chart_names().end(), chart);
  return comparison_svg(runs, static_cast<Chart>(found - chart_names().begin()));
}

/// Replaces bare arguments by a scenario that fills the card: a single head would leave it mostly idle.
Arguments filling_when_bare(Arguments arguments) {
  if (!is_bare(arguments)) return arguments;
  arguments.scenario = sim::filled_card();
  print_notes({filled_card_note()});
  return arguments;
}

}  // namespace

CommandSyntax compare_syntax() {
  CommandSyntax syntax{
      "compare", "Several algorithms side by side on one scenario", true, value_options(),
      "flashscope compare --model llama-3-8b --seqlen 8192 --causal --algorithms standard,flash1,flash2"};
  syntax.own.push_back(
      {"algorithms", "A,B,...", "names in order; ratios are to the first [standard,flash1,flash2]", {}});
  syntax.own.push_back(program_option());
  syntax.own.push_back({"format", "table|json|csv|markdown|latex|svg", "what to print [table]", formats});
  syntax.own.push_back({"columns",
                        "A,B,...",
                        "the rows of the table, in order: " + results::column_help(comparison_words()) +
                            "; latex shows few of them [all]",
                        {}});
  syntax.own.push_back(
      {"measured", "TIME,-,...", "times that you measured, one for each algorithm in order; - if there is none", {}});
  syntax.own.push_back({"chart", "QUANTITY",
                        "of the svg: tile-traffic, hbm-traffic, memory, time, roofline [tile-traffic]", chart_names()});
  syntax.own.push_back({"output", "FILE", "write a file; .md .tex .svg .csv .json .txt choose the format", {}});
  syntax.own.push_back(cite_option());
  syntax.one_algorithm = false;
  syntax.note = filled_card_help();
  return syntax;
}

namespace {

/// Throws for options that do not belong to the format, before any work.
void check_format(const std::string& format, const Arguments& arguments) {
  sim::require(format == "svg" || !arguments.find("chart"), "chart: belongs to --format svg");
  const auto columns = arguments.find("columns");
  if (!columns) return;
  sim::require(format != "json" && format != "svg", "columns: belongs to a table, csv, markdown or latex");
  results::chosen_numbers(*columns, format == "csv" ? std::vector<std::string>() : comparison_words());
}

/// The default algorithms, plus the recorded program if there is one.
std::string usual_algorithms(const Arguments& arguments) {
  const bool ragged = arguments.scenario.contains("seqlens");  // standard does not support seqlens
  return (ragged ? "flash1,flash2" : "standard,flash1,flash2") +
         std::string(arguments.program.empty() ? "" : "," + arguments.program);
}

/// Computes the values of each run and checks them against double.
void add_values(Request& request, std::vector<sim::Simulation>& runs) {
  check_value_effort(runs);
  const sim::AttentionInputs inputs = make_inputs(request);
  for (sim::Simulation& s : runs) {
    const Values values = compute_values(s.plan, inputs);
    s.check = values.check;
    s.warnings.insert(s.warnings.end(), values.warnings.begin(), values.warnings.end());
  }
}

}  // namespace

int run_compare(const Arguments& given) {
  const Arguments arguments = filling_when_bare(given);
  sim::require(arguments.scenario.count("algorithm") == 0, "compare: takes --algorithms A,B,..., not --algorithm");
  const std::string format =
      result_format(arguments, {"table", "json", "csv", "markdown", "latex", "svg"}, "table", "table");
  check_format(format, arguments);
  std::vector<std::string> notes;
  const std::vector<std::string> algorithms =
      results::algorithm_list(arguments.value("algorithms", usual_algorithms(arguments)), notes);
  const Times measured = times_in(arguments, format, algorithms.size());
  Request request = make_request(arguments, false);
  if (arguments.find("cite")) {
    print_notes(notes);
    print(cited(results::scenarios_of(request.scenario, algorithms)));
    return exit_done;
  }
  std::optional<files::OutputFile> output;
  if (const auto path = arguments.find("output")) output.emplace(*path);
  std::vector<sim::Simulation> runs = results::simulate_each(request.scenario, algorithms);
  std::vector<std::string> warnings = request.warnings;
  if (request.values) add_values(request, runs);
  for (const sim::Simulation& s : runs) {
    for (const std::string& warning : s.warnings) warnings.push_back(s.plan.scenario.algorithm + ": " + warning);
  }
  const std::string text = in_format(format, runs, arguments, measured, request.any_given());  // errors print alone
  print_notes(notes);
  print_warnings(warnings);
  if (!output) {
    print(text);
    return exit_done;
  }
  output->write(text);
  output->commit();
  return exit_done;
}

}  // namespace terminal

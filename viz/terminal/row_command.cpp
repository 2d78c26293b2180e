#include "viz/terminal/row_command.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/base/printable.h"
#include "sim/catalogue/typed_values.h"
#include "sim/report/row_report.h"
#include "sim/report/run_json.h"
#include "viz/files/output_set.h"
#include "viz/terminal/command.h"
#include "viz/terminal/output_format.h"

namespace terminal {
namespace {

/// Inputs from files for the row; null if there are none.
std::shared_ptr<sim::DrawnInputs> row_inputs(const sim::Plan& plan, std::int64_t head, Request& request) {
  if (!request.any_given()) return nullptr;
  const sim::Shape& shape = plan.problem.shape;
  sim::require(head < shape.batch * shape.heads, "head: ", head, " is not a query head from 0 to ",
               shape.batch * shape.heads - 1);
  return std::make_shared<sim::DrawnInputs>(plan, head,
                                            std::make_shared<const sim::AttentionInputs>(make_inputs(request)));
}

std::string row_text(const sim::SoftmaxRow& row, const std::string& format, bool without_alpha) {
  if (format == "table") return report::to_table(row, without_alpha);
  const auto json = report::to_json(row, without_alpha);
  return format == "json" ? report::to_text(json) : report::to_csv(json);
}

}  // namespace

std::vector<CommandOption> row_options() {
  return {
      {"row", "N", "print the softmax of query N, tile by tile: maximum of the scores, m, alpha, sum of p, l, O", {}},
      {"head", "N", "with --row: the query head, counted over all batch entries [0]", {}},
      {"without-alpha", "", "with --row: also the answer without alpha, and its error", {}}};
}

void check_row(const Arguments& arguments, const std::string& output, const std::string& format) {
  const bool row = arguments.find("row").has_value();
  for (const char* with_row : {"head", "without-alpha"})
    sim::require(row || !arguments.find(with_row), with_row, ": is an option of --row N, which names a query");
  if (!row) return;
  for (const char* other : {"why", "output-dir", "cite", "trace"})
    sim::require(!arguments.find(other), "row: prints the steps of one query, --", other,
                 " cannot be combined with it");
  sim::require(output != values_format, "row: prints the steps of one query, --output takes .json, .csv or .txt");
  const std::vector<std::string> formats = {"table", "json", "csv"};
  sim::require(std::find(formats.begin(), formats.end(), format) != formats.end(), "format: ", format,
               " is not one of a row: --row takes table, json and csv");
}

int run_row(Request& request, const Arguments& arguments, const std::string& format,
            const std::optional<std::string>& path) {
  const auto whole_number = [&](const char* name) {
    return sim::typed_whole_number(name, arguments.value(name, "0"), 0, sim::largest_option);
  };
  const std::int64_t query = whole_number("row"), head = whole_number("head");
  const auto plan = std::make_shared<const sim::Plan>(sim::make_plan(request.scenario));
  sim::SoftmaxRow row(plan, head, query, row_inputs(*plan, head, request));
  files::OutputSet outputs;
  files::OutputFile* const file = path ? &outputs.add(*path) : nullptr;
  row.finish();
  const std::string text = row_text(row, format, arguments.find("without-alpha").has_value());
  if (file != nullptr) file->write(sim::printable_lines(text));
  outputs.commit();
  print_warnings(request.warnings);
  if (file == nullptr) print(text);
  return exit_done;
}

}  // namespace terminal

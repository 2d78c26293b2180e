// flashscope validate: errors of the predicted times against published and recorded ones.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "kernels/measurements/points.h"
#include "sim/base/nearest.h"
#include "sim/catalogue/typed_values.h"
#include "sim/report/numbers.h"
#include "sim/report/run_json.h"
#include "viz/files/output_set.h"
#include "viz/results/validation_json.h"
#include "viz/terminal/citations.h"
#include "viz/terminal/command.h"
#include "viz/terminal/input_file.h"
#include "viz/terminal/output_format.h"
#include "viz/terminal/status_line.h"
#include "viz/terminal/validation_report.h"

namespace terminal {
namespace {

constexpr const char* table_file = "sim/model/accuracy_table.csv";
constexpr const char* page_file = "docs/accuracy.md";
constexpr const char* chart_file = "docs/accuracy.svg";

/// The scored points of a GPU that can be predicted and fitted. Throws Error that names the GPUs which have some.
std::vector<const sim::PublishedPoint*> points_to_fit(const std::string& gpu,
                                                      const std::vector<sim::PublishedPoint>& recorded) {
  std::vector<const sim::PublishedPoint*> points;
  std::vector<std::string> gpus;
  const auto take = [&](const sim::PublishedPoint& p) {
    if (!p.for_fit || !sim::prediction_of(p, {}).made()) return;
    const std::string& name = p.scenario.gpu->name;
    if (name == gpu) points.push_back(&p);
    if (std::find(gpus.begin(), gpus.end(), name) == gpus.end()) gpus.push_back(name);
  };
  for (const sim::PublishedPoint& p : sim::published_points()) take(p);
  for (const sim::PublishedPoint& p : recorded) take(p);
  if (points.empty()) throw sim::Error(sim::unknown_name_message("GPU with scored points", gpu, gpus));
  return points;
}

/// Fits with a status line: it takes minutes, and the number of simulations is not known in advance.
sim::Fit fit_with_status(const std::vector<const sim::PublishedPoint*>& points, const sim::TimingConstants& start) {
  StatusLine status("validate", "");
  std::int64_t simulations = 0;
  return sim::fit_constants(points, start, [&](const sim::PublishedPoint& point, const sim::TimingConstants& now) {
    status.show(sim::text("fitting, ", report::thousands(++simulations), " simulations"));
    sim::Scenario scenario = sim::scenario_of(point);
    scenario.constants = now;
    return sim::simulate(scenario).microseconds;
  });
}

std::string read_source(const char* path) {
  std::ifstream file(path, std::ios::binary);
  sim::require(file.good(), "update: ", path, " is not here: run it in the source folder of FlashScope");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  sim::require(!file.bad(), "update: ", path, " cannot be read");
  return text;
}

/// The page on accuracy with its generated block replaced.
std::string page_with(const std::string& table) {
  const std::string begin = "<!-- accuracy -->\n", end = "<!-- /accuracy -->", page = read_source(page_file);
  const std::size_t from = page.find(begin), to = page.find(end, from);
  sim::require(from != std::string::npos && to != std::string::npos, "update: ", page_file,
               " needs the lines <!-- accuracy --> and <!-- /accuracy -->");
  return page.substr(0, from) + begin + "```\n" + table + "```\n" + page.substr(to);
}

/// Writes the table that simulate() reads, the one on the page and the page's chart, or none of them.
void update(const sim::Validation& validation) {
  read_source(table_file);
  const std::string text = page_with(error_table(validation));
  files::OutputSet outputs;
  outputs.add(table_file).write(sim::accuracy_csv(sim::accuracy_rows(validation)));
  outputs.add(page_file).write(text);
  outputs.add(chart_file).write(validation_svg(validation));
  outputs.commit();
}

/// Line about times left out of the groups shown: one group, or all.
std::string left_out_line(const measurements::RecordedPoints& recorded, const std::optional<std::string>& group) {
  std::int64_t times = 0;
  for (const auto& [of_group, left_out] : recorded.left_out) times += !group || *group == of_group ? left_out : 0;
  if (times == 0) return "";
  return sim::text(
      "\nrecorded, left out: ", times, times == 1 ? " time" : " times",
      " with another length of keys, a window, tiles set by hand or lengths of a batch, or of a kernel that "
      "has changed since\n");
}

void check_combination(const Arguments& arguments) {
  const bool group = arguments.find("group").has_value(), fit = arguments.find("fit").has_value();
  sim::require(!group || !fit, "fit: uses all scored points of its GPU: cannot be combined with --group");
  sim::require(!arguments.find("update") || (!group && !fit),
               "update: writes the errors of the constants in the code for all groups: cannot be combined with --group "
               "or --fit");
  sim::require(!arguments.find("update") || recorded_files(arguments).empty(),
               "update: writes FlashScope's own files: cannot be combined with --recorded; to build a recording in, "
               "add it to kernels/measurements/index.txt");
}

}  // namespace

CommandSyntax validate_syntax() {
  return {"validate",
          "Predicted against published and recorded times: the error by group, fitted and held out",
          false,
          {{"group", "NAME", "only one table of published numbers, or one recording: h200 for h200.csv [all]", {}},
           {"fit",
            "GPU",
            "refit the constants to the scored points of this GPU, of recorded ones to every other (minutes), "
            "and show all errors",
            {}},
           recorded_option("its times with cold caches are points as published ones; "),
           {"points", "", "every point: published, predicted, error, what bounds it", {}},
           {"update",
            "",
            "rewrite accuracy_table.csv, and the table and the chart of docs/accuracy.md, in the source folder",
            {}},
           {"format", "table|json|csv|svg", "what to print [table]; svg: a chart", {"table", "json", "csv", "svg"}},
           {"output",
            "FILE",
            "write a file: .svg is a chart of predicted over measured times; .json .csv .txt are the report",
            {}},
           cite_option()},
          "flashscope validate --fit h100-sxm"};
}

int run_validate(const Arguments& arguments) {
  check_combination(arguments);
  const std::string format = result_format(arguments, {"table", "json", "csv", "svg"}, "table", "table");
  std::optional<files::OutputFile> output;  // before seconds of work
  if (const auto path = arguments.find("output")) output.emplace(*path);
  if (!output) require_output();
  if (arguments.find("cite")) {
    print(cited_published(arguments.find("group")));
    return exit_done;
  }
  const measurements::RecordedPoints recorded = measurements::points_of(all_recordings(arguments));
  sim::ValidationChoice choice;
  choice.group = arguments.find("group");
  choice.recorded = recorded.points;
  std::optional<sim::Fit> fit;
  if (const auto typed = arguments.find("fit")) {
    const std::string gpu = sim::exact_value("gpu", *typed);
    if (gpu != *typed) print_notes({sim::taken_as("fit", *typed, gpu)});
    fit = fit_with_status(points_to_fit(gpu, recorded.points), choice.constants);
    choice.constants = fit->constants;
    choice.fitted_on = gpu;
    choice.fitted_to_recorded = true;
  }
  const sim::Validation validation = sim::validate(choice);
  if (arguments.find("update")) update(validation);
  const bool points = arguments.find("points").has_value();
  const std::string text = format == "json"  ? report::to_text(results::validation_json(validation, fit, points))
                           : format == "csv" ? validation_csv(validation, points)
                           : format == "svg" ? validation_svg(validation)
                                             : (fit ? fit_table(*fit, {}) : "") + validation_table(validation, points) +
                                                   left_out_line(recorded, choice.group);
  if (!output) {
    print(text);
    return exit_done;
  }
  output->write(text);
  output->commit();
  return exit_done;
}

}  // namespace terminal

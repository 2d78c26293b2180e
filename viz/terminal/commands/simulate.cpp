// flashscope simulate: one algorithm, all meters; with --why the derivation of one number.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/base/printable.h"
#include "sim/catalogue/derivation.h"
#include "sim/catalogue/typed_values.h"
#include "sim/report/catalogue_json.h"
#include "sim/report/numbers.h"
#include "sim/report/row_report.h"
#include "sim/report/run_json.h"
#include "viz/files/output_set.h"
#include "viz/results/measured_text.h"
#include "viz/results/npy_tensor.h"
#include "viz/terminal/citations.h"
#include "viz/terminal/command.h"
#include "viz/terminal/input_file.h"
#include "viz/terminal/legend.h"
#include "viz/terminal/output_format.h"
#include "viz/terminal/request.h"
#include "viz/terminal/simulation_table.h"
#include "viz/terminal/trace_file.h"

namespace terminal {
namespace {

/// Result files, opened before the work starts.
using ResultFiles = std::vector<std::pair<sim::Tensor, files::OutputFile*>>;

// The softmax of one query, for flashscope simulate --row.

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

/// --row, and the options that require it.
std::vector<CommandOption> row_options() {
  return {
      {"row", "N", "print the softmax of query N, tile by tile: maximum of the scores, m, alpha, sum of p, l, O", {}},
      {"head", "N", "with --row: the query head, counted over all batch entries [0]", {}},
      {"without-alpha", "", "with --row: also the answer without alpha, and its error", {}}};
}

/// Throws sim::Error for options that conflict with --row, and for those that require it. `output`: format of --output;
/// `format`: of the report.
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

/// Runs the row and prints it, or writes it to the file at `path`. Returns the exit code.
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

// The report of a run.

/// Format and destination of the report: --output unless that holds values.
struct Form {
  std::string output;   ///< format of stdout
  std::string printed;  ///< format of what goes to stdout
  std::optional<std::string> path;
  bool into_file() const { return path && output != values_format; }
  const std::string& format() const { return into_file() ? output : printed; }
};

Form form_of(const Arguments& arguments) {
  Form form;
  form.printed = arguments.value("format", "table");
  form.path = arguments.find("output");
  if (!arguments.find("why"))
    form.output = result_format(arguments, {"npy", "json", "csv", "markdown", "latex", "table"}, "table", "npy");
  else
    form.output = result_format(arguments, {"npy", "json", "csv", "table"}, "table", "npy");
  return form;
}

/// True if the run provides L = m + log l of its rows: false for standard attention.
bool has_statistics(const sim::Plan& plan) {
  const auto writes = [](const sim::Launch& launch) {
    return launch.writes(sim::Tensor::L) || launch.writes(sim::Tensor::l);
  };
  return std::any_of(plan.launches.begin(), plan.launches.end(), writes) ||
         std::any_of(plan.before.begin(), plan.before.end(), writes);
}

ResultFiles open_folder(files::OutputSet& outputs, const std::string& folder, const sim::Plan& plan) {
  using enum sim::Tensor;
  ResultFiles files;
  const auto open = [&](sim::Tensor tensor) {
    files.emplace_back(tensor, &outputs.add_in_folder(std::string(sim::name_of(tensor)) + ".npy"));
  };
  outputs.use_folder(folder, command_line());
  open(O);
  if (has_statistics(plan)) open(L);
  if (!plan.has_backward()) return files;
  for (const sim::Tensor gradient : {dQ, dK, dV}) open(gradient);
  return files;
}

ResultFiles open_results(files::OutputSet& outputs, const Arguments& arguments, const Form& form,
                         const sim::Plan& plan) {
  ResultFiles files;
  if (const auto folder = arguments.find("output-dir")) files = open_folder(outputs, *folder, plan);
  const auto path = arguments.find("output");
  if (!path || form.into_file()) return files;
  const bool written = !files.empty() && files::place_of(*path).same_name(files.front().second->place());  // O.npy
  if (!written) files.emplace_back(sim::Tensor::O, &outputs.add(*path));
  return files;
}

const std::vector<float>& values_of(sim::Tensor tensor, const sim::AttentionOutputs& outputs) {
  if (tensor == sim::Tensor::L) return outputs.log_sum_exp;
  if (tensor == sim::Tensor::dQ) return outputs.d_q;
  if (tensor == sim::Tensor::dK) return outputs.d_k;
  return tensor == sim::Tensor::dV ? outputs.d_v : outputs.o;
}

void write_results(const ResultFiles& files, const sim::Plan& plan, const Request& request,
                   const sim::AttentionOutputs& values) {
  for (const auto& [tensor, file] : files) {
    const results::NpyTensor written = results::npy_tensor(request, plan, tensor, values_of(tensor, values));
    file->write(sim::format_npy(written.axes, written.values, results::npy_dtype(plan.problem.hbm[tensor].dtype)));
  }
}

std::string derivation_text(const sim::Derivation& d) {
  std::string out = sim::text(d.path, " = ", d.value, " ", d.unit, "\n");
  for (const sim::Sentence& line : d.formula) out += "  " + line.text() + "\n";
  if (d.terms.empty()) return out;
  report::Table table({"where", "each", "times", "total", "what"});
  std::int64_t sum = 0;
  for (const sim::DerivationTerm& term : d.terms) {
    sum += term.total();
    table.row({term.where, report::thousands(term.each), report::thousands(term.times), report::thousands(term.total()),
               term.what.text()});
  }
  table.rule();
  table.row({"sum", "", "", report::thousands(sum), ""});
  return out + "\n" + table.text();
}

/// All paths that --why takes, one per line.
std::string quantity_list(const sim::Simulation& simulation) {
  std::string list;
  for (const std::string& path : sim::derivation_paths(simulation)) list += path + "\n";
  return list;
}

void check_path(const sim::Simulation& simulation, const std::string& path) {
  try {
    sim::derive(simulation, path);
  } catch (const sim::Error& error) {
    throw sim::Error("why: ", error, " flashscope simulate --why list names all");
  }
}

/// The time of --measured, allowed only with the report as table or JSON.
std::optional<double> measured_in(const Arguments& arguments, const std::string& format) {
  const auto typed = arguments.find("measured");
  if (!typed) return std::nullopt;
  const double us = sim::parse_time("measured", *typed);
  for (const char* other : {"why", "row", "cite"})
    sim::require(!arguments.find(other), "measured: is printed with the report, which --", other, " does not print");
  sim::require(format == "table" || format == "json", "measured: is of --format table and json");
  return us;
}

std::string report_text(const sim::Simulation& s, const std::string& format, const Arguments& arguments,
                        bool sizes_from_files) {
  const std::optional<double> measured = measured_in(arguments, format);
  if (format == "json") {
    nlohmann::ordered_json json = report::to_json(s);
    if (measured) json["measured"] = results::measured_json(s, *measured);
    return report::to_text(json);
  }
  if (format == "csv") return report::to_csv(report::to_json(s));
  const std::optional<sim::Simulation> standard = sim::simulate_standard(s.plan.scenario);
  const Document document = simulation_document(s, standard ? &*standard : nullptr, sizes_from_files);
  if (format == "markdown") return document_markdown(document);
  if (format == "latex") return document_latex(document, command_text(simulate_syntax(), arguments));
  return document_text(document) + (measured ? "\n" + results::measured_text(s, *measured) : "");
}

std::string derivation_in(const sim::Derivation& derivation, const std::string& format) {
  if (format == "table") return derivation_text(derivation);
  return format == "json" ? report::to_text(report::derivation_json(derivation))
                          : report::to_csv(report::derivation_json(derivation));
}

/// Every format of simulate's --format.
const std::vector<std::string> formats = {"table", "json", "csv", "markdown", "latex"};

/// Throws for wrong uses of --why, before the work starts.
void check_why(const sim::Simulation& simulation, const Arguments& arguments, const Form& form) {
  const auto why = arguments.find("why");
  if (!why) return;
  sim::require(form.format() != "markdown" && form.format() != "latex", "format: ", form.format(),
               " is not one of a derivation: --why takes table, json and csv");
  if (!why->starts_with("check.") && !why->starts_with("values.")) check_path(simulation, *why);
}

}  // namespace

CommandSyntax simulate_syntax() {
  CommandSyntax syntax{
      "simulate", "One algorithm: bytes by tensor and line, memory, FLOPs, time", true, value_options(),
      "flashscope simulate --algorithm flash1 --seqlen 4096 --causal --why tile_traffic.by_tensor.O.read_bytes"};
  syntax.own.push_back({"format", "table|json|csv|markdown|latex", "what to print [table]", formats});
  syntax.own.push_back({"why", "QUANTITY|list", "derive one number, named by its JSON path; list: all of them", {}});
  for (const CommandOption& option : row_options()) syntax.own.push_back(option);
  syntax.own.push_back(
      {"measured", "TIME", "interpret a time that you measured, such as 2.6ms, of all kernels of the pass", {}});
  syntax.own.push_back({"output",
                        "FILE",
                        "write a file: .npy is O; .json .csv .md .tex .txt are the report, which is then not printed",
                        {}});
  syntax.own.push_back(
      {"output-dir",
       "DIR",
       "write O.npy, L.npy (m + log l for flash1; not for standard) and, with a backward pass, dQ.npy, dK.npy, dV.npy",
       {}});
  syntax.own.push_back(program_option());
  for (const CommandOption& option : trace_options()) syntax.own.push_back(option);
  syntax.own.push_back(cite_option());
  return syntax;
}

namespace {

/// Computes the values of Q, K, V through the program and writes the results to their files.
void run_values(sim::Simulation& s, Request& request, const ResultFiles& files) {
  const sim::AttentionInputs inputs = make_inputs(request);
  const Values values = compute_values(s.plan, inputs);
  s.check = values.check;
  s.warnings.insert(s.warnings.end(), values.warnings.begin(), values.warnings.end());
  write_results(files, s.plan, request, values.outputs);
}

}  // namespace

int run_simulate(const Arguments& arguments) {
  const Form form = form_of(arguments);
  const auto why = arguments.find("why");
  measured_in(arguments, form.format());
  sim::require(why != "list" || !form.path, "why: list is printed: cannot be combined with --output");
  check_row(arguments, form.output, form.format());
  Request request = make_request(arguments, (form.path && !form.into_file()) || arguments.find("output-dir"));
  if (arguments.find("cite")) {
    print(cited({request.scenario}));
    return exit_done;
  }
  if (arguments.find("row"))
    return run_row(request, arguments, form.format(), form.into_file() ? form.path : std::nullopt);
  sim::Simulation s = sim::simulate(request.scenario);
  add_range(s);
  s.warnings.insert(s.warnings.end(), request.warnings.begin(), request.warnings.end());
  if (why == "list") {
    print(quantity_list(s));
    return exit_done;
  }
  check_why(s, arguments, form);
  if (request.values) check_value_effort({&s, 1});
  files::OutputSet outputs;
  const ResultFiles files = open_results(outputs, arguments, form, s.plan);
  files::OutputFile* const report_file = form.into_file() ? &outputs.add(*form.path) : nullptr;
  add_asked_trace(outputs, arguments, s.plan);
  if (request.values) run_values(s, request, files);
  const std::string text = why ? derivation_in(sim::derive(s, *why), form.format())
                               : report_text(s, form.format(), arguments, request.any_given());
  if (report_file != nullptr) report_file->write(sim::printable_lines(text));
  outputs.commit();
  print_warnings(s.warnings);
  if (s.plan.problem.dtype == sim::Dtype::fp32 && !why) print_notes({plain_kernels_note});
  if (report_file == nullptr) print(text);
  return exit_done;
}

}  // namespace terminal

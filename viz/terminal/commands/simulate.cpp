// flashscope simulate: one algorithm, every meter; with --why the derivation of one number.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "sim/catalogue/derivation.h"
#include "sim/report/numbers.h"
#include "sim/report/run_json.h"
#include "viz/files/output_set.h"
#include "viz/terminal/command.h"
#include "viz/terminal/npy_tensor.h"
#include "viz/terminal/plain_kernels.h"
#include "viz/terminal/request.h"
#include "viz/terminal/simulation_table.h"
#include "viz/terminal/trace_file.h"

namespace terminal {
namespace {

using Json = nlohmann::ordered_json;

/// Result files, opened before the work starts.
using ResultFiles = std::vector<std::pair<sim::Tensor, files::OutputFile*>>;

/// Whether m + log l can be told of its rows: not in standard attention.
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

ResultFiles open_results(files::OutputSet& outputs, const Arguments& arguments, const sim::Plan& plan) {
  ResultFiles files;
  if (const auto folder = arguments.find("output-dir")) files = open_folder(outputs, *folder, plan);
  const auto path = arguments.find("output");
  if (!path) return files;
  const bool written = !files.empty() && files::place_of(*path).same_name(files.front().second->place());  // O is O
  if (!written) files.emplace_back(sim::Tensor::O, &outputs.add(*path));
  return files;
}

const std::vector<float>& values_of(sim::Tensor tensor, const sim::AttentionOutputs& outputs) {
  if (tensor == sim::Tensor::L) return outputs.log_sum_exp;
  if (tensor == sim::Tensor::dQ) return outputs.d_q;
  if (tensor == sim::Tensor::dK) return outputs.d_k;
  return tensor == sim::Tensor::dV ? outputs.d_v : outputs.o;
}

/// Each file in the layout and the rank of Q's; statistics have one dimension less.
void write_results(const ResultFiles& files, const sim::Problem& problem, const Request& request,
                   const sim::AttentionOutputs& values) {
  for (const auto& [tensor, file] : files) {
    const HeadSizes sizes = npy_sizes(problem, tensor);
    file->write(sim::format_npy(npy_axes(problem, tensor, request.layout, request.output_rank),
                                to_layout(request.layout, sizes, values_of(tensor, values)),
                                npy_dtype(problem.hbm[tensor].dtype)));
  }
}

/// A derivation for programs: a number is a number.
nlohmann::ordered_json to_json(const sim::Derivation& d) {
  Json terms = Json::array();
  for (const sim::DerivationTerm& term : d.terms) {
    terms.push_back({{"where", term.where},
                     {"what", term.what},
                     {"each", term.each},
                     {"times", term.times},
                     {"total", term.total()}});
  }
  return {{"schema", 1},          {"path", d.path},
          {"unit", d.unit},       {"value", Json::accept(d.value) ? Json::parse(d.value) : Json(d.value)},
          {"formula", d.formula}, {"terms", terms}};
}

std::string derivation_text(const sim::Derivation& d) {
  std::string out = sim::text(d.path, " = ", d.value, " ", d.unit, "\n");
  for (const std::string& line : d.formula) out += "  " + line + "\n";
  if (d.terms.empty()) return out;
  report::Table table({"where", "each", "times", "total", "what"});
  std::int64_t sum = 0;
  for (const sim::DerivationTerm& term : d.terms) {
    sum += term.total();
    table.row({term.where, report::thousands(term.each), report::thousands(term.times), report::thousands(term.total()),
               term.what});
  }
  table.rule();
  table.row({"sum", "", "", report::thousands(sum), ""});
  return out + "\n" + table.text();
}

/// Everything that --why takes, a line each.
std::string quantity_list(const sim::Simulation& simulation) {
  std::string list;
  for (const std::string& path : sim::derivation_paths(simulation)) list += path + "\n";
  return list;
}

void check_why(const sim::Simulation& simulation, const std::string& path) {
  try {
    sim::derive(simulation, path);
  } catch (const sim::Error& error) {
    throw sim::Error(sim::text("why: ", error.what(), " flashscope simulate --why list names all"));
  }
}

std::string report(const sim::Simulation& s, bool sizes_from_files) {
  const std::optional<sim::Simulation> standard = sim::simulate_standard(s.plan.scenario);
  return simulation_table(s, standard ? &*standard : nullptr, sizes_from_files);
}

}  // namespace

CommandSyntax simulate_syntax() {
  CommandSyntax syntax{
      "simulate", "One algorithm: bytes by tensor and line, memory, FLOPs, time", true, value_options(),
      "flashscope simulate --algorithm flash1 --seqlen 4096 --causal --why tile_traffic.by_tensor.O.read_bytes"};
  syntax.own.push_back({"format", "table|json|csv", "what to print [table]", {"table", "json", "csv"}});
  syntax.own.push_back(
      {"why", "QUANTITY|list", "derive one number, named by its JSON path; list: all that can be asked", {}});
  syntax.own.push_back({"output", "O.npy", "write O", {}});
  syntax.own.push_back(
      {"output-dir",
       "DIR",
       "write O.npy, L.npy (m + log l for flash1; none for standard) and, with a backward pass, dQ.npy, dK.npy, dV.npy",
       {}});
  for (const OwnOption& option : trace_options()) syntax.own.push_back(option);
  return syntax;
}

int run_simulate(const Arguments& arguments) {
  Request request = make_request(arguments, arguments.find("output") || arguments.find("output-dir"));
  sim::Simulation s = sim::simulate(request.scenario);
  s.warnings.insert(s.warnings.end(), request.warnings.begin(), request.warnings.end());
  const auto why = arguments.find("why");
  if (why == "list") {
    print(quantity_list(s));
    return exit_done;
  }
  if (why && !why->starts_with("check.")) check_why(s, *why);  // an error before the work starts
  if (request.values) check_value_effort({&s, 1});
  files::OutputSet outputs;
  const ResultFiles files = open_results(outputs, arguments, s.plan);
  add_asked_trace(outputs, arguments, s.plan);
  if (request.values) {
    const sim::AttentionInputs inputs = make_inputs(request);
    const Values values = compute_values(s.plan, inputs);
    s.check = values.check;
    s.warnings.insert(s.warnings.end(), values.warnings.begin(), values.warnings.end());
    write_results(files, s.plan.problem, request, values.outputs);
  }
  outputs.commit();
  print_warnings(s.warnings);
  if (s.plan.problem.dtype == sim::Dtype::fp32 && !why) print_notes({plain_kernels_note});
  const std::string format = arguments.value("format", "table");
  if (format == "table") {
    print(why ? derivation_text(sim::derive(s, *why)) : report(s, request.any_given()));
  } else {
    const nlohmann::ordered_json json = why ? to_json(sim::derive(s, *why)) : report::to_json(s);
    print(format == "json" ? report::to_text(json) : report::to_csv(json));
  }
  return exit_done;
}

}  // namespace terminal

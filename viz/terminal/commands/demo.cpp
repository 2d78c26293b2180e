// flashscope demo: the main job in one go. Standard attention, FlashAttention-1 and -2 on GPT-2 medium's shape or on
// the user's own Q, K, V: values checked on one head, bytes and memory of the whole, a chart and a trace.
#include <cmath>

#include "sim/model/numerics_rule.h"
#include "viz/terminal/command.h"
#include "viz/terminal/comparison.h"
#include "viz/terminal/numbers.h"
#include "viz/terminal/output_file.h"
#include "viz/terminal/request.h"
#include "viz/terminal/trace_file.h"

namespace terminal {
namespace {

const std::vector<std::string> demo_algorithms = {"standard", "flash1", "flash2"};

/// GPT-2 medium with batch 64, unless files or options say otherwise.
Arguments with_defaults(Arguments arguments) {
  arguments.own.emplace("numerics", "on");
  const bool own = arguments.find("input-q") || arguments.find("input-k") || arguments.find("input-v");
  if (own || !arguments.scenario.empty()) return arguments;
  arguments.scenario["model"] = "gpt2-medium";
  arguments.scenario["batch"] = "64";
  arguments.scenario["seqlen"] = "1024";
  return arguments;
}

/// The first head of the first batch entry as a scenario of its own.
sim::Scenario one_head(const sim::Scenario& scenario) {
  sim::Scenario one = scenario;
  one.shape.batch = one.shape.heads = one.shape.kv_heads = 1;
  return one;
}

/// The first head of the given inputs, or one that is drawn.
sim::AttentionInputs inputs_of_one_head(Request& request) {
  const sim::Scenario one = one_head(request.scenario);
  if (!request.any_given()) {
    Request drawn;
    drawn.scenario = one;
    return make_inputs(drawn);
  }
  sim::AttentionInputs inputs = make_inputs(request);
  const auto cut = [&](std::vector<float>& values, std::int64_t rows) {
    values.resize(static_cast<std::size_t>(rows * one.shape.head_dim));
  };
  cut(inputs.q, one.shape.seqlen_q);
  cut(inputs.k, one.shape.seqlen_k);
  cut(inputs.v, one.shape.seqlen_k);
  if (one.pass != sim::Pass::forward) cut(inputs.d_o, one.shape.seqlen_q);
  return inputs;
}

/// Scores of one head beyond this many take minutes.
void check_one_head_size(const Request& request) {
  const sim::Shape& shape = request.scenario.shape;
  constexpr std::int64_t most = std::int64_t{1} << 28;
  sim::require(shape.seqlen_q <= most / shape.seqlen_k, "demo: checks one head, whose scores are ",
               thousands(shape.seqlen_q), " x ", thousands(shape.seqlen_k), ", more than ", thousands(most),
               ": use --numerics off or shorter sequences");
  check_value_memory(request.any_given() ? shape : one_head(request.scenario).shape, request.scenario.pass);
}

/// What the numerics rule allows for each output: twice the error of the plain formula in the same dtype for O, three
/// times for gradients, and two roundings.
std::map<sim::Tensor, double> allowed_errors(const sim::Plan& plan, const sim::AttentionInputs& inputs) {
  const sim::Problem& p = plan.problem;
  const double scale = static_cast<double>(p.scale);
  std::map<sim::Tensor, double> allowed;
  const auto allow = [&](sim::Tensor name, double k, const std::vector<float>& plain,
                         const std::vector<double>& exact) {
    allowed[name] = sim::numerics::bound(k, sim::check_values(plain, exact).max_abs_error, exact, p.dtype);
  };
  if (plan.has_forward()) {
    allow(sim::Tensor::O, 2, sim::attention_plain(p.shape, p.scale, p.dtype, inputs, p.dropout),
          sim::attention_reference(p.shape, scale, inputs, p.dropout).o);
  }
  if (!plan.has_backward()) return allowed;
  const auto plain = sim::attention_plain_backward(p.shape, p.scale, p.dtype, inputs, p.dropout);
  const auto exact = sim::attention_reference_backward(p.shape, scale, inputs, p.dropout);
  allow(sim::Tensor::dQ, 3, plain.d_q, exact.d_q);
  allow(sim::Tensor::dK, 3, plain.d_k, exact.d_k);
  allow(sim::Tensor::dV, 3, plain.d_v, exact.d_v);
  return allowed;
}

/// Errors of one head per algorithm; true when all are within the numerics of the dtype.
bool check_one_head(Request& request, std::vector<sim::Simulation>& runs) {
  sim::Scenario one = one_head(request.scenario);
  const sim::AttentionInputs inputs = inputs_of_one_head(request);
  one.algorithm = runs[0].plan.scenario.algorithm;
  const std::map<sim::Tensor, double> allowed = allowed_errors(sim::make_plan(one), inputs);
  bool good = true;
  for (sim::Simulation& s : runs) {
    one.algorithm = s.plan.scenario.algorithm;
    const sim::Plan plan = sim::make_plan(one);
    s.check = sim::check_outputs(plan, inputs, sim::compute(plan, inputs, show_progress));
    for (const auto& [name, check] : s.check->by_tensor) good = good && check.max_abs_error <= allowed.at(name);
  }
  for (const std::string& warning : sim::nonfinite_warnings(inputs)) print_warnings({warning});
  std::string limits;
  for (const auto& [name, limit] : allowed) {
    limits += sim::text(limits.empty() ? "" : ", ", allowed.size() == 1 ? "" : sim::text(sim::name_of(name), " "),
                        scientific(limit));
  }
  const bool gradients = one.pass != sim::Pass::forward;
  print(sim::text("Values of one head against attention in double precision: ", good ? "agree" : "DIFFER",
                  " (allowed: twice ", gradients ? "(gradients: three times) " : "", "the error of the plain ",
                  sim::name_of(one.dtype), " formula and its rounding, ", limits, ").\n\n"));
  return good;
}

}  // namespace

CommandSyntax demo_syntax() {
  CommandSyntax syntax{"demo",
                       "Standard, flash1 and flash2 on GPT-2 medium or your own Q, K, V",
                       true,
                       {},
                       "flashscope demo --input-q Q.npy --input-k K.npy --input-v V.npy"};
  for (OwnOption option : value_options()) {
    if (option.name == "numerics") option.help = "check the values of one head [on]";
    syntax.own.push_back(option);
  }
  syntax.one_algorithm = false;
  syntax.own.push_back({"output-dir", "DIR", "where the chart and the trace go [flashscope-demo]", {}});
  return syntax;
}

int run_demo(const Arguments& given) {
  sim::require(given.scenario.count("algorithm") == 0,
               "demo: compares standard, flash1 and flash2; use simulate --algorithm");
  const Arguments arguments = with_defaults(given);
  Request request = make_request(arguments, false);
  std::vector<sim::Simulation> runs = simulate_each(request.scenario, demo_algorithms);
  if (request.values) check_one_head_size(request);
  const OutputFolder folder(arguments.value("output-dir", "flashscope-demo"));
  OutputFile chart(folder / "tile-traffic.svg");
  TraceFile trace(folder / "flash2-trace.txt"), perfetto(folder / "flash2-trace.pftrace");
  print_warnings(request.warnings);
  for (const sim::Simulation& s : runs) print_warnings(s.warnings);
  const bool good = !request.values || check_one_head(request, runs);
  print(comparison_table(runs) + "\n");
  chart.write(comparison_svg(runs));
  for (TraceFile* file : {&trace, &perfetto}) file->write(runs.back().plan, std::nullopt);
  chart.commit();  // only when all are written
  for (TraceFile* file : {&trace, &perfetto}) file->commit();
  print(sim::text("Chart of the traffic: ", chart.path().string(),
                  "\nTrace of the last CTA of flash2's first head: ", trace.path().string(),
                  "\nThe same for https://ui.perfetto.dev (Open trace file): ", perfetto.path().string(),
                  "\nNext: flashscope simulate --algorithm flash1 --causal, flashscope simulate --help\n"));
  return good ? exit_done : exit_check_failed;
}

}  // namespace terminal

// flashscope demo: the main use in one command. Standard attention, FlashAttention-1 and -2 on GPT-2 medium's shape or
// on the user's own Q, K, V: checks values head by head, prints bytes and memory of the whole, writes a chart and a
// trace.
#include <cmath>

#include "sim/programs/programs.h"
#include "sim/report/numbers.h"
#include "sim/report/value_memory.h"
#include "viz/files/output_set.h"
#include "viz/results/compared.h"
#include "viz/terminal/command.h"
#include "viz/terminal/comparison.h"
#include "viz/terminal/head_check.h"
#include "viz/terminal/request.h"
#include "viz/terminal/trace_file.h"

namespace terminal {
namespace {

const std::vector<std::string> demo_algorithms = {std::string(sim::programs::standard.name),
                                                  std::string(sim::programs::flash1.name),
                                                  std::string(sim::programs::flash2.name)};

/// Entries of Q K^T whose values the demo computes for its own inputs: a batch entry of GPT-2 medium, 16 heads. A fixed
/// amount of work, not of time, so that the output is reproducible. Files are checked completely.
constexpr std::int64_t most_scores = std::int64_t{1} << 24;

/// The chart and the traces. They are extras: if the default folder cannot be written, the demo warns and goes on; a
/// folder that the user names must take them.
class DemoFiles {
 public:
  explicit DemoFiles(const Arguments& arguments) : required_(arguments.find("output-dir").has_value()) {
    attempt([&] {
      set_.use_folder(arguments.value("output-dir", "flashscope-demo"), command_line());
      for (const char* name : {"tile-traffic.svg", "flash2-trace.txt", "flash2-trace.pftrace"})
        files_.push_back(&set_.add_in_folder(name));
    });
  }
  /// Returns the lines that name the files; "" if they could not be written.
  std::string write(const std::vector<sim::Simulation>& runs) {
    attempt([&] {
      files_[0]->write(comparison_svg(runs));
      for (const std::size_t n : {1U, 2U}) write_trace(*files_[n], runs.back().plan, std::nullopt);
      set_.commit();
    });
    if (!reason_.empty()) {
      print_warnings(
          {sim::text("the chart and the traces are not written: ", reason_, ": choose a folder with --output-dir")});
      return "";
    }
    return sim::text("Chart of the traffic: ", files_[0]->path().string(),
                     "\nTrace of the last CTA of flash2's first head: ", files_[1]->path().string(),
                     "\nThe same for https://ui.perfetto.dev (Open trace file): ", files_[2]->path().string(), "\n");
  }

 private:
  /// Does nothing after an attempt that failed.
  template <class Work>
  void attempt(Work work) {
    if (!reason_.empty()) return;
    try {
      work();
    } catch (const sim::Error& error) {
      if (required_) throw;
      reason_ = error.what();
    }
  }

  bool required_;
  std::string reason_;  ///< why the files cannot be written
  files::OutputSet set_;
  std::vector<files::OutputFile*> files_;
};

/// Defaults to GPT-2 medium with batch 64 and the default 1,024 tokens, unless files or options are given.
Arguments with_defaults(Arguments arguments) {
  arguments.own.emplace("numerics", "on");
  const bool own = arguments.find("input-q") || arguments.find("input-k") || arguments.find("input-v");
  if (own || !arguments.scenario.empty()) return arguments;
  arguments.scenario["model"] = "gpt2-medium";
  arguments.scenario["batch"] = "64";
  return arguments;
}

/// Throws if the scores of one head would take minutes; warns first if they exceed the demo's usual work.
void check_head_size(const Request& request) {
  const sim::Shape& shape = request.scenario.shape;
  constexpr std::int64_t most = std::int64_t{1} << 28;
  sim::require(shape.seqlen_q <= most / shape.seqlen_k, "demo: checks whole heads, and the scores of one are ",
               report::thousands(shape.seqlen_q), " x ", report::thousands(shape.seqlen_k), ", more than ",
               report::thousands(most), ": use --numerics off or shorter sequences");
  constexpr std::int64_t score = 3 * sizeof(float);  // S, P, and a matrix in transit to the next kernel
  const std::int64_t scores = shape.seqlen_q * shape.seqlen_k;
  sim::require(scores * score <= report::value_memory_limit(), "demo: the scores of one head need ",
               report::bytes(scores * score), ", more than the limit of ", report::bytes(report::value_memory_limit()),
               ": use --numerics off or shorter sequences");
  if (scores <= most_scores) return;
  print_warnings({sim::text("values: the scores of one head are ", report::thousands(shape.seqlen_q), " x ",
                            report::thousands(shape.seqlen_k), ": checking them takes ", report::bytes(scores * score),
                            " and some time; --numerics off leaves the values out")});
}

/// "dQ 1.2e-03, dK ..."; without the name if there is only O.
std::string limits_text(const std::map<sim::Tensor, double>& allowed) {
  std::string limits;
  for (const auto& [name, limit] : allowed) {
    limits += sim::text(limits.empty() ? "" : ", ", allowed.size() == 1 ? "" : sim::text(sim::name_of(name), " "),
                        std::isfinite(limit) ? report::scientific(limit) : "none that is finite");
  }
  return limits;
}

/// "all 4 heads" or "the first 16 of 1,024 heads".
std::string heads_text(const HeadCheck& check) {
  if (check.heads < check.of)
    return sim::text("the first ", report::thousands(check.heads), " of ", report::thousands(check.of), " heads");
  return check.of == 1 ? "the only head" : sim::text("all ", report::thousands(check.of), " heads");
}

/// One line per reason for a disagreement of an algorithm.
std::string reasons_text(const HeadCheck& check) {
  std::string reasons;
  for (std::size_t n = 0; n < check.programs.size(); ++n) {
    const HeadCheck::OfProgram& program = check.programs[n];
    for (const std::string& reason : program.reasons) reasons += demo_algorithms[n] + ": " + reason + "\n";
    const std::int64_t more = program.disagreeing - static_cast<std::int64_t>(program.reasons.size());
    if (more > 0) reasons += sim::text(demo_algorithms[n], ": ", report::thousands(more), " more heads differ.\n");
  }
  return reasons;
}

/// Prints the errors of each algorithm; true if those of every head are within the tolerance of the dtype.
bool check_values(Request& request, std::vector<sim::Simulation>& runs) {
  const HeadCheck check = check_heads(request, demo_algorithms, most_scores);
  for (std::size_t n = 0; n < runs.size(); ++n) {
    const auto& errors = check.programs[n].errors;
    runs[n].check = sim::ValueChecks{{errors.begin(), errors.end()}};
  }
  if (check.widened > 0) print_notes({sim::wide_scores_text(request.scenario.dtype, check.widened)});
  const bool gradients = request.scenario.pass != sim::Pass::forward;
  print(sim::text("Values of ", heads_text(check),
                  " against attention in double precision: ", check.agrees() ? "agree" : "DIFFER", " (allowed",
                  check.heads > 1 ? " of each head" : "", ": twice ", gradients ? "(gradients: three times) " : "",
                  "the error of the plain ", sim::name_of(request.scenario.dtype), " formula and its rounding, ",
                  check.heads > 1 ? "at least " : "", limits_text(check.allowed), ").\n", reasons_text(check), "\n"));
  return check.agrees();
}

}  // namespace

CommandSyntax demo_syntax() {
  CommandSyntax syntax{"demo",
                       "Standard, flash1 and flash2 on GPT-2 medium or your own Q, K, V",
                       true,
                       {},
                       "flashscope demo --input-q Q.npy --input-k K.npy --input-v V.npy"};
  for (CommandOption option : value_options()) {
    if (option.name == "numerics") option.help = "check the values; of input files, all heads [on]";
    syntax.own.push_back(option);
  }
  syntax.one_algorithm = false;
  syntax.own.push_back({"output-dir", "DIR", "folder of the chart and the trace [flashscope-demo]", {}});
  return syntax;
}

int run_demo(const Arguments& given) {
  sim::require(given.scenario.count("algorithm") == 0,
               "demo: compares standard, flash1 and flash2; use simulate --algorithm");
  const Arguments arguments = with_defaults(given);
  Request request = make_request(arguments, false);
  std::vector<sim::Simulation> runs = results::simulate_each(request.scenario, demo_algorithms);
  if (request.values) {
    check_head_size(request);
    const std::int64_t heads = sim::checked_multiply(request.scenario.shape.batch, request.scenario.shape.heads);
    check_value_effort(runs, static_cast<double>(checked_heads(request, most_scores)) / static_cast<double>(heads));
  }
  DemoFiles files(arguments);
  print_warnings(request.warnings);
  for (const sim::Simulation& s : runs) print_warnings(s.warnings);
  const bool good = !request.values || check_values(request, runs);
  print(comparison_table(runs, request.any_given()));
  print(
      as_typed("This race is of the algorithms; of the code that was released: flashscope compare --tiling released, "
               "with the same options.\n\n"));
  print(files.write(runs) +
        as_typed("Next: flashscope simulate --algorithm flash1 --causal, flashscope simulate --help\n"));
  return good ? exit_done : exit_check_failed;
}

}  // namespace terminal

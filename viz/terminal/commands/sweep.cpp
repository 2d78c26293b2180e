// flashscope sweep: every point of a grid of scenario options, on all cores, in order; optional formula check.
#include "viz/results/sweep.h"

#include <signal.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <set>

#include "kernels/threads/threads.h"
#include "sim/catalogue/typed_values.h"
#include "sim/model/accuracy.h"
#include "sim/report/numbers.h"
#include "viz/results/in_order.h"
#include "viz/terminal/citations.h"
#include "viz/terminal/command.h"
#include "viz/terminal/input_file.h"
#include "viz/terminal/output_format.h"
#include "viz/terminal/status_line.h"
#include "viz/terminal/sweep/result.h"

namespace terminal {
namespace {

// Ctrl-C handling that lets long work finish cleanly.

/// During its lifetime, the first Ctrl-C (SIGINT) is only recorded; a second one ends the program. If Ctrl-C is ignored
/// (nohup, a background job), it remains so.
class CatchCtrlC {
 public:
  CatchCtrlC();
  ~CatchCtrlC();
  CatchCtrlC(const CatchCtrlC&) = delete;
  CatchCtrlC& operator=(const CatchCtrlC&) = delete;
  static bool came();

 private:
  struct sigaction before_ {};
};

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

CatchCtrlC::CatchCtrlC() {
  interrupted = false;
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  ::sigaction(SIGINT, nullptr, &before_);
  if (before_.sa_handler != SIG_IGN) ::sigaction(SIGINT, &action, nullptr);
}

CatchCtrlC::~CatchCtrlC() { ::sigaction(SIGINT, &before_, nullptr); }

bool CatchCtrlC::came() { return interrupted; }

// The command.

constexpr std::int64_t most_jobs = 1024;
const std::vector<std::string> formats = {"csv", "json", "table", "markdown", "latex", "svg"};

constexpr const char *columns_of_latex = "tile-traffic,hbm-traffic,time", *quantity_of_chart = "hbm-traffic";

std::string format_of(const Arguments& arguments) {
  return result_format(arguments, {"csv", "json", "table", "markdown", "latex", "svg"}, "csv", "csv");
}

/// Numbers of the rows: those chosen, or a few if the format requires it.
std::vector<results::TableNumber> numbers_for(const Arguments& arguments) {
  const std::string format = format_of(arguments);
  const auto columns = arguments.find("columns"), quantity = arguments.find("quantity");
  sim::require(!quantity || format == "svg", "quantity: belongs to --format svg");
  sim::require(!columns || format != "svg", "columns: a chart has one quantity, see --quantity");
  if (format == "svg") {
    sim::require(quantity.value_or("").find(',') == std::string::npos, "quantity: a chart has one quantity");
    return results::chosen_numbers(quantity.value_or(quantity_of_chart), {}, "quantity");
  }
  if (!columns && format != "latex") return {};
  return results::chosen_numbers(columns.value_or(columns_of_latex));
}

results::Sweep make_sweep(const Arguments& arguments) {
  auto formula = results::formula_check(arguments.find("formula"), arguments.find("against"));
  const results::Shard shard = results::parse_shard(arguments.value("shard", "1/1"));
  return results::Sweep(arguments.scenario, axes_of(arguments), shard, std::move(formula), numbers_for(arguments),
                        option_files());
}

/// Scenarios of a sweep that cite different works.
std::vector<sim::Scenario> scenarios_of(const results::Sweep& sweep) {
  std::vector<sim::Scenario> scenarios;
  std::set<std::string> known;
  for (std::int64_t row = 0; row < sweep.rows(); ++row) {
    auto scenario = sweep.scenario(row);
    if (!scenario) continue;
    const std::string works = sim::text(scenario->algorithm, " ", sim::name_of(scenario->pass), " ",
                                        scenario->gpu->name, " ", sim::accuracy_of(*scenario).where);
    if (known.insert(works).second) scenarios.push_back(std::move(*scenario));
  }
  return scenarios;
}

int job_count(const Arguments& arguments) {
  const auto jobs = arguments.find("jobs");
  return jobs ? static_cast<int>(sim::typed_whole_number("jobs", *jobs, 1, most_jobs)) : threads::all_cores();
}

std::string checked_format(const Arguments& arguments, const results::Sweep& sweep) {
  std::string format = format_of(arguments);
  sim::require(!SweepResult::keeps(format) || sweep.rows() <= SweepResult::most_kept, "format: a table or a chart of ",
               report::thousands(sweep.rows()), " rows is more than ", report::thousands(SweepResult::most_kept),
               ": use csv");
  return format;
}

std::optional<files::OutputFile> open_output(const Arguments& arguments) {
  const auto output = arguments.find("output");
  return output ? std::optional<files::OutputFile>(*output) : std::nullopt;
}

/// Computes all rows in order. False if interrupted by Ctrl-C.
bool add_rows(const results::Sweep& sweep, int jobs, SweepResult& result) {
  SweepProgress progress(sweep.rows());
  const CatchCtrlC ctrl_c;
  const auto make = [&](std::int64_t number) { return sweep.row(number); };
  const auto take = [&](const std::string& row) {
    result.add(row);
    progress.add_one();
  };
  const auto ran = results::InOrder<std::string>(make, take, CatchCtrlC::came).run(sweep.rows(), jobs);
  if (ran.threads < std::min<std::int64_t>(jobs, sweep.rows()))
    print_warnings({sim::text("jobs: ", report::thousands(jobs), " threads requested, ", report::thousands(ran.threads),
                              " ran: this machine gives no more")});
  return ran.taken == sweep.rows();
}

int report_interrupted(const SweepResult& result, const results::Sweep& sweep) {
  tell(sim::text("sweep: interrupted after ", report::thousands(result.rows()), " of ", report::thousands(sweep.rows()),
                 " rows; --shard I/N runs a sweep in parts"));
  return exit_interrupted;
}

int finish(SweepResult& result) {
  result.finish();
  if (result.failed() > 0) {
    print_warnings({sim::text(report::thousands(result.failed()), " of ", report::thousands(result.rows()),
                              " points cannot run: their reason is in the column error")});
  }
  for (const std::string& path : result.empty_columns())
    print_warnings({sim::text("columns: no row has a number ", path, ", see flashscope simulate --format json")});
  if (!result.verdict().empty()) tell("formula: " + result.verdict());
  return exit_done;
}

}  // namespace

CommandSyntax sweep_syntax() {
  CommandSyntax syntax{
      "sweep",
      "Every point of a grid of options, on all cores; your own formula next to the counts",
      true,
      {},
      "flashscope sweep --algorithm flash1 --over seqlen=1024:65536:x2 --over causal=0,1 --formula '4*N*d*e*Tc'"};
  syntax.own = {
      {"over",
       "NAME=VALUES",
       "an axis: values a,b,c or FIRST:LAST:STEP, step k or xk; the two numbers of a pattern stay together, "
       "pattern=causal,local-global:1,2; gpu.FIELD varies a field of the device, gpu.l2_bytes=25Mi:100Mi:x2; "
       "repeatable",
       {},
       true},
      program_option(),
      {"format", "csv|json|table|markdown|latex|svg", "what to print [csv]", formats},
      {"columns",
       "A,B,...",
       "the numbers of a row, in order: " + results::column_help({}) + " [csv, json: many; latex: " + columns_of_latex +
           "]",
       {}},
      {"quantity",
       "QUANTITY",
       "what the svg shows over the first axis, with a line for each point of the others; one of the columns [" +
           std::string(quantity_of_chart) + "]",
       {}},
      {"output", "FILE", "write a file when all rows are done; .csv .json .md .txt .tex .svg choose the format", {}},
      {"jobs", "J", "threads [all cores]", {}},
      {"shard", "I/N", "only every N-th point, beginning with the I-th [1/1]", {}},
      {"formula",
       "TEXT",
       "compare with the count: " + std::string(sim::formula_symbols_help) +
           "; or FAMILY:flops, FAMILY:bytes of approximate attention, see flashscope algorithms --approximate",
       {}},
      {"against", "QUANTITY", "what the formula counts, a JSON path of simulate [tile_traffic.total]", {}},
      cite_option()};
  return syntax;
}

namespace {

/// Notes on values of axes, such as a size of a memory that no GPU has: the first of each axis.
std::vector<std::string> notes_on_axes(const results::Sweep& sweep) {
  std::vector<std::string> notes;
  for (const results::Axis& axis : sweep.axes()) {
    for (const std::string& value : axis.values) {
      const std::string note = axis.field == nullptr ? sim::taken_as(axis.name, value, value) : "";
      if (!note.empty()) {
        notes.push_back(note);
        break;
      }
    }
  }
  return notes;
}

}  // namespace

int run_sweep(const Arguments& arguments) {
  const results::Sweep sweep = make_sweep(arguments);
  print_notes(notes_on_axes(sweep));
  for (const results::Axis& axis : sweep.axes()) print_notes(axis.notes);
  if (arguments.find("cite")) {
    print(cited(scenarios_of(sweep)));
    return exit_done;
  }
  const int jobs = job_count(arguments);
  const std::string format = checked_format(arguments, sweep);
  if (!arguments.find("output")) require_output();
  SweepResult result(sweep, format, open_output(arguments));
  print_warnings(sweep.doubts());
  return add_rows(sweep, jobs, result) ? finish(result) : report_interrupted(result, sweep);
}

}  // namespace terminal

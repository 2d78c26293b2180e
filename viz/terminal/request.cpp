#include "viz/terminal/request.h"

#include <algorithm>
#include <cstdio>
#include <limits>

#include "sim/base/text.h"
#include "sim/programs/drawn_rows.h"
#include "sim/report/numbers.h"
#include "sim/report/value_memory.h"
#include "sim/report/value_work.h"
#include "viz/files/complete_mark.h"
#include "viz/terminal/command.h"
#include "viz/terminal/input_values.h"

namespace terminal {
namespace {

/// Is input n a tensor of queries (Q, dO) or of keys (K, V)?
bool of_queries(std::size_t n) { return n == 0 || n == 3; }

/// Sets option `name` from a file, or checks that what is there says the same.
void agree(sim::OptionValues& values, const std::string& name, std::int64_t size, const char* file_option) {
  const auto [entry, fresh] = values.emplace(name, std::to_string(size));
  const std::int64_t before = sim::parse_whole_number(name, entry->second, 1, std::numeric_limits<std::int64_t>::max());
  sim::require(fresh || before == size, file_option, ": has ", name, " ", size, ", but ", name, " is ", before,
               " by an option or another input");
}

/// A file of bfloat16 makes the dtype bf16, unless an option says another.
void take_dtype(sim::OptionValues& values, const Request& request) {
  for (std::size_t n = 0; n < input_names.size(); ++n) {
    if (!request.given[n] || request.given[n]->dtype != "bf16" || values.count("dtype") > 0) continue;
    values.emplace("dtype", "bf16");
    print_notes({sim::text(input_names[n], ": is bfloat16, and so is the run; --dtype takes another")});
  }
}

void take_sizes(sim::OptionValues& values, const Request& request) {
  values = sim::expanded(std::move(values));
  for (std::size_t n = 0; n < input_names.size(); ++n) {
    if (!request.given[n]) continue;
    const auto [batch, heads, rows, d] = head_sizes(*request.given[n], request.layout, input_names[n]);
    agree(values, "batch", batch, input_names[n]);
    agree(values, of_queries(n) ? "heads" : "kv-heads", heads, input_names[n]);
    agree(values, of_queries(n) ? "seqlen-q" : "seqlen-k", rows, input_names[n]);
    agree(values, "head-dim", d, input_names[n]);
  }
  take_dtype(values, request);
  const auto fill = [&](const char* missing, const char* from) {
    if (const auto found = values.find(from); found != values.end()) values.emplace(missing, found->second);
  };
  if (request.given[0] || request.given[3]) fill("seqlen-k", "seqlen-q");
  if (request.given[1] || request.given[2]) {
    fill("seqlen-q", "seqlen-k");
    fill("heads", "kv-heads");
  }
}

/// The worked example and the texts are whole, and no files go with them.
void check_source(const Request& request) {
  for (std::size_t n = 0; n < input_names.size(); ++n) {
    sim::require(!request.given[n] || request.scenario.inputs == sim::InputRule::drawn, input_names[n], ": --inputs ",
                 sim::text_of(sim::option_called("inputs").asked(request.scenario)),
                 " has Q, K and V of its own, files are in place of drawn ones: take one of both");
  }
}

std::string filled_card_text() {
  std::string sizes;
  for (const auto& [name, value] : sim::filled_card()) sizes += sim::text(sizes.empty() ? "" : ", ", name, " ", value);
  return sizes + ", which fill the card";
}

/// Why the files may be in the other layout: each has more heads than rows. "" where one has not: of a few new queries
/// on long keys K and V show which axis is which.
std::string layout_doubt(const Request& request) {
  if (request.layout != HeadLayout::bhnd) return "";
  std::string doubt;
  for (std::size_t n = 0; n < input_names.size(); ++n) {
    if (!request.given[n]) continue;
    const auto [batch, heads, rows, d] = head_sizes(*request.given[n], request.layout, input_names[n]);
    if (heads <= rows) return "";
    if (!doubt.empty()) continue;
    doubt = sim::text(input_names[n], ": read as (batch, heads, N, d) it has ", heads, " heads of ", rows,
                      " rows; if it is (batch, N, heads, d), as of the flash-attn library, add --layout bnhd");
  }
  return doubt;
}

/// The scenario of options and files; what makes it impossible may come of the wrong layout.
sim::Scenario scenario_of(sim::OptionValues values, const Request& request) {
  const std::string doubt = layout_doubt(request);
  try {
    take_sizes(values, request);
    return sim::scenario_from(values, find_gpu);
  } catch (const sim::Error& error) {
    throw sim::Error(doubt.empty() ? error.what() : sim::text(error.what(), "; ", doubt));
  }
}

}  // namespace

std::vector<OwnOption> value_options() {
  return {{"input-q",
           "FILE.npy",
           "Q: (N, d), (H, N, d) or (B, H, N, d) of f2, f4, f8 or bfloat16 (V2); sizes are taken from it",
           {}},
          {"input-k", "FILE.npy", "K", {}},
          {"input-v", "FILE.npy", "V", {}},
          {"input-do", "FILE.npy", "dO, the gradient of O, for a backward pass", {}},
          {"layout",
           "bhnd|bnhd",
           "of these files and of outputs: (batch, heads, N, d), or (batch, N, heads, d) as the flash-attn library "
           "has it [bhnd]",
           {"bhnd", "bnhd"}},
          {"numerics", "on|off", "compute values [on with an input or output file, else off]", {"on", "off"}}};
}

bool is_bare(const Arguments& arguments) {
  const std::vector<OwnOption> values = value_options();
  return arguments.scenario.empty() &&
         std::none_of(values.begin(), values.end(), [&](const auto& option) { return arguments.find(option.name); });
}

std::string filled_card_note() {
  return "no scenario option is given: " + filled_card_text() + "; with any option the defaults are one head";
}

std::string filled_card_help() {
  return "Without any scenario option: " + filled_card_text() + "; with one, the defaults in brackets.";
}

Request make_request(const Arguments& arguments, bool writes_values) {
  Request request;
  request.layout = head_layout_called(arguments.value("layout", "bhnd"));
  for (std::size_t n = 0; n < input_names.size(); ++n) {
    const auto path = arguments.find(input_names[n]);
    if (!path) continue;
    request.given[n] = read_input(input_names[n], *path);
    request.paths[n] = *path;
    if (const std::string doubt = files::doubt_of_set(*path); !doubt.empty())
      request.warnings.push_back(sim::text(input_names[n], ": ", *path, ": ", doubt));
  }
  request.scenario = scenario_of(arguments.scenario, request);
  check_source(request);
  sim::require(!request.given[3] || is_input(3, request.scenario.pass),
               "input-do: a forward pass reads no dO: add --pass forward+backward or --pass backward");
  if (request.given[0]) request.output_rank = request.given[0]->shape.size();
  const bool any_given = request.any_given();
  request.values = arguments.value("numerics", any_given || writes_values ? "on" : "off") == "on";
  sim::require(request.values || !writes_values, "numerics: off, but an output of values was asked for");
  for (std::string& warning : input_warnings(request)) request.warnings.push_back(std::move(warning));
  if (const std::string doubt = layout_doubt(request); !doubt.empty()) request.warnings.push_back(doubt);
  return request;
}

void check_value_memory(const sim::Shape& shape, sim::Pass pass) {
  const std::int64_t queries = sim::product(shape.batch, shape.heads, shape.seqlen_q, shape.head_dim);
  const std::int64_t keys = sim::product(shape.batch, shape.kv_heads, shape.seqlen_k, shape.head_dim);
  constexpr std::int64_t result = 4 + 8;  // in fp32, and the reference in double
  const std::int64_t per_query = pass == sim::Pass::forward ? 4 + result : 8 + 2 * result;  // Q, dO; O, dQ
  const std::int64_t per_key = pass == sim::Pass::forward ? 8 : 8 + 2 * result;             // K, V; dK, dV
  const std::int64_t need =
      sim::checked_add(sim::checked_multiply(queries, per_query), sim::checked_multiply(keys, per_key));
  sim::require(need <= report::value_memory_limit(), "values: inputs, outputs and the reference need ",
               report::bytes(need), ", more than the limit of ", report::bytes(report::value_memory_limit()),
               ": use --numerics off or smaller sizes");
}

void check_value_effort(std::span<const sim::Simulation> runs, double part) {
  if (part == 1) check_value_memory(runs.front().plan.problem.shape, runs.front().plan.scenario.pass);
  for (const sim::Simulation& s : runs) sim::check_value_size(s.plan);
  const std::string note = report::check_value_work(runs, part);
  if (!note.empty()) tell("note: " + note);
}

sim::AttentionInputs make_inputs(Request& request) {
  const sim::Scenario& s = request.scenario;
  if (!request.any_given()) return sim::inputs_of(s);
  const bool all_given = request.given[0] && request.given[1] && request.given[2];
  sim::AttentionInputs inputs;
  if (!all_given) inputs = sim::draw_inputs(s.shape, s.dtype, s.seed);
  if (is_input(3, s.pass) && !request.given[3]) inputs.d_o = sim::draw_output_gradient(s.shape, s.dtype, s.seed);
  std::array<std::vector<float>*, 4> targets = {&inputs.q, &inputs.k, &inputs.v, &inputs.d_o};
  for (std::size_t n = 0; n < targets.size(); ++n) {
    if (!request.given[n]) continue;
    const HeadSizes sizes = head_sizes(*request.given[n], request.layout, input_names[n]);
    *targets[n] = from_layout(request.layout, sizes, std::move(request.given[n]->values));
    sim::round_all(s.dtype, *targets[n]);
  }
  return inputs;
}

void show_progress(std::int64_t done, std::int64_t all) {
  static const bool terminal = ::isatty(STDERR_FILENO) != 0;
  static std::int64_t shown = -1;
  const std::int64_t percent = done * 100 / all;
  if (!terminal || percent == shown) return;
  shown = percent;
  std::fprintf(stderr, "\rvalues: %d %% of %s CTAs%s", static_cast<int>(percent), report::thousands(all).c_str(),
               done == all ? "\r\033[K" : "");
}

Values compute_values(const sim::Plan& plan, const sim::AttentionInputs& inputs) {
  Values values;
  values.outputs = sim::compute(plan, inputs, show_progress);
  values.check = sim::check_outputs(plan, inputs, values.outputs);
  values.warnings = sim::nonfinite_results(plan, inputs, values.outputs);
  return values;
}

}  // namespace terminal

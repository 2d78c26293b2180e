#include "viz/results/value_request.h"

#include <limits>

#include "sim/base/text.h"
#include "sim/programs/drawn_rows.h"
#include "sim/report/numbers.h"
#include "sim/report/value_memory.h"
#include "sim/report/value_work.h"
#include "viz/results/input_values.h"
#include "viz/results/packed_rows.h"

namespace results {
namespace {

/// True if input n has the rows of queries (Q, dO), false if those of keys (K, V).
bool of_queries(std::size_t n) { return n == 0 || n == 3; }

/// Sets the dtype to bf16 for a file of bfloat16, unless an option sets another.
void take_dtype(sim::OptionValues& values, ValueRequest& request) {
  for (std::size_t n = 0; n < input_names.size(); ++n) {
    if (!request.given[n] || request.given[n]->dtype != "bf16" || values.count("dtype") > 0) continue;
    values.emplace("dtype", "bf16");
    request.notes.push_back(sim::text(input_names[n], ": is bfloat16, and so is the run; --dtype takes another"));
  }
}

void take_sizes(sim::OptionValues& values, ValueRequest& request) {
  values = sim::expanded(std::move(values));
  if (values.contains("seqlens")) {
    take_packed_sizes(request, values);
    return take_dtype(values, request);
  }
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

/// Throws if files are combined with the worked example or a text, which supply all inputs.
void check_source(const ValueRequest& request) {
  for (std::size_t n = 0; n < input_names.size(); ++n) {
    sim::require(!request.given[n] || request.scenario.inputs == sim::InputRule::drawn, input_names[n], ": --inputs ",
                 sim::text_of(sim::option_called("inputs").asked(request.scenario)),
                 " supplies Q, K and V, input files replace drawn ones: use one or the other");
  }
}

/// Hint that the files may be in the other layout: each has more heads than rows. "" if one has not: with a few new
/// queries on long keys, K and V show the layout.
std::string layout_doubt(const ValueRequest& request, bool packed) {
  if (request.layout != HeadLayout::bhnd || packed) return "";
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

/// The scenario of options and arrays; if it is impossible, the error includes the hint on the layout.
sim::Scenario scenario_of(sim::OptionValues options, ValueRequest& request, const sim::GpuLookup& gpu) {
  const std::string doubt = layout_doubt(request, options.contains("seqlens"));
  try {
    take_sizes(options, request);
    return sim::scenario_from(options, gpu);
  } catch (const sim::Error& error) {
    throw sim::Error(doubt.empty() ? error.what() : sim::text(error.what(), "; ", doubt));
  }
}

/// Bytes of inputs and outputs in fp32, and the reference in double.
std::int64_t value_bytes(const sim::Shape& shape, sim::Pass pass) {
  const std::int64_t queries = sim::product(shape.batch, shape.heads, shape.seqlen_q, shape.head_dim);
  const std::int64_t keys = sim::product(shape.batch, shape.kv_heads, shape.seqlen_k, shape.head_dim);
  constexpr std::int64_t result = 4 + 8;                                                    // fp32 and double
  const std::int64_t per_query = pass == sim::Pass::forward ? 4 + result : 8 + 2 * result;  // Q, dO; O, dQ
  const std::int64_t per_key = pass == sim::Pass::forward ? 8 : 8 + 2 * result;             // K, V; dK, dV
  return sim::checked_add(sim::checked_multiply(queries, per_query), sim::checked_multiply(keys, per_key));
}

void check_need(std::int64_t need) {
  sim::require(need <= report::value_memory_limit(), "values: inputs, outputs and the reference need ",
               report::bytes(need), ", more than the limit of ", report::bytes(report::value_memory_limit()),
               ": use --numerics off or smaller sizes");
}

void check_plan_memory(const sim::Plan& plan) {
  std::int64_t need = 0;
  for (const sim::Plan& c : classes_of(plan))
    need = sim::checked_add(need, value_bytes(c.problem.shape, plan.scenario.pass));
  check_need(need);
}

}  // namespace

void agree(sim::OptionValues& values, const std::string& name, std::int64_t size, const char* file_option) {
  const auto [entry, fresh] = values.emplace(name, std::to_string(size));
  const std::int64_t before = sim::parse_whole_number(name, entry->second, 1, std::numeric_limits<std::int64_t>::max());
  sim::require(fresh || before == size, file_option, ": has ", name, " ", size, ", but ", name, " is ", before,
               " by an option or another input");
}

void make_scenario(ValueRequest& request, sim::OptionValues options, const sim::GpuLookup& gpu) {
  request.scenario = scenario_of(std::move(options), request, gpu);
  check_source(request);
  sim::require(!request.given[3] || is_input(3, request.scenario.pass),
               "input-do: a forward pass reads no dO: add --pass forward+backward or --pass backward");
  if (request.given[0]) request.output_rank = request.given[0]->shape.size();
  for (std::string& warning : input_warnings(request)) request.warnings.push_back(std::move(warning));
  const bool packed = request.scenario.sequences != nullptr;
  if (const std::string doubt = layout_doubt(request, packed); !doubt.empty()) request.warnings.push_back(doubt);
}

void check_value_memory(const sim::Shape& shape, sim::Pass pass) { check_need(value_bytes(shape, pass)); }

std::string check_value_effort(std::span<const sim::Simulation> runs, double part) {
  if (part == 1) check_plan_memory(runs.front().plan);
  for (const sim::Simulation& s : runs) sim::check_value_size(s.plan);
  return report::check_value_work(runs, part);
}

/// Values of an input in the order of the simulator: batch entries, heads, rows, d.
static std::vector<float> in_order(ValueRequest& request, std::size_t n) {
  const sim::NpyArray& array = *request.given[n];
  if (request.scenario.sequences != nullptr)
    return from_packed(*request.scenario.sequences, of_queries(n) ? sim::Tensor::Q : sim::Tensor::K, array.shape[1],
                       array.shape[2], array.values);
  const HeadSizes sizes = head_sizes(array, request.layout, input_names[n]);
  return from_layout(request.layout, sizes, std::move(request.given[n]->values));
}

sim::AttentionInputs make_inputs(ValueRequest& request) {
  const sim::Scenario& s = request.scenario;
  if (!request.any_given()) return sim::inputs_of(s);
  bool all_given = true;
  for (std::size_t n = 0; n < input_names.size(); ++n)
    all_given &= !is_input(n, s.pass) || request.given[n].has_value();
  sim::AttentionInputs inputs;
  if (!all_given) inputs = sim::inputs_of(s);
  std::array<std::vector<float>*, 4> targets = {&inputs.q, &inputs.k, &inputs.v, &inputs.d_o};
  for (std::size_t n = 0; n < targets.size(); ++n) {
    if (!request.given[n]) continue;
    *targets[n] = in_order(request, n);
    sim::round_all(s.dtype, *targets[n]);
  }
  return inputs;
}

Values compute_values(const sim::Plan& plan, const sim::AttentionInputs& inputs, sim::Progress progress) {
  if (plan.classes != nullptr) return compute_classes(plan, inputs, progress);
  Values values;
  values.outputs = sim::compute(plan, inputs, progress);
  values.check = sim::check_outputs(plan, inputs, values.outputs);
  values.warnings = sim::nonfinite_results(plan, inputs, values.outputs);
  return values;
}

}  // namespace results

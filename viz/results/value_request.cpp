#include "viz/results/value_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/text.h"
#include "sim/model/several_gpus.h"
#include "sim/programs/drawn_rows.h"
#include "sim/programs/steps.h"
#include "sim/report/numbers.h"
#include "sim/report/value_memory.h"
#include "sim/report/value_work.h"
#include "viz/results/npy_tensor.h"

namespace results {
namespace {

// Warnings about the values of given inputs.

constexpr std::array<const char*, 4> tensor_names = {"Q", "K", "V", "dO"};

/// True if the dtype holds every value of such a file. The values of f8 beyond fp32 are not used by any run.
bool holds(sim::Dtype dtype, const std::string& stored) {
  return dtype == sim::Dtype::fp32 || stored == (dtype == sim::Dtype::fp16 ? "f2" : "bf16");
}

bool overflows(sim::Dtype dtype, float value) {
  return std::isfinite(value) && !std::isfinite(sim::round_to(dtype, value));
}

/// The index of element n of an array: "[3, 5]".
std::string place_text(const std::vector<std::int64_t>& shape, std::size_t n) {
  std::string place;
  auto rest = static_cast<std::int64_t>(n);
  for (std::size_t axis = shape.size(); axis-- > 0; rest /= shape[axis])
    place = sim::text(rest % shape[axis], place.empty() ? "" : ", ", place);
  return "[" + place + "]";
}

const char* largest_text(sim::Dtype dtype) {
  return dtype == sim::Dtype::fp16 ? "65,504" : dtype == sim::Dtype::bf16 ? "3.3895e+38" : "3.4028e+38";
}

/// Advice that keeps a number from becoming infinite.
std::string way_out(sim::Dtype dtype, double value) {
  const auto narrow = static_cast<float>(value);
  const bool in_bf16 = dtype == sim::Dtype::fp16 && std::isfinite(sim::round_to(sim::Dtype::bf16, narrow));
  if (in_bf16) return "use --dtype bf16 or --dtype fp32, or scale the values";
  return dtype != sim::Dtype::fp32 && std::isfinite(narrow) ? "use --dtype fp32, or scale the values"
                                                            : "scale the values";
}

/// Text on the finite values of a file that are infinite in the dtype: the first, and their number; "" if none.
std::string beyond_text(const sim::NpyArray& array, sim::Dtype dtype) {
  const auto beyond = [dtype](float value) { return overflows(dtype, value); };
  const auto found = std::find_if(array.values.begin(), array.values.end(), beyond);
  auto first = static_cast<std::size_t>(found - array.values.begin());
  const bool wider = array.beyond_float && array.beyond_float->first < first;  // beyond float: infinite in `values`
  if (!wider && found == array.values.end()) return "";
  const double value = wider ? array.beyond_float->second : static_cast<double>(*found);
  if (wider) first = array.beyond_float->first;
  const auto more = std::count_if(array.values.begin(), array.values.end(), beyond) + array.beyond_float_count - 1;
  std::string text = fmt::format("{:.9g} at {} is beyond {}, whose largest value is {}, and becomes infinite", value,
                                 place_text(array.shape, first), sim::name_of(dtype), largest_text(dtype));
  if (more > 0) text += sim::text(", as do ", report::thousands(more), " more");
  return text + ": " + way_out(dtype, value);
}

/// Number of values that are NaN or infinite in the file itself.
std::int64_t nonfinite_in_file(const sim::NpyArray& array) {
  const auto count = std::count_if(array.values.begin(), array.values.end(), [](float x) { return !std::isfinite(x); });
  return count - array.beyond_float_count;
}

/// Warnings for inputs that are drawn, that lose digits in the dtype of the run, or whose values become infinite in it,
/// or are NaN or infinite as given.
std::vector<std::string> input_warnings(const ValueRequest& request) {
  if (!request.any_given()) return {};
  const sim::Dtype dtype = sim::given_dtype(request.scenario.dtype);
  std::string drawn, rounded;
  std::vector<std::string> warnings, of_values;
  for (std::size_t n = 0; n < input_names.size(); ++n) {
    if (!is_input(n, request.scenario.pass)) continue;
    const auto& array = request.given[n];
    const std::string name = input_names[n];
    if (!array && n == 2 && sim::shares_kv(request.scenario)) continue;  // a part of K
    if (!array) drawn += (drawn.empty() ? "" : ", ") + name;
    if (!array) continue;
    if (!holds(dtype, array->dtype)) rounded += sim::text(rounded.empty() ? "" : ", ", name, " (", array->dtype, ")");
    if (const std::string beyond = beyond_text(*array, dtype); !beyond.empty())
      of_values.push_back(sim::text(name, ": ", request.paths[n], request.paths[n].empty() ? "" : ": ", beyond));
    if (const std::int64_t bad = nonfinite_in_file(*array); bad > 0)
      of_values.push_back(
          sim::text("input ", tensor_names[n], ": ", bad, " of ", array->values.size(), " values are NaN or infinite"));
  }
  if (!drawn.empty()) {
    warnings.push_back(
        sim::text(drawn, ": not given, drawn from the normal distribution with seed ", request.scenario.seed));
  }
  if (!rounded.empty()) {
    warnings.push_back(sim::text(rounded, ": rounded to ", sim::name_of(dtype), "; --dtype fp32 keeps more digits"));
  }
  warnings.insert(warnings.end(), of_values.begin(), of_values.end());
  return warnings;
}

/// Transposes (batch, first, second, d) to (batch, second, first, d).
std::vector<float> swapped(const std::vector<float>& values, std::int64_t batch, std::int64_t first,
                           std::int64_t second, std::int64_t d) {
  std::vector<float> result(values.size());
  auto to = result.begin();
  for (std::int64_t b = 0; b < batch; ++b) {
    for (std::int64_t j = 0; j < second; ++j) {
      for (std::int64_t i = 0; i < first; ++i) {
        const auto from = values.begin() + ((b * first + i) * second + j) * d;
        to = std::copy(from, from + d, to);
      }
    }
  }
  return result;
}

}  // namespace

HeadLayout head_layout_called(const std::string& name) { return name == "bnhd" ? HeadLayout::bnhd : HeadLayout::bhnd; }

HeadSizes head_sizes(const sim::NpyArray& array, HeadLayout layout, const std::string& option) {
  const std::size_t rank = array.shape.size();
  const bool heads_last = layout == HeadLayout::bnhd;
  sim::require(rank >= 2 && rank <= 4, option, ": an array of rank ", rank, ", allowed are ",
               heads_last ? "(N, d), (N, H, d) and (B, N, H, d)" : "(N, d), (H, N, d) and (B, H, N, d)");
  HeadSizes sizes{1, 1, 1, 1};
  std::copy(array.shape.begin(), array.shape.end(), sizes.begin() + static_cast<std::ptrdiff_t>(4 - rank));
  if (heads_last && rank > 2) std::swap(sizes[1], sizes[2]);
  return sizes;
}

std::vector<float> from_layout(HeadLayout layout, const HeadSizes& sizes, std::vector<float> values) {
  const auto [batch, heads, rows, d] = sizes;
  return layout == HeadLayout::bhnd ? std::move(values) : swapped(values, batch, rows, heads, d);
}

std::vector<float> to_layout(HeadLayout layout, const HeadSizes& sizes, std::vector<float> values) {
  const auto [batch, heads, rows, d] = sizes;
  return layout == HeadLayout::bhnd ? std::move(values) : swapped(values, batch, heads, rows, d);
}

std::vector<std::int64_t> axes_in(HeadLayout layout, const HeadSizes& sizes, std::size_t rank) {
  std::vector<std::int64_t> axes(sizes.begin(), sizes.end());
  if (layout == HeadLayout::bnhd && rank > 2) std::swap(axes[1], axes[2]);
  axes.erase(axes.begin(), axes.end() - static_cast<std::ptrdiff_t>(rank));
  return axes;
}

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

/// Lets the files of V and dO set the head dimension where nothing else does, and no second one where it is the same;
/// a second one that no option asks for is noted.
void merge_head_dims(sim::OptionValues& values, bool asked, ValueRequest& request) {
  const auto of_v = values.find("head-dim-v");
  if (of_v == values.end()) return;
  const std::string d = values.emplace("head-dim", of_v->second).first->second;
  if (d == of_v->second) {
    values.erase(of_v);
  } else if (!asked) {
    request.notes.push_back(
        sim::text("head-dim-v: rows of V and O have ", of_v->second, " elements, those of Q and K ", d));
  }
}

void take_sizes(sim::OptionValues& values, ValueRequest& request) {
  values = sim::expanded(std::move(values));
  const bool asked = values.contains("head-dim-v");
  if (values.contains("seqlens")) {
    take_packed_sizes(request, values);
    merge_head_dims(values, asked, request);
    return take_dtype(values, request);
  }
  for (std::size_t n = 0; n < input_names.size(); ++n) {
    if (!request.given[n]) continue;
    const auto [batch, heads, rows, d] = head_sizes(*request.given[n], request.layout, input_names[n]);
    agree(values, "batch", batch, input_names[n]);
    agree(values, of_queries(n) ? "heads" : "kv-heads", heads, input_names[n]);
    agree(values, of_queries(n) ? "seqlen-q" : "seqlen-k", rows, input_names[n]);
    agree(values, width_option(n), d, input_names[n]);
  }
  merge_head_dims(values, asked, request);
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
    if (doubt.empty()) throw;
    throw sim::Error(error, "; ", doubt);
  }
}

/// Bytes of inputs and outputs in fp32, and the reference in double.
std::int64_t value_bytes(const sim::Shape& shape, sim::Pass pass) {
  const std::int64_t queries = sim::product(shape.batch, shape.heads, shape.seqlen_q);
  const std::int64_t keys = sim::product(shape.batch, shape.kv_heads, shape.seqlen_k);
  constexpr std::int64_t input = 4, result = 4 + 8;              // fp32; fp32 and double
  const std::int64_t back = pass == sim::Pass::forward ? 0 : 1;  // dO; dQ, dK, dV
  const std::int64_t per_q = input + back * result, per_o = result + back * input;
  const std::int64_t per_kv = input + back * result;
  const auto [d, dv] = shape.head_dims();
  return sim::checked_add(sim::checked_multiply(queries, d * per_q + dv * per_o), sim::product(keys, d + dv, per_kv));
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

const char* width_option(std::size_t n) { return n < 2 ? "head-dim" : "head-dim-v"; }

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
  sim::require(!request.given[2] || !sim::shares_kv(request.scenario),
               "input-v: V is the first columns of K in this run: leave it out");
  sim::require(!request.any_given() || (request.scenario.samples == 1 && request.scenario.shared_prefix == 0),
               "samples, shared-prefix: files have the keys of each sequence, which share none: leave out the files");
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
    all_given &= !is_input(n, s.pass) || request.given[n].has_value() || (n == 2 && sim::shares_kv(s));
  sim::AttentionInputs inputs;
  if (!all_given) inputs = sim::inputs_of(s);
  std::array<std::vector<float>*, 4> targets = {&inputs.q, &inputs.k, &inputs.v, &inputs.d_o};
  for (std::size_t n = 0; n < targets.size(); ++n) {
    if (!request.given[n]) continue;
    *targets[n] = in_order(request, n);
    sim::round_all(sim::given_dtype(s.dtype), *targets[n]);
  }
  if (sim::shares_kv(s)) inputs.v = sim::values_in(inputs.k, s.shape.head_dims());
  return inputs;
}

/// Values of several GPUs, judged as those of one.
static Values values_on_gpus(const sim::Plan& plan, const sim::AttentionInputs& inputs) {
  Values values;
  const sim::Plan on_one = sim::make_plan(last_step_of(plan.scenario));
  values.outputs = sim::compute_on_gpus(plan.scenario, inputs);
  values.check = sim::check_outputs(on_one, inputs, values.outputs);
  values.warnings = sim::nonfinite_results(on_one, inputs, values.outputs);
  return values;
}

Values compute_values(const sim::Plan& plan, const sim::AttentionInputs& inputs, sim::Progress progress) {
  if (plan.classes != nullptr) return compute_classes(plan, inputs, progress);
  if (plan.scenario.gpus > 1) return values_on_gpus(plan, inputs);
  Values values;
  values.outputs = sim::compute(plan, inputs, progress);
  values.check = sim::check_outputs(plan, inputs, values.outputs);
  values.warnings = sim::nonfinite_results(plan, inputs, values.outputs);
  if (std::string text = sim::recomputed_text(plan, values.outputs); !text.empty())
    values.warnings.push_back(std::move(text));
  return values;
}

}  // namespace results

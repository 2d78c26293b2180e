#include "viz/results/npy_tensor.h"

#include "sim/base/text.h"
#include "sim/programs/ragged.h"

namespace results {
namespace {

constexpr std::array<sim::Tensor, 4> inputs_in_order = {sim::Tensor::Q, sim::Tensor::K, sim::Tensor::V,
                                                        sim::Tensor::dO};

bool of_keys(sim::Tensor tensor) {
  using enum sim::Tensor;
  return tensor == K || tensor == V || tensor == dK || tensor == dV;
}

std::int64_t rows_of(const sim::SequenceClass& c, sim::Tensor tensor) {
  return of_keys(tensor) ? c.seqlen_k : c.seqlen_q;
}

using Convert = std::vector<float>(HeadLayout, const HeadSizes&, std::vector<float>);

/// Converts class by class: the packed rows of a class have the layout (entries, N, H, d).
std::vector<float> each_class(const sim::SequenceClasses& classes, sim::Tensor tensor, std::int64_t heads,
                              std::int64_t cols, const std::vector<float>& values, Convert* convert) {
  std::vector<float> all;
  all.reserve(values.size());
  for (const sim::SequenceClass& c : classes) {
    const HeadSizes sizes{c.count, heads, rows_of(c, tensor), cols};
    const auto begin = values.begin() + std::ssize(all), end = begin + c.count * rows_of(c, tensor) * heads * cols;
    const std::vector<float> own = convert(HeadLayout::bnhd, sizes, {begin, end});
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

void append(std::vector<float>& all, const std::vector<float>& part) {
  all.insert(all.end(), part.begin(), part.end());
}

void add(sim::AttentionOutputs& all, const sim::AttentionOutputs& part) {
  append(all.o, part.o);
  append(all.log_sum_exp, part.log_sum_exp);
  append(all.d_q, part.d_q);
  append(all.d_k, part.d_k);
  append(all.d_v, part.d_v);
}

void add(sim::ValueChecks& all, const sim::ValueChecks& part) {
  if (all.by_tensor.empty()) {
    all = part;
    return;
  }
  if (all.of_unquantised) {
    all.of_unquantised->sum += part.of_unquantised->sum;
    all.of_unquantised->count += part.of_unquantised->count;
  }
  for (std::size_t n = 0; n < part.by_tensor.size(); ++n) {
    sim::ValueCheck& worst = all.by_tensor[n].second;
    const sim::ValueCheck& check = part.by_tensor[n].second;
    worst.max_abs_error = sim::larger_error(worst.max_abs_error, check.max_abs_error);
    worst.max_rel_error = sim::larger_error(worst.max_rel_error, check.max_rel_error);
    worst.nonfinite += check.nonfinite;
  }
}

}  // namespace

std::int64_t packed_rows(const sim::SequenceClasses& classes, sim::Tensor tensor) {
  std::int64_t rows = 0;
  for (const sim::SequenceClass& c : classes) rows = sim::checked_add(rows, sim::product(c.count, rows_of(c, tensor)));
  return rows;
}

void take_packed_sizes(const ValueRequest& request, sim::OptionValues& values) {
  const sim::SequenceClasses classes = sim::read_sequences(values.at("seqlens"));
  sim::require(request.layout == HeadLayout::bhnd,
               "layout: rows of a ragged batch are packed, (total, H, d): leave out --layout");
  for (std::size_t n = 0; n < input_names.size(); ++n) {
    if (!request.given[n]) continue;
    const std::vector<std::int64_t>& shape = request.given[n]->shape;
    const char* const name = input_names[n];
    sim::require(shape.size() == 3, name, ": an array of rank ", shape.size(),
                 ", allowed are packed rows (total, H, d) with --seqlens");
    const std::int64_t rows = packed_rows(classes, inputs_in_order[n]);
    sim::require(shape[0] == rows, name, ": has ", shape[0], " rows, and the entries of --seqlens have ", rows);
    agree(values, of_keys(inputs_in_order[n]) ? "kv-heads" : "heads", shape[1], name);
    agree(values, width_option(n), shape[2], name);
  }
  if (const auto heads = values.find("kv-heads"); heads != values.end()) values.emplace("heads", heads->second);
}

std::vector<float> from_packed(const sim::SequenceClasses& classes, sim::Tensor tensor, std::int64_t heads,
                               std::int64_t cols, const std::vector<float>& values) {
  return each_class(classes, tensor, heads, cols, values, &from_layout);
}

std::vector<float> to_packed(const sim::SequenceClasses& classes, sim::Tensor tensor, std::int64_t heads,
                             std::int64_t cols, const std::vector<float>& values) {
  return each_class(classes, tensor, heads, cols, values, &to_layout);
}

Values compute_classes(const sim::Plan& plan, const sim::AttentionInputs& inputs, sim::Progress progress) {
  Values all;
  for (const sim::Plan& c : *plan.classes) {
    const Values one = compute_values(c, inputs_of_class(plan, inputs, c), progress);
    add(all.outputs, one.outputs);
    add(all.check, one.check);
    const sim::Shape& shape = c.scenario.shape;
    for (const std::string& warning : one.warnings)
      all.warnings.push_back(
          sim::text("entries of ", shape.seqlen_q, " queries and ", shape.seqlen_k, " keys: ", warning));
  }
  return all;
}

NpyTensor npy_tensor(const ValueRequest& request, const sim::Plan& plan, sim::Tensor name, std::vector<float> values) {
  if (plan.classes == nullptr)
    return {npy_axes(plan, name, request.layout, request.output_rank),
            to_layout(request.layout, npy_sizes(plan, name), std::move(values))};
  const sim::Shape& shape = plan.scenario.shape;
  const sim::SequenceClasses& classes = *plan.scenario.sequences;
  const std::int64_t heads = plan.problem.hbm[name].per_kv_head() ? shape.kv_heads : shape.heads;
  const std::int64_t cols = plan.problem.hbm[name].cols;
  NpyTensor packed{{packed_rows(classes, name), heads}, to_packed(classes, name, heads, cols, values)};
  if (!sim::is_statistic(name)) packed.axes.push_back(cols);
  return packed;
}

}  // namespace results

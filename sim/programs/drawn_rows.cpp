#include "sim/programs/drawn_rows.h"

#include <algorithm>

#include "sim/base/text_inputs.h"
#include "sim/base/worked_example.h"
#include "sim/programs/ragged.h"

namespace sim {

namespace {

std::vector<float> elements_of(const AttentionInputs& inputs, Interval elements, DrawnTensor tensor,
                               const char* source) {
  constexpr std::vector<float> AttentionInputs::*members[] = {&AttentionInputs::q, &AttentionInputs::k,
                                                              &AttentionInputs::v, &AttentionInputs::d_o};
  const std::vector<float>& values = inputs.*members[static_cast<int>(tensor)];
  require(elements.begin >= 0 && elements.end <= std::ssize(values), "inputs: elements ", elements.begin, " to ",
          elements.end - 1, " are outside ", source);
  return {values.begin() + elements.begin, values.begin() + elements.end};
}

/// Returns Q, K and V if they are not drawn, with dO for the worked example.
AttentionInputs given_inputs(const Scenario& s) {
  if (s.inputs == InputRule::worked) return worked_example::inputs();
  return inputs_of_text(text_called(s.text), s.dtype, s.seed);
}

/// Lists options that differ from the sizes of the given inputs, with the allowed values; empty if there are none.
Sentence other_sizes(const Shape& shape, const Shape& of_inputs) {
  std::vector<Sentence> others;
  const auto want = [&](const Sentence& option, std::int64_t size, std::int64_t allowed) {
    if (size != allowed) others.push_back(Sentence::of(option, " ", size));
  };
  want("seqlen-q", shape.seqlen_q, of_inputs.seqlen_q);
  want("seqlen-k", shape.seqlen_k, of_inputs.seqlen_k);
  want("head-dim", shape.head_dim, of_inputs.head_dim);
  if (shape.head_dim_v) want("head-dim-v", shape.value_dim(), of_inputs.head_dim);
  want(/*say*/ "batch", shape.batch, of_inputs.batch);
  want(/*say*/ "heads", shape.heads, of_inputs.heads);
  if (shape.kv_heads != shape.heads) want("kv-heads", shape.kv_heads, of_inputs.kv_heads);
  return Sentence::list(std::move(others));
}

}  // namespace

Shape shape_of_inputs(const Scenario& s) {
  if (is_drawn(s.inputs)) return s.shape;
  Shape shape = s.shape;
  shape.batch = shape.heads = shape.kv_heads = 1;
  shape.seqlen_q = shape.seqlen_k = worked_example::seqlen;
  shape.head_dim = worked_example::head_dim;
  if (s.inputs == InputRule::worked) return shape;
  shape.heads = shape.kv_heads = std::ssize(text_heads);
  shape.seqlen_q = shape.seqlen_k = std::ssize(text_called(s.text).words);
  shape.head_dim = text_head_dim;
  return shape;
}

void check_inputs(const Scenario& s) {
  if (is_drawn(s.inputs)) return;
  const Shape sizes = shape_of_inputs(s);
  const Sentence others = other_sizes(s.shape, sizes);
  const std::int64_t n = sizes.seqlen_q, d = sizes.head_dim;
  require(others.empty() || s.inputs != InputRule::worked, "inputs: worked is one head with --seqlen ", n,
          " --head-dim ", d, ", here is ", others, ": change that, or use --inputs drawn");
  require(others.empty(), "inputs: text:", s.text, " is ", sizes.heads, " heads of its ", n, " words with --seqlen ", n,
          " --head-dim ", d, ", here is ", others, ": leave out that, or use --inputs drawn");
}

std::vector<float> input_elements(const Scenario& s, Interval elements, DrawnTensor tensor) {
  if (s.inputs == InputRule::drawn) return draw_elements(elements, s.dtype, s.seed, tensor);
  if (s.inputs == InputRule::outliers) return draw_with_outliers(elements, s.dtype, s.seed, tensor);
  const bool worked = s.inputs == InputRule::worked;
  if (!worked && tensor == DrawnTensor::dO) return draw_elements(elements, s.dtype, s.seed, tensor);
  return elements_of(given_inputs(s), elements, tensor, worked ? "the worked example" : "the text");
}

/// Draws the inputs of the entries of a ragged batch, one after the other.
static AttentionInputs draw_entries(const Scenario& s) {
  std::int64_t queries = 0, keys = 0;
  for (const SequenceClass& c : *s.sequences) {
    queries = checked_add(queries, product(c.count, c.seqlen_q, s.shape.heads));
    keys = checked_add(keys, product(c.count, c.seqlen_k, s.shape.kv_heads));
  }
  const auto [d, dv] = s.shape.head_dims();
  const auto draw = [&](std::int64_t rows, std::int64_t cols, DrawnTensor tensor) {
    return input_elements(s, {0, product(rows, cols)}, tensor);
  };
  AttentionInputs inputs{
      draw(queries, d, DrawnTensor::Q), draw(keys, d, DrawnTensor::K), draw(keys, dv, DrawnTensor::V), {}};
  if (s.pass != Pass::forward) inputs.d_o = draw(queries, dv, DrawnTensor::dO);
  return inputs;
}

/// Draws Q, K and V with outliers.
static AttentionInputs outlier_inputs(const Scenario& s) {
  const Shape& shape = s.shape;
  const auto draw = [&](DrawnTensor tensor, std::int64_t heads, std::int64_t rows) {
    const std::int64_t count = product(shape.batch, heads, rows, cols_of(tensor, shape));
    require(count <= largest_draw, "draw_inputs: a tensor has ", count, " elements, allowed are at most ", largest_draw,
            " (2^31): use smaller sizes");
    return draw_with_outliers({0, count}, s.dtype, s.seed, tensor);
  };
  return {draw(DrawnTensor::Q, shape.heads, shape.seqlen_q),
          draw(DrawnTensor::K, shape.kv_heads, shape.seqlen_k),
          draw(DrawnTensor::V, shape.kv_heads, shape.seqlen_k),
          {}};
}

/// Returns Q, K and V of a scenario.
static AttentionInputs queries_keys_and_values(const Scenario& s) {
  if (!is_drawn(s.inputs)) return given_inputs(s);
  if (s.inputs == InputRule::outliers) return outlier_inputs(s);
  return s.sequences != nullptr ? draw_entries(s) : draw_inputs(s.shape, s.dtype, s.seed);
}

/// Gives batch entries the keys and values of the entries that hold them; all entries follow one another.
static void share(const Scenario& s, const Shape& seen, std::int64_t first_row, std::int64_t cols,
                  std::vector<float>& values) {
  for (const KeySection& section : key_sections(s, seen, seen.seqlen_k)) {
    for (std::int64_t head = 0; head < seen.batch * seen.kv_heads; ++head) {
      const std::int64_t back = head / seen.kv_heads % section.entries * seen.kv_heads * seen.seqlen_k;
      const std::int64_t row = first_row + head * seen.seqlen_k + section.keys.begin;
      if (back > 0)
        std::copy_n(values.begin() + (row - back) * cols, section.keys.size() * cols, values.begin() + row * cols);
    }
  }
}

/// Draws the inputs of sequences that share keys: a batch entry for each.
static AttentionInputs shared_inputs(const Scenario& s) {
  const Scenario each = with_entry_per_sample(s);
  AttentionInputs inputs = inputs_of(each);
  const HeadDims dims = s.shape.head_dims();
  std::int64_t row = 0;
  const auto share_class = [&](const Shape& seen) {
    share(s, seen, row, dims.qk, inputs.k);
    share(s, seen, row, dims.v, inputs.v);
    row += product(seen.batch, seen.kv_heads, seen.seqlen_k);
  };
  if (s.sequences == nullptr) share_class(each.shape);
  for (std::size_t n = 0; s.sequences != nullptr && n < each.sequences->size(); ++n)
    share_class(shape_of(each, (*each.sequences)[n]));
  if (shares_kv(s)) inputs.v = values_in(inputs.k, s.shape.head_dims());
  return inputs;
}

AttentionInputs inputs_of(const Scenario& s) {
  if (s.samples > 1 || s.shared_prefix > 0) return shared_inputs(s);
  AttentionInputs inputs = queries_keys_and_values(s);
  if (shares_kv(s)) inputs.v = values_in(inputs.k, s.shape.head_dims());
  if (s.sequences != nullptr) return inputs;
  if (s.pass == Pass::forward) inputs.d_o.clear();
  if (s.pass != Pass::forward && s.inputs != InputRule::worked)
    inputs.d_o = draw_output_gradient(s.shape, s.dtype, s.seed);
  return inputs;
}

std::int64_t cols_of(DrawnTensor tensor, const Shape& shape) {
  return tensor == DrawnTensor::Q || tensor == DrawnTensor::K ? shape.head_dim : shape.value_dim();
}

DrawnRows::DrawnRows(const Plan& plan, std::int64_t head, DrawnTensor tensor,
                     std::shared_ptr<const AttentionInputs> given)
    : scenario_(plan.scenario), given_(std::move(given)), tensor_(tensor), cols_(cols_of(tensor, plan.problem.shape)) {
  const HeadInClass at = head_in_class(plan, head);
  const Shape& s = at.plan.problem.shape;
  if (tensor == DrawnTensor::V && s.kv_shared) {  // the first columns of a row of K
    tensor_ = DrawnTensor::K;
    cols_ = s.head_dim;
  }
  const bool of_queries = tensor == DrawnTensor::Q || tensor == DrawnTensor::dO;
  const std::int64_t kv_head = at.head / s.heads * s.kv_heads + s.kv_head_of(at.head % s.heads);
  rows_ = of_queries ? s.seqlen_q : s.seqlen_k;
  const std::int64_t entry = at.head / s.heads;
  for (const KeySection& section : of_queries ? std::vector<KeySection>() : at.plan.problem.key_sections)
    shared_.emplace_back(section.keys, entry % section.entries * s.kv_heads * rows_);
  first_row_ = of_queries ? at.queries_before + at.head * rows_ : at.keys_before + kv_head * rows_;
}

const float* DrawnRows::row(std::int64_t index) {
  if (index / page_rows != newest_) values_ = page(newest_ = index / page_rows);
  return values_ + index % page_rows * cols_;
}

const float* DrawnRows::page(std::int64_t index) {
  const auto known = pages_.find(index);
  if (known != pages_.end()) return known->second.data();
  const Interval rows{index * page_rows, std::min(rows_, (index + 1) * page_rows)};
  if (!order_.empty() && bytes() + 4 * page_rows * cols_ > most_bytes) {
    pages_.erase(order_.front());
    order_.pop_front();
  }
  order_.push_back(index);
  drawn_ += rows.size() * cols_;
  std::vector<float>& values = pages_[index];
  values = rows_of(rows);
  return values.data();
}

/// Rows of the head, those that entries share from the entry that holds them.
std::vector<float> DrawnRows::rows_of(Interval rows) const {
  const auto from = [this](Interval part, std::int64_t back) {
    return elements({(first_row_ - back + part.begin) * cols_, (first_row_ - back + part.end) * cols_});
  };
  if (shared_.empty()) return from(rows, 0);
  std::vector<float> values;
  for (const auto& [section, back] : shared_) {
    if (overlap(section, rows).empty()) continue;
    const std::vector<float> part = from(overlap(section, rows), back);
    values.insert(values.end(), part.begin(), part.end());
  }
  return values;
}

std::vector<float> DrawnRows::elements(Interval of) const {
  return given_ == nullptr ? input_elements(scenario_, of, tensor_)
                           : elements_of(*given_, of, tensor_, "the given inputs");
}

std::vector<float> DrawnRows::row_of_all(std::int64_t row) {
  drawn_ += cols_;
  return elements({row * cols_, (row + 1) * cols_});
}

std::int64_t DrawnRows::bytes() const { return static_cast<std::int64_t>(pages_.size()) * page_rows * cols_ * 4; }

}  // namespace sim

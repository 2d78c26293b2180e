#include "viz/model/row_block.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace explorer {
namespace {

using sim::Block;
using sim::RegTile;
using sim::RegVec;
using sim::SmemTile;
using sim::Tensor;

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

bool is_flash1(const sim::Launch& launch) { return launch.name == "flash1_forward"; }
bool is_released(const sim::Launch& launch) { return launch.name == "flash1_released_forward"; }
bool is_flash2(const sim::Launch& launch) { return launch.name == "flash2_forward"; }
bool is_memory_efficient(const sim::Launch& launch) { return launch.name == "memory_efficient_forward"; }

}  // namespace

/// One step of a row block's program: the body of the loop in sim/programs, with the state in place of what the loop
/// carries.
class RowBlock::Machine : public TileMachine {
 public:
  Machine(const RowBlock& block, const Block& j, Layers layers = Layers::dropped)
      : TileMachine(block.plan(), block.launch(), block.head_, layers), block_(block), p_(block.problem()), j_(j) {}

  void flash1(TileStep& step, const KeyRows& keys) {
    RowState& s = step.after;
    SmemTile v = rows(Tensor::V, j_, keys.V);
    RegTile S = scores(keys);
    SmemTile O = rows(Tensor::O, block_.row_, s.O);
    const RegVec l = row_vec(Tensor::l, s.l), m = row_vec(Tensor::m, s.m);
    const RegVec m_tilde = cta().row_max(S);
    RegTile P = cta().exp_sub(std::move(S), m_tilde);
    const RegVec l_tilde = cta().row_sum(P);
    const RegVec m_new = cta().max(m, m_tilde);
    const RegVec alpha = cta().exp_sub(m, m_new, Tensor::alpha);
    const RegVec beta = cta().exp_sub(m_tilde, m_new, Tensor::beta);
    const RegVec l_new = cta().blend(alpha, l, beta, l_tilde);
    drop(P);
    const RegTile PV = cta().gemm_nn(P, v);
    cta().blend(O, alpha, l, PV, beta, l_new);
    sim::round_all(p_.dtype, O.values);  // as the store to HBM does
    step.alpha = alpha.values;
    s = {m_new.values, l_new.values, std::move(O.values)};
  }

  /// flash1 as released: O is divided in each step, and L, which stands for l and m, comes back from HBM.
  void released(TileStep& step, const KeyRows& keys) {
    RowState& s = step.after;
    const bool first = j_.index() == 0;
    const RegVec L = log_sum_exp(s);
    RegTile S = scores(keys);
    RegVec m = cta().row_max(S);
    if (!first) m = cta().max(m, L);
    RegTile P = cta().exp_sub(std::move(S), m);
    RegVec l = cta().exp_sub(L, m, Tensor::l);
    step.alpha = l.values;
    RegTile O = row_registers(Tensor::O, block_.row_, s.O);
    if (!first) cta().scale_rows(O, l);
    l = cta().add_row_sum(l, P);
    drop(P);
    cta().gemm_nn_add(O, P, row_registers(Tensor::V, j_, keys.V));
    cta().divide_rows(O, l);
    s = {m.values, l.values, std::move(O.values)};
  }

  /// flash2, or the first pass of memory-efficient attention, which leaves O alone.
  void online(TileStep& step, const KeyRows& keys, bool with_V) {
    RowState& s = step.after;
    RegTile O = row_registers(Tensor::O, block_.row_, s.O);
    RegTile S = scores(keys);
    const RegVec m = row_vec(Tensor::m, s.m);
    const RegVec m_new = cta().row_max(S, m);
    const RegVec alpha = cta().exp_sub(m, m_new, Tensor::alpha);
    RegTile P = cta().exp_sub(std::move(S), m_new);
    s.l = cta().add_row_sum(row_vec(Tensor::l, s.l), alpha, P).values;
    s.m = m_new.values;
    step.alpha = alpha.values;
    if (with_V) {
      drop(P);
      cta().scale_rows(O, alpha);
      cta().gemm_nn_add(O, P, rows(Tensor::V, j_, keys.V));
    }
    s.O = std::move(O.values);
  }

  /// The second pass of memory-efficient attention; m holds L.
  void sum(TileStep& step, const KeyRows& keys) {
    RowState& s = step.after;
    RegTile O = row_registers(Tensor::O, block_.row_, s.O);
    RegTile P = cta().exp_sub(scores(keys), row_vec(Tensor::L, s.m));
    s.l = cta().add_row_sum(row_vec(Tensor::l, s.l), P).values;
    drop(P);
    cta().gemm_nn_add(O, P, rows(Tensor::V, j_, keys.V));
    s.O = std::move(O.values);
  }

  std::vector<float> divided(const RowState& s) {
    RegTile O = row_registers(Tensor::O, block_.row_, s.O);
    cta().divide_rows(O, row_vec(Tensor::l, s.l));
    return std::move(O.values);
  }

  RegVec log_sum_exp(const RowState& s) { return cta().log_sum_exp(row_vec(Tensor::m, s.m), row_vec(Tensor::l, s.l)); }

  RowState second_pass(RowState s) {
    s.m = log_sum_exp(s).values;
    std::fill(s.l.begin(), s.l.end(), 0.0f);
    return s;
  }

 private:
  RegVec row_vec(Tensor name, const std::vector<float>& values) const { return vec(name, block_.row_, values); }

  RegTile scores(const KeyRows& keys) {
    RegTile S = cta().gemm_nt(rows(Tensor::Q, block_.row_, block_.Q_), rows(Tensor::K, j_, keys.K));
    cta().scale(S, p_.scale);
    if (j_.masked) cta().mask(S, block_.row_, j_);
    return S;
  }

  void drop(RegTile& P) {
    if (p_.dropout.any()) cta().dropout(P, block_.row_, j_);
  }

  const RowBlock& block_;
  const sim::Problem& p_;
  Block j_;
};

bool RowBlock::knows(const sim::Launch& launch) {
  return is_flash1(launch) || is_released(launch) || is_flash2(launch) || is_memory_efficient(launch);
}

RowBlock::RowBlock(std::shared_ptr<const Run> run, const sim::Launch& launch, std::int64_t head, std::int64_t row)
    : run_(std::move(run)), launch_(&launch), head_(head) {
  const sim::Shape& shape = problem().shape;
  const sim::GridShape grid = launch.grid;
  sim::require(knows(launch), "values: ", launch.name,
               " has no steps along a row; flash1, flash2 and memory-efficient, forward, have");
  sim::require(head >= 0 && head < shape.batch * shape.heads, "values: head ", head, " is outside 0 to ",
               shape.batch * shape.heads - 1);
  const sim::Blocking rows{shape.seqlen_q, grid.br};
  sim::require(row >= 0 && row < rows.count(), "values: row block ", row, " is outside 0 to ", rows.count() - 1);
  row_ = sim::make_block(rows, row, sim::Origin::cta);
  const sim::Visit visit = sim::visit_keys(shape, grid, row);
  live_ = visit.live;
  full_ = visit.full;
  if (is_memory_efficient(launch)) passes_ = 2;
  Q_ = drawn(plan(), head_, sim::DrawnTensor::Q, row_.elements());
}

double RowBlock::cost_of_step() const {
  const auto rows = static_cast<double>(queries().size()), d = static_cast<double>(head_dim());
  const auto cols = static_cast<double>(std::min(launch().grid.bc, problem().shape.seqlen_k));
  constexpr double ns_per_flop = 0.1, ns_per_score = 6, ns_per_step = 5000;  // measured on one core, rounded up
  return 4 * rows * cols * d * ns_per_flop + rows * cols * ns_per_score + ns_per_step;
}

double RowBlock::cost_of_keys() const {
  constexpr double ns_per_drawn = 25;
  return 2 * ns_per_drawn * static_cast<double>(std::min(launch().grid.bc, problem().shape.seqlen_k) * head_dim());
}

RowState RowBlock::start() const {
  const auto rows = static_cast<std::size_t>(queries().size());
  return {std::vector<float>(rows, minus_infinity), std::vector<float>(rows, 0.0f),
          std::vector<float>(rows * static_cast<std::size_t>(head_dim()), 0.0f)};
}

Block RowBlock::keys_block(std::int64_t n) const {
  Block j = sim::make_block({problem().shape.seqlen_k, launch().grid.bc}, col_of(n), sim::Origin::loop0);
  j.masked = !full_.contains({j.index(), j.index() + 1});
  return j;
}

KeyRows RowBlock::keys_of(std::int64_t n) const {
  const sim::Interval keys = keys_block(n).elements();
  return {drawn(plan(), head_, sim::DrawnTensor::K, keys), drawn(plan(), head_, sim::DrawnTensor::V, keys)};
}

TileStep RowBlock::step(std::int64_t n, RowState before, const KeyRows& keys, TileMachine::Layers layers) const {
  const Block j = keys_block(n);
  Machine machine(*this, j, layers);
  if (passes_ == 2 && n == tiles()) before = machine.second_pass(std::move(before));
  TileStep step{j.index(), {queries(), j.elements(), {}, 0}, {}, before, std::move(before)};
  if (is_flash1(launch())) machine.flash1(step, keys);
  if (is_released(launch())) machine.released(step, keys);
  if (is_flash2(launch())) machine.online(step, keys, true);
  if (passes_ == 2 && n < tiles()) machine.online(step, keys, false);
  if (passes_ == 2 && n >= tiles()) machine.sum(step, keys);
  step.layers.all = machine.layers();
  return step;
}

std::vector<float> RowBlock::log_sum_exp(const RowState& last) const {
  return passes_ == 2 && steps() > 0 ? last.m : Machine(*this, row_).log_sum_exp(last).values;
}

std::vector<float> RowBlock::stored(const RowState& last) const {
  std::vector<float> O = last.O;
  if (!is_flash1(launch()) && !is_released(launch())) O = Machine(*this, row_).divided(last);
  sim::round_all(problem().dtype, O);
  return O;
}

RowReference RowBlock::empty_reference(std::vector<std::int64_t> rows) const {
  const std::size_t count = rows.size();
  return {std::move(rows), std::vector<double>(count, -std::numeric_limits<double>::infinity()),
          std::vector<double>(count), std::vector<double>(count * static_cast<std::size_t>(head_dim()))};
}

/// The online softmax in double, one key after the other: a rescaling by exp(m - m') in double loses nothing here.
void RowBlock::add_to(RowReference& reference, std::int64_t step, const KeyRows& rows) const {
  if (step < steps() - tiles()) return;
  const Block j = keys_block(step);
  const auto d = static_cast<std::size_t>(head_dim());
  const sim::Dropout& dropout = problem().dropout;
  std::vector<float> kept(static_cast<std::size_t>(j.size()), 1.0f);
  for (std::size_t n = 0; n < reference.rows.size(); ++n) {
    const std::int64_t query = queries().begin + reference.rows[n];
    const sim::Interval seen = overlap(problem().shape.visible_keys(query), j.elements());
    if (dropout.any()) sim::keep_row(dropout, head_, query, j.elements(), kept);
    const float* const q = Q_.data() + static_cast<std::size_t>(reference.rows[n]) * d;
    double *const O = reference.O.data() + n * d, &m = reference.m[n], &l = reference.l[n];
    for (std::int64_t key = seen.begin; key < seen.end; ++key) {
      const auto at = static_cast<std::size_t>(key - j.elements().begin);
      double score = 0;
      for (std::size_t c = 0; c < d; ++c) score += static_cast<double>(q[c]) * static_cast<double>(rows.K[at * d + c]);
      score *= static_cast<double>(problem().scale);
      const double m_new = std::max(m, score), alpha = std::exp(m - m_new), weight = std::exp(score - m_new);
      const double part = kept[at] == 0.0f ? 0 : weight / (1 - dropout.probability);
      for (std::size_t c = 0; c < d; ++c) O[c] = alpha * O[c] + part * static_cast<double>(rows.V[at * d + c]);
      l = alpha * l + weight;
      m = m_new;
    }
  }
}

std::vector<double> RowBlock::errors(const RowState& last, const RowReference& reference) const {
  const auto d = static_cast<std::size_t>(head_dim());
  const std::vector<float> O = stored(last);
  std::vector<double> largest(reference.rows.size());
  for (std::size_t n = 0; n < largest.size(); ++n) {
    for (std::size_t c = 0; c < d; ++c) {
      const double want = reference.l[n] == 0 ? 0 : reference.O[n * d + c] / reference.l[n];
      const double got = static_cast<double>(O[static_cast<std::size_t>(reference.rows[n]) * d + c]);
      largest[n] = std::max(largest[n], std::abs(got - want));
    }
  }
  return largest;
}

}  // namespace explorer

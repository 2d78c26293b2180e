#include "viz/model/row_block.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/programs/launch_cta.h"

namespace explorer {
namespace {

using sim::Block;
using sim::Cta;
using sim::Line;
using sim::RegTile;
using sim::RegVec;
using sim::SmemTile;
using sim::Tensor;

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

bool is_flash1(const sim::Launch& launch) { return launch.name == "flash1_forward"; }
bool is_flash2(const sim::Launch& launch) { return launch.name == "flash2_forward"; }
bool is_memory_efficient(const sim::Launch& launch) { return launch.name == "memory_efficient_forward"; }

}  // namespace

/// The tile machine in the middle of a row block: one step of its program. Each step is the body of the loop in
/// sim/programs, with the state in place of what the loop carries.
class RowBlock::Machine {
 public:
  Machine(const RowBlock& block, const Block& j)
      : block_(block),
        p_(block.problem()),
        j_(j),
        space_(block.run_->simulation.plan.capacity),
        cta_(setup(block), space_, unused_) {}

  TileStep flash1(TileStep step, const std::vector<float>& K, const std::vector<float>& V) {
    RowState& s = step.after;
    SmemTile k = keys(Tensor::K, K), v = keys(Tensor::V, V);
    RegTile S = scores(k, step);
    SmemTile O = tile<SmemTile>(Tensor::O, block_.row_, s.O);
    const RegVec l = vec(Tensor::l, s.l), m = vec(Tensor::m, s.m);
    const RegVec m_tilde = cta_.row_max(S);
    RegTile P = weights(std::move(S), m_tilde, step);
    const RegVec l_tilde = cta_.row_sum(P);
    const RegVec m_new = cta_.max(m, m_tilde);
    const RegVec alpha = cta_.exp_sub(m, m_new, Tensor::alpha);
    const RegVec beta = cta_.exp_sub(m_tilde, m_new, Tensor::beta);
    const RegVec l_new = cta_.blend(alpha, l, beta, l_tilde);
    drop(P);
    const RegTile PV = cta_.gemm_nn(P, v);
    cta_.blend(O, alpha, l, PV, beta, l_new);
    sim::round_all(p_.dtype, O.values);  // as the store to HBM does
    step.alpha = alpha.values;
    s = {m_new.values, l_new.values, std::move(O.values)};
    return step;
  }

  /// flash2; without V the first pass of memory-efficient attention, which leaves O alone.
  TileStep online(TileStep step, const std::vector<float>& K, const std::vector<float>* V) {
    RowState& s = step.after;
    SmemTile k = keys(Tensor::K, K);
    RegTile O = tile<RegTile>(Tensor::O, block_.row_, s.O);
    RegTile S = scores(k, step);
    const RegVec m = vec(Tensor::m, s.m);
    const RegVec m_new = cta_.row_max(S, m);
    const RegVec alpha = cta_.exp_sub(m, m_new, Tensor::alpha);
    RegTile P = weights(std::move(S), m_new, step);
    s.l = cta_.add_row_sum(vec(Tensor::l, s.l), alpha, P).values;
    s.m = m_new.values;
    step.alpha = alpha.values;
    if (V != nullptr) {
      drop(P);
      cta_.scale_rows(O, alpha);
      cta_.gemm_nn_add(O, P, keys(Tensor::V, *V));
    }
    s.O = std::move(O.values);
    return step;
  }

  /// The second pass of memory-efficient attention; m holds L.
  TileStep sum(TileStep step, const std::vector<float>& K, const std::vector<float>& V) {
    RowState& s = step.after;
    SmemTile k = keys(Tensor::K, K);
    RegTile O = tile<RegTile>(Tensor::O, block_.row_, s.O);
    RegTile P = weights(scores(k, step), vec(Tensor::L, s.m), step);
    s.l = cta_.add_row_sum(vec(Tensor::l, s.l), P).values;
    drop(P);
    cta_.gemm_nn_add(O, P, keys(Tensor::V, V));
    s.O = std::move(O.values);
    return step;
  }

  std::vector<float> divided(const RowState& s) {
    RegTile O = tile<RegTile>(Tensor::O, block_.row_, s.O);
    cta_.divide_rows(O, vec(Tensor::l, s.l));
    return std::move(O.values);
  }

  RowState second_pass(RowState s) {
    s.m = cta_.log_sum_exp(vec(Tensor::m, s.m), vec(Tensor::l, s.l)).values;
    std::fill(s.l.begin(), s.l.end(), 0.0f);
    return s;
  }

 private:
  static sim::CtaSetup setup(const RowBlock& block) {
    sim::CtaSetup setup = sim::replay_setup(block.run_->simulation.plan, block.launch(), block.row_, {});
    setup.keep_events = false;
    setup.values = true;
    setup.head = block.head_;
    return setup;
  }

  template <class SomeTile>
  SomeTile tile(Tensor name, const Block& rows, const std::vector<float>& values) {
    const std::int64_t d = p_.shape.head_dim;
    SomeTile made(space_, name, rows.axis, {0, 0, d, sim::Origin::whole, d}, Line(0));
    made.values = values;
    return made;
  }
  SmemTile keys(Tensor name, const std::vector<float>& values) { return tile<SmemTile>(name, j_, values); }
  RegVec vec(Tensor name, const std::vector<float>& values) const {
    return {name, block_.row_.axis, values, sim::no_event};
  }

  RegTile scores(const SmemTile& k, TileStep& step) {
    const SmemTile q = tile<SmemTile>(Tensor::Q, block_.row_, block_.Q_);
    RegTile S = cta_.gemm_nt(q, k);
    cta_.scale(S, p_.scale);
    if (j_.masked) cta_.mask(S, block_.row_, j_);
    step.S = S.values;
    return S;
  }

  RegTile weights(RegTile S, const RegVec& m, TileStep& step) {
    RegTile P = cta_.exp_sub(std::move(S), m);
    step.P = P.values;
    return P;
  }

  void drop(RegTile& P) {
    if (p_.dropout.any()) cta_.dropout(P, block_.row_, j_);
  }

  const RowBlock& block_;
  const sim::Problem& p_;
  Block j_;
  sim::Space space_;
  sim::Trace unused_;
  Cta cta_;
};

bool RowBlock::knows(const sim::Launch& launch) {
  return is_flash1(launch) || is_flash2(launch) || is_memory_efficient(launch);
}

RowBlock::RowBlock(std::shared_ptr<const Run> run, std::size_t kernel, std::int64_t batch, std::int64_t head,
                   std::int64_t row)
    : run_(std::move(run)), kernel_(kernel) {
  const sim::Shape& shape = problem().shape;
  const sim::GridShape grid = launch().grid;
  sim::require(knows(launch()), "values: the steps of ", launch().name,
               " are not known; those of flash1, flash2 and memory-efficient, forward, are");
  sim::require(batch >= 0 && batch < shape.batch && head >= 0 && head < shape.heads, "values: batch ", batch, ", head ",
               head, " is outside ", shape.batch, " x ", shape.heads);
  const sim::Blocking rows{shape.seqlen_q, grid.br};
  sim::require(row >= 0 && row < rows.count(), "values: row block ", row, " is outside 0 to ", rows.count() - 1);
  head_ = batch * shape.heads + head;
  kv_head_ = batch * shape.kv_heads + shape.kv_head_of(head);
  row_ = sim::make_block(rows, row, sim::Origin::cta);
  const sim::Visit visit = sim::visit_keys(shape, grid, row);
  live_ = visit.live;
  full_ = visit.full;
  if (is_memory_efficient(launch())) passes_ = 2;
  Q_ = drawn(sim::DrawnTensor::Q, row_);
}

double RowBlock::cost_of_step() const {
  const auto rows = static_cast<double>(queries().size()), d = static_cast<double>(head_dim());
  const auto cols = static_cast<double>(std::min(launch().grid.bc, problem().shape.seqlen_k));
  constexpr double ns_per_drawn = 25, ns_per_flop = 0.1, ns_per_score = 6;  // measured on one core, rounded up
  return 2 * cols * d * ns_per_drawn + 4 * rows * cols * d * ns_per_flop + rows * cols * ns_per_score;
}

std::vector<float> RowBlock::drawn(sim::DrawnTensor tensor, const Block& block) const {
  const sim::Shape& s = problem().shape;
  const bool of_queries = tensor == sim::DrawnTensor::Q;
  const std::int64_t first = of_queries ? head_ * s.seqlen_q : kv_head_ * s.seqlen_k;
  const sim::Interval rows = block.elements();
  return sim::draw_elements({(first + rows.begin) * s.head_dim, (first + rows.end) * s.head_dim}, problem().dtype,
                            run_->simulation.plan.scenario.seed, tensor);
}

RowState RowBlock::start() const {
  const auto rows = static_cast<std::size_t>(queries().size());
  return {std::vector<float>(rows, minus_infinity), std::vector<float>(rows, 0.0f),
          std::vector<float>(rows * static_cast<std::size_t>(head_dim()), 0.0f)};
}

TileStep RowBlock::step(std::int64_t n, RowState before, RowReference* reference) const {
  const sim::Blocking keys{problem().shape.seqlen_k, launch().grid.bc};
  Block j = sim::make_block(keys, col_of(n), sim::Origin::loop0);
  j.masked = !full_.contains({j.index(), j.index() + 1});
  const std::vector<float> K = drawn(sim::DrawnTensor::K, j), V = drawn(sim::DrawnTensor::V, j);
  if (reference != nullptr && n >= steps() - tiles()) add_to(*reference, j, K, V);
  Machine machine(*this, j);
  if (passes_ == 2 && n == tiles()) before = machine.second_pass(std::move(before));
  TileStep step{j.index(), queries(), j.elements(), {}, {}, {}, before, std::move(before)};
  if (is_flash1(launch())) return machine.flash1(std::move(step), K, V);
  if (passes_ == 1) return machine.online(std::move(step), K, &V);
  return n < tiles() ? machine.online(std::move(step), K, nullptr) : machine.sum(std::move(step), K, V);
}

std::vector<float> RowBlock::stored(const RowState& last) const {
  std::vector<float> O = last.O;
  if (!is_flash1(launch())) O = Machine(*this, row_).divided(last);
  sim::round_all(problem().dtype, O);
  return O;
}

RowReference RowBlock::empty_reference(std::vector<std::int64_t> rows) const {
  const std::size_t count = rows.size();
  return {std::move(rows), std::vector<double>(count, -std::numeric_limits<double>::infinity()),
          std::vector<double>(count), std::vector<double>(count * static_cast<std::size_t>(head_dim()))};
}

/// The online softmax in double, one key after the other: a rescaling by exp(m - m') in double loses nothing here.
void RowBlock::add_to(RowReference& reference, const Block& j, std::span<const float> K,
                      std::span<const float> V) const {
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
      for (std::size_t c = 0; c < d; ++c) score += static_cast<double>(q[c]) * static_cast<double>(K[at * d + c]);
      score *= static_cast<double>(problem().scale);
      const double m_new = std::max(m, score), alpha = std::exp(m - m_new), weight = std::exp(score - m_new);
      const double part = kept[at] == 0.0f ? 0 : weight / (1 - dropout.probability);
      for (std::size_t c = 0; c < d; ++c) O[c] = alpha * O[c] + part * static_cast<double>(V[at * d + c]);
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

#include "viz/model/fused_rows.h"

#include <algorithm>

namespace explorer {
namespace {

sim::Block block_of(sim::Interval rows) {
  sim::Block block;
  block.axis = {0, rows.begin, rows.size(), sim::Origin::cta, rows.size()};
  return block;
}

void append(std::vector<float>& all, const std::vector<float>& values, sim::Interval rows, std::int64_t cols) {
  all.insert(all.end(), values.begin() + static_cast<std::ptrdiff_t>(rows.begin * cols),
             values.begin() + static_cast<std::ptrdiff_t>(rows.end * cols));
}

}  // namespace

const sim::Launch* fused_forward(const sim::Plan& plan) {
  for (const auto* launches : {&plan.before, &plan.launches}) {
    for (const sim::Launch& launch : *launches) {
      if (RowBlock::knows(launch)) return &launch;
    }
  }
  return nullptr;
}

FusedRows::FusedRows(std::shared_ptr<const Run> run, const sim::Launch& backward, std::int64_t head,
                     sim::Interval queries)
    : run_(std::move(run)), backward_(&backward), head_(head) {
  numbers_.queries = queries;
  const sim::Launch* const forward = fused_forward(plan());
  sim::require(forward != nullptr, "values: ", plan().program->name, " has no fused forward kernel");
  const sim::Blocking blocks{plan().problem.shape.seqlen_q, forward->grid.br};
  const sim::Interval touched = blocks.touching(queries);
  for (std::int64_t row = touched.begin; row < touched.end; ++row) {
    RowBlock block(run_, *forward, head, row);
    const sim::Interval live = block.live();
    if (!live.empty()) cols_ = cols_.empty() ? live : sim::Interval{std::min(cols_.begin, live.begin), live.end};
    RowState start = block.start();
    walks_.push_back({std::move(block), std::move(start)});
  }
  col_ = cols_.begin;
}

std::int64_t FusedRows::bytes() const {
  std::int64_t sum = std::int64_t{16} * numbers_.queries.size();
  for (const Walk& walk : walks_) sum += walk.block.state_bytes();
  return sum;
}

/// To the next row block, column and pass.
void FusedRows::next() {
  if (++walk_ < walks_.size()) return;
  walk_ = 0;
  keys_ = {};
  if (++col_ < cols_.end) return;
  col_ = cols_.begin;
  ++pass_;
}

bool FusedRows::slice() {
  double ns = 0;
  const std::int64_t passes = walks_.front().block.passes();
  for (; pass_ < passes && ns < ns_per_slice && !cols_.empty(); next()) {
    auto& [block, state] = walks_[walk_];
    if (!block.live().contains({col_, col_ + 1})) continue;
    const std::int64_t step = pass_ * block.tiles() + col_ - block.live().begin;
    if (keys_.K.empty()) {
      keys_ = block.keys_of(step);
      ns += block.cost_of_keys();
    }
    state = block.step(step, std::move(state), keys_).after;
    ns += block.cost_of_step();
  }
  const auto all = static_cast<double>(passes * cols_.size());
  share_ = all > 0 ? static_cast<double>(pass_ * cols_.size() + col_ - cols_.begin) / all : 1;
  if (pass_ < passes && !cols_.empty()) return true;
  finish();
  return false;
}

/// D of the rows, in the pieces in which the program takes them.
std::vector<float> FusedRows::dots(const std::vector<float>& O) const {
  const sim::Interval queries = numbers_.queries;
  const std::int64_t d = plan().problem.shape.head_dim;
  const std::int64_t piece = plan().program->row_at_a_time ? 1 : queries.size();
  const std::vector<float> dO = drawn(plan(), head_, sim::DrawnTensor::dO, queries);
  TileMachine machine(plan(), *backward_, head_);
  std::vector<float> D;
  for (std::int64_t first = 0; first < queries.size(); first += piece) {
    const sim::Interval rows{first, first + piece};
    const sim::Block block = block_of(rows);
    std::vector<float> of_O, of_dO;
    append(of_O, O, rows, d);
    append(of_dO, dO, rows, d);
    const sim::SmemTile left = machine.rows(sim::Tensor::dO, block, of_dO),
                        right = machine.rows(sim::Tensor::O, block, of_O);
    append(D, machine.cta().row_dot(left, right).values, {0, piece}, 1);
  }
  return D;
}

void FusedRows::finish() {
  std::vector<float> O;
  for (const auto& [block, state] : walks_) {
    const sim::Interval all = block.queries(), shared = overlap(all, numbers_.queries);
    const sim::Interval rows{shared.begin - all.begin, shared.end - all.begin};
    append(O, block.stored(state), rows, block.head_dim());
    append(numbers_.L, block.log_sum_exp(state), rows, 1);
    append(numbers_.m, state.m, rows, 1);
    append(numbers_.l, state.l, rows, 1);
  }
  numbers_.D = dots(O);
  if (backward_->reads(sim::Tensor::L) || !backward_->reads(sim::Tensor::m)) numbers_.m = numbers_.l = {};
  if (backward_->reads(sim::Tensor::m)) numbers_.L = {};
  walks_.clear();
}

}  // namespace explorer

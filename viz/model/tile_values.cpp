#include "viz/model/tile_values.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace explorer {
namespace {

/// At least one step; as many as are expected to take a slice's time.
std::int64_t steps_per_slice(const RowBlock& block) {
  return std::max<std::int64_t>(
      1, static_cast<std::int64_t>(ns_per_slice / (block.cost_of_step() + block.cost_of_keys())));
}

std::vector<std::int64_t> spread(std::int64_t rows, std::int64_t most) {
  const std::int64_t count = std::min(rows, most);
  std::vector<std::int64_t> found;
  for (std::int64_t n = 0; n < count; ++n) found.push_back((2 * n + 1) * rows / (2 * count));
  return found;
}

}  // namespace

/// One state is left for the tile that is looked at.
std::int64_t RowHistory::steps_per_state() const {
  const std::int64_t most = std::max<std::int64_t>(1, most_ / std::max<std::int64_t>(1, block.state_bytes()) - 1);
  return std::max<std::int64_t>(1, sim::ceil_div(block.steps(), most));
}

void RowHistory::keep(std::int64_t step, const RowState& state) {
  if (step > 0 && step < block.steps() && step % steps_per_state() == 0) kept_.emplace(step, state);
}

void RowHistory::look(std::int64_t step, const RowState& state) {
  keep(step, state);
  if (step < block.steps() && kept_.count(step) == 0) looked_at_ = {step, state};
}

std::pair<std::int64_t, RowState> RowHistory::nearest(std::int64_t step) const {
  const auto after = kept_.upper_bound(step);
  const std::int64_t kept = after == kept_.begin() ? 0 : std::prev(after)->first;
  if (looked_at_ && looked_at_->first <= step && looked_at_->first > kept) return *looked_at_;
  if (kept == 0) return {0, block.start()};
  return *std::prev(after);
}

std::int64_t RowHistory::bytes() const {
  return static_cast<std::int64_t>(kept_.size() + (looked_at_ ? 1 : 0)) * block.state_bytes();
}

TileValues::TileValues(std::shared_ptr<RowHistory> history, std::int64_t step)
    : history_(std::move(history)), wanted_(step) {
  std::tie(at_, state_) = history_->nearest(step);
}

bool TileValues::advance() {
  const RowBlock& block = history_->block;
  if (wanted_ >= block.steps()) return false;
  for (std::int64_t n = steps_per_slice(block); n > 0; --n) {
    const bool last = at_ == wanted_;
    TileStep step = block.step(at_, std::move(state_), block.keys_of(at_),
                               last ? TileMachine::Layers::kept : TileMachine::Layers::dropped);
    if (last) {
      history_->look(at_ + 1, step.after);
      found_ = std::move(step);
      return false;
    }
    state_ = std::move(step.after);
    history_->keep(++at_, state_);
  }
  return true;
}

RowValues::RowValues(const std::shared_ptr<const Run>& run, std::size_t kernel, std::int64_t head, std::int64_t row,
                     std::int64_t most_bytes)
    : history_(
          std::make_shared<RowHistory>(RowBlock(run, run->simulation.plan.launches[kernel], head, row), most_bytes)),
      state_(block().start()),
      reference_(block().empty_reference(spread(block().queries().size(), most_rows))) {
  if (block().steps() == 0) errors_.assign(rows().size(), 0);
}

void RowValues::note(const RowState& state) {
  for (const std::int64_t r : rows()) {
    const auto row = static_cast<std::size_t>(r);
    if (!std::isfinite(state.m[row])) continue;
    const bool first = most_max_ == 0 && least_max_ == 0;
    least_max_ = first ? state.m[row] : std::min(least_max_, state.m[row]);
    most_max_ = first ? state.m[row] : std::max(most_max_, state.m[row]);
    most_sum_ = std::max(most_sum_, state.l[row]);
  }
}

bool RowValues::advance() {
  for (std::int64_t n = steps_per_slice(block()); n > 0 && at_ < block().steps(); --n) {
    const KeyRows keys = block().keys_of(at_);
    block().add_to(reference_, at_, keys);
    state_ = block().step(at_, std::move(state_), keys).after;
    history_->keep(++at_, state_);
    note(state_);
  }
  if (at_ < block().steps()) return true;
  if (errors_.empty()) errors_ = block().errors(state_, reference_);
  return false;
}

}  // namespace explorer

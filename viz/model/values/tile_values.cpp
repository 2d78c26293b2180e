#include "viz/model/values/tile_values.h"

#include <tuple>

namespace explorer {

void RowHistory::keep(std::int64_t step, const RowState& state) {
  if (step == 0 || step >= block.steps() || step % steps_per_state_ != 0) return;
  if (!kept_.emplace(step, state).second) return;
  kept_bytes_ += state.bytes();
  while (bytes() > most_ && !kept_.empty()) thin_out();
}

/// Drops every other state.
void RowHistory::thin_out() {
  steps_per_state_ *= 2;
  for (auto state = kept_.begin(); state != kept_.end();) {
    const bool stays = state->first % steps_per_state_ == 0;
    if (!stays) kept_bytes_ -= state->second.bytes();
    state = stays ? std::next(state) : kept_.erase(state);
  }
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

std::int64_t RowHistory::bytes() const { return kept_bytes_ + (looked_at_ ? looked_at_->second.bytes() : 0); }

TileValues::TileValues(std::shared_ptr<RowHistory> history, std::int64_t step)
    : history_(std::move(history)), wanted_(step) {
  std::tie(at_, state_) = history_->nearest(step);
}

bool TileValues::advance() {
  RowSteps& block = history_->block;
  if (wanted_ >= block.steps()) return false;
  for (double ns = 0; ns < ns_per_slice;) {
    const bool last = at_ == wanted_;
    sim::TileStep step = block.step(at_, std::move(state_), last ? RowSteps::Keep::all : RowSteps::Keep::numbers);
    ns += step.nanoseconds;
    if (last) {
      history_->look(at_ + 1, step.after);
      TileLayers layers = layers_of(step.trace, step.visit, block.queries(), block.keys_of(at_));
      step.trace = {};
      found_ = TileStep{std::move(step), std::move(layers)};
      return false;
    }
    state_ = std::move(step.after);
    history_->keep(++at_, state_);
  }
  return true;
}

}  // namespace explorer

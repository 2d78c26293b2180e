#include "viz/model/narrow.h"

#include <algorithm>
#include <cmath>

#include "sim/model/compiled_kernels.h"
#include "sim/model/scheduled_replay.h"
#include "sim/report/numbers.h"
#include "viz/model/center_view.h"
#include "viz/words/words.h"

namespace explorer {
namespace {

constexpr std::int64_t drawn_at_once = 1 << 15, exact_rows_at_once = 16;
constexpr std::size_t tiles_at_ends = 3;  // of a CTA, whose time is not that of those between

std::shared_ptr<const sim::Plan> shared_plan(const sim::Scenario& scenario) {
  return std::make_shared<const sim::Plan>(sim::make_plan(scenario));
}

std::shared_ptr<const sim::AttentionInputs> rounded_to(sim::Dtype dtype, const sim::AttentionInputs& inputs) {
  auto rounded = std::make_shared<sim::AttentionInputs>(inputs);
  for (std::vector<float>* values : {&rounded->q, &rounded->k, &rounded->v}) sim::round_all(dtype, *values);
  return rounded;
}

/// Cycles from one tile of a role to the next, on average over those in the middle.
double cycles_of_tile(const RoleTrace& roles) {
  for (const RoleLane& lane : roles.lanes()) {
    const std::size_t tiles = lane.tiles.size();
    if (!lane.computes || tiles < 2 * tiles_at_ends + 2) continue;
    const std::size_t first = tiles_at_ends, last = tiles - 1 - tiles_at_ends;
    const sim::Cycles passed = lane.tiles[last].issued - lane.tiles[first].issued;
    return static_cast<double>(passed.count()) / static_cast<double>(sim::ticks_per_cycle) /
           static_cast<double>(last - first);
  }
  return 0;
}

NarrowRun run_of(const sim::Plan& plan, const sim::Launch& launch, const RoleTrace& roles) {
  const sim::SmRates rates = sim::rates_of(plan, launch, roles.trace());
  NarrowRun run{plan.problem.dtype, plan.problem.tiling, &roles};
  std::int64_t flops = 0, exps = 0;
  for (const RoleLane& lane : roles.lanes()) {
    if (lane.tiles.empty()) continue;
    const ScoreTile& tile = lane.tiles[lane.tiles.size() / 2];
    const auto event = [&](std::int32_t n) { return n < 0 ? sim::Event{} : roles.event(n); };
    flops += event(tile.scores).matmul_flops + event(tile.read).matmul_flops;
    exps += event(tile.weights).exps;
  }
  run.products = static_cast<double>(flops) * rates.per_wgmma_flop;
  run.exps = static_cast<double>(exps) * rates.per_exp;
  run.tile = cycles_of_tile(roles);
  return run;
}

}  // namespace

NarrowInputs::NarrowInputs(const sim::Scenario& head) : plan_(shared_plan(head)) {
  const sim::Shape& shape = problem().shape;
  sizes_ = {shape.seqlen_q * shape.head_dim, shape.seqlen_k * shape.head_dim, shape.seqlen_k * shape.value_dim()};
}

std::vector<float>& NarrowInputs::now() { return tensor_ == 0 ? drawn_.q : tensor_ == 1 ? drawn_.k : drawn_.v; }

double NarrowInputs::share() const {
  const std::size_t drawn = drawn_.q.size() + drawn_.k.size() + drawn_.v.size();
  return ready() ? 1 : static_cast<double>(drawn) / static_cast<double>(sizes_[0] + sizes_[1] + sizes_[2]);
}

bool NarrowInputs::advance() {
  const std::int64_t begin = std::ssize(now()), end = std::min(sizes_[tensor_], begin + drawn_at_once);
  const std::vector<float> values = sim::input_elements(head(), {begin, end}, static_cast<sim::DrawnTensor>(tensor_));
  now().insert(now().end(), values.begin(), values.end());
  if (end < sizes_[tensor_]) return true;
  if (tensor_ == 0) {
    const auto smaller = [](float a, float b) { return std::abs(a) < std::abs(b); };
    const std::int64_t at = std::max_element(drawn_.q.begin(), drawn_.q.end(), smaller) - drawn_.q.begin();
    largest_tile_ = at / problem().shape.head_dim / problem().tiling.br;
  }
  if (++tensor_ < sizes_.size()) return true;
  inputs_ = std::make_shared<const sim::AttentionInputs>(std::move(drawn_));
  return false;
}

NarrowTile::NarrowTile(const sim::Scenario& head, const std::shared_ptr<const sim::AttentionInputs>& inputs,
                       std::int64_t row, sim::Fp8Scales scales) {
  const bool rotates = sim::is_power_of_two(head.shape.head_dim);
  for (int rotated = 0; rotated <= (rotates ? 1 : 0); ++rotated)
    tiles_.push_back(
        std::make_unique<sim::QuantisedTile>(shared_plan(sim::quantised_as(head, scales, rotated == 1)), inputs, row));
}

bool NarrowTile::advance() {
  bool more = false;
  for (const auto& tile : tiles_) more = tile->add_scores() || more;
  done_ = !more;
  return more;
}

NarrowErrors::NarrowErrors(const sim::Scenario& head, const std::shared_ptr<const sim::AttentionInputs>& inputs,
                           std::int64_t row)
    : head_(head), plan_(shared_plan(head)), inputs_(inputs) {
  const sim::Shape& shape = plan_->problem.shape;
  queries_ = sim::Blocking{shape.seqlen_q, plan_->problem.tiling.br}.elements(row);
  for (const sim::PublishedError& published : sim::published_errors) {
    if (!published.rotated || sim::is_power_of_two(shape.head_dim)) all_.push_back({published, {}});
  }
}

double NarrowErrors::error_of(const sim::Scenario& scenario,
                              const std::shared_ptr<const sim::AttentionInputs>& inputs) const {
  return sim::errors_of_rows(sim::make_plan(scenario), inputs, queries_, exact_).root_mean();
}

bool NarrowErrors::advance() {
  const std::int64_t row = queries_.begin + std::ssize(exact_) / plan_->problem.shape.value_dim();
  if (row < queries_.end) {
    const std::vector<double> rows =
        sim::exact_rows(*plan_, *inputs_, {row, std::min(queries_.end, row + exact_rows_at_once)});
    exact_.insert(exact_.end(), rows.begin(), rows.end());
    return true;
  }
  if (next_ < all_.size()) {
    OutputError& error = all_[next_++];
    error.value = error_of(sim::quantised_as(head_, error.published.scales, error.published.rotated), inputs_);
    return true;
  }
  try {
    in_fp16_ = error_of(sim::in_fp16(head_), rounded_to(sim::Dtype::fp16, *inputs_));
  } catch (const sim::Error&) {  // the tiles that were set do not fit in fp16
  }
  return false;
}

void NarrowLanes::replay(const sim::Plan& plan, Lane& lane) {
  const sim::Launch& launch = plan.launches.front();
  sim::CtaPlace place;
  place.row = sim::ceil_div(plan.problem.shape.seqlen_q, plan.problem.tiling.br) - 1;
  lane.trace = sim::scheduled_replay(plan, launch, place);
  lane.roles = RoleTrace(lane.trace);
  lane.run = run_of(plan, launch, lane.roles);
}

bool NarrowLanes::advance() {
  const sim::Plan& plan = run_->simulation.plan;
  if (narrow() == nullptr) return replay(plan, narrow_), true;
  try {
    replay(sim::make_plan(sim::in_fp16(plan.scenario)), wide_);
  } catch (const sim::Error& error) {
    error_ = error.sentence();
  }
  return false;
}

std::int64_t NarrowLanes::transposed_bytes() const {
  std::int64_t most = 0;  // of a whole tile
  for (const sim::Event& event : narrow_.trace.events) {
    if (event.verb == sim::Verb::transpose) most = std::max(most, event.smem_bytes);
  }
  return most;
}

NarrowNumbers narrow_numbers(const State& state, const World& world, std::size_t subject) {
  const Subject& of = world.subject(subject);
  const sim::Scenario head = sim::one_head_of(of.scenario());
  const sim::Shape& shape = head.shape;
  const sim::Tiling& tiling = of.problem().tiling;
  const std::tuple key(shape.seqlen_q, shape.seqlen_k, shape.head_dims().qk, shape.head_dims().v, shape.mask.causal,
                       head.inputs, head.seed, tiling.br, tiling.bc);
  NarrowNumbers numbers{world.tasks.get_for<NarrowInputs>(subject, key, head)};
  if (!numbers.inputs.ready()) return numbers;
  numbers.row = std::min<std::int64_t>(state.look.q_tile, numbers.inputs.tiles() - 1);
  if (numbers.row < 0) numbers.row = numbers.inputs.largest_tile();
  const auto inputs = numbers.inputs.inputs();
  const sim::Scenario& drawn = numbers.inputs.head();
  const sim::Fp8Scales scales = sim::fp8_scales(of.problem());
  numbers.tile = &world.tasks.get_for<NarrowTile>(subject, std::tuple(inputs, numbers.row, scales), drawn, inputs,
                                                  numbers.row, scales);
  numbers.errors =
      &world.tasks.get_for<NarrowErrors>(subject, std::tuple(inputs, numbers.row), drawn, inputs, numbers.row);
  return numbers;
}

const NarrowLanes& narrow_lanes(const World& world, std::size_t subject) {
  return world.tasks.get<NarrowLanes>(subject, world.subject(subject).run);
}

std::string narrow_sentence(Language language, const NarrowNumbers& numbers) {
  if (numbers.tile == nullptr || !numbers.tile->done())
    return std::string(words::say(language, /*say*/ "The inputs are drawn …"));
  const sim::QuantisedTile& before = numbers.tile->before();
  const sim::QuantisedTile* const rotated = numbers.tile->rotated();
  if (rotated == nullptr)
    return words::say_with(language, /*say*/ "No rotation has {} columns: a Hadamard matrix has a power of two.",
                           numbers.inputs.problem().shape.head_dim);
  const double gain = before.scores().largest / rotated->scores().largest;
  if (numbers.inputs.head().inputs != sim::InputRule::outliers)
    return std::string(words::say(
        language, /*say*/ "These inputs have no outliers: a rotation has no spike to spread. Choose outliers above."));
  if (gain < 1.1)
    return std::string(words::say(language, /*say*/ "In this tile no spike of Q meets one of K: its errors stay."));
  return words::say_with(
      language,
      /*say*/
      "e4m3 is a floating-point type: small values are rounded finely beside large ones. The mean stays; the few "
      "large errors, a spike of Q on a spike of K, become {:.1f} times smaller.",
      gain);
}

bool in_numbers(const Model& model) {
  const Look& look = model.state.look;
  return look.center == Center::numbers && fills_window(look, false) && model.world.has_run() &&
         has_narrow(model.world.subject(0));
}

Edits next_tile_of_q(const Model& model, int direction) {
  const NarrowNumbers numbers = narrow_numbers(model.state, model.world);
  if (numbers.tile == nullptr) return {};
  const std::int64_t next = std::clamp<std::int64_t>(numbers.row + direction, 0, numbers.inputs.tiles() - 1);
  return {SetLook{"q-tile", sim::text(next)}};
}

}  // namespace explorer

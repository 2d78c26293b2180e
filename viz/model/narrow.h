// The view "numbers" of a run in e4m3, from one head of it alone (sim/model/quantised_head.h): a tile of Q before and
// after a rotation, errors of O by scales and rotation, and one CTA next to that of the same run in fp16.
#pragma once
#include <optional>

#include "sim/model/quantised_head.h"
#include "viz/model/model.h"
#include "viz/model/roles/role_trace.h"
#include "viz/words/language.h"

namespace explorer {

/// Inputs of the head, drawn in slices, with the tile of Q that has the largest value.
class NarrowInputs final : public Task {
 public:
  explicit NarrowInputs(const sim::Scenario& head);
  bool advance() override;
  bool ready() const { return inputs_ != nullptr; }
  double share() const;

  const sim::Scenario& head() const { return plan_->scenario; }
  const sim::Problem& problem() const { return plan_->problem; }
  std::int64_t tiles() const { return sim::ceil_div(problem().shape.seqlen_q, problem().tiling.br); }
  std::int64_t largest_tile() const { return largest_tile_; }
  std::shared_ptr<const sim::AttentionInputs> inputs() const { return inputs_; }

 private:
  std::vector<float>& now();
  std::shared_ptr<const sim::Plan> plan_;
  std::array<std::int64_t, 3> sizes_{};  ///< elements of Q, K and V
  sim::AttentionInputs drawn_;
  std::size_t tensor_ = 0;
  std::int64_t largest_tile_ = 0;
  std::shared_ptr<const sim::AttentionInputs> inputs_;
};

/// A tile of Q, as it is and rotated; scores are added in slices.
class NarrowTile final : public Task {
 public:
  NarrowTile(const sim::Scenario& head, const std::shared_ptr<const sim::AttentionInputs>& inputs, std::int64_t row,
             sim::Fp8Scales scales);
  bool advance() override;
  bool done() const { return done_; }
  const sim::QuantisedTile& before() const { return *tiles_.front(); }
  /// Null if no rotation has its d.
  const sim::QuantisedTile* rotated() const { return tiles_.size() > 1 ? tiles_.back().get() : nullptr; }

 private:
  std::vector<std::unique_ptr<sim::QuantisedTile>> tiles_;
  bool done_ = false;
};

/// Root mean square error of O in the rows of a tile, by the program.
struct OutputError {
  sim::PublishedError published;
  std::optional<double> value;  ///< none until it is computed
};
class NarrowErrors final : public Task {
 public:
  NarrowErrors(const sim::Scenario& head, const std::shared_ptr<const sim::AttentionInputs>& inputs, std::int64_t row);
  bool advance() override;
  const std::vector<OutputError>& all() const { return all_; }
  std::optional<double> in_fp16() const { return in_fp16_; }
  sim::Interval queries() const { return queries_; }

 private:
  double error_of(const sim::Scenario& scenario, const std::shared_ptr<const sim::AttentionInputs>& inputs) const;
  sim::Scenario head_;
  std::shared_ptr<const sim::Plan> plan_;
  std::shared_ptr<const sim::AttentionInputs> inputs_;
  sim::Interval queries_;
  std::vector<double> exact_;  ///< O of the rows so far
  std::vector<OutputError> all_;
  std::size_t next_ = 0;
  std::optional<double> in_fp16_;
};

/// One CTA in a type, in cycles of its tiles.
struct NarrowRun {
  sim::Dtype dtype{};
  sim::Tiling tiling;
  const RoleTrace* roles = nullptr;
  double products = 0, exps = 0;  ///< cycles of the pipes for a tile
  double tile = 0;                ///< cycles from a tile to the next, in the middle of the CTA; 0: too few tiles
  double per_key() const { return tile / static_cast<double>(tiling.bc); }
  double peak() const { return tile > 0 ? products / tile : 0; }
};
/// The CTA of the last row block, which no causal mask makes shorter, and that of the same run in fp16.
class NarrowLanes final : public Task {
 public:
  explicit NarrowLanes(std::shared_ptr<const Run> run) : run_(std::move(run)) {}
  bool advance() override;
  const NarrowRun* narrow() const { return of(narrow_); }  ///< null until it is replayed
  const NarrowRun* wide() const { return of(wide_); }
  const sim::Sentence& error() const { return error_; }  ///< why there is none in fp16
  std::int64_t capacity() const { return run_->simulation.plan.capacity.smem.count(); }
  /// Bytes that the transposition of a tile of V moves through shared memory.
  std::int64_t transposed_bytes() const;

 private:
  struct Lane {
    sim::Trace trace;
    RoleTrace roles;
    NarrowRun run;
  };
  static const NarrowRun* of(const Lane& lane) { return lane.roles.empty() ? nullptr : &lane.run; }
  static void replay(const sim::Plan& plan, Lane& lane);
  std::shared_ptr<const Run> run_;
  Lane narrow_, wide_;
  sim::Sentence error_;
};

/// True if Q, K and V of a run are in e4m3.
inline bool has_narrow(const Subject& subject) { return subject.problem().fp8(); }
/// What is computed of the run, in this order; null as long as what it needs is not there.
struct NarrowNumbers {
  const NarrowInputs& inputs;
  std::int64_t row = 0;
  const NarrowTile* tile = nullptr;
  const NarrowErrors* errors = nullptr;
};
NarrowNumbers narrow_numbers(const State& state, const World& world, std::size_t subject = 0);
const NarrowLanes& narrow_lanes(const World& world, std::size_t subject = 0);

/// Key at a place of V transposed: a thread's scores are in the registers where wgmma reads P in 8 bits, two keys of
/// its first eight, then two of the next: 0 1 8 9 2 3 10 11 ...
constexpr std::int64_t key_of_transposed(std::int64_t place) {
  const std::int64_t of16 = place % 16;
  return place / 16 * 16 + of16 / 4 * 2 + of16 % 2 + (of16 % 4 < 2 ? 0 : 8);
}

/// What rotation changes in the tile, in a sentence.
std::string narrow_sentence(Language language, const NarrowNumbers& numbers);

/// True if the view of numbers fills the window: keys then choose the tile of Q.
bool in_numbers(const Model& model);
Edits next_tile_of_q(const Model& model, int direction);

}  // namespace explorer

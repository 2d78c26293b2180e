// Roles of a scheduled replay over time: what each works on and waits for, which arrival ends a wait, and what is in
// the stages of the rings. Plain data, built once from a Trace with roles; empty for others.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sim/trace/trace.h"

namespace explorer {

/// Activity of a role in a span: work and waits follow one another; copies and products run at the same time.
enum class RoleDoes { work, wait, copy, product };

/// An interval of one role.
struct RoleSpan {
  RoleDoes does = RoleDoes::work;
  std::int32_t event = -1;   ///< event that runs, or that waits
  sim::Cycles issued;        ///< copy or product: time when its role reached it; else `begin`
  sim::Cycles begin, end;    ///< copy: its transfer at the port; product: from its first instruction
  sim::Cycles ready;         ///< copy: its bytes count at the barrier; else `end`
  sim::Cause cause{};        ///< cause of a wait; slowest pipe of work
  std::int64_t block = -1;   ///< its block of keys; of queries for a copy of Q, and in a backward pass; -1: none
  char letter = 0;           ///< the tensor that gives it a colour; 0: a statistic or none
  bool is_products = false;  ///< a wait for products of the role itself
};

/// A tile of scores in the registers of a role: S, which turns into P, which its product with V reads; in a backward
/// pass with dO, and dP beside it, which turns into dS.
struct ScoreTile {
  std::int64_t block = -1;
  std::int32_t scores = -1, weights = -1, read = -1;  ///< events: product S, exp, product with P; -1: none
  sim::Cycles issued, scores_end;                     ///< times of the product that computes S
  sim::Cycles softmax;                                ///< start of softmax
  sim::Cycles kept;                                   ///< P is in its registers: the previous P is read
  sim::Cycles end;                                    ///< P is read
};

/// One role of the CTA.
struct RoleLane {
  std::string name;            ///< "consumer 1"
  std::string badge;           ///< "P", "W", "1", "2"
  bool computes = false;       ///< true if it has products
  std::int64_t registers = 0;  ///< per thread
  std::int64_t threads = 0;
  std::vector<RoleSpan> doing;     ///< work and waits: from 0 to `end`, without a gap
  std::vector<RoleSpan> products;  ///< by begin
  std::vector<RoleSpan> copies;    ///< by begin
  std::vector<ScoreTile> tiles;    ///< by `issued`
  sim::Cycles end;                 ///< end of its last event
};

/// An arrival at a phase of a barrier.
struct RoleArrival {
  std::int32_t event = -1;  ///< an arrive or a copy
  std::uint8_t role = 0;
  sim::Cycles issued;  ///< for a copy, the end of its transfer
  sim::Cycles effect;  ///< later than `issued` for a copy, and for an arrival after products
};

/// A role that waited for a phase, even if not for a moment.
struct RoleAwaits {
  std::int32_t event = -1;
  std::uint8_t role = 0;
  sim::Cycles begin, end;
};

/// One phase of a barrier: an arrow of the view goes from its last arrival to its first waiter.
struct RolePhase {
  std::int16_t barrier = -1;  ///< index in Trace::barriers
  std::int32_t number = 0;
  std::vector<RoleArrival> arrivals;  ///< by effect; the last one ends the phase
  std::vector<RoleAwaits> waits;      ///< by end
  bool over = false;                  ///< all arrivals are there when the CTA ends

  /// Returns the time at which the last arrival took effect; 0 without arrivals.
  sim::Cycles end() const { return arrivals.empty() ? sim::Cycles{} : arrivals.back().effect; }
};

/// A tile in a stage of a ring: it fills from `begin` to `full` and is read from `read` to `released`.
struct StageFilling {
  std::int32_t copy = -1;   ///< the event that loads or writes it
  std::int64_t block = -1;  ///< block of keys; of queries for Q
  std::int64_t bytes = 0;   ///< bytes of the whole box, which its barrier expects
  std::int32_t phase = 0;   ///< phase of the stage's barriers
  sim::Cycles issued, begin, full;
  sim::Cycles read;                  ///< the first product that reads it begins; `full` if none does
  std::uint8_t reader = 0;           ///< the role of that product
  sim::Cycles released;              ///< the last reader releases it
  std::vector<RoleArrival> readers;  ///< releases by their effect; empty if no role releases it

  /// Share of its bytes that have arrived, 0 to 1, as if they arrived evenly.
  double share(sim::Cycles time) const;
};

/// A buffer in shared memory that is filled again and again: "K 0"; or "dQ 1", by consumer 1; or "dS 0", by all.
struct RingStage {
  sim::Tensor tensor{};
  std::string name;
  std::int64_t bytes = 0;
  std::int16_t full = -1, empty = -1;  ///< barriers
  std::vector<StageFilling> fillings;  ///< by begin
};

/// Indices over the roles of a trace, which outlives it.
class RoleTrace {
 public:
  RoleTrace() = default;
  explicit RoleTrace(const sim::Trace& trace);  ///< O(events log events)

  bool empty() const { return lanes_.empty(); }
  /// True for the CTA of a backward pass: it owns a block of keys, and visits blocks of queries.
  bool is_backward() const { return backward_; }
  sim::Cycles end() const { return end_; }
  const sim::Trace& trace() const { return *trace_; }
  const sim::Event& event(std::int32_t n) const { return trace_->events[static_cast<std::size_t>(n)]; }
  const std::vector<RoleLane>& lanes() const { return lanes_; }
  /// Phases by barrier, then by number.
  const std::vector<std::vector<RolePhase>>& phases() const { return phases_; }
  const std::vector<RingStage>& stages() const { return stages_; }
  /// Blocks of keys in the order in which they are visited; of queries, of each query head, in a backward pass.
  const std::vector<std::int64_t>& blocks() const { return blocks_; }

  /// The phase that an event waits for or arrives at; null: none, or one that was over before the CTA began.
  const RolePhase* phase_of(std::int32_t event) const;
  /// Time when its role reached an event.
  sim::Cycles issued(std::int32_t event) const { return issued_[static_cast<std::size_t>(event)]; }
  /// Returns the span of a role at a time; null after its end.
  const RoleSpan* at(std::size_t role, sim::Cycles time) const;
  /// The number of tiles whose scores have begun, at the role that is furthest.
  std::size_t tile_at(sim::Cycles time) const;
  /// Times at which any role, or one of them, begins something; ascending and unique, with 0 and the end.
  const std::vector<sim::Cycles>& stops(std::optional<std::size_t> role = {}) const;

 private:
  void make_lanes();
  void make_tiles(RoleLane& lane) const;
  void make_phases();
  std::int32_t filling_of(const RolePhase& phase) const;
  void make_stages();
  void make_met_stages();
  void add_reads_of_all(const RoleLane& lane, sim::Tensor tensor, const std::vector<RolePhase>& phases,
                        std::vector<StageFilling>& fillings) const;
  void add_reads();
  void make_stops();
  RolePhase& phase_at(std::int16_t barrier, std::int32_t number);

  const sim::Trace* trace_ = nullptr;
  bool backward_ = false;
  sim::Cycles end_;
  std::vector<RoleLane> lanes_;
  std::vector<std::vector<RolePhase>> phases_;
  std::vector<RingStage> stages_;
  std::vector<std::int64_t> blocks_;
  std::vector<sim::Cycles> issued_;
  std::vector<sim::Cycles> effect_;              // effects of arrivals
  std::vector<std::vector<sim::Cycles>> stops_;  // stops of all roles, then of each
};

/// The spans of a sorted vector that overlap [from, to), as a range of indices. O(log spans).
std::pair<std::size_t, std::size_t> spans_within(const std::vector<RoleSpan>& spans, sim::Cycles from, sim::Cycles to);

}  // namespace explorer

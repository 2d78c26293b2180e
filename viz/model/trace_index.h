// Time index of a replayed CTA: finds the events at any time by binary search. Plain data, built once.
#pragma once
#include <optional>
#include <vector>

#include "sim/model/tile_visits.h"

namespace explorer {

/// Events of one engine, in the order of time; they do not overlap. In a trace with roles: events of one role on its
/// copies, its products, its warps (Engine::fp32: all that they do themselves, one after the other) or its stores.
struct Lane {
  sim::Engine engine;
  std::vector<std::int32_t> events;
  std::uint8_t role = 0;
};

using Visit = sim::TileVisit;

class TraceIndex {
 public:
  TraceIndex() = default;
  explicit TraceIndex(const sim::Trace& trace);

  sim::Cycles end() const { return end_; }
  const std::vector<Lane>& lanes() const { return lanes_; }
  const std::vector<Visit>& visits() const { return visits_; }

  /// The event of a lane at a time, or -1 if the engine is idle. O(log events).
  std::int32_t at(const Lane& lane, sim::Cycles time) const;
  /// The events of a lane that overlap [from, to), as a range of indices into Lane::events. O(log events).
  std::pair<std::size_t, std::size_t> within(const Lane& lane, sim::Cycles from, sim::Cycles to) const;
  /// The start or end of an event nearest to a time, or an end of the CTA. O(lanes log events).
  sim::Cycles nearest_edge(sim::Cycles time) const;
  /// The lane of an event, or where its wait is drawn, as an index; -1 if there is none.
  std::int32_t lane_of(const sim::Event& event) const;
  /// The wait at a time, as an index into Trace::waits, or -1. With roles: -1 if one of them computes.
  std::int32_t wait_at(sim::Cycles time) const;
  /// The wait of a role at a time, or -1.
  std::int32_t wait_at(sim::Cycles time, std::uint8_t role) const;
  /// The newest visit that has begun, or -1. O(log visits).
  std::int32_t visit_at(sim::Cycles time) const;
  /// The event that computes at a time, or else the next one to compute: its line is the current one. With roles: the
  /// newest one that computes.
  std::int32_t current(sim::Cycles time) const;
  /// As above, for one role.
  std::int32_t current(sim::Cycles time, std::uint8_t role) const;
  std::size_t roles() const { return by_role_.size(); }  ///< 1 if all warps do the same

  /// The times at which units of a kind begin, ascending and unique: the stops of stepwise playback.
  enum class Unit { event, line, tile, row_block };
  const std::vector<sim::Cycles>& stops(Unit unit) const { return stops_[static_cast<std::size_t>(unit)]; }

 private:
  void make_lanes();
  void make_roles();
  bool runs(std::int32_t event, sim::Cycles time) const;
  void make_stops();

  const sim::Trace* trace_ = nullptr;
  sim::Cycles end_;
  std::vector<Lane> lanes_;
  struct OfRole {
    std::vector<std::int32_t> computing;  // events of all engines except the copies, by start
    std::vector<std::int32_t> waits;      // indices into Trace::waits, in the order of time
  };
  std::vector<std::int32_t> computing_;  // events of all roles
  std::vector<OfRole> by_role_;
  std::vector<Visit> visits_;
  std::array<std::vector<sim::Cycles>, 4> stops_;
};

}  // namespace explorer

// The record of a run: plain data. Stepping, stepping back and scrubbing move a cursor over its events.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/trace/counted_loop.h"
#include "sim/trace/event.h"
#include "sim/trace/sink.h"

namespace sim {

/// A tile's values as one event left them, row-major (rows, cols).
struct TileValues {
  std::int64_t rows = 0, cols = 0;
  std::vector<float> values;
};

/// Bytes that one CTA holds on chip after `events` of its events were issued: one tile more or fewer than before.
struct OccupancySample {
  std::int64_t events = 0;
  Bytes smem, registers;
};

/// Subject of a barrier: a ring's stage is full, it is empty, or a warpgroup has its turn.
enum class BarrierKind : std::uint8_t { full, empty, turn };
std::string_view name_of(BarrierKind kind);

/// A barrier of a CTA: a phase is over when `arrivals` have arrived.
struct TraceBarrier {
  std::string name;  ///< "K 0"
  BarrierKind kind = BarrierKind::full;
  int arrivals = 1;
};

/// Warps of a CTA with a role of their own: a warpgroup, or fewer.
struct TraceRole {
  std::string name;              ///< "producer"
  std::int64_t registers = 0;    ///< per thread
  Bytes held;                    ///< maximum that its tiles take at a time, over all threads
  std::int64_t threads = 128;    ///< 32 for each of its warps
  Bytes register_bytes() const;  ///< registers of all its threads
};

/// The events of one kernel. Counted: every event stands for `times` executions over the whole grid. Replayed: one CTA,
/// every iteration, times = 1.
struct Trace {
  std::string kernel;
  std::string listing;  ///< the embedded source file that Event::line refers to
  std::vector<Event> events;
  std::vector<CountedLoop> loops;      ///< loops of a counted run, each once
  std::vector<TraceBarrier> barriers;  ///< barriers of a warp-specialised program
  std::vector<TraceRole> roles;        ///< roles of its CTAs; empty: all warps of a CTA do the same
  std::vector<TileValues> values;
  std::vector<WaitSpan> waits;             ///< waits of a scheduled replay, in the order of time
  std::vector<Delay> delays;               ///< delays of a scheduled replay, in the order of events
  std::vector<OccupancySample> occupancy;  ///< every allocation and release of a tile in a replay, in program order
  Bytes peak_smem;                         ///< maximum bytes of shared memory that one CTA held at a time
  Bytes peak_registers;                    ///< maximum bytes of register tiles that one CTA held at a time
};

/// Bytes that crossed the SRAM boundary in each direction.
struct Traffic {
  Bytes read, written;
  Bytes total() const { return read + written; }
  Traffic& operator+=(const Traffic& other);
  friend bool operator==(const Traffic&, const Traffic&) = default;
};

/// Sums over traces. total = sum over buckets = sum over tensors = sum over lines.
struct Totals {
  std::array<Traffic, 3> by_bucket;
  std::map<Tensor, Traffic> by_tensor;
  std::map<std::pair<std::string, int>, Traffic> by_line;  ///< (kernel, line)
  Traffic total;
  Bytes atomic;  ///< bytes added to HBM by reductions; the total counts them as read and written
  Flops matmul_flops, other_flops;
  Exps exps, tanhs;
  const Traffic& bucket(Bucket b) const { return by_bucket[static_cast<std::size_t>(b)]; }
  Traffic tensor(Tensor t) const;  ///< zero if the program never moved it
  friend bool operator==(const Totals&, const Totals&) = default;
};

/// Bytes that one event moved over all its executions.
Traffic traffic_of(const Event& event);

/// Adds the events of a trace to totals. Cost: O(events).
void add_to(Totals& totals, const Trace& trace);

/// Returns the canonical text of a trace, one event a line: line, verb, tensor, tile, bytes, FLOPs, exps, times,
/// operands, begin and end in 1/256 cycle; then, of a schedule, one wait or one delay a line: event, cause, time.
/// Integers and names only, so every compiler gives identical bytes.
std::string to_text(const Trace& trace);

/// Writes the text of to_text() in pieces.
void write_text(const Trace& trace, const Sink& sink);

}  // namespace sim

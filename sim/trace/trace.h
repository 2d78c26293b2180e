// What a run leaves behind: plain data. Stepping, stepping back and scrubbing are a cursor over its events.
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

/// What one CTA holds on chip after `events` of its events were issued: one more or one less tile than before.
struct OccupancySample {
  std::int64_t events = 0;
  Bytes smem, registers;
};

/// Barriers of a stage of a ring (it is full, it may be filled again), and of a warpgroup whose turn it is.
enum class BarrierKind : std::uint8_t { full, empty, turn };
std::string_view name_of(BarrierKind kind);

/// A barrier of a CTA: a phase is over when `arrivals` have arrived.
struct TraceBarrier {
  std::string name;  ///< "K 0"
  BarrierKind kind = BarrierKind::full;
  int arrivals = 1;
};

/// A warpgroup of a CTA with a part of its own.
struct TraceRole {
  std::string name;            ///< "producer"
  std::int64_t registers = 0;  ///< of a thread
  Bytes held;                  ///< the most that its tiles take of them at a time, of all threads
};

/// The events of one kernel. Counted: every event stands for `times` executions over the whole grid. Replayed: one CTA,
/// every iteration, times = 1.
struct Trace {
  std::string kernel;
  std::string listing;  ///< the embedded source file that Event::line refers to
  std::vector<Event> events;
  std::vector<CountedLoop> loops;      ///< of a counted run, each once
  std::vector<TraceBarrier> barriers;  ///< of a warp-specialised program
  std::vector<TraceRole> roles;        ///< likewise; empty: all warps of a CTA do the same
  std::vector<TileValues> values;
  std::vector<WaitSpan> waits;             ///< of a scheduled replay, in the order of time
  std::vector<Delay> delays;               ///< of a scheduled replay, in the order of events
  std::vector<OccupancySample> occupancy;  ///< every taking and giving back of a tile in a replay, in program order
  Bytes peak_smem;                         ///< most bytes of shared memory that one CTA held at a time
  Bytes peak_registers;                    ///< most bytes of register tiles that one CTA held at a time
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
  Exps exps;
  const Traffic& bucket(Bucket b) const { return by_bucket[static_cast<std::size_t>(b)]; }
  Traffic tensor(Tensor t) const;  ///< zero when the program never moved it
  friend bool operator==(const Totals&, const Totals&) = default;
};

/// Bytes that one event moved over all its executions.
Traffic traffic_of(const Event& event);

/// Adds the events of a trace to totals. Cost: O(events).
void add_to(Totals& totals, const Trace& trace);

/// The canonical text of a trace, one event a line: line, verb, tensor, tile, bytes, FLOPs, exps, times, operands,
/// begin and end in 1/256 cycle; then, of a schedule, one wait and one delay a line: event, cause, time. Integers and
/// names only, so that it is the same byte for byte on every compiler.
std::string to_text(const Trace& trace);

/// The same in pieces.
void write_text(const Trace& trace, const Sink& sink);

}  // namespace sim

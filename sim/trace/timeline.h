// A sequence of kernels on a time axis, as trace viewers draw it: tracks with slices, and counters. Plain data, and one
// walk over it that every exporter for a viewer shares, so that all files show the same.
//
// One CTA of each kernel is drawn, one after the other: a kernel starts when the CTA before it has ended.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/trace.h"

namespace sim {

/// One kernel: the trace of the CTA that was replayed, and what to say of the kernel.
struct TimelineKernel {
  Trace trace;
  std::string place;                         ///< of the CTA: "CTA: batch 0, head 3, row block 7, column block 0"
  std::int64_t ctas = 1;                     ///< in the grid
  Bytes live_hbm;                            ///< of all tensors that exist while the kernel runs
  std::map<std::int32_t, std::string> code;  ///< the listing lines that its events name
};

struct Timeline {
  std::string title;
  std::int64_t clock_hz = 0;
  std::vector<TimelineKernel> kernels;
};

/// Whole nanoseconds, rounded down: what comes later never comes out earlier, and so slices stay in order and nested.
/// Throws Error for a clock outside 1 Hz to 10 GHz.
std::int64_t nanoseconds(Cycles time, std::int64_t clock_hz);

/// When the last event of a replayed CTA has ended, since the CTA started.
Cycles end_of(const Trace& trace);

/// A property of a slice. A word comes again and again (the name of a tensor); a text hardly ever does.
struct Argument {
  enum class Kind : std::uint8_t { number, word, text };
  std::string_view name;
  Kind kind = Kind::number;
  std::int64_t number = 0;
  std::string_view text;
};

/// Processes group tracks: 1 the sequence of kernels, 2 the first kernel, 3 the second.
struct Track {
  enum class Kind : std::uint8_t { process, slices, byte_counter };
  Kind kind = Kind::process;
  int process = 1;
  int number = 0;  ///< within its process, below 100; 0 for the process itself
  std::string name;
  std::int64_t id() const { return std::int64_t{process} * 100 + number; }  ///< unique, not 0
};

/// Something that lasts, in nanoseconds. Slices of one track come in order and do not overlap.
struct Slice {
  const Track& track;
  std::int64_t begin = 0, end = 0;
  std::string_view category, name;
  std::span<const Argument> arguments;
};

/// The value of a counter from a time in nanoseconds on.
struct CounterSample {
  const Track& track;
  std::int64_t at = 0;
  std::int64_t bytes = 0;
};

/// An exporter. A track comes before what lies on it; what lies on one track comes in the order of time.
class TimelineWriter {
 public:
  virtual ~TimelineWriter() = default;
  virtual void track(const Track& track) = 0;
  virtual void slice(const Slice& slice) = 0;
  virtual void sample(const CounterSample& sample) = 0;
};

/// Shows a timeline to an exporter. Process "kernels": one slice per kernel, and the counter "HBM memory". One process
/// per kernel: a track for each engine that it uses, with a slice [begin, released) for each event (what follows until
/// the result is ready is the argument latency_ns); of a schedule the track "waits", a slice for each wait, named by
/// its cause; and counters "SMEM" and "registers". A change of the counters happens at the largest begin of the events
/// issued before it. O(events log events).
void walk(const Timeline& timeline, TimelineWriter& writer);

}  // namespace sim

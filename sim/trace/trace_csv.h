// The events of a timeline as a table for spreadsheets and data frames.
#pragma once
#include "sim/trace/sink.h"
#include "sim/trace/timeline.h"

namespace sim {

/// Writes a header row with units in the column names, and per kernel one row per event in the order of issue, then one
/// per wait in the order of time: the event that waits, with verb "wait" and no work. `cause` is the pipe that limits
/// the work, or the cause of the wait; `busy_cycles` is the part of the time that neighbours on the SM took. `barrier`
/// and `phase` are those of a role's wait or arrival, or of its copy. Fields with commas or quotes are quoted
/// (RFC 4180), lines end in "\n". Cycles count from the start of the CTA and are exact. Bytes, FLOPs and exps are those
/// of one execution. Cost: O(events).
void write_trace_csv(const Timeline& timeline, const Sink& sink);

}  // namespace sim

// Rates that a measured time reaches, as text.
#pragma once
#include "sim/model/measured.h"
#include "sim/report/numbers.h"

namespace report {

/// Returns "846.0 TFLOP/s", "3.35 TB/s", "4.2 T/s": a rate in the bound's unit.
inline std::string rate(const sim::ReachedBound& bound, double per_second) {
  if (bound.unit == "FLOP/s") return flop_rate(per_second);
  return bound.unit == "B/s" ? byte_rate(per_second) : count_rate(per_second);
}

/// Returns the share of its peak that a bound reaches, "85.5 %"; a share of an impossible time has no meaning above it.
inline std::string share(const sim::ReachedBound& bound, bool impossible) {
  return impossible && bound.percent() > 100 ? "> 100 %" : percent(bound.percent() / 100);
}

}  // namespace report

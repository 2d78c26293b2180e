// How long values take to compute: an estimate from counted work, so that long work says so and what never ends is
// refused.
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "sim/model/simulation.h"

namespace report {

/// Seconds of one core for the values of a run and their check: FLOPs of matrix products over 8 GFLOP/s, and 8 ns for
/// each exponential and each other FLOP, programs and reference together. Measured on a core of a server, N 4,096 and
/// 8,192, d 8 to 128, all passes: within a factor of 2. It depends on the scenario alone, not on the machine.
double value_seconds(const sim::Simulation& s);

/// What is allowed: an hour.
inline constexpr double longest_values = 3600;

/// From here on work says beforehand how long it takes.
inline constexpr double long_values = 10;

/// Whether a command can do without values.
enum class Values : std::uint8_t { may_be_left_out, are_needed };

/// Throws sim::Error where the values of these runs, or of `part` of their heads, take longer than is allowed. Returns
/// a note where they take long, else "".
std::string check_value_work(std::span<const sim::Simulation> runs, double part = 1,
                             Values values = Values::may_be_left_out);

}  // namespace report

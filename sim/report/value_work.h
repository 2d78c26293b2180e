// Estimated time to compute values, from counted work: long work is announced, excessive work is rejected.
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "sim/model/simulation.h"

namespace report {

/// Returns seconds of one core for the values of a run and their check: FLOPs of matrix products over 8 GFLOP/s, and 8
/// ns for each exponential and each other FLOP, programs and reference together. Measured on one server core, N 4,096
/// and 8,192, d 8 to 128, all passes: within a factor of 2. Depends on the scenario alone, not on the machine.
double value_seconds(const sim::Simulation& s);

/// Longest time allowed for values, in seconds: an hour.
inline constexpr double longest_values = 3600;

/// Time in seconds from which work is announced in advance.
inline constexpr double long_values = 10;

/// Need of a command for values: it needs them, or can omit them.
enum class Values : std::uint8_t { may_be_left_out, are_needed };

/// Throws sim::Error if the values of these runs, or of the share `part` of their heads, take longer than allowed.
/// Returns a note if they take long, else "".
std::string check_value_work(std::span<const sim::Simulation> runs, double part = 1,
                             Values values = Values::may_be_left_out);

}  // namespace report

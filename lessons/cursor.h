// Cursor of an address: the event of a replayed CTA, and what is on chip there. An address is a line and its blocks,
// not a time, since times differ between GPUs.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lessons/lesson.h"
#include "sim/model/simulation.h"

namespace lessons {

struct Cursor {
  std::size_t kernel = 0;  ///< index in Plan::launches
  sim::CtaPlace place;
  std::size_t event = 0;        ///< in program order
  bool begin = false;           ///< before the event, not after it
  std::int64_t i = -1, j = -1;  ///< the newest blocks of queries and keys; -1 before the first
  bool finished = false;        ///< nothing is computed in this tile after it
  sim::Cycles time;             ///< in the scheduled replay of the CTA
};

/// Walks the CTA in program order, tracking the newest block of queries and of keys, to the event of the address's line
/// that works on its blocks. Throws sim::Error if the kernel, CTA or line is unknown, or if the line runs for several
/// blocks and the address names none. If the line is in a loop within a block, such as over chunks of d, the cursor is
/// at its first or last iteration.
Cursor find_cursor(const sim::Simulation& simulation, const Address& address);

/// Finds a kernel of a plan by its name. Throws sim::Error that names the nearest.
std::size_t kernel_called(const sim::Plan& plan, const std::string& name);

/// Returns the equation in a listing line's comment: "S = Q_i K_j^T"; "" if it has none.
std::string equation_of(std::string_view listing_line);

/// Returns the newest values of each tensor at a cursor: {"O": {"0": {"0": 0.731, "1": 0.269}}, "m": {"0": 1}}. The
/// inputs are the scenario's. Covers tiles of at most 4,096 elements; throws sim::Error for scenarios with more than
/// 2^16 scores.
nlohmann::ordered_json values_at(const sim::Simulation& simulation, const Cursor& cursor);

}  // namespace lessons

// Where an address leads: the event of a replayed CTA, and what is on chip there. Addresses are lines and blocks, not
// times: the same moment is another time on another GPU.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lessons/lesson.h"
#include "sim/model/simulation.h"

namespace lessons {

struct Cursor {
  std::size_t kernel = 0;  ///< of Plan::launches
  sim::CtaPlace place;
  std::size_t event = 0;        ///< in program order
  bool begin = false;           ///< before the event, not after it
  std::int64_t i = -1, j = -1;  ///< the newest blocks of queries and keys; -1 before the first
  bool finished = false;        ///< nothing is computed in this tile after it
  sim::Cycles time;             ///< in the scheduled replay of the CTA
};

/// Walks the CTA in program order, remembering the newest block of queries and of keys, to the event of the line that
/// works on them. Throws sim::Error for an unknown kernel, place or line, and when it runs for several blocks.
/// Of a line in a loop within a block, chunks of d for instance, the cursor is at the first or the last time.
Cursor find_cursor(const sim::Simulation& simulation, const Address& address);

/// A kernel of a plan by its name. Throws sim::Error with the nearest.
std::size_t kernel_called(const sim::Plan& plan, const std::string& name);

/// The equation of an event's line as its comment has it: "S = Q_i K_j^T"; "" where it has none.
std::string equation_of(std::string_view listing_line);

/// {"O": {"0": {"0": 0.731, "1": 0.269}}, "m": {"0": 1}}: the newest values of each tensor at a cursor. The inputs are
/// those of the scenario. Tiles of at most 4,096 elements; throws sim::Error for scenarios with more than 2^16 scores.
nlohmann::ordered_json values_at(const sim::Simulation& simulation, const Cursor& cursor);

}  // namespace lessons

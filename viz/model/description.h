// What happens at the playhead, as facts: what a sentence about it is made of.
#pragma once
#include "viz/model/subject.h"

namespace explorer {

struct Description {
  std::int32_t event = -1;           ///< whose line is the current one; -1 at the end of the CTA
  std::int32_t next = -1;            ///< the next in the program that computes or stores; -1: none
  std::int32_t wait = -1;            ///< of Trace::waits: what the CTA waits for; -1 while it works
  std::vector<std::int32_t> copies;  ///< that are under way
  Amounts moved;                     ///< by the events that have ended
  Amounts all;                       ///< of the whole CTA
  std::int32_t visit = -1;           ///< of TraceIndex::visits(): the tile that it is at; -1 before the first
};

/// Binary searches only: O(log events).
Description describe(const Subject& subject);

}  // namespace explorer

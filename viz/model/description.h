// Facts about the playhead's moment, from which a sentence describing it is built.
#pragma once
#include "viz/model/subject.h"

namespace explorer {

struct Description {
  std::int32_t event = -1;           ///< event whose line is the current one; -1 at the end of the CTA
  std::int32_t next = -1;            ///< next event of the program that computes or stores; -1 if there is none
  std::int32_t wait = -1;            ///< index into Trace::waits of the current wait; -1 while the CTA works
  std::vector<std::int32_t> copies;  ///< events of the copies under way
  Amounts moved;                     ///< total of the events that have ended
  Amounts all;                       ///< total of the whole CTA
  std::int32_t visit = -1;           ///< current tile, as an index into TraceIndex::visits(); -1 before the first
};

/// Describes the playhead's moment with binary searches: O(log events).
Description describe(const Subject& subject);

}  // namespace explorer

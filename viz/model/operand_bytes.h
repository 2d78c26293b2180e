// Bytes of an element of the operands of asynchronous products, as their copies show it.
#pragma once
#include <algorithm>

#include "sim/trace/trace.h"

namespace explorer {

/// Bytes of an element of the first tile that is copied to a barrier; 2 if there is none.
inline std::int64_t operand_bytes(const sim::Trace& trace) {
  const auto is_copy = [](const sim::Event& event) {
    return event.verb == sim::Verb::load && event.sync.bytes > 0 && event.rows.size * event.cols.size > 0;
  };
  const auto found = std::find_if(trace.events.begin(), trace.events.end(), is_copy);
  return found == trace.events.end() ? 2 : found->bytes / (found->rows.size * found->cols.size);
}

}  // namespace explorer

// Block tables of the sequences of a batch, as the allocator makes them: prompts that begin with a common prefix, and
// the samples of each.
#pragma once
#include "sim/programs/page_pool.h"

namespace sim {

/// Sequences in the order of batch entries: the samples of a prompt follow one another. Each has appended its own
/// tokens, in turn.
inline std::vector<PagedSequence> sequences_of(const PageDemand& demand, PagePool& pool) {
  PagedSequence prefix;
  for (std::int64_t token = 0; token < demand.shared_by_all() * demand.rows; ++token) pool.append(prefix);
  std::vector<PagedSequence> sequences;
  for (std::int64_t prompt = 0; prompt < demand.prompts; ++prompt) {
    PagedSequence whole = pool.fork(prefix);
    while (whole.tokens < demand.prompt) pool.append(whole);
    for (std::int64_t sample = 1; sample < demand.samples; ++sample) sequences.push_back(pool.fork(whole));
    sequences.push_back(whole);
  }
  pool.end(prefix);
  for (std::int64_t t = 0; t < demand.own; ++t) {
    for (PagedSequence& sequence : sequences) pool.append(sequence);
  }
  return sequences;
}

}  // namespace sim

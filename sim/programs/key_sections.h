// Sections of the keys that batch entries hold together: a prefix of all, a prompt of its samples. Their pages lie in
// memory once, and the L2 has them once; every sequence still reads them.
#pragma once
#include <vector>

#include "sim/base/shape.h"
#include "sim/base/units.h"

namespace sim {

struct PageDemand;  // sim/programs/page_pool.h
struct Scenario;    // sim/programs/scenario.h

/// Keys that `entries` successive batch entries hold together.
struct KeySection {
  Interval keys;
  std::int64_t entries = 1;
  std::int64_t holders(std::int64_t batch) const { return ceil_div(batch, entries); }
};

/// Sections of the keys of all batch entries of a shape, in order; empty if no two entries share a key. `seen` has a
/// batch entry for each sample. `prompt`: keys that its samples had in common; those after it each appended itself.
/// Only full pages are shared, and the last page of a prompt until a sample appends to it.
std::vector<KeySection> key_sections(const Scenario& scenario, const Shape& seen, std::int64_t prompt);

/// Rows of K of one KV head of all batch entries, each physical row once: of `rows` of the keys that queries see.
std::int64_t held_rows(const std::vector<KeySection>& sections, const Shape& seen, std::int64_t rows);

/// Rows of K of one KV head that lie in pages of another entry, which holds them too. `page`: rows of a page, if whole
/// pages count.
std::int64_t shared_rows(const std::vector<KeySection>& sections, std::int64_t batch, std::int64_t page = 1);

/// Pages of a scenario whose K and V lie in pages: of all batch entries, or of those of each line of --seqlens.
std::vector<PageDemand> page_demands(const Scenario& scenario);

/// Returns the scenario with a batch entry for each sample, which shares nothing.
Scenario with_entry_per_sample(Scenario scenario);

}  // namespace sim

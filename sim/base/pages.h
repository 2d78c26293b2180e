// Pages of a KV cache: a table says in which physical page each page of a sequence lies.
// Source: Kwon et al. 2023, "Efficient Memory Management for Large Language Model Serving with PagedAttention".
#pragma once
#include <cstdint>
#include <vector>

namespace sim {

/// Pages of one sequence: of `rows` tokens each; page[n] is the physical page of logical page n. Without values only
/// the size matters, and `page` is empty.
struct PageTable {
  std::int64_t rows = 0;
  std::vector<std::int32_t> page = {};
  /// Row of the pool that holds row `row` of the sequence.
  std::int64_t physical_row(std::int64_t row) const {
    return page.empty() ? row : page[static_cast<std::size_t>(row / rows)] * rows + row % rows;
  }
};

/// Returns a table whose physical pages are a permutation of [0, pages), which depends on the seed and the sequence
/// alone.
PageTable drawn_page_table(std::int64_t rows, std::int64_t pages, std::uint64_t seed, std::int64_t sequence);

}  // namespace sim

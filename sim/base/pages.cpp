#include "sim/base/pages.h"

#include <Random123/philox.h>

#include <limits>
#include <numeric>
#include <utility>

#include "sim/base/check.h"

namespace sim {

// The words come from Philox4x32-10 with the counter {page, 0, sequence, 2}: inputs have 0 and dropout 1
// as the last word.
PageTable drawn_page_table(std::int64_t rows, std::int64_t pages, std::uint64_t seed, std::int64_t sequence) {
  require(pages <= std::numeric_limits<std::int32_t>::max(), "page-size: a sequence has ", pages,
          " pages, and entries of a page table are 32-bit numbers: use larger pages");
  PageTable table{rows, std::vector<std::int32_t>(static_cast<std::size_t>(pages))};
  std::iota(table.page.begin(), table.page.end(), 0);
  const r123::Philox4x32::key_type key = {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
  for (std::size_t n = table.page.size(); n > 1; --n) {
    const r123::Philox4x32::ctr_type counter = {
        {static_cast<std::uint32_t>(n), 0, static_cast<std::uint32_t>(sequence), 2}};
    const std::size_t other = r123::Philox4x32()(counter, key)[0] % n;
    std::swap(table.page[n - 1], table.page[other]);
  }
  return table;
}

}  // namespace sim

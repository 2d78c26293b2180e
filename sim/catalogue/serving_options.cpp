// Rows of serving: how the KV cache lies in memory. Displayed texts are marked: a test requires their translations.
#include "sim/catalogue/option_places.h"
#include "sim/programs/ranges.h"

namespace sim {

std::vector<ScenarioOption> serving_rows() {
  ScenarioOption page_size = at(
      [](auto& s) -> auto& { return s.page_size; },
      {"page-size",
       "P",
       OptionKind::whole_number,
       "tokens of a page of K and V, which kernels find through a page table: for flash2, flash3 and flash-decoding, "
       "forward; P divides Bc, or Bc divides P [none: one piece]",
       /*say*/ "page size",
       /*say*/ "tokens of a page of the KV cache",
       {"tokens", page_range.least, page_range.least, page_range.most, Pace::doubling, "1 8 16 32 64 128 256",
        "1 2 4 8 16 32 64 128 256", page_range.most},
       automatic | of_speed | seldom});
  page_size.applies = [](const Scenario& s) { return named_program(s)->paged; };
  return {page_size};
}

}  // namespace sim

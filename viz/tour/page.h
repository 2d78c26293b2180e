// The words of a step of the tour, with its numbers.
#pragma once
#include <string>
#include <vector>

#include "sim/catalogue/options.h"
#include "viz/model/look.h"
#include "viz/tour/facts.h"
#include "viz/tour/steps.h"

namespace tour {

inline constexpr std::string_view between_equations = "     ";

/// A paragraph, or equations with the spaces above between them, in the markup of ui/rich_text.h.
struct Block {
  bool equations = false;
  std::string text;
};

struct Page {
  std::string title;
  std::vector<Block> blocks;
};

/// Step `n` (from 0) as it is written, formulas in braces. Throws sim::Error where the file has no such step.
Page written_page(explorer::Language language, std::size_t n);

/// The runs of a step: some simulations, each microseconds to a millisecond.
Facts facts_of(const Step& step, const sim::GpuLookup& gpu);

/// The same with the numbers of its runs.
Page filled_page(explorer::Language language, std::size_t n, const Facts& facts);

}  // namespace tour

// What the numbers of a scenario may be: for the rows of its options and for the plan, which refuses all others.
#pragma once
#include <cstdint>

#include "sim/base/check.h"

namespace sim {

struct Range {
  std::int64_t least, most;
  constexpr bool holds(std::int64_t number) const { return number >= least && number <= most; }
};

inline constexpr Range block_range{1, std::int64_t{1} << 20};  ///< br and bc
inline constexpr Range sram_range{64, std::int64_t{1} << 40};
inline constexpr Range l2_range{0, std::int64_t{1} << 40};  ///< 0: there is none

/// `typed`: the number as the message has it, as a user typed it or the same number.
template <class Text>
void check_dropout(double probability, const Text& typed) {
  require(probability >= 0 && probability < 1, "dropout: ", typed, " is not in [0, 1)");
}

}  // namespace sim

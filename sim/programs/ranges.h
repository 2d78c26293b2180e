// Allowed ranges of a scenario's numbers: for the rows of its options and for the plan, which rejects all others.
#pragma once
#include <cstdint>

#include "sim/base/check.h"

namespace sim {

struct OptionRange {
  std::int64_t least, most;
  constexpr bool holds(std::int64_t number) const { return number >= least && number <= most; }
};

inline constexpr OptionRange block_range{1, std::int64_t{1} << 20};  ///< br and bc
inline constexpr OptionRange page_range{1, 4096};                    ///< tokens of a page
inline constexpr OptionRange samples_range{1, std::int64_t{1} << 20};
inline constexpr OptionRange prefix_range{0, std::int64_t{1} << 30};
inline constexpr OptionRange weights_range{0, std::int64_t{1} << 50};  ///< bytes of a model
inline constexpr OptionRange context_range{1, std::int64_t{1} << 30};
inline constexpr OptionRange gpus_range{1, 4096};
inline constexpr OptionRange sram_range{64, std::int64_t{1} << 40};
inline constexpr OptionRange l2_range{0, std::int64_t{1} << 40};  ///< 0: no L2

/// Throws Error unless 0 <= probability < 1. `typed`: the number as the message shows it, as text that a user typed or
/// as a number.
template <class Text>
void check_dropout(double probability, const Text& typed) {
  require(probability >= 0 && probability < 1, "dropout: ", typed, " is not in [0, 1)");
}

}  // namespace sim

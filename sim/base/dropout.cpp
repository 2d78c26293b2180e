#include "sim/base/dropout.h"

#include <Random123/philox.h>

#include <cmath>

#include "sim/base/check.h"

namespace sim {
namespace {

std::uint32_t low_word(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

}  // namespace

void keep_row(const Dropout& dropout, std::int64_t head, std::int64_t query, Interval keys, std::span<float> keep) {
  require(dropout.probability >= 0 && dropout.probability < 1, "dropout: ", dropout.probability, " is not in [0, 1)");
  const auto threshold = static_cast<std::uint64_t>(std::llround(dropout.probability * 0x1p32));
  const r123::Philox4x32::key_type seed = {{low_word(dropout.seed), low_word(dropout.seed >> 32)}};
  r123::Philox4x32::ctr_type words{};
  for (std::int64_t k = keys.begin; k < keys.end; ++k) {
    if (k == keys.begin || k % 4 == 0) {
      const auto word = [](std::int64_t n) { return low_word(static_cast<std::uint64_t>(n)); };
      words = r123::Philox4x32()({{word(k / 4), word(query), word(head), 1}}, seed);
    }
    keep[static_cast<std::size_t>(k - keys.begin)] = words[static_cast<std::size_t>(k % 4)] >= threshold ? 1.0f : 0.0f;
  }
}

}  // namespace sim

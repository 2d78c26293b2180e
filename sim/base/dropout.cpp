#include "sim/base/dropout.h"

#include <Random123/philox.h>

#include <array>
#include <cmath>

#include "sim/base/check.h"
#include "sim/base/units.h"

namespace sim {
namespace {

constexpr std::int64_t counter_range = std::int64_t{1} << 32;  // values of a word

// Words are drawn into a small array first, so that their comparison is vectorised, which halves the time.
constexpr std::int64_t words_at_once = 64;
using Words = std::array<std::uint32_t, words_at_once>;

/// Draws the words of `blocks` times four keys, the first of which is a multiple of 4.
void draw_words(std::uint64_t seed, std::int64_t head, std::int64_t query, std::int64_t first, std::int64_t blocks,
                Words& words) {
  const r123::Philox4x32::key_type key = {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
  r123::Philox4x32::ctr_type counter = {{0, static_cast<std::uint32_t>(query), static_cast<std::uint32_t>(head), 1}};
  for (std::int64_t block = 0; block < blocks; ++block) {
    counter[0] = static_cast<std::uint32_t>(first / 4 + block);
    const auto drawn = r123::Philox4x32()(counter, key);
    for (std::size_t n = 0; n < 4; ++n) words[static_cast<std::size_t>(block) * 4 + n] = drawn[n];
  }
}

void check_row(const Dropout& dropout, std::int64_t head, std::int64_t query, Interval keys, std::size_t room) {
  dropout.check();
  require(head >= 0 && head < counter_range, "dropout: head ", head, " is not in 0 to ", counter_range - 1);
  require(query >= 0 && query < counter_range, "dropout: query ", query, " is not in 0 to ", counter_range - 1);
  require(keys.empty() || (keys.begin >= 0 && keys.end <= 4 * counter_range), "dropout: keys ", keys.begin, " to ",
          keys.end, " are not in 0 to ", 4 * counter_range);
  require(room >= static_cast<std::size_t>(keys.size()), "dropout: keep has space for ", room, " of ", keys.size(),
          " keys");
}

}  // namespace

float Dropout::factor() const { return static_cast<float>(1 / (1 - probability)); }

std::uint64_t Dropout::keep_from() const { return static_cast<std::uint64_t>(std::round(probability * 0x1p32)); }

void Dropout::check() const {
  require(probability >= 0 && probability < 1, "dropout: ", probability, " is not in [0, 1)");
}

void keep_row(const Dropout& dropout, std::int64_t head, std::int64_t query, Interval keys, std::span<float> keep) {
  head = checked_add(head, dropout.first_head);
  check_row(dropout, head, query, keys, keep.size());
  if (keys.empty()) return;
  const std::uint64_t threshold = dropout.keep_from();
  const auto kept_word = static_cast<std::uint32_t>(threshold);  // 32 bits: twice the comparisons per vector of 64
  const float one = threshold < counter_range ? 1.0f : 0.0f;     // p just below 1: no word reaches 2^32
  Words words{};
  for (std::int64_t first = keys.begin / 4 * 4; first < keys.end; first += words_at_once) {
    const Interval drawn = overlap(keys, {first, first + words_at_once});
    draw_words(dropout.seed, head, query, first, ceil_div(drawn.end - first, 4), words);
    float* kept = keep.data() + (drawn.begin - keys.begin);
    const std::uint32_t* word = words.data() + (drawn.begin - first);
    for (std::int64_t n = 0; n < drawn.size(); ++n) kept[n] = word[n] >= kept_word ? one : 0.0f;
  }
}

}  // namespace sim

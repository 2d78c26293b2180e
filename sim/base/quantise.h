// Scaling to e4m3: values are divided by a scale that makes the largest of them 448, and rounded. A rotation before it
// spreads a large element of a row over all of them.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace sim {

/// All 253 numbers of e4m3, ascending: 8 from each power of two to the next, multiples of 2^-9 below 2^-6.
std::vector<float> numbers_of_e4m3();

/// Scale of values in e4m3: their largest magnitude / 448; 1 if all are 0. Infinite if one is, NaN if one is.
float e4m3_scale(std::span<const float> values);

/// x = e4m3(x / scale): NaN where x or the scale is, or both are infinite.
void quantise(std::span<float> values, float scale);

constexpr bool is_power_of_two(std::int64_t number) { return number > 0 && (number & (number - 1)) == 0; }

/// Throws Error unless rows of d elements can be rotated: Sylvester's Hadamard matrices have powers of two of rows.
void check_rotation(std::int64_t d);

/// The orthogonal matrix M = diag(signs) Hadamard / sqrt(d) with random signs: rows of Q and K that both take it keep
/// their scores, since (q M) (k M)^T = q k^T. Source: Shah et al. 2024, section 3.3 (incoherent processing).
class Rotation {
 public:
  Rotation(std::int64_t d, std::uint64_t seed);
  void apply(std::span<float> row) const;  ///< row = row M, for d elements

 private:
  std::vector<float> signs_;  ///< 1 / sqrt(d) or its negative
};

}  // namespace sim

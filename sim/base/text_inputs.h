// Example sentences with heads of known score patterns: Q, K and V are constructed so that a plot of the attention
// weights can be interpreted. Synthetic: no model computed them. Sources of the patterns: Elhage et al. 2021 and Olsson
// et al. 2022 (previous token, induction), Xiao et al. 2023 (sink).
#pragma once
#include <array>
#include <string_view>
#include <vector>

#include "sim/base/attention.h"

namespace sim {

/// A score that a text sets in its last head, for a query word and a key word.
struct TextScore {
  std::int64_t query = 0, key = 0;
  double score = 0;
};

struct TextInput {
  std::string_view name;                ///< "mouse"
  std::vector<std::string_view> words;  ///< N words, at most d
  std::vector<TextScore> mixed = {};    ///< scores set in the mixed head
};

/// The heads of every text, in order.
inline constexpr std::array<std::string_view, 4> text_heads = {"previous word", "induction", "sink", "mixed"};
inline constexpr std::int64_t text_head_dim = 64, text_tile = 4;

/// All texts, written for FlashScope; their names are the values of --inputs text:NAME.
const std::vector<TextInput>& text_inputs();
std::vector<std::string> text_names();  ///< "text:mouse", ...
/// Returns the text of a name (without "text:"); throws Error that lists the names if there is none.
const TextInput& text_called(std::string_view name);

/// Scores of a head, (N, N):
///   A_ij = 0.4 n_ij + 4 [j = i - 1]                       previous word
///        = 0.4 n_ij + 4 [word j-1 is word i, j-1 < i] + 2 [j = 0]   induction
///        = 0.4 n_ij + 3 [j = 0]                           sink
///        = 0.4 n_ij + 1.6 [j = i - 1] + 1.2 [j = 0], or the score that the text sets   mixed
/// with n_ij drawn from N(0, 1) by the seed.
std::vector<float> text_scores(const TextInput& text, std::size_t head, std::uint64_t seed);

/// Q, K, V (1, 4, N, 64) with Q K^T / 8 = A: k_j = h_j and q_i = sum_j A_ij h_j / 8, where h_j is row j of the Hadamard
/// matrix of order 64 (entries 1 and -1, h_i . h_j = 64 [i = j]). V is drawn from N(0, 1) by the seed. Rounded to
/// dtype; d_o stays empty.
AttentionInputs inputs_of_text(const TextInput& text, Dtype dtype, std::uint64_t seed);

}  // namespace sim

// Patterns of block-sparse attention: the visible blocks of the attention matrix, given as text or as a picture.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/picture.h"
#include "sim/base/shape.h"

namespace sim {

/// An attention matrix of `queries` x `keys` in blocks of br x bc.
struct BlockedMatrix {
  std::int64_t queries = 0, keys = 0, br = 1, bc = 1;
  std::int64_t rows() const { return (queries + br - 1) / br; }
  std::int64_t cols() const { return (keys + bc - 1) / bc; }
  /// i' = floor((i Br + Nk - Nq) / Bc): the block of keys where the diagonal enters row block i; negative before key 0.
  std::int64_t diagonal(std::int64_t i) const;
  friend bool operator==(const BlockedMatrix&, const BlockedMatrix&) = default;
};

enum class PatternKind : std::uint8_t { none, causal, window, local_global, strided, butterfly, random, picture };

/// Block (i, j) is visible, with i' the diagonal() of row block i:
///   causal            where some pair of it is visible under a causal mask
///   window:W          |i' - j| <= W
///   local-global:G,W  |i' - j| <= W, or i < G, or j < G
///   strided:S         S divides i' - j
///   butterfly         i' = j, or i' xor j is a power of two
///   random:s          with probability s, drawn from the seed and (i, j) alone
///   painted:N:ROWS    where its bit is set in the digits of sim/base/painted.h
///   FILE.pbm          where pixel j of line i is black
struct Pattern {
  PatternKind kind = PatternKind::none;  ///< kind of rule; `none`: every block is visible
  std::int64_t globals = 0;              ///< G
  std::int64_t reach = 0;                ///< W or S, in blocks
  double share = 0;                      ///< s
  std::string file = {};                 ///< file of a picture, or the text of a painted one
  std::shared_ptr<const Picture> picture = {};

  bool any() const { return kind != PatternKind::none; }

  /// Visible blocks of row block i as intervals, in order and with gaps between them. Throws Error if a picture's size
  /// is not that of the block matrix.
  std::vector<Interval> row(const BlockedMatrix& matrix, std::uint64_t seed, std::int64_t i) const;
};

/// The values of --pattern, as help shows them.
inline constexpr const char* pattern_words =
    "causal|window:W|local-global:G,W|strided:S|butterfly|random:s|painted:N:ROWS|FILE.pbm";

/// True if a pattern names a picture file.
bool names_picture(std::string_view typed);

/// Reads a pattern from its text, and from its picture file if it names one. Throws Error that states the allowed
/// values.
Pattern read_pattern(const std::string& typed);

/// Returns the text of a pattern; "" if there is none.
std::string text_of(const Pattern& pattern);

}  // namespace sim

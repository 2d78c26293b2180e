// The shape of an attention problem and its mask, as intervals: the keys that a query sees, the queries that see a key.
// Causal, padding and window masks make the visible keys of a query one interval, whose ends never decrease from one
// query to the next. All tile questions (skipped? masked inside?) therefore have O(1) answers. A pattern hides whole
// blocks within the interval (sim/base/block_mask.h); only functions documented as such account for it.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sim {

class BlockMask;

/// Half-open range [begin, end) of rows, keys or block indices.
struct Interval {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  bool empty() const { return end <= begin; }
  std::int64_t size() const { return empty() ? 0 : end - begin; }
  bool contains(Interval other) const { return other.begin >= begin && other.end <= end; }
  friend bool operator==(Interval, Interval) = default;
};

/// Intersection of two intervals.
Interval overlap(Interval a, Interval b);

/// Key k is visible to query q iff k < Nk - padding, and (causal) k <= q + Nk - Nq, and (window) k >= q + Nk - Nq -
/// window.
struct Mask {
  bool causal = false;
  std::int64_t padding = 0;                      ///< the last `padding` keys are hidden; does not move the diagonal
  std::optional<std::int64_t> window = {};       ///< number of keys before the diagonal that stay visible
  std::shared_ptr<const BlockMask> blocks = {};  ///< the pattern, which hides blocks as well; null if there is none
  bool any() const { return causal || padding > 0 || window.has_value() || blocks != nullptr; }
  friend bool operator==(const Mask& a, const Mask& b);
};

/// Elements of a row of Q and K, and of a row of V and O.
struct HeadDims {
  std::int64_t qk = 64, v = 64;
  constexpr std::int64_t widest() const { return qk > v ? qk : v; }
  constexpr bool are_equal() const { return qk == v; }
  friend bool operator==(const HeadDims&, const HeadDims&) = default;
};
std::string text_of(HeadDims dims);  ///< "64", or "192/128" where they differ

/// Q (batch, heads, Nq, d), K (batch, kv_heads, Nk, d), V (batch, kv_heads, Nk, dv), O (batch, heads, Nq, dv). Sizes in
/// elements.
struct Shape {
  std::int64_t batch = 1;
  std::int64_t heads = 1;
  std::int64_t kv_heads = 1;
  std::int64_t seqlen_q = 1024;
  std::int64_t seqlen_k = 1024;
  std::int64_t head_dim = 64;
  Mask mask = {};
  std::optional<std::int64_t> head_dim_v = {};  ///< dv, if it was given; d otherwise

  std::int64_t value_dim() const { return head_dim_v.value_or(head_dim); }
  HeadDims head_dims() const { return {head_dim, value_dim()}; }
  bool visible(std::int64_t query, std::int64_t key) const;  ///< including the pattern
  /// Keys of a range that a query sees, including the pattern: intervals in order.
  std::vector<Interval> visible_parts(std::int64_t query, Interval keys) const;

  // Without the pattern:
  Interval visible_keys(std::int64_t query) const;  ///< keys that one query sees; may be empty
  Interval live_keys(Interval queries) const;       ///< keys that at least one of the queries sees
  Interval full_keys(Interval queries) const;       ///< keys that each of the queries sees
  Interval live_queries(Interval keys) const;       ///< queries that see at least one of the keys
  Interval full_queries(Interval keys) const;       ///< queries that see each of the keys
  std::int64_t kv_head_of(std::int64_t head) const { return head / (heads / kv_heads); }

  /// Throws Error that names the field and its allowed values: sizes positive, kv_heads divides heads, mask in range,
  /// and every product of sizes that the simulator forms fits in 64 bits.
  void check() const;
  friend bool operator==(const Shape&, const Shape&) = default;
};

}  // namespace sim

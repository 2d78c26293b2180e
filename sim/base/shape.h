// The shape of an attention problem and its mask, as intervals: the keys that a query sees, the queries that see a key.
// Causal, padding, window, prefix and document masks make the visible keys of a query one interval, whose ends never
// decrease from one query to the next. All tile questions (skipped? masked inside?) therefore have O(1) answers, with
// documents after a binary search. A pattern hides whole blocks within the interval (sim/base/block_mask.h); only
// functions documented as such account for it.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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

/// Bounds of documents that are packed along the keys, 0 = b_0 < b_1 < ... < b_n = Nk: document i is keys [b_i, b_i+1).
using Documents = std::vector<std::int64_t>;

/// Where the diagonal begins that causal masks, windows and documents are aligned to: it ends at the last query and the
/// last key, or begins at the first of both. The same if Nq = Nk.
enum class DiagonalFrom : std::uint8_t { bottom_right, top_left };
std::string_view name_of(DiagonalFrom corner);  ///< "bottom-right", "top-left"

/// Query q stands at p = q + Nk - Nq, the position of its own key (top_left: p = q). Key k is visible to it iff
/// k < Nk - padding, and
///   (causal)        k <= p, or k < prefix
///   (window)        k >= p - window
///   (window_right)  k <= p + window_right, or k < prefix
///   (documents)     k is in the document that holds p.
/// Source of the windows: FlashAttention's window_size = (window, window_right), where -1 is none.
struct Mask {
  bool causal = false;
  std::int64_t padding = 0;                         ///< the last `padding` keys are hidden; does not move the diagonal
  std::optional<std::int64_t> window = {};          ///< number of keys before the diagonal that stay visible
  std::optional<std::int64_t> window_right = {};    ///< number of keys after the diagonal that stay visible
  std::int64_t prefix = 0;                          ///< the first `prefix` keys are visible to all queries
  std::shared_ptr<const Documents> documents = {};  ///< a query sees its own document; null: there is one
  DiagonalFrom diagonal = DiagonalFrom::bottom_right;  ///< corner that the diagonal is aligned to
  std::shared_ptr<const BlockMask> blocks = {};  ///< the pattern, which hides blocks as well; null if there is none

  /// Number of keys after the diagonal that stay visible: the nearer bound of causal and window_right; none: all.
  std::optional<std::int64_t> after() const { return causal ? std::optional<std::int64_t>(0) : window_right; }
  /// True if queries see a band around the diagonal that is not causal alone, as FlashAttention's is_local says.
  bool is_local() const { return window.has_value() || (window_right.has_value() && !causal); }
  bool any() const {
    return causal || padding > 0 || window || window_right || documents != nullptr || blocks != nullptr;
  }
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
  bool kv_shared = false;                       ///< V is the first dv columns of K, and has no bytes of its own

  std::int64_t value_dim() const { return head_dim_v.value_or(head_dim); }
  HeadDims head_dims() const { return {head_dim, value_dim()}; }
  /// Position of a query among the keys: q + Nk - Nq, or q. May be before the first key or after the last.
  std::int64_t diagonal(std::int64_t query) const {
    return mask.diagonal == DiagonalFrom::top_left ? query : query + seqlen_k - seqlen_q;
  }
  /// Keys of the document that holds a position; all keys if there is one document.
  Interval document_at(std::int64_t position) const;

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

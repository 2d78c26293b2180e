#include "sim/base/shape.h"

#include <algorithm>
#include <string_view>

#include "sim/base/block_mask.h"
#include "sim/base/check.h"
#include "sim/base/units.h"

namespace sim {
namespace {

constexpr std::int64_t largest_size = std::int64_t{1} << 40;  // sums of a few sizes stay far from 64 bits

// The two bounds below are not normalised: begin > end is allowed. Then both ends never decrease from one query (key)
// to the next, even through those that see nothing, and unions and intersections follow from the first and the last.

/// Keys that a query sees: [diagonal - window, diagonal], clipped to the unpadded keys.
Interval key_bounds(const Shape& shape, std::int64_t query) {
  const std::int64_t diagonal = query + shape.seqlen_k - shape.seqlen_q;
  const std::int64_t unpadded = shape.seqlen_k - shape.mask.padding;
  return {shape.mask.window ? std::max<std::int64_t>(0, diagonal - *shape.mask.window) : 0,
          shape.mask.causal ? std::min(unpadded, diagonal + 1) : unpadded};
}

/// Queries that see an unpadded key: [diagonal, diagonal + window], clipped to the queries that exist.
Interval query_bounds(const Shape& shape, std::int64_t key) {
  const std::int64_t diagonal = key + shape.seqlen_q - shape.seqlen_k;
  return {shape.mask.causal ? std::max<std::int64_t>(0, diagonal) : 0,
          shape.mask.window ? std::min(shape.seqlen_q, diagonal + *shape.mask.window + 1) : shape.seqlen_q};
}

/// Queries that see at least one key. key_bounds(q) is not empty iff all three hold: a key is unpadded; causal puts the
/// diagonal at key 0 or later; the window begins before the padding does.
Interval seeing_queries(const Shape& shape) {
  const std::int64_t shift = shape.seqlen_q - shape.seqlen_k;
  const std::int64_t unpadded = shape.seqlen_k - shape.mask.padding;
  if (unpadded == 0) return {};
  return {shape.mask.causal ? std::max<std::int64_t>(0, shift) : 0,
          shape.mask.window ? std::min(shape.seqlen_q, unpadded + shift + *shape.mask.window) : shape.seqlen_q};
}

/// Keys that at least one query sees: unpadded, and not before the window of query 0.
Interval seen_keys(const Shape& shape) {
  const std::int64_t first_diagonal = shape.seqlen_k - shape.seqlen_q;
  return {shape.mask.window ? std::max<std::int64_t>(0, first_diagonal - *shape.mask.window) : 0,
          shape.seqlen_k - shape.mask.padding};
}

Interval canonical(Interval interval) { return interval.empty() ? Interval{} : interval; }

/// The union of the bounds of neighbours that each see something. It has no gap: from one to the next both ends move by
/// at most one, so a non-empty interval begins at the latest where the one before it ends.
template <class Bounds>
Interval union_over(Interval neighbours, Bounds bounds) {
  if (neighbours.empty()) return {};
  return canonical({bounds(neighbours.begin).begin, bounds(neighbours.end - 1).end});
}

/// The intersection of the bounds of neighbours: the last begins latest, the first ends earliest.
template <class Bounds>
Interval intersection_over(Interval neighbours, Bounds bounds) {
  if (neighbours.empty()) return {};
  return canonical({bounds(neighbours.end - 1).begin, bounds(neighbours.begin).end});
}

void check_size(const Sentence& name, std::int64_t size) {
  require(size >= 1 && size <= largest_size, name, " is ", size, ": allowed are 1 to ", largest_size, " (2^40)");
}

void check_kv_heads(std::int64_t heads, std::int64_t kv_heads) {
  if (heads % kv_heads == 0) return;
  constexpr std::int64_t most_listed = 256;
  std::string divisors;
  for (std::int64_t n = 1; n < std::min(heads, most_listed); ++n)
    if (heads % n == 0) divisors += text(n, ", ");
  divisors += text(heads > most_listed ? "..., " : "", heads);
  require(false, "kv-heads is ", kv_heads, ": must divide heads = ", heads, "; allowed are ", divisors);
}

/// Repeats the check of product(), with the names of the sizes before its message.
template <class... Size>
void check_product(const Sentence& names, Size... sizes) {
  try {
    product(sizes...);
  } catch (const Error& error) {
    throw Error(names, ": ", error);
  }
}

}  // namespace

std::string text_of(HeadDims dims) { return dims.are_equal() ? text(dims.qk) : text(dims.qk, "/", dims.v); }

Interval overlap(Interval a, Interval b) { return canonical({std::max(a.begin, b.begin), std::min(a.end, b.end)}); }

bool operator==(const Mask& a, const Mask& b) {
  const bool same_blocks =
      a.blocks == b.blocks || (a.blocks != nullptr && b.blocks != nullptr && *a.blocks == *b.blocks);
  return a.causal == b.causal && a.padding == b.padding && a.window == b.window && same_blocks;
}

bool Shape::visible(std::int64_t query, std::int64_t key) const {
  const std::int64_t diagonal = query + seqlen_k - seqlen_q;
  return key < seqlen_k - mask.padding && (!mask.causal || key <= diagonal) &&
         (!mask.window || key >= diagonal - *mask.window) &&
         (!mask.blocks || mask.blocks->visible(query / mask.blocks->matrix().br, key / mask.blocks->matrix().bc));
}

std::vector<Interval> Shape::visible_parts(std::int64_t query, Interval keys) const {
  const Interval seen = overlap(visible_keys(query), keys);
  if (seen.empty()) return {};
  if (!mask.blocks) return {seen};
  const auto& [queries, all_keys, br, bc] = mask.blocks->matrix();
  std::vector<Interval> parts;
  for (const Interval run : touching(mask.blocks->keys_of(query / br), {seen.begin / bc, ceil_div(seen.end, bc)}))
    parts.push_back(overlap(seen, {run.begin * bc, run.end * bc}));
  return parts;
}

Interval Shape::visible_keys(std::int64_t query) const { return canonical(key_bounds(*this, query)); }

Interval Shape::live_keys(Interval queries) const {
  return union_over(overlap(queries, seeing_queries(*this)), [this](auto query) { return key_bounds(*this, query); });
}

Interval Shape::full_keys(Interval queries) const {
  return intersection_over(overlap(queries, {0, seqlen_q}), [this](auto query) { return key_bounds(*this, query); });
}

Interval Shape::live_queries(Interval keys) const {
  return union_over(overlap(keys, seen_keys(*this)), [this](auto key) { return query_bounds(*this, key); });
}

Interval Shape::full_queries(Interval keys) const {
  const Interval all = overlap(keys, {0, seqlen_k});
  if (all.end > seqlen_k - mask.padding) return {};  // no query sees a padded key
  return intersection_over(all, [this](auto key) { return query_bounds(*this, key); });
}

void Shape::check() const {
  check_size("batch", batch);
  check_size(/*say*/ "heads", heads);
  check_size("kv-heads", kv_heads);
  check_size("seqlen-q", seqlen_q);
  check_size("seqlen-k", seqlen_k);
  check_size("head-dim", head_dim);
  check_size("head-dim-v", value_dim());
  check_kv_heads(heads, kv_heads);
  require(mask.padding >= 0 && mask.padding <= seqlen_k, "padding is ", mask.padding,
          ": allowed are 0 to seqlen-k = ", seqlen_k);
  const std::int64_t window = mask.window.value_or(0);
  require(window >= 0 && window <= largest_size, "window is ", window, ": allowed are 0 to ", largest_size, " (2^40)");
  check_product(/*say*/ "batch x heads x seqlen-q x seqlen-k x 8 bytes", batch, heads, seqlen_q, seqlen_k, 8);
  check_product(/*say*/ "batch x heads x seqlen x head-dim x 8 tensors of 8 bytes", batch, heads,
                std::max(seqlen_q, seqlen_k), head_dims().widest(), 64);
  check_product(/*say*/ "batch x heads x seqlen-q x seqlen-k x head-dim x 16 operations", batch, heads, seqlen_q,
                seqlen_k, head_dims().widest(), 16);
}

}  // namespace sim

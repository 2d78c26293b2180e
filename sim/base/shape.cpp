#include "sim/base/shape.h"

#include <algorithm>
#include <functional>
#include <string_view>

#include "sim/base/block_mask.h"
#include "sim/base/check.h"
#include "sim/base/units.h"

namespace sim {
namespace {

constexpr std::int64_t largest_size = std::int64_t{1} << 40;  // sums of a few sizes stay far from 64 bits

// The two bounds below are not normalised: begin > end is allowed. Then both ends never decrease from one query (key)
// to the next, even through those that see nothing, and unions and intersections follow from the first and the last.

/// Keys that a query at position p sees: [p - window, p + window_right], at least to the prefix, clipped to its
/// document and to the unpadded keys.
Interval key_bounds(const Shape& shape, std::int64_t query) {
  const Mask& mask = shape.mask;
  const std::int64_t position = shape.diagonal(query), unpadded = shape.seqlen_k - mask.padding;
  const std::optional<std::int64_t> after = mask.after();
  const Interval document = shape.document_at(position);
  const std::int64_t begin = mask.window ? std::max(document.begin, position - *mask.window) : document.begin;
  const std::int64_t end = after ? std::max(mask.prefix, position + *after + 1) : unpadded;
  return {begin, std::min({unpadded, document.end, end})};
}

/// Queries that see an unpadded key k: those at positions [k - window_right, k + window], all for a key of the prefix,
/// clipped to its document and to the queries that exist.
Interval query_bounds(const Shape& shape, std::int64_t key) {
  const Mask& mask = shape.mask;
  const std::int64_t first_position = shape.diagonal(0);
  const std::optional<std::int64_t> after = mask.after();
  const bool from_the_first = !after || key < mask.prefix;
  const Interval document = shape.document_at(key);
  const std::int64_t begin = from_the_first ? first_position : key - *after;
  const std::int64_t end = mask.window ? key + *mask.window + 1 : shape.seqlen_q + first_position;
  if (mask.documents == nullptr)
    return {std::max<std::int64_t>(0, begin - first_position), std::min(shape.seqlen_q, end - first_position)};
  return {std::max<std::int64_t>(0, std::max(begin, document.begin) - first_position),
          std::min(shape.seqlen_q, std::min(end, document.end) - first_position)};
}

/// Queries that see at least one key: key_bounds(q) is not empty iff a key is unpadded, what ends at its diagonal ends
/// after key 0, and its window and its document begin before the padding does.
Interval seeing_queries(const Shape& shape) {
  const Mask& mask = shape.mask;
  const std::int64_t first_position = shape.diagonal(0), unpadded = shape.seqlen_k - mask.padding;
  if (unpadded == 0) return {};
  const std::optional<std::int64_t> after = mask.after();
  std::int64_t past = shape.seqlen_q + first_position;
  if (mask.window) past = std::min(past, unpadded + *mask.window);
  if (mask.documents != nullptr) past = std::min(past, shape.document_at(unpadded - 1).end);
  return {!after || mask.prefix > 0 ? 0 : std::max<std::int64_t>(0, -*after - first_position),
          std::min(shape.seqlen_q, past - first_position)};
}

/// Keys that at least one query sees: what the first and the last query that see any have no gap between them.
Interval seen_keys(const Shape& shape) {
  const Interval seeing = seeing_queries(shape);
  if (seeing.empty()) return {};
  return {key_bounds(shape, seeing.begin).begin, key_bounds(shape, seeing.end - 1).end};
}

Interval canonical(Interval interval) { return interval.empty() ? Interval{} : interval; }

/// The union of the bounds of neighbours that each see something. It has no gap: from one to the next both ends move by
/// at most one, except that documents begin where the one before them ends, so a non-empty interval begins at the
/// latest where the one before it ends.
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

std::string_view name_of(DiagonalFrom corner) {
  return corner == DiagonalFrom::bottom_right ? "bottom-right" : "top-left";
}

bool operator==(const Mask& a, const Mask& b) {
  const auto equal = [](const auto& x, const auto& y) { return x == y || (x != nullptr && y != nullptr && *x == *y); };
  return a.causal == b.causal && a.padding == b.padding && a.window == b.window && a.window_right == b.window_right &&
         a.prefix == b.prefix && a.diagonal == b.diagonal && equal(a.documents, b.documents) &&
         equal(a.blocks, b.blocks);
}

Interval Shape::document_at(std::int64_t position) const {
  if (mask.documents == nullptr) return {0, seqlen_k};
  const Documents& bounds = *mask.documents;
  const auto last = bounds.end() - 1;  // the last document has all keys to the end
  const auto next = std::upper_bound(bounds.begin() + 1, last, position);
  return {*(next - 1), next == last ? seqlen_k : *next};
}

bool Shape::visible(std::int64_t query, std::int64_t key) const {
  const std::int64_t position = diagonal(query);
  const std::optional<std::int64_t> after = mask.after();
  return key < seqlen_k - mask.padding && (!after || key <= position + *after || key < mask.prefix) &&
         (!mask.window || key >= position - *mask.window) &&
         (!mask.documents || document_at(position) == document_at(key)) &&
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

namespace {

void check_documents(const Shape& shape) {
  const Mask& mask = shape.mask;
  if (mask.documents == nullptr) return;
  const Documents& bounds = *mask.documents;
  const bool rises = bounds.size() > 1 && bounds.front() == 0 &&
                     std::adjacent_find(bounds.begin(), bounds.end(), std::greater_equal<>()) == bounds.end();
  require(rises, "documents: their bounds do not rise from 0");
  require(bounds.back() == shape.seqlen_k, "documents: their lengths add up to ", bounds.back(),
          ", not to seqlen-k = ", shape.seqlen_k);
  require(shape.seqlen_q <= shape.seqlen_k, "documents: seqlen-q = ", shape.seqlen_q,
          " is more than seqlen-k = ", shape.seqlen_k,
          ", but every query has its place among the keys: use at most as many queries as keys");
}

void check_prefix(const Shape& shape) {
  const Mask& mask = shape.mask;
  require(mask.prefix >= 0 && mask.prefix <= shape.seqlen_k, "prefix is ", mask.prefix,
          ": allowed are 0 to seqlen-k = ", shape.seqlen_k);
  if (mask.prefix == 0) return;
  require(!mask.window,
          "prefix: a window hides the keys before it from later queries, but a prefix is visible to all: ",
          "leave out one of them, or use --window -1,R");
  require(mask.documents == nullptr,
          "prefix: is one for all keys, but --documents gives each document its own: ", "leave out one of them");
  require(mask.after().has_value(), "prefix: every key is visible already: add --causal, or a right window");
}

void check_windows(const Mask& mask) {
  const auto fits = [](std::int64_t keys) { return keys >= 0 && keys <= largest_size; };
  const std::int64_t left = mask.window.value_or(0), right = mask.window_right.value_or(0);
  require(fits(left), "window is ", left, ": allowed are 0 to ", largest_size, " (2^40)");
  require(fits(right), "window is ", left, ",", right, ": allowed are 0 to ", largest_size, " (2^40)");
}

}  // namespace

void Shape::check() const {
  check_size("batch", batch);
  check_size(/*say*/ "heads", heads);
  check_size("kv-heads", kv_heads);
  check_size("seqlen-q", seqlen_q);
  check_size("seqlen-k", seqlen_k);
  check_size("head-dim", head_dim);
  check_size("head-dim-v", value_dim());
  require(!kv_shared || value_dim() <= head_dim, "head-dim-v: ", value_dim(), " is more than head-dim, ", head_dim,
          ": V is the first columns of K, so that it has at most as many");
  check_kv_heads(heads, kv_heads);
  require(mask.padding >= 0 && mask.padding <= seqlen_k, "padding is ", mask.padding,
          ": allowed are 0 to seqlen-k = ", seqlen_k);
  check_windows(mask);
  check_prefix(*this);
  check_documents(*this);
  check_product(/*say*/ "batch x heads x seqlen-q x seqlen-k x 8 bytes", batch, heads, seqlen_q, seqlen_k, 8);
  check_product(/*say*/ "batch x heads x seqlen x head-dim x 8 tensors of 8 bytes", batch, heads,
                std::max(seqlen_q, seqlen_k), head_dims().widest(), 64);
  check_product(/*say*/ "batch x heads x seqlen-q x seqlen-k x head-dim x 16 operations", batch, heads, seqlen_q,
                seqlen_k, head_dims().widest(), 16);
}

}  // namespace sim

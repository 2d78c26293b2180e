#include "sim/base/shape.h"

#include <catch2/catch.hpp>
#include <random>

#include "sim/base/check.h"

namespace sim {
namespace {

using Catch::Matchers::Contains;
using Random = std::mt19937;

std::int64_t draw(Random& random, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

std::shared_ptr<const Documents> random_documents(Random& random, std::int64_t keys) {
  Documents bounds = {0};
  for (std::int64_t at = draw(random, 1, keys); at < keys; at += draw(random, 1, keys)) bounds.push_back(at);
  bounds.push_back(keys);
  return std::make_shared<const Documents>(std::move(bounds));
}

/// Any mask without a pattern that Shape::check() accepts.
Shape random_shape(Random& random) {
  Shape shape;
  shape.seqlen_q = draw(random, 1, 12);
  shape.seqlen_k = draw(random, 1, 12);
  Mask& mask = shape.mask;
  mask.causal = draw(random, 0, 1) == 1;
  if (draw(random, 0, 1) == 1) mask.padding = draw(random, 0, shape.seqlen_k);
  if (draw(random, 0, 1) == 1) mask.window = draw(random, 0, 14);
  if (draw(random, 0, 2) == 0) mask.window_right = draw(random, 0, 14);
  if (draw(random, 0, 2) == 0) mask.diagonal = DiagonalFrom::top_left;
  if (!mask.window && mask.after() && draw(random, 0, 1) == 1) mask.prefix = draw(random, 0, shape.seqlen_k);
  if (mask.prefix == 0 && shape.seqlen_q <= shape.seqlen_k && draw(random, 0, 1) == 1)
    mask.documents = random_documents(random, shape.seqlen_k);
  shape.check();
  return shape;
}

/// A random range of rows or keys, sometimes beyond the end.
Interval random_range(Random& random, std::int64_t size) {
  const std::int64_t begin = draw(random, 0, size - 1);
  return {begin, draw(random, begin + 1, size + 2)};
}

/// The visibility rule of shape.h, written independently.
bool sees(const Shape& shape, std::int64_t query, std::int64_t key) {
  const Mask& mask = shape.mask;
  if (query >= shape.seqlen_q || key >= shape.seqlen_k - mask.padding) return false;
  const std::int64_t own = query + (mask.diagonal == DiagonalFrom::top_left ? 0 : shape.seqlen_k - shape.seqlen_q);
  const std::int64_t distance = own - key;  // how far the key is before the diagonal
  if (mask.documents) {
    for (const std::int64_t bound : *mask.documents) {
      if (bound < shape.seqlen_k && (own < bound) != (key < bound)) return false;
    }
  }
  if (mask.causal && distance < 0 && key >= mask.prefix) return false;
  if (mask.window_right && -distance > *mask.window_right && key >= mask.prefix) return false;
  return !mask.window || distance <= *mask.window;
}

/// Describes a mask for the message of a failed test.
std::string describe(const Shape& s) {
  std::string all = text("Nq ", s.seqlen_q, " Nk ", s.seqlen_k, s.mask.causal ? " causal" : "", " padding ",
                         s.mask.padding, " window ", s.mask.window.value_or(-1), ",", s.mask.window_right.value_or(-1),
                         " prefix ", s.mask.prefix, " ", name_of(s.mask.diagonal), " documents");
  for (const std::int64_t bound : s.mask.documents ? *s.mask.documents : Documents{}) all += text(" ", bound);
  return all;
}

/// The interval of the items 0..size-1 that satisfy a condition; an Error if they are not contiguous.
template <class Condition>
Interval gather(std::int64_t size, Condition condition) {
  Interval found;
  for (std::int64_t item = 0; item < size; ++item) {
    if (!condition(item)) continue;
    require(found.empty() || found.end == item, "a gap before ", item);
    found = {found.empty() ? item : found.begin, item + 1};
  }
  return found;
}

template <class Condition>
bool any(Interval items, Condition condition) {
  for (std::int64_t item = items.begin; item < items.end; ++item)
    if (condition(item)) return true;
  return false;
}

template <class Condition>
bool all(Interval items, Condition condition) {
  return !any(items, [&](std::int64_t item) { return !condition(item); });
}

std::string check_message(const Shape& shape) {
  try {
    shape.check();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("intervals over queries agree with the pairwise loop") {
  Random random(1);
  for (int round = 0; round < 20'000; ++round) {
    const Shape s = random_shape(random);
    const Interval queries = random_range(random, s.seqlen_q);
    const Interval rows = overlap(queries, {0, s.seqlen_q});
    CAPTURE(describe(s), queries.begin, queries.end);
    const std::int64_t q = queries.begin;
    REQUIRE(s.visible_keys(q) == gather(s.seqlen_k, [&](auto key) { return sees(s, q, key); }));
    REQUIRE(s.live_keys(queries) ==
            gather(s.seqlen_k, [&](auto key) { return any(rows, [&](auto row) { return sees(s, row, key); }); }));
    REQUIRE(s.full_keys(queries) ==
            gather(s.seqlen_k, [&](auto key) { return all(rows, [&](auto row) { return sees(s, row, key); }); }));
  }
}

TEST_CASE("intervals over keys agree with the pairwise loop") {
  Random random(2);
  for (int round = 0; round < 20'000; ++round) {
    const Shape s = random_shape(random);
    const Interval keys = random_range(random, s.seqlen_k);
    const Interval columns = overlap(keys, {0, s.seqlen_k});
    CAPTURE(describe(s), keys.begin, keys.end);
    REQUIRE(s.live_queries(keys) ==
            gather(s.seqlen_q, [&](auto row) { return any(columns, [&](auto key) { return sees(s, row, key); }); }));
    REQUIRE(s.full_queries(keys) ==
            gather(s.seqlen_q, [&](auto row) { return all(columns, [&](auto key) { return sees(s, row, key); }); }));
  }
}

TEST_CASE("visible agrees with the rule for every pair") {
  Random random(3);
  for (int round = 0; round < 20'000; ++round) {
    const Shape s = random_shape(random);
    for (std::int64_t query = 0; query < s.seqlen_q; ++query)
      for (std::int64_t key = 0; key < s.seqlen_k; ++key) REQUIRE(s.visible(query, key) == sees(s, query, key));
  }
}

TEST_CASE("causal is aligned bottom-right") {
  Shape shape{.seqlen_q = 2, .seqlen_k = 5, .mask = {.causal = true}};
  CHECK(shape.visible_keys(0) == Interval{0, 4});
  CHECK(shape.visible_keys(1) == Interval{0, 5});
  shape.seqlen_q = 7;
  CHECK(shape.visible_keys(1).empty());
  CHECK(shape.visible_keys(2) == Interval{0, 1});
  CHECK(shape.live_keys({0, 2}).empty());
}

TEST_CASE("a causal window of W shows W + 1 keys, and without causal it only bounds from below") {
  Shape shape{.seqlen_q = 8, .seqlen_k = 8, .mask = {.causal = true, .window = 2}};
  CHECK(shape.visible_keys(5) == Interval{3, 6});
  shape.mask.causal = false;
  CHECK(shape.visible_keys(5) == Interval{3, 8});
}

TEST_CASE("a diagonal from the top left shows query 0 its first key, whatever the lengths") {
  Shape shape{.seqlen_q = 2, .seqlen_k = 5, .mask = {.causal = true, .diagonal = DiagonalFrom::top_left}};
  CHECK(shape.visible_keys(0) == Interval{0, 1});
  CHECK(shape.live_keys({0, 2}) == Interval{0, 2});
  CHECK(shape.live_queries({2, 5}).empty());
  shape = {.seqlen_q = 7, .seqlen_k = 2, .mask = {.window = 1, .diagonal = DiagonalFrom::top_left}};
  CHECK(shape.live_queries({0, 2}) == Interval{0, 3});  // query 3 sees from key 2
}

TEST_CASE("a right window shows R keys after the diagonal, and causal is the nearer bound") {
  Shape shape{.seqlen_q = 8, .seqlen_k = 8, .mask = {.window = 1, .window_right = 2}};
  CHECK(shape.visible_keys(4) == Interval{3, 7});
  shape.mask.causal = true;
  CHECK(shape.visible_keys(4) == Interval{3, 5});
}

TEST_CASE("keys of a prefix are visible to all queries, the rest as without it") {
  const Shape shape{.seqlen_q = 8, .seqlen_k = 8, .mask = {.causal = true, .prefix = 3}};
  CHECK(shape.visible_keys(0) == Interval{0, 3});
  CHECK(shape.visible_keys(5) == Interval{0, 6});
  CHECK(shape.full_keys({0, 8}) == Interval{0, 3});
}

TEST_CASE("a query sees its own document, also where few queries stand at the end of the keys") {
  const auto documents = std::make_shared<const Documents>(Documents{0, 3, 8});
  const Shape shape{.seqlen_q = 8, .seqlen_k = 8, .mask = {.documents = documents}};
  CHECK(shape.visible_keys(2) == Interval{0, 3});
  CHECK(shape.visible_keys(3) == Interval{3, 8});
  CHECK(shape.live_keys({1, 4}) == Interval{0, 8});
  CHECK(shape.full_keys({1, 4}).empty());
  CHECK(shape.full_queries({3, 8}) == Interval{3, 8});
  const Shape last{.seqlen_q = 2, .seqlen_k = 8, .mask = {.causal = true, .documents = documents}};
  CHECK(last.visible_keys(0) == Interval{3, 7});
  CHECK(last.live_queries({0, 3}).empty());
}

TEST_CASE("masks are equal if their documents are") {
  const auto mask = [](Documents bounds) {
    return Mask{.documents = std::make_shared<const Documents>(std::move(bounds))};
  };
  CHECK(mask({0, 3, 8}) == mask({0, 3, 8}));
  CHECK_FALSE(mask({0, 3, 8}) == mask({0, 4, 8}));
  CHECK_FALSE(mask({0, 8}) == Mask{});
}

TEST_CASE("full padding hides everything, and an empty range has no live tiles") {
  const Shape shape{.seqlen_q = 4, .seqlen_k = 4, .mask = {.padding = 4}};
  CHECK(check_message(shape) == "accepted");
  CHECK(shape.live_keys({0, 4}).empty());
  CHECK(shape.full_queries({0, 4}).empty());
  CHECK(Shape{}.live_keys({3, 3}).empty());
}

TEST_CASE("huge sizes have exact answers") {
  const std::int64_t n = std::int64_t{1} << 40;
  const Shape shape{.seqlen_q = n, .seqlen_k = n, .mask = {.causal = true, .padding = n / 2, .window = n}};
  CHECK(shape.live_keys({0, n}) == Interval{0, n / 2});
  CHECK(shape.live_queries({n / 2 - 1, n}) == Interval{n / 2 - 1, n});
}

TEST_CASE("query heads share key-value heads in groups") {
  const Shape shape{.heads = 8, .kv_heads = 2};
  CHECK(shape.kv_head_of(3) == 0);
  CHECK(shape.kv_head_of(4) == 1);
}

TEST_CASE("the overlap of distant intervals is empty") {
  CHECK(overlap({0, 5}, {3, 9}) == Interval{3, 5});
  CHECK(overlap({0, 2}, {3, 9}).empty());
  CHECK(overlap({0, 2}, {3, 9}).size() == 0);
}

TEST_CASE("check names the wrong field and the allowed values") {
  CHECK(check_message(Shape{}) == "accepted");
  CHECK(check_message({.batch = 0}) == "batch is 0: allowed are 1 to 1099511627776 (2^40)");
  CHECK_THAT(check_message({.heads = -3}), Contains("heads is -3"));
  CHECK_THAT(check_message({.kv_heads = 0}), Contains("kv-heads is 0"));
  CHECK_THAT(check_message({.seqlen_q = 0}), Contains("seqlen-q is 0"));
  CHECK_THAT(check_message({.seqlen_k = INT64_MAX}), Contains("seqlen-k is 9223372036854775807"));
  CHECK_THAT(check_message({.head_dim = 0}), Contains("head-dim is 0"));
  CHECK(check_message({.heads = 12, .kv_heads = 8}) ==
        "kv-heads is 8: must divide heads = 12; allowed are 1, 2, 3, 4, 6, 12");
  CHECK_THAT(check_message({.heads = 4, .kv_heads = 8}), Contains("allowed are 1, 2, 4"));
  CHECK_THAT(check_message({.heads = 1009, .kv_heads = 2}), Contains("allowed are 1, ..., 1009"));
  CHECK(check_message({.seqlen_k = 5, .mask = {.padding = 6}}) == "padding is 6: allowed are 0 to seqlen-k = 5");
  CHECK_THAT(check_message({.mask = {.padding = -1}}), Contains("padding is -1"));
  CHECK_THAT(check_message({.mask = {.window = -1}}), Contains("window is -1"));
  CHECK_THAT(check_message({.mask = {.window = INT64_MAX}}), Contains("(2^40)"));
  CHECK_THAT(check_message({.mask = {.window_right = -2}}), Contains("window is 0,-2"));
  CHECK(check_message({.seqlen_k = 5, .mask = {.causal = true, .prefix = 6}}) ==
        "prefix is 6: allowed are 0 to seqlen-k = 5");
  CHECK_THAT(check_message({.mask = {.causal = true, .window = 3, .prefix = 6}}), Contains("leave out one of them"));
  CHECK_THAT(check_message({.mask = {.prefix = 6}}), Contains("every key is visible already: add --causal"));
  const auto documents = std::make_shared<const Documents>(Documents{0, 3, 8});
  CHECK_THAT(
      check_message({.seqlen_q = 8, .seqlen_k = 8, .mask = {.causal = true, .prefix = 6, .documents = documents}}),
      Contains("--documents"));
  CHECK(check_message({.seqlen_q = 8, .seqlen_k = 9, .mask = {.documents = documents}}) ==
        "documents: their lengths add up to 8, not to seqlen-k = 9");
  CHECK_THAT(check_message({.seqlen_q = 9, .seqlen_k = 8, .mask = {.documents = documents}}),
             Contains("seqlen-q = 9 is more than seqlen-k = 8"));
}

TEST_CASE("check refuses products beyond 64 bits") {
  const std::int64_t n = std::int64_t{1} << 40;
  CHECK_THAT(check_message({.seqlen_q = n, .seqlen_k = n}),
             Contains("batch x heads x seqlen-q x seqlen-k x 8 bytes: ") && Contains("passes 64 bits"));
  CHECK_THAT(check_message({.seqlen_q = n, .seqlen_k = 1, .head_dim = n}), Contains("tensors of 8 bytes: "));
  CHECK_THAT(check_message({.seqlen_q = n / 2048, .seqlen_k = n / 2048}), Contains("operations: "));
}

}  // namespace sim

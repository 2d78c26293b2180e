// Block::last and Block::masked in every loop of a CTA, against a walk over all pairs. A body loads K in the iterations
// that have the flag and V in the others, so the bytes of K and V tell how often it was set.
#include <catch2/catch.hpp>

#include "sim/programs/launches.h"
#include "tests/support/random_scenario.h"

namespace sim {
namespace {

/// Loads a block of K if the flag is set, else the block of V.
void load_by(bool flag, Cta& cta, const Problem& p, const Block& j) {
  if (flag) {
    cta.load(block(p.hbm.K, j));
  } else {
    cta.load(block(p.hbm.V, j));
  }
}
void load_rows_by(bool flag, Cta& cta, const Problem& p, const Block& i) {
  if (flag) {
    cta.load(block(p.hbm.Q, i));
  } else {
    cta.load(block(p.hbm.O, i));
  }
}

void up(Cta& cta, const Problem& p) {
  for (const Block& j : cta.key_blocks(cta.row())) load_by(j.last, cta, p, j);
}
void down(Cta& cta, const Problem& p) {
  for (const Block& j : cta.key_blocks_down(cta.row())) load_by(j.last, cta, p, j);
}
void of_a_part(Cta& cta, const Problem& p) {
  for (const Block& j : cta.key_blocks(cta.row(), cta.col())) load_by(j.last, cta, p, j);
}
void all_keys(Cta& cta, const Problem& p) {
  for (const Block& j : cta.all_key_blocks()) load_by(j.last, cta, p, j);
}
void live_keys(Cta& cta, const Problem& p) {
  for (const Block& j : cta.live_key_blocks()) load_by(j.last, cta, p, j);
}
void masked_keys(Cta& cta, const Problem& p) {
  for (const Block& j : cta.all_key_blocks()) load_by(j.masked, cta, p, j);
}
void rows(Cta& cta, const Problem& p) {
  for (const Block& i : cta.query_blocks(cta.col())) load_rows_by(i.last, cta, p, i);
}
void visits(Cta& cta, const Problem& p) {
  for (const Block& j : cta.live_key_blocks()) {
    for (const Block& i : cta.query_visits(j)) load_rows_by(i.last, cta, p, i);
  }
}
void rows_of_last_keys(Cta& cta, const Problem& p) {
  for (const Block& j : cta.live_key_blocks()) {
    for (const Block& i : cta.query_blocks(j)) load_rows_by(j.last, cta, p, i);
  }
}
void heads(Cta& cta, const Problem& p) {
  for (const Block& h : cta.query_heads()) load_by(h.last, cta, p, cta.col());
}
void slices(Cta& cta, const Problem& p) {
  for (const Block& c : cta.chunks(p.shape.head_dim, 24)) {
    if (c.last) {
      cta.load(block(p.hbm.Q, cta.row(), c));
    } else {
      cta.load(block(p.hbm.O, cta.row(), c));
    }
  }
}

constexpr std::int64_t br = 32, bc = 16;

Plan plan_of(const Shape& shape, void (*body)(Cta&, const Problem&), const GridShape& grid) {
  Scenario s;
  s.shape = shape;
  s.br = br;
  s.bc = bc;
  Plan plan = make_plan(s);
  using enum Tensor;
  plan.launches = {{.name = "flags",
                    .body = body,
                    .grid = grid,
                    .inputs = {Q, K, V},
                    .outputs = {O},
                    .tiling = plan.problem.tiling}};
  return plan;
}

/// Elements loaded with the flag and without it, by a count that equals a walk over every CTA.
struct Loaded {
  std::int64_t with = 0, without = 0;
  friend bool operator==(const Loaded&, const Loaded&) = default;
};

Loaded loaded(const Shape& shape, void (*body)(Cta&, const Problem&), const GridShape& grid) {
  const Plan plan = plan_of(shape, body, grid);
  Totals counted;
  add_to(counted, count(plan, plan.launches[0]));
  const Totals walked = count_by_brute_force(plan);
  CHECK(counted.by_tensor == walked.by_tensor);
  const auto elements = [&](Tensor a, Tensor b) {
    return (counted.tensor(a).read.count() + counted.tensor(b).read.count()) / 2;
  };
  return {elements(Tensor::K, Tensor::Q), elements(Tensor::V, Tensor::O)};
}

struct Tiles {
  const Shape& shape;
  Blocking rows{shape.seqlen_q, br}, keys{shape.seqlen_k, bc};
  std::int64_t pairs(std::int64_t i, std::int64_t j) const {
    std::int64_t visible = 0;
    for (std::int64_t q = rows.elements(i).begin; q < rows.elements(i).end; ++q) {
      for (std::int64_t k = keys.elements(j).begin; k < keys.elements(j).end; ++k) visible += shape.visible(q, k);
    }
    return visible;
  }
  bool live(std::int64_t i, std::int64_t j) const { return pairs(i, j) > 0; }
  bool masked(std::int64_t i, std::int64_t j) const {
    return pairs(i, j) < rows.elements(i).size() * keys.elements(j).size();
  }
  bool seen(std::int64_t j) const {
    for (std::int64_t i = 0; i < rows.count(); ++i) {
      if (live(i, j)) return true;
    }
    return false;
  }
};

/// Adds `size` elements for each index that takes part, to `with` for the last of them.
template <class Takes, class Size>
void add_loop(Loaded& sum, std::int64_t count, bool down, Takes takes, Size size) {
  std::int64_t last = -1;
  for (std::int64_t n = 0; n < count; ++n) {
    if (takes(n) && (!down || last < 0)) last = n;
  }
  for (std::int64_t n = 0; n < count; ++n) {
    if (takes(n)) (n == last ? sum.with : sum.without) += size(n);
  }
}

Loaded times(Loaded each, std::int64_t n) { return {each.with * n, each.without * n}; }

std::vector<Shape> shapes() {
  std::vector<Shape> all;
  Dice dice(741);
  for (const Mask& mask : {Mask{}, Mask{.causal = true}, Mask{.causal = true, .padding = 37}, Mask{.window = 50},
                           Mask{.causal = true, .window = 50}, Mask{.padding = 100}}) {
    all.push_back({2, 6, 2, 200, 200, 64, mask});
    all.push_back({2, 6, 2, 70, 300, 64, mask});
    all.push_back({2, 6, 2, 300, 120, 64, mask});
  }
  for (int n = 0; n < 40; ++n) {
    const std::int64_t keys = dice.between(1, 200);
    all.push_back({1, 4, 2, dice.between(1, 200), keys, dice.between(1, 64), random_mask(dice, keys, 200)});
  }
  return all;
}

}  // namespace

TEST_CASE("the last key block of each row block is marked, from either end and in each part of the keys") {
  for (const Shape& shape : shapes()) {
    const Tiles tiles{shape};
    const std::int64_t parts = ceil_div(tiles.keys.count(), 3);
    Loaded from_first, from_last, in_parts;
    for (std::int64_t i = 0; i < tiles.rows.count(); ++i) {
      const auto size = [&](std::int64_t j) { return tiles.keys.elements(j).size() * shape.head_dim; };
      const auto live = [&](std::int64_t j) { return tiles.live(i, j); };
      add_loop(from_first, tiles.keys.count(), false, live, size);
      add_loop(from_last, tiles.keys.count(), true, live, size);
      for (std::int64_t s = 0; s < parts; ++s)
        add_loop(
            in_parts, tiles.keys.count(), false, [&](std::int64_t j) { return j / 3 == s && live(j); }, size);
    }
    const std::int64_t all = shape.batch * shape.heads;
    INFO("Nq " << shape.seqlen_q << " Nk " << shape.seqlen_k << " causal " << shape.mask.causal << " padding "
               << shape.mask.padding << " window " << shape.mask.window.value_or(-1));
    CHECK(loaded(shape, up, {GridKind::per_row_block, br, bc}) == times(from_first, all));
    CHECK(loaded(shape, down, {GridKind::per_row_block, br, bc}) == times(from_last, all));
    CHECK(loaded(shape, of_a_part, GridShape::split(br, bc, 3, parts)) == times(in_parts, all));
  }
}

TEST_CASE("parts of one and of two key blocks have a last one each") {
  const Shape shape{1, 1, 1, 64, 160, 64, {}};  // 2 row blocks, 10 key blocks of 16 x 64 elements
  CHECK(loaded(shape, of_a_part, GridShape::split(br, bc, 1, 10)) == Loaded{2 * 10 * 1024, 0});
  CHECK(loaded(shape, of_a_part, GridShape::split(br, bc, 2, 5)) == Loaded{2 * 5 * 1024, 2 * 5 * 1024});
  CHECK(loaded(shape, of_a_part, GridShape::split(br, bc, 4, 3)) == Loaded{2 * 3 * 1024, 2 * 7 * 1024});
}

TEST_CASE("the last block of all keys and of the live keys is marked, in a CTA of a head and in one of a row block") {
  for (const Shape& shape : shapes()) {
    const Tiles tiles{shape};
    const auto size = [&](std::int64_t j) { return tiles.keys.elements(j).size() * shape.head_dim; };
    Loaded all, live;
    add_loop(
        all, tiles.keys.count(), false, [](std::int64_t) { return true; }, size);
    add_loop(
        live, tiles.keys.count(), false, [&](std::int64_t j) { return tiles.seen(j); }, size);
    for (const auto& [kind, ctas] :
         {std::pair{GridKind::per_head, std::int64_t{1}}, std::pair{GridKind::per_row_block, tiles.rows.count()}}) {
      CHECK(loaded(shape, all_keys, {kind, br, bc}) == times(all, ctas * shape.batch * shape.heads));
      CHECK(loaded(shape, live_keys, {kind, br, bc}) == times(live, ctas * shape.batch * shape.heads));
    }
  }
}

TEST_CASE("a block of all keys is masked if a row of the CTA does not see all of it") {
  for (const Shape& shape : shapes()) {
    const Tiles tiles{shape};
    Loaded of_rows, of_heads;
    for (std::int64_t j = 0; j < tiles.keys.count(); ++j) {
      const std::int64_t size = tiles.keys.elements(j).size() * shape.head_dim;
      bool any = false;
      for (std::int64_t i = 0; i < tiles.rows.count(); ++i) {
        any = any || tiles.masked(i, j);
        (tiles.masked(i, j) ? of_rows.with : of_rows.without) += size;
      }
      (any ? of_heads.with : of_heads.without) += size;
    }
    const std::int64_t all = shape.batch * shape.heads;
    CHECK(loaded(shape, masked_keys, {GridKind::per_row_block, br, bc}) == times(of_rows, all));
    CHECK(loaded(shape, masked_keys, {GridKind::per_head, br, bc}) == times(of_heads, all));
  }
}

TEST_CASE("the last row block of each key block is marked, and the last visit of each row block") {
  for (const Shape& shape : shapes()) {
    const Tiles tiles{shape};
    const auto size = [&](std::int64_t i) { return tiles.rows.elements(i).size() * shape.head_dim; };
    Loaded of_keys, of_visits, of_last_keys;
    std::int64_t last_keys = -1;
    for (std::int64_t j = 0; j < tiles.keys.count(); ++j) {
      add_loop(
          of_keys, tiles.rows.count(), false, [&](std::int64_t i) { return tiles.live(i, j); }, size);
      if (tiles.seen(j)) last_keys = j;
    }
    for (std::int64_t i = 0; i < tiles.rows.count(); ++i) {
      const auto live = [&](std::int64_t j) { return tiles.live(i, j); };
      add_loop(of_visits, tiles.keys.count(), false, live, [&](std::int64_t) { return size(i); });
      for (std::int64_t j = 0; j < tiles.keys.count(); ++j) {
        if (live(j)) (j == last_keys ? of_last_keys.with : of_last_keys.without) += size(i);
      }
    }
    CHECK(loaded(shape, rows, {GridKind::per_column_block, br, bc}) == times(of_keys, shape.batch * shape.kv_heads));
    CHECK(loaded(shape, visits, {GridKind::per_head, br, bc}) == times(of_visits, shape.batch * shape.heads));
    CHECK(loaded(shape, rows_of_last_keys, {GridKind::per_head, br, bc}) ==
          times(of_last_keys, shape.batch * shape.heads));
  }
}

TEST_CASE("the last query head of a group and the last slice of d are marked") {
  const Shape shape{3, 12, 4, 64, 160, 56, {}};  // groups of 3 heads; slices of 24, 24 and 8
  const std::int64_t keys = 3 * 4 * 160 * 56, queries = 3 * 12 * 64;
  CHECK(loaded(shape, heads, {GridKind::per_column_block, br, bc}) == Loaded{keys, 2 * keys});
  CHECK(loaded(shape, slices, {GridKind::per_row_block, br, bc}) == Loaded{queries * 8, queries * 48});
}

}  // namespace sim

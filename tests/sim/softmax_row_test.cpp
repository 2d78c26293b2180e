// A row of the softmax, tile by tile, against an independent computation in double.
#include "sim/model/softmax_row.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "sim/model/row_answer.h"
#include "tests/support/takes.h"

namespace {

using sim::Rescaling;
using sim::RowAnswer;
using sim::SoftmaxRow;
using sim::SoftmaxTile;

/// Scores of a row in double, -infinity if hidden, with the rows of V.
struct OwnRow {
  std::vector<double> scores;
  std::vector<std::vector<double>> values;
};

OwnRow own_row(const sim::Plan& plan, std::int64_t head, std::int64_t query) {
  const sim::Shape& s = plan.problem.shape;
  const sim::AttentionInputs inputs = sim::inputs_of(plan.scenario);
  const auto d = s.head_dim, kv_head = head / s.heads * s.kv_heads + head % s.heads / (s.heads / s.kv_heads);
  const auto at = [&](const std::vector<float>& tensor, std::int64_t row, std::int64_t c) {
    return static_cast<double>(tensor[static_cast<std::size_t>(row * d + c)]);
  };
  OwnRow own;
  for (std::int64_t key = 0; key < s.seqlen_k; ++key) {
    double score = 0;
    std::vector<double> v;
    for (std::int64_t c = 0; c < d; ++c) {
      score += at(inputs.q, head * s.seqlen_q + query, c) * at(inputs.k, kv_head * s.seqlen_k + key, c);
      v.push_back(at(inputs.v, kv_head * s.seqlen_k + key, c));
    }
    own.scores.push_back(s.visible(query, key) ? score * static_cast<double>(plan.problem.scale) : -INFINITY);
    own.values.push_back(std::move(v));
  }
  return own;
}

/// sum of w v / sum of w, with the weights exp(s - shift of the key).
template <class Shift>
std::vector<double> own_answer(const OwnRow& own, Shift shift) {
  double sum = 0;
  std::vector<double> O(own.values.front().size());
  for (std::size_t j = 0; j < own.scores.size(); ++j) {
    if (std::isinf(own.scores[j])) continue;
    const double w = std::exp(own.scores[j] - shift(j));
    sum += w;
    for (std::size_t c = 0; c < O.size(); ++c) O[c] += w * own.values[j][c];
  }
  for (double& value : O) value /= sum == 0 ? 1 : sum;
  return O;
}

template <class A, class B>
double largest_difference(const A& a, const B& b) {
  double most = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t n = 0; n < std::min(a.size(), b.size()); ++n)
    most = std::max(most, std::abs(static_cast<double>(a[n]) - static_cast<double>(b[n])));
  return most;
}

/// Error allowed: in fp32 by the rounding of sums, else by the rounding of P and of stored values.
double tolerance(sim::Dtype dtype) {
  return dtype == sim::Dtype::fp32 ? 2e-5 : dtype == sim::Dtype::fp16 ? 4e-3 : 3e-2;
}

/// Checks that m, l and O follow from the tile's own scores and from the values before it. fmha divides P by l, so that
/// its O is final.
void check_tile(const SoftmaxTile& tile, double close, bool divides_p) {
  double sum = 0;
  for (const float p : tile.weights) sum += static_cast<double>(p);
  CHECK(static_cast<double>(tile.sum) == Approx(sum).epsilon(1e-6).margin(1e-6));
  if (tile.max_runs) {
    CHECK(tile.m == std::max(tile.m_before, tile.score_max));
    CHECK(tile.alpha == Approx(std::isinf(tile.m_before) ? 0.0 : std::exp(tile.m_before - tile.m)).epsilon(1e-5));
    for (std::size_t j = 0; j < tile.weights.size() && !tile.of_parts; ++j) {
      const double p = std::isinf(tile.scores[j]) ? 0 : std::exp(tile.scores[j] - tile.m);
      CHECK(tile.weights[j] == Approx(p).epsilon(1e-2).margin(1e-3));
    }
  }
  if (tile.sum_runs) CHECK(tile.l == Approx(tile.alpha * tile.l_before + tile.sum).epsilon(1e-4).margin(1e-6));
  const double l = divides_p && tile.l > 0 ? static_cast<double>(tile.l) : 1;
  for (std::size_t c = 0; c < tile.exact_added.size() && !tile.O.empty(); ++c)
    CHECK(tile.O[c] == Approx(tile.O_scaled[c] + tile.exact_added[c] / l).margin(20 * close * (1 + tile.l / l)));
}

sim::Scenario drawn_scenario(std::mt19937_64& random) {
  const auto one_of = [&](auto... values) {
    const std::array all{values...};
    return all[random() % all.size()];
  };
  const auto names = sim::names_with_queries();
  sim::Scenario s;
  s.algorithm = names[random() % names.size()];
  const std::int64_t kv_heads = one_of(1, 2), n = one_of(1, 17, 100, 128, 256, 1024, 2000);
  s.shape = {one_of(1, 2),
             kv_heads * one_of(1, 3),
             kv_heads,
             n,
             one_of(n, n, std::int64_t{128}, std::int64_t{1500}),
             one_of(16, 64, 128),
             {}};
  s.dtype = one_of(sim::Dtype::fp16, sim::Dtype::bf16, sim::Dtype::fp32);
  s.shape.mask.causal = random() % 2 == 0;
  if (random() % 4 == 0) s.shape.mask.window = one_of(0, 5, 200);
  if (random() % 4 == 0) s.shape.mask.padding = one_of(1, 9);
  if (random() % 4 == 0) s.tiling = sim::TilingRule::paper;
  s.seed = random();
  return s;
}

std::shared_ptr<const sim::Plan> possible_plan(const sim::Scenario& scenario) {
  try {
    return std::make_shared<const sim::Plan>(sim::make_plan(scenario));
  } catch (const sim::Error&) {
    return nullptr;  // sizes that the algorithm rejects
  }
}

void check_row(const std::shared_ptr<const sim::Plan>& plan, std::int64_t head, std::int64_t query) {
  SoftmaxRow row(plan, head, query);
  row.finish();
  const double close = tolerance(plan->problem.dtype);
  const OwnRow own = own_row(*plan, head, query);
  const double most = *std::max_element(own.scores.begin(), own.scores.end());
  const std::vector<double> O = own_answer(own, [&](std::size_t) { return most; });
  CHECK(largest_difference(row.O(), O) < close * 4);
  std::vector<double> shift(own.scores.size());
  for (const SoftmaxTile& tile : row.tiles()) {
    check_tile(tile, close, plan->scenario.algorithm == "fmha");
    for (std::size_t j = 0; j < tile.scores.size() && !tile.of_parts; ++j) {
      const std::size_t key = static_cast<std::size_t>(tile.keys.begin) + j;
      if (!std::isinf(own.scores[key])) CHECK(tile.scores[j] == Approx(own.scores[key]).margin(close * 20));
      if (tile.max_runs) shift[key] = tile.exact_m;
    }
  }
  const std::size_t all = row.tiles().size();
  CHECK(largest_difference(sim::answer_of(row.tiles(), all, Rescaling::kept).O,
                           std::isinf(most) ? std::vector<double>{} : O) < close * 20);
  const bool parts = all > 0 && row.tiles().back().of_parts;
  if (parts || std::isinf(most)) return;
  const RowAnswer without = sim::answer_of(row.tiles(), all, Rescaling::skipped);
  CHECK(largest_difference(without.O, own_answer(own, [&](std::size_t j) { return shift[j]; })) < close * 20);
}

}  // namespace

TEST_CASE("the tiles of a row combine to the row's softmax in double, in every algorithm") {
  std::mt19937_64 random(20260);
  int rows = 0;
  while (rows < 120) {
    const sim::Scenario scenario = drawn_scenario(random);
    const auto plan = possible_plan(scenario);
    if (plan == nullptr || plan->problem.shape.seqlen_q != scenario.shape.seqlen_q) continue;  // heads packed as rows
    if (plan->code->unified_max) continue;  // no maximum of a row to follow
    const sim::Shape& s = scenario.shape;
    const auto head = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(s.batch * s.heads));
    const auto query = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(s.seqlen_q));
    INFO(scenario.algorithm << " " << name_of(scenario.dtype) << " N " << s.seqlen_q << " x " << s.seqlen_k << " d "
                            << s.head_dim << " heads " << s.heads << "/" << s.kv_heads << " head " << head << " query "
                            << query << " seed " << scenario.seed << " causal " << s.mask.causal);
    check_row(plan, head, query);
    ++rows;
  }
}

TEST_CASE("shares of all keys sum to one, with alpha and without, after any tile") {
  sim::Scenario scenario;
  scenario.shape.seqlen_q = scenario.shape.seqlen_k = 200;
  for (const std::string algorithm : {"flash2", "flash1", "flash-decoding", "rabe-staats", "memory-efficient"}) {
    scenario.algorithm = algorithm;
    scenario.own.clear();
    if (algorithm == "flash-decoding") scenario.own["splits"] = 3;
    if (algorithm != "flash-decoding") scenario.bc = 16;
    SoftmaxRow row(std::make_shared<const sim::Plan>(sim::make_plan(scenario)), 0, 77);
    row.finish();
    const auto& tiles = row.tiles();
    for (std::size_t count = 1; count <= tiles.size(); ++count) {
      INFO(algorithm << " after " << count << " tiles");
      for (const Rescaling rescaling : {Rescaling::kept, Rescaling::skipped}) {
        const RowAnswer answer = sim::answer_of(tiles, count, rescaling);
        double sum = 0;
        for (std::size_t t = 0; t < count; ++t) {
          for (std::size_t j = 0; j < tiles[t].scores.size() && !tiles[t].of_parts; ++j)
            sum += answer.share(tiles[t], t, j);
        }
        CHECK(sum == Approx(1).epsilon(1e-5));
      }
    }
  }
}

TEST_CASE("Flash-Decoding without alpha is wrong within its parts, while their combination rescales nothing") {
  sim::Scenario scenario;
  scenario.algorithm = "flash-decoding";
  scenario.shape.seqlen_q = 64;
  scenario.shape.seqlen_k = 4096;
  scenario.own["splits"] = 4;
  SoftmaxRow row(std::make_shared<const sim::Plan>(sim::make_plan(scenario)), 0, 9);
  row.finish();
  const auto& tiles = row.tiles();
  REQUIRE(tiles.size() == 4 * 4 + 4);  // 4 parts of 4 tiles of 256 keys, and one tile per part in the combination
  REQUIRE(tiles.back().of_parts);
  CHECK(tiles.back().part == 3);
  CHECK_FALSE(tiles.back().max_runs);
  for (std::size_t part = 16; part < 20; ++part) {
    CHECK(tiles[part].alpha == 1);
    CHECK(tiles[part].m == tiles.back().m);
  }
  const RowAnswer kept = sim::answer_of(tiles, tiles.size(), Rescaling::kept);
  const RowAnswer skipped = sim::answer_of(tiles, tiles.size(), Rescaling::skipped);
  CHECK(largest_difference(row.O(), kept.O) < 4e-3);
  CHECK(sim::relative_error(skipped.O, kept.O) > 0.01);
}

TEST_CASE("standard attention's softmax kernel has one tile, or two passes if the row does not fit") {
  sim::Scenario scenario;
  scenario.algorithm = "standard";
  scenario.shape.seqlen_q = scenario.shape.seqlen_k = 4096;
  SoftmaxRow whole(std::make_shared<const sim::Plan>(sim::make_plan(scenario)), 0, 5);
  whole.finish();
  REQUIRE(whole.tiles().size() == 1);
  CHECK_FALSE(whole.tiles()[0].rescales);
  CHECK(whole.tiles()[0].O.empty());
  scenario.sram = 7168;
  scenario.br = scenario.bc = 16;
  SoftmaxRow passes(std::make_shared<const sim::Plan>(sim::make_plan(scenario)), 0, 5);
  passes.finish();
  REQUIRE(passes.tiles().size() == 2 * 4096 / 16);
  CHECK(passes.tiles().front().rescales);
  CHECK_FALSE(passes.tiles().back().max_runs);
  CHECK(passes.tiles().back().m == whole.tiles()[0].m);
  CHECK(passes.tiles().back().l == Approx(whole.tiles()[0].l).epsilon(1e-4));
}

TEST_CASE("a row outside the run, of a backward pass or of too many keys is refused by name") {
  sim::Scenario scenario;
  const auto refused = [&](std::int64_t head, std::int64_t query, const std::string& words) {
    const auto plan = std::make_shared<const sim::Plan>(sim::make_plan(scenario));
    CHECK_THROWS_WITH(SoftmaxRow(plan, head, query), Catch::Contains(words));
  };
  refused(0, 1024, "row: 1024 is not a query from 0 to 1023");
  refused(1, 0, "head: 1 is not a query head from 0 to 0");
  scenario.pass = sim::Pass::backward;
  refused(0, 0, "--pass backward");
  scenario.pass = sim::Pass::forward;
  scenario.shape.seqlen_k = SoftmaxRow::most_keys + 1;
  refused(0, 0, "more than 4194304");
}

TEST_CASE("a row of 131,072 keys keeps 8 bytes per key and few rows of d per tile") {
  sim::Scenario scenario;
  scenario.shape.seqlen_q = scenario.shape.seqlen_k = 131072;
  SoftmaxRow row(std::make_shared<const sim::Plan>(sim::make_plan(scenario)), 0, 70000);
  row.finish();
  const std::int64_t tiles = std::ssize(row.tiles());
  CHECK(row.bytes() <= 8 * 131072 + tiles * (5 * 4 * 64 + std::int64_t{sizeof(SoftmaxTile)}) + 1024);
}

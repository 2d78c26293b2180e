// A single-file program that declares a tensor: a number for each key, which one kernel writes and another reads.
#include <catch2/catch.hpp>
#include <numeric>

#include "sim/base/attention.h"
#include "sim/model/simulation.h"
#include "sim/programs/drawn_rows.h"
#include "sim/programs/kernel_form.h"
#include "sim/programs/launches.h"
#include "sim/programs/row_window.h"
#include "tests/support/ledger.h"
#include "tests/support/random_scenario.h"

namespace {

using namespace sim;

const Tensor norms = declare_tensor({.name = "K_norm",
                                     .owner = Owner::kv_head,
                                     .rows = extents::Nk,
                                     .cols = extents::one,
                                     .own_type = Dtype::fp32,
                                     .statistic = true});

void write_norms(Cta& cta, const Problem& p) {
  const Block& j = cta.col();
  SmemTile K = cta.load(block(p.hbm.K, j));
  cta.store(cta.add_row_dot(cta.vec(norms, j, 0), K, K), block(p.hbm[norms], j));
}

void read_norms(Cta& cta, const Problem& p) {
  const Block& i = cta.row();
  RegVec l = cta.vec(Tensor::l, i, 0);
  for (const Block& j : cta.key_blocks(i)) cta.load_vec(block(p.hbm[norms], j));
  cta.store(l, block(p.hbm.L, i));
}

std::vector<Launch> launches(const Problem& p) {
  return {{.name = "norms",
           .body = write_norms,
           .grid = {GridKind::per_column_block, p.tiling.br, p.tiling.bc, false},
           .inputs = {Tensor::K},
           .outputs = {norms}},
          {.name = "reader",
           .body = read_norms,
           .grid = {GridKind::per_row_block, p.tiling.br, p.tiling.bc},
           .inputs = {norms},
           .outputs = {Tensor::L}}};
}

constexpr Tiling tiling(const TilingCase&) { return {32, 32}; }
std::span<const NamedForm> no_forms() { return {}; }
std::string_view no_text(std::string_view) { return {}; }

const bool added = add_program({.name = "key-norms",
                                .title = "Norms of keys",
                                .short_title = "Norms",
                                .forward = {"tests/key_norms.cpp", "a test", tiling, launches},
                                .forms = no_forms,
                                .text = no_text});

Scenario scenario() {
  Scenario s;
  s.algorithm = "key-norms";
  s.shape = {2, 4, 2, 300, 200, 40, {true, 7, 90}};
  return s;
}

}  // namespace

TEST_CASE("a tensor declared by a program is counted, kept in memory and read from HBM like built-in ones") {
  const Plan plan = make_plan(scenario());
  Totals totals;
  for (const Trace& trace : count(plan)) add_to(totals, trace);
  CHECK(totals == count_by_brute_force(plan));
  const Simulation run = simulate(scenario());
  const Bytes all(2 * 2 * 200 * 4);  // batch entries, KV heads, keys
  CHECK(run.totals.tensor(norms).written == all);
  CHECK(run.totals.bucket(Bucket::statistics).written == all + Bytes(2 * 4 * 300 * 4));
  CHECK(run.hbm_by_tensor.at(norms).written == all);
  CHECK(run.hbm_by_tensor.at(norms).read <= all);
  CHECK(run.plan.problem.hbm[norms].total_bytes(run.plan.problem.shape) == all);
}

TEST_CASE("with few rows of queries, a kernel reads the rows of keys that another one wrote") {
  const Plan plan = make_plan(scenario());
  const Shape& shape = plan.problem.shape;
  const AttentionInputs inputs = draw_inputs(shape, plan.problem.dtype, plan.scenario.seed);
  RowWindow window(plan, 3, {192, 224}, std::make_shared<DrawnInputs>(plan, 3));  // head 3 has KV head 1
  std::size_t loads = 0;
  for (const Launch& launch : plan.launches) {
    const GridAxes axes = grid_axes(shape, launch.grid);
    for (std::int64_t j = 0; j < axes.cols.count(); ++j) {
      const Block row = axes.row(launch.grid.cuts_rows() ? 6 : 0);
      const CtaPart part = window.resume(launch, row, axes.col(j), {}, 1000, KeepValues::all);
      for (const Event& event : part.trace.events) {
        if (event.verb != Verb::load || event.tensor != norms) continue;
        const float* const key = inputs.k.data() + (shape.seqlen_k + event.rows.begin) * shape.head_dim;
        const float squares = std::inner_product(key, key + shape.head_dim, key, 0.0f);
        CHECK(part.trace.values[static_cast<std::size_t>(event.value)].values.front() == Approx(squares));
        ++loads;
      }
    }
  }
  CHECK(loads > 0);
}

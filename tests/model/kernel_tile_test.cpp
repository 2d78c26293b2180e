// Values of tiles in every kernel, against a replay with values.
#include "viz/model/values/kernel_tile.h"

#include <cmath>
#include <map>

#include "sim/machine/cta.h"
#include "tests/model/kernel_cases.h"
#include "tests/model/replayed_tile.h"
#include "viz/model/tiles/tile_stage.h"

namespace {

using explorer::Subject;
using explorer::TileLayers;
using explorer::TileMatrix;
using sim::Tensor;

void check_visit(Subject& subject, const sim::Trace& values, explorer::HeadValues& head, std::int32_t visit) {
  const explorer::Visit& of = subject.replay->index.visits()[static_cast<std::size_t>(visit)];
  subject.time = of.begin;
  const TileMatrix matrix(subject);
  const TileLayers layers = layers_at(subject, head, matrix);
  CHECK(layers.queries == matrix.rows.elements(of.row));
  CHECK(layers.keys == matrix.cols.elements(of.col));
  std::size_t seen = 0;
  for (const sim::Event& event : subject.replay->trace.events) {
    if (event.begin < of.begin || event.begin > of.end || event.direction != sim::Direction::none) continue;
    subject.time = event.begin;
    const std::size_t events = stage_of(*subject.replay, visit, subject.time).layers;
    const explorer::TileLayer* const layer = layers.after(events);
    const std::vector<float>* const want = replayed(subject, values, of);
    INFO("visit " << visit << " event " << events << " " << name_of(event.verb) << " " << name_of(event.tensor));
    REQUIRE((layer != nullptr && want != nullptr));
    CHECK(same_bits(layer->values, *want));
    seen = std::max(seen, events);
  }
  CHECK(layers.loaded + seen == layers.all.size());
}

std::int64_t check_kernel(const std::shared_ptr<const explorer::Run>& run, std::size_t kernel) {
  Subject subject = subject_of(run, kernel);
  const auto count = static_cast<std::int32_t>(subject.replay->index.visits().size());
  if (count == 0) return 0;
  const sim::Trace values = trace_with_values(subject);
  std::map<std::int64_t, explorer::HeadValues> heads;
  for (std::int32_t visit = 0; visit < count; visit += std::max(1, count / 5)) {
    subject.time = subject.replay->index.visits()[static_cast<std::size_t>(visit)].begin;
    const std::int64_t head = place_of(subject, TileMatrix(subject)).head;
    check_visit(subject, values, heads.try_emplace(head, run, kernel, head).first->second, visit);
  }
  return count;
}

/// A program outside of the catalogue: it loads K and V first, and swaps the operands of the maximum.
void unknown_forward(sim::Cta& cta, const sim::Problem& p) {
  const sim::Block& i = cta.row();
  const sim::SmemTile Q = cta.load(block(p.hbm.Q, i));
  sim::RegVec m = cta.vec(Tensor::m, i, -INFINITY), l = cta.vec(Tensor::l, i, 0);
  sim::RegTile O = cta.zeros(Tensor::O, i, p.hbm.O);
  for (const sim::Block& j : cta.key_blocks(i)) {
    const sim::SmemTile K = cta.load(block(p.hbm.K, j)), V = cta.load(block(p.hbm.V, j));
    sim::RegTile S = cta.gemm_nt(Q, K);
    cta.scale(S, p.scale);
    if (j.masked) cta.mask(S, i, j);
    sim::RegVec m_new = cta.max(cta.row_max(S), m);
    const sim::RegVec alpha = cta.exp_sub(m, m_new, Tensor::alpha);
    m = std::move(m_new);
    const sim::RegTile P = cta.exp_sub(std::move(S), m);
    l = cta.add_row_sum(l, alpha, P);
    cta.scale_rows(O, alpha);
    cta.gemm_nn_add(O, P, V);
  }
  cta.divide_rows(O, l);
  cta.store(O, block(p.hbm.O, i));
  cta.store(cta.log_sum_exp(m, l), block(p.hbm.L, i));
}

}  // namespace

TEST_CASE("a program outside of the catalogue has tile values without further code") {
  auto run = std::make_shared<explorer::Run>(*explorer::make_run(scenario_of({"flash2"})));
  sim::Launch& launch = run->simulation.plan.launches[0];
  launch.name = "unknown_forward";
  launch.body = unknown_forward;
  run->simulation.traces[0] = sim::count(run->simulation.plan, launch);
  CHECK(explorer::is_fused_forward(launch));
  CHECK(check_kernel(run, 0) > 2);
}

TEST_CASE("every tile of every kernel at any time equals that of a replay with values, bit for bit") {
  for (const Case& c : all_cases()) {
    for (const double dropout : {0.0, 0.2}) {
      sim::Scenario scenario = scenario_of(c);
      scenario.dropout = dropout;
      if (!takes(scenario)) continue;
      const auto run = explorer::make_run(scenario);
      for (std::size_t kernel = 0; kernel < run->simulation.plan.launches.size(); ++kernel) {
        const sim::Launch& launch = run->simulation.plan.launches[kernel];
        INFO(c.algorithm << " " << name_of(c.pass) << " " << name_of(c.tiling) << " " << launch.name << " dropout "
                         << dropout);
        if (launch.products == sim::Products::fma) {  // whose tiles have no values
          CHECK_FALSE(explorer::has_tiles(*run, kernel));
          continue;
        }
        CHECK(explorer::has_tiles(*run, kernel) == (check_kernel(run, kernel) > 0));
      }
    }
  }
}

TEST_CASE("tiles of standard attention equal those of a replay if rows do not fit in shared memory") {
  for (const double dropout : {0.0, 0.2}) {
    sim::Scenario scenario;
    scenario.algorithm = "standard";
    scenario.pass = sim::Pass::forward_backward;
    scenario.tiling = sim::TilingRule::paper;
    scenario.sram = 1024;
    scenario.shape = {1, 2, 2, 60, 700, 8, {true, 0, {}}};
    scenario.dropout = dropout;
    const auto run = explorer::make_run(scenario);
    for (std::size_t kernel = 0; kernel < run->simulation.plan.launches.size(); ++kernel) {
      const sim::Launch& launch = run->simulation.plan.launches[kernel];
      INFO(launch.name << " dropout " << dropout);
      if (launch.writes(Tensor::P)) REQUIRE(launch.grid.bc < 700);
      CHECK(check_kernel(run, kernel) > 0);
    }
  }
}

TEST_CASE("a row that is one tile is visited once in each pass of memory-efficient attention") {
  sim::Scenario scenario;
  scenario.algorithm = "memory-efficient";
  scenario.shape.seqlen_q = scenario.shape.seqlen_k = 64;
  const auto run = explorer::make_run(scenario);
  CHECK(check_kernel(run, 0) == 2);
}

// The values of tiles in every kernel, held to a replay with values and to the reference in double.
#include "viz/model/kernel_tile.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

#include "viz/model/head_values.h"
#include "viz/model/tile_stage.h"

namespace {

using explorer::Subject;
using explorer::TileLayers;
using explorer::TileMatrix;
using sim::Tensor;

struct Case {
  std::string algorithm;
  sim::Pass pass = sim::Pass::forward;
  sim::TilingRule tiling = sim::TilingRule::kernel;
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const sim::Program& program : sim::catalog()) {
    for (const sim::Pass pass : {sim::Pass::forward, sim::Pass::backward, sim::Pass::forward_backward}) {
      for (const auto tiling : {sim::TilingRule::kernel, sim::TilingRule::paper, sim::TilingRule::released}) {
        if (tiling == sim::TilingRule::released && program.released == nullptr) continue;
        cases.push_back({std::string(program.name), pass, tiling});
      }
    }
  }
  return cases;
}

sim::Scenario scenario_of(const Case& c) {
  const bool released = c.tiling == sim::TilingRule::released;
  sim::Scenario scenario;
  scenario.algorithm = c.algorithm;
  scenario.pass = c.pass;
  scenario.tiling = c.tiling;
  scenario.shape = {2, 4, released ? 4 : 2, 100, 140, 40, {true, 8, 70}};
  if (released) scenario.shape.mask.window.reset();
  if (c.tiling == sim::TilingRule::paper) scenario.sram = 16384;
  if (c.tiling == sim::TilingRule::kernel && c.algorithm != "memory-efficient") scenario.br = 32;
  if (c.tiling == sim::TilingRule::kernel) scenario.bc = 48;
  scenario.seed = 5;
  return scenario;
}

/// A CTA somewhere in the middle, with its playhead.
Subject subject_of(const std::shared_ptr<const explorer::Run>& run, std::size_t kernel) {
  Subject subject;
  subject.run = run;
  const sim::CtaPlace grid = explorer::grid_of(run->simulation, kernel);
  subject.replay = explorer::make_replay(run->simulation, kernel, {1, grid.head - 1, grid.row / 2, grid.col / 2});
  return subject;
}

sim::Trace trace_with_values(const Subject& subject) {
  const sim::Plan& plan = subject.simulation().plan;
  sim::AttentionInputs inputs = sim::draw_inputs(plan.problem.shape, plan.problem.dtype, plan.scenario.seed);
  inputs.d_o = sim::draw_output_gradient(plan.problem.shape, plan.problem.dtype, plan.scenario.seed);
  return sim::replay(plan, subject.launch(), subject.replay->place, &inputs);
}

TileLayers layers_at(const Subject& subject, explorer::HeadValues& head, const TileMatrix& matrix) {
  const explorer::TilePlace place = place_of(subject, matrix);
  if (explorer::RowBlock::knows(subject.launch())) {
    const std::int64_t step = matrix.pass * matrix.live(matrix.row).size() + matrix.col - matrix.live(matrix.row).begin;
    explorer::TileValues tile(head.row(matrix.row)->history(), step);
    while (tile.advance()) {
    }
    REQUIRE(tile.found() != nullptr);
    return tile.found()->layers;
  }
  explorer::KernelTile tile(subject.run, subject.replay->kernel, place, head.numbers(place.row));
  while (tile.advance()) {
  }
  REQUIRE(tile.found() != nullptr);
  return *tile.found();
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && !a.empty() && std::memcmp(a.data(), b.data(), 4 * a.size()) == 0;
}

/// The values that the replay has for the tile at the playhead: what its newest event left, or what was loaded.
const std::vector<float>* replayed(const Subject& subject, const sim::Trace& values, const explorer::Visit& visit) {
  const sim::Trace& timed = subject.replay->trace;
  const std::vector<float>* loaded = nullptr;
  const std::vector<float>* found = nullptr;
  sim::Cycles begin(-1);
  for (std::size_t n = 0; n < timed.events.size(); ++n) {
    const sim::Event& event = timed.events[n];
    const bool here = event.rows.index == visit.row && event.cols.index == visit.col && event.head == visit.head;
    if (!here || !explorer::holds_matrix(event.tensor) || event.verb == sim::Verb::store) continue;
    const auto& left = values.values[static_cast<std::size_t>(values.events[n].value)].values;
    if (event.verb == sim::Verb::load && event.begin <= subject.time) loaded = &left;
    if (!explorer::makes_layer(event) || event.begin < visit.begin || event.begin > subject.time) continue;
    if (event.begin < begin) continue;
    begin = event.begin;
    found = &left;
  }
  return found != nullptr ? found : loaded;
}

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

}  // namespace

TEST_CASE("every tile of every kernel holds at any time what a replay with values has there, bit for bit") {
  for (const Case& c : all_cases()) {
    for (const double dropout : {0.0, 0.2}) {
      sim::Scenario scenario = scenario_of(c);
      scenario.dropout = dropout;
      const auto run = explorer::make_run(scenario);
      for (std::size_t kernel = 0; kernel < run->simulation.plan.launches.size(); ++kernel) {
        const sim::Launch& launch = run->simulation.plan.launches[kernel];
        INFO(c.algorithm << " " << name_of(c.pass) << " " << name_of(c.tiling) << " " << launch.name << " dropout "
                         << dropout);
        const bool known = explorer::RowBlock::knows(launch) || explorer::knows_tiles(launch);
        const bool has_tiles = check_kernel(run, kernel) > 0;
        CHECK(known == has_tiles);
      }
    }
  }
}

namespace {

/// The matrices of one head in double, from the definition: an own way, without tiles.
struct InDouble {
  std::vector<double> S, P, dP, dS, L, D, m, l;
};

double dot(const float* a, const float* b, std::int64_t d) {
  double sum = 0;
  for (std::int64_t c = 0; c < d; ++c) sum += static_cast<double>(a[c]) * static_cast<double>(b[c]);
  return sum;
}

/// Of query head `head` of all batch entries; no dropout.
InDouble in_double(const sim::Plan& plan, std::int64_t head) {
  const sim::Shape& s = plan.problem.shape;
  const std::int64_t d = s.head_dim, kv = head / s.heads * s.kv_heads + s.kv_head_of(head % s.heads);
  const auto inputs = sim::draw_inputs(s, plan.problem.dtype, plan.scenario.seed);
  const auto dO = sim::draw_output_gradient(s, plan.problem.dtype, plan.scenario.seed);
  InDouble x;
  for (std::int64_t i = 0; i < s.seqlen_q; ++i) {
    const std::int64_t row = (head * s.seqlen_q + i) * d;
    double m = -INFINITY, l = 0, D = 0;
    for (std::int64_t j = 0; j < s.seqlen_k; ++j) {
      const std::int64_t key = (kv * s.seqlen_k + j) * d;
      const double score = static_cast<double>(plan.problem.scale) * dot(&inputs.q[row], &inputs.k[key], d);
      x.S.push_back(s.visible(i, j) ? score : -INFINITY);
      x.dP.push_back(dot(&dO[row], &inputs.v[key], d));
      m = std::max(m, x.S.back());
    }
    for (std::int64_t j = 0; j < s.seqlen_k; ++j) l += std::isfinite(m) ? std::exp(x.S[i * s.seqlen_k + j] - m) : 0;
    for (std::int64_t j = 0; j < s.seqlen_k; ++j) {
      x.P.push_back(l > 0 ? std::exp(x.S[i * s.seqlen_k + j] - m) / l : 0);
      D += x.P.back() * x.dP[i * s.seqlen_k + j];
    }
    for (std::int64_t j = 0; j < s.seqlen_k; ++j)
      x.dS.push_back(x.P[i * s.seqlen_k + j] * (x.dP[i * s.seqlen_k + j] - D));
    x.m.push_back(m);
    x.l.push_back(l);
    x.L.push_back(m + std::log(l));
    x.D.push_back(D);
  }
  return x;
}

/// Largest error of the visible pairs; scores of hidden pairs may be there before they are masked.
double largest_error(const sim::Shape& shape, const TileLayers& tile, const explorer::TileLayer& layer,
                     const std::vector<double>& want, double factor) {
  double largest = 0;
  std::size_t at = 0;
  for (std::int64_t i = tile.queries.begin; i < tile.queries.end; ++i) {
    for (std::int64_t j = tile.keys.begin; j < tile.keys.end; ++j, ++at) {
      if (!shape.visible(i, j)) continue;
      const double exact = factor * want[static_cast<std::size_t>(i * shape.seqlen_k + j)];
      largest = std::max(largest, std::abs(static_cast<double>(layer.values[at]) - exact));
    }
  }
  return largest;
}

/// What two roundings to the dtype and sums in fp32 cost: S and dP are sums of 40 products of about 1, P at most 1; O,
/// which D is made of, is rounded once more in a fused kernel, and P and dP in those of standard attention.
double allowed(sim::Dtype dtype, double size) {
  const double unit = dtype == sim::Dtype::fp32 ? 0x1p-24 : dtype == sim::Dtype::fp16 ? 0x1p-11 : 0x1p-8;
  return 2 * unit * size + 1e-5;
}

double largest_of(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::isfinite(value) ? std::max(largest, std::abs(value)) : largest;
  return largest;
}

void check_against_double(const std::shared_ptr<const explorer::Run>& run, std::size_t kernel) {
  Subject subject = subject_of(run, kernel);
  const sim::Problem& problem = subject.problem();
  const auto count = static_cast<std::int32_t>(subject.replay->index.visits().size());
  for (std::int32_t visit = 0; visit < count; visit += std::max(1, count / 3)) {
    subject.time = subject.replay->index.visits()[static_cast<std::size_t>(visit)].begin;
    const TileMatrix matrix(subject);
    const std::int64_t head_index = place_of(subject, matrix).head;
    explorer::HeadValues head(run, kernel, head_index);
    const TileLayers tile = layers_at(subject, head, matrix);
    const InDouble exact = in_double(subject.simulation().plan, head_index);
    const double scale_of_dS = subject.launch().name == "flash1_backward" ? static_cast<double>(problem.scale) : 1;
    const auto check = [&](Tensor tensor, const std::vector<double>& want, double factor) {
      const explorer::TileLayer* const layer = tile.newest(tensor);
      if (layer == nullptr) return;
      INFO("visit " << visit << " " << name_of(tensor));
      // dS multiplies the errors of P and dP - D by the other.
      const double grown = tensor == Tensor::dS ? 4 : 1;
      CHECK(largest_error(problem.shape, tile, *layer, want, factor) <=
            grown * allowed(problem.dtype, std::max(largest_of(want), largest_of(exact.dP))));
    };
    check(Tensor::S, exact.S, 1);
    check(Tensor::S_masked, exact.S, 1);
    check(Tensor::dP, exact.dP, 1);
    check(Tensor::dS, exact.dS, scale_of_dS);
    const bool is_final = !explorer::RowBlock::knows(subject.launch()) && !subject.launch().writes(Tensor::P);
    if (is_final) check(Tensor::P, exact.P, 1);
  }
}

}  // namespace

TEST_CASE("the values of tiles in every kernel are as near to those in double as their dtype allows") {
  for (const Case& c : all_cases()) {
    for (const sim::Dtype dtype : {sim::Dtype::fp32, sim::Dtype::fp16, sim::Dtype::bf16}) {
      if (c.tiling == sim::TilingRule::released && dtype == sim::Dtype::fp32) continue;
      sim::Scenario scenario = scenario_of(c);
      scenario.dtype = dtype;
      const auto run = explorer::make_run(scenario);
      for (std::size_t kernel = 0; kernel < run->simulation.plan.launches.size(); ++kernel) {
        INFO(c.algorithm << " " << name_of(c.pass) << " " << name_of(c.tiling) << " " << name_of(dtype) << " "
                         << run->simulation.plan.launches[kernel].name);
        check_against_double(run, kernel);
      }
    }
  }
}

TEST_CASE("the numbers of rows that backward kernels use are those in double") {
  for (const Case& c : all_cases()) {
    if (c.pass != sim::Pass::backward) continue;
    sim::Scenario scenario = scenario_of(c);
    scenario.dtype = c.tiling == sim::TilingRule::released ? sim::Dtype::fp16 : sim::Dtype::fp32;
    const auto run = explorer::make_run(scenario);
    const sim::Plan& plan = run->simulation.plan;
    const std::int64_t index = 5;
    const InDouble exact = in_double(plan, index);
    for (std::size_t kernel = 0; kernel < plan.launches.size(); ++kernel) {
      const sim::Launch& launch = plan.launches[kernel];
      if (!explorer::knows_tiles(launch)) continue;
      INFO(c.algorithm << " " << name_of(c.tiling) << " " << launch.name);
      explorer::HeadValues head(run, kernel, index);
      const auto rows = head.numbers(1);
      while (rows->advance()) {
      }
      const explorer::RowNumbers& numbers = rows->numbers();
      const bool fused = !launch.of_framework;
      CHECK(numbers.L.size() + numbers.m.size() >= (fused ? static_cast<std::size_t>(numbers.queries.size()) : 0));
      const auto near = [&](const std::vector<float>& found, const std::vector<double>& want) {
        for (std::size_t n = 0; n < found.size(); ++n) {
          const double exactly = want[static_cast<std::size_t>(numbers.queries.begin) + n];
          if (!std::isfinite(exactly)) continue;
          CHECK(static_cast<double>(found[n]) ==
                Approx(exactly).margin(scenario.dtype == sim::Dtype::fp32 ? 1e-4 : 0.02));
        }
      };
      near(numbers.m, exact.m);
      near(numbers.l, exact.l);
      near(numbers.L, exact.L);
      near(numbers.D, exact.D);
    }
  }
}

TEST_CASE("the playhead of flash1 goes on from the state of the column before") {
  for (const sim::TilingRule tiling : {sim::TilingRule::kernel, sim::TilingRule::released}) {
    sim::Scenario scenario;
    scenario.algorithm = "flash1";
    scenario.tiling = tiling;
    scenario.shape.seqlen_q = 256;
    scenario.shape.seqlen_k = 4096;
    const auto run = explorer::make_run(scenario);
    const auto blocks = sim::ceil_div(std::int64_t{256}, run->simulation.plan.launches[0].grid.br);
    explorer::HeadValues head(run, 0, 0);
    const std::int64_t columns = head.row(0)->block().steps();
    REQUIRE(columns >= 16);
    for (std::int64_t col = 0; col < columns; ++col) {
      for (std::int64_t row = 0; row < blocks; ++row) {
        explorer::TileValues tile(head.row(row)->history(), col);
        CHECK_FALSE(tile.advance());  // one slice is enough: a step
        REQUIRE(tile.found() != nullptr);
        CHECK(head.row(row)->history()->nearest(col + 1).first == std::min(col + 1, columns - 1));
      }
    }
    explorer::TileValues direct(head.row(1)->history(), columns - 1);
    explorer::RowValues fresh(run, 0, 0, 1);
    explorer::TileValues again(fresh.history(), columns - 1);
    CHECK_FALSE(direct.advance());
    while (again.advance()) {
    }
    CHECK(same_bits(direct.found()->after.O, again.found()->after.O));
  }
}

TEST_CASE("what is remembered of a head stays within its memory") {
  sim::Scenario scenario;
  scenario.algorithm = "flash1";
  scenario.shape.seqlen_q = scenario.shape.seqlen_k = 65536;
  scenario.shape.head_dim = 128;
  const auto run = explorer::make_run(scenario);
  explorer::HeadValues head(run, 0, 0);
  const std::int64_t blocks = 65536 / run->simulation.plan.launches[0].grid.br;
  for (std::int64_t row = 0; row < blocks; ++row) {
    const auto history = head.row(row)->history();
    for (std::int64_t step = 1; step < history->block.steps(); step += 7) history->look(step, history->block.start());
  }
  CHECK(head.bytes() <= explorer::HeadValues::most_bytes);
  CHECK(2 * head.bytes() > explorer::HeadValues::most_bytes);
}

TEST_CASE("the longest unused is given back first") {
  struct Large {
    std::int64_t size;
    std::int64_t bytes() const { return size; }
  };
  explorer::Recent<Large> recent(100);
  const auto make = [] { return std::make_shared<Large>(Large{40}); };
  const auto first = recent.get(1, make);
  const auto second = recent.get(2, make);
  CHECK(recent.get(1, make) == first);
  recent.get(3, make);
  CHECK(recent.size() == 2);
  CHECK(recent.get(1, make) == first);
  CHECK(recent.get(2, make) != second);
}

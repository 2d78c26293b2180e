// Whole runs on one clock, against the grids of their kernels and the totals of the simulation.
#include "viz/model/race.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "viz/model/model.h"
#include "viz/model/race_lanes.h"

namespace {

using explorer::RaceRun;

explorer::Model model_of(const std::string& link) {
  explorer::Model model(sim::built_in_gpu);
  model.follow(link);
  REQUIRE(model.link_errors.empty());
  return model;
}

RaceRun& ready(const explorer::Model& model, std::size_t subject = 0) {
  RaceRun& run = *model.world.subject(subject).clock;
  while (run.advance()) {
  }
  return run;
}

double tile_bytes(const sim::KernelMeters& k) { return static_cast<double>(k.totals.total.total().count()); }

constexpr const char* runs[] = {"#batch=4&heads=32&seqlen=2048",
                                "#algorithm=standard&batch=4&heads=32&seqlen=1024",
                                "#algorithm=flash1&batch=4&heads=32&seqlen=1024",
                                "#seqlen=2048&heads=12&causal=1",
                                "#seqlen=8192&batch=16&heads=64&gpu=a100-sxm-40gb",
                                "#algorithm=flash3&batch=4&heads=16&seqlen=2048&head-dim=128"};

}  // namespace

TEST_CASE("a run on its clock ends at its predicted time, and nothing is left to do then") {
  for (const char* link : runs) {
    INFO(link);
    const auto model = model_of(link);
    const RaceRun& run = ready(model);
    const sim::Simulation& simulation = run.run().simulation;
    CHECK(run.end() == Approx(simulation.microseconds));
    CHECK(run.amount(0, tile_bytes) == 0);
    CHECK(run.amount(run.end(), tile_bytes) == static_cast<double>(simulation.totals.total.total().count()));
    CHECK(run.busy_sms(0) == 0);
    CHECK(run.busy_sms(run.end()) == 0);
    double before = 0;
    for (int n = 0; n <= 200; ++n) {
      const double now = run.amount(run.end() * n / 200, tile_bytes);
      CHECK(now >= before);
      before = now;
    }
  }
}

TEST_CASE("the last CTA of flash3 ends with its run, by the clock that wgmma leaves") {
  const auto model = model_of("#algorithm=flash3&batch=4&heads=16&seqlen=2048&head-dim=128");
  const RaceRun& run = ready(model);
  const RaceRun::Kernel& kernel = run.kernels().front();
  const sim::DeviceSpec& gpu = *run.run().simulation.plan.scenario.gpu;
  REQUIRE(gpu.wgmma_clock_hz < gpu.clock_hz);
  CHECK(run.on_clock(0, kernel.grid.makespan()) == Approx(kernel.end).epsilon(0.01));
}

TEST_CASE("the amount moved between two kernels is the sum over the preceding kernels") {
  const auto model = model_of(runs[1]);
  const RaceRun& run = ready(model);
  double sum = 0;
  REQUIRE(run.kernels().size() == 3);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(run.amount(run.kernels()[k].launch, tile_bytes) == sum);
    CHECK(run.amount(run.kernels()[k].begin, tile_bytes) == sum);  // the launch moves nothing
    CHECK(run.kernels()[k].begin - run.kernels()[k].launch == Approx(2.43));
    CHECK(run.kernel_at(run.kernels()[k].launch) == k);
    sum += tile_bytes(run.run().simulation.kernels[k]);
  }
}

TEST_CASE("an SM is busy at a time exactly when one of its CTAs runs") {
  const auto model = model_of("#seqlen=2048&heads=12&causal=1&batch=2");
  const RaceRun& run = ready(model);
  const auto& grid = run.kernels()[0].grid;
  REQUIRE(grid.one_by_one());
  for (int n = 1; n < 20; ++n) {
    const double time = run.kernels()[0].begin + (run.end() - run.kernels()[0].begin) * n / 20;
    const sim::Cycles at = run.in_grid(0, time);
    std::int64_t busy = 0;
    for (std::int64_t sm = 0; sm < grid.grid().sms; ++sm) {
      bool works = false;
      for (std::int64_t slot = 0; slot < grid.grid().ctas_per_sm; ++slot) {
        for (const explorer::CtaSpan& span : grid.row(sm, slot)) works |= span.begin <= at && at < span.end;
      }
      busy += works ? 1 : 0;
      CHECK(explorer::racing_cta(run, time, sm).has_value() == works);
    }
    CHECK(run.busy_sms(time) == busy);
  }
}

TEST_CASE("the work of a kernel follows the time that its CTAs have spent") {
  const auto model = model_of("#seqlen=2048&heads=12&causal=1&batch=2");
  const RaceRun& run = ready(model);
  const auto& grid = run.kernels()[0].grid;
  for (int n = 1; n < 20; ++n) {
    const double time = run.kernels()[0].begin + (run.end() - run.kernels()[0].begin) * n / 20;
    const sim::Cycles at = run.in_grid(0, time);
    double spent = 0, all = 0;
    for (std::int64_t sm = 0; sm < grid.grid().sms; ++sm) {
      for (std::int64_t slot = 0; slot < grid.grid().ctas_per_sm; ++slot) {
        for (const explorer::CtaSpan& span : grid.row(sm, slot)) {
          all += static_cast<double>((span.end - span.begin).count());
          spent += static_cast<double>((std::clamp(at, span.begin, span.end) - span.begin).count());
        }
      }
    }
    CHECK(run.share(0, time) == Approx(spent / all).margin(1e-3));  // stored at 1,024 steps
  }
}

TEST_CASE("lanes cover each moment of each busy SM once, coloured by head or by row block") {
  for (const bool by_row_block : {false, true}) {
    const auto model = model_of("#seqlen=2048&heads=8");  // each CTA has its own SM
    const auto run = model.world.subject(0).clock;
    explorer::RaceLanes lanes(run, {400, 132, ready(model).end(), by_row_block});
    while (lanes.advance()) {
    }
    std::vector<int> covered(400 * 132, -1);
    for (const explorer::LaneRect& r : lanes.rects()) {
      for (std::size_t y = r.top; y < r.bottom; ++y) {
        for (std::size_t x = r.left; x < r.right; ++x) {
          CHECK(covered[y * 400 + x] < 0);
          covered[y * 400 + x] = r.step;
        }
      }
    }
    for (std::int64_t sm = 0; sm < 132; ++sm) {
      const double time = 200.5 / 400 * run->end();
      const auto cta = explorer::racing_cta(*run, time, sm);
      const int step = covered[static_cast<std::size_t>(sm) * 400 + 200];
      CHECK(cta.has_value() == (step >= 0));
      if (!cta) continue;
      const sim::CtaPlace at = explorer::place_of_cta(run->run().simulation, 0, cta->cta);
      const sim::CtaPlace size = explorer::grid_of(run->run().simulation, 0);
      const std::int64_t place = by_row_block ? at.row : at.head, last = by_row_block ? size.row - 1 : size.head - 1;
      CHECK(step == std::min<std::int64_t>(63, 64 * place / last));
    }
    CHECK(lanes.busy()[200] == static_cast<float>(run->busy_sms(200.5 / 400 * run->end())));
  }
}

TEST_CASE("lanes fewer than the SMs become bands of equally many SMs") {
  CHECK(explorer::sms_per_band(132, 132) == 1);
  CHECK(explorer::sms_per_band(132, 500) == 1);
  CHECK(explorer::sms_per_band(132, 131) == 2);
  CHECK(explorer::sms_per_band(132, 12) == 11);
}

TEST_CASE("the slowest run of a race takes ten seconds, and the clock is clamped to its end") {
  auto model = model_of("#batch=4&heads=32&algorithm=flash1&compare=algorithm:standard,algorithm:flash2&play=run");
  REQUIRE(model.world.subjects() == 3);
  CHECK(model.world.run_end() == model.world.subject(1).simulation().microseconds);  // standard is the slowest
  model.play(true);
  for (int n = 0; n < 50; ++n) CHECK(model.tick(0.1));
  CHECK(model.state.look.run_time == Approx(model.world.run_end() / 2));
  CHECK(model.state.look.run_time > model.world.subject(2).simulation().microseconds);
  while (model.tick(0.1)) {
  }
  CHECK(model.state.look.run_time == model.world.run_end());
  CHECK_FALSE(model.playing());
  model.play(true);  // from the start
  CHECK(model.state.look.run_time == 0);
}

TEST_CASE("a link has the playback mode and the run time, which is clamped to the end") {
  auto model = model_of("#batch=4&heads=32&play=run&run-time=12.5");
  CHECK(model.state.look.run_time == 12.5);
  CHECK(model.link().find("play=run&run-time=12.5") != std::string::npos);
  explorer::Model other(sim::built_in_gpu);
  other.follow(model.link());
  CHECK(other.to_json() == model.to_json());
  model = model_of("#batch=4&heads=32&play=run&run-time=1e9");
  CHECK(model.state.look.run_time == model.world.run_end());
  model.set_option("seqlen", "128");
  CHECK(model.state.look.run_time == model.world.run_end());
  for (const char* link : {"#play=film", "#run-time=-1", "#run-time=soon"}) {
    explorer::Model wrong(sim::built_in_gpu);
    wrong.follow(link);
    INFO(link);
    CHECK(wrong.link_errors.size() == 1);
  }
  CHECK(model_of("#").link().find("play=") == std::string::npos);  // the default mode, cta
}

TEST_CASE("playback by events moves from event to event") {
  auto model = model_of("#play=event&speed=4");
  const auto& stops = model.world.replay().index.stops(explorer::TraceIndex::Unit::event);
  model.play(true);
  CHECK(model.tick(1));
  CHECK(model.world.time() == stops[4]);
}

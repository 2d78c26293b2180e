// Progress of all SMs while one CTA is at its playhead, against replays of every CTA of the grid.
#include "viz/model/run_progress.h"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>

#include "viz/model/model.h"

namespace {

using explorer::RunProgress;

explorer::Model model_of(const std::string& link) {
  explorer::Model model(sim::built_in_gpu);
  model.follow(link);
  REQUIRE(model.link_errors.empty());
  REQUIRE(model.world.error().empty());
  return model;
}

double count(std::int64_t n) { return static_cast<double>(n); }

/// A counter, and the unit of which it must be a multiple.
struct Counter {
  double now, unit;
};
std::array<Counter, 3> counters(const explorer::Subject& s) {
  const RunProgress progress(s);
  const double element = explorer::element_bytes(s.simulation());
  return {Counter{progress.tile_bytes(), element}, Counter{progress.hbm_bytes(), element},
          Counter{progress.matmul_flops(), explorer::flops_of_product}};
}

/// Calls use() at every start and end of an event of the CTA, and between any two of these times.
template <class Use>
void each_moment(explorer::Model& model, Use use) {
  std::vector<std::int64_t> times;
  for (const sim::Event& event : model.world.replay().trace.events) {
    times.push_back(event.begin.count());
    times.push_back(event.end.count());
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  for (std::size_t n = 0; n < times.size(); ++n) {
    model.seek(sim::Cycles(times[n]));
    use();
    if (n + 1 == times.size()) break;
    model.seek(sim::Cycles((times[n] + times[n + 1]) / 2));
    use();
  }
}

constexpr const char* runs[] = {
    "gpu=toy&seqlen=4&head-dim=2&dtype=fp32&br=2&bc=2&inputs=worked",
    "gpu=toy&seqlen=6&head-dim=2&dtype=fp32&br=2&bc=2&causal=1&heads=2",
    "gpu=toy&seqlen=64&head-dim=8&br=16&bc=8&heads=3",
    "gpu=toy&algorithm=standard&seqlen=40&head-dim=8&br=8&bc=8&heads=5",
    "algorithm=flash1&seqlen=200&heads=3&br=32&bc=16&dropout=0.1",
    "pass=backward&seqlen=128&heads=4&kv-heads=2&head-dim=32",
    "batch=4&heads=32&seqlen=512",
};

/// A CTA of a grid: its replay, and the time it runs.
struct RunningCta {
  std::shared_ptr<const explorer::Replay> replay;
  double begin, end;
};

std::vector<RunningCta> all_ctas(const explorer::Subject& s, std::size_t kernel) {
  std::vector<RunningCta> found;
  const explorer::GridTimeline& grid = s.clock->kernels()[kernel].grid;
  for (std::int64_t cta = 0; grid.find(cta) != nullptr; ++cta) {
    const explorer::CtaSpan& span = *grid.find(cta);
    found.push_back({explorer::make_replay(s.simulation(), kernel, explorer::place_of_cta(s.simulation(), kernel, cta)),
                     count(span.begin.count()), count(span.end.count())});
  }
  return found;
}

double moved_by(const RunningCta& cta, double time) {
  const double passed = std::clamp((time - cta.begin) / (cta.end - cta.begin), 0., 1.);
  const double ticks = passed * count(cta.replay->index.end().count());
  return cta.replay->progress.at(sim::Cycles(static_cast<std::int64_t>(ticks + 1e-6))).bytes();
}

}  // namespace

TEST_CASE("progress counters are whole elements at all times, never decrease and include the CTA's own bytes") {
  for (const char* link : runs) {
    INFO(link);
    explorer::Model model = model_of(link);
    for (std::size_t kernel = 0; kernel < model.world.run().simulation.plan.launches.size(); ++kernel) {
      model.look_at(kernel, {0, 0, 1, 0});
      std::vector<double> before(3, 0);
      double earlier = 0;
      each_moment(model, [&] {
        const explorer::Subject& s = model.world.subject(0);
        const RunProgress progress(s);
        CHECK(progress.microseconds() >= s.microseconds(s.time) * (1 - 1e-9));
        CHECK(progress.microseconds() >= earlier);
        CHECK(progress.microseconds() <= s.simulation().microseconds * (1 + 1e-9));
        earlier = progress.microseconds();
        const auto now = counters(s);
        for (std::size_t n = 0; n < now.size(); ++n) {
          CHECK(std::fmod(now[n].now, now[n].unit) == 0);
          CHECK(now[n].now >= before[n]);
          before[n] = now[n].now;
        }
        CHECK(before[0] >= s.replay->progress.at(s.time).bytes());
        CHECK(before[1] >= count(s.replay->memory.moved.at(s.time).hbm.total().count()));
      });
    }
  }
}

TEST_CASE("the tile bytes of equal CTAs at any time sum over the replays of all CTAs") {
  for (const char* link : {runs[0], runs[2], runs[3], runs[6]}) {
    INFO(link);
    explorer::Model model = model_of(link);
    for (std::size_t kernel = 0; kernel < model.world.run().simulation.plan.launches.size(); ++kernel) {
      model.look_at(kernel, {0, 0, 0, 0});
      const explorer::Subject& s = model.world.subject(0);
      RunProgress(s).microseconds();  // prepares the clock
      const auto ctas = all_ctas(s, kernel);
      REQUIRE(count(static_cast<std::int64_t>(ctas.size())) == count(s.kernel().ctas));
      double kernels_before = 0;
      for (std::size_t k = 0; k < kernel; ++k)
        kernels_before += count(s.simulation().kernels[k].totals.total.total().count());
      for (int n = 0; n <= 16; ++n) {
        model.seek(sim::Cycles(s.replay->index.end().count() * n / 16));
        const double passed = count(s.time.count()) / count(s.replay->index.end().count());
        const double time = ctas[0].begin + passed * (ctas[0].end - ctas[0].begin);
        double sum = kernels_before;
        for (const RunningCta& cta : ctas) sum += moved_by(cta, time);
        CHECK(RunProgress(s).tile_bytes() == sum);
      }
    }
  }
}

TEST_CASE("counters of a grid in one wave change only when a copy lands or an operation ends") {
  explorer::Model model = model_of(runs[0]);
  const explorer::Subject& s = model.world.subject(0);
  std::vector<std::int64_t> ends;
  for (const sim::Event& event : s.replay->trace.events) ends.push_back(event.end.count());
  std::vector<double> before(3, 0);
  std::size_t steps = 0;
  for (std::int64_t time = 0; time <= s.replay->index.end().count(); ++time) {
    model.seek(sim::Cycles(time));
    for (std::size_t n = 0; n < before.size(); ++n) {
      const double now = counters(s)[n].now;
      if (now == before[n]) continue;
      CHECK(std::find(ends.begin(), ends.end(), time) != ends.end());
      before[n] = now;
      ++steps;
    }
  }
  CHECK(steps > 6);
  CHECK(before[0] == count(s.simulation().totals.total.total().count()));
}

TEST_CASE("all of the run is done at the end of the last CTA") {
  for (const char* link : runs) {
    INFO(link);
    explorer::Model model = model_of(link);
    const std::size_t last = model.world.run().simulation.plan.launches.size() - 1;
    double most = 0;
    std::vector<double> largest(3, 0);
    const sim::CtaPlace size = explorer::grid_of(model.world.run().simulation, last);
    for (std::int64_t row = 0; row < size.row; ++row) {
      model.look_at(last, {size.batch - 1, size.head - 1, row, size.col - 1});
      model.seek(model.world.replay().index.end());
      const explorer::Subject& s = model.world.subject(0);
      most = std::max(most, RunProgress(s).microseconds());
      for (std::size_t n = 0; n < largest.size(); ++n) largest[n] = std::max(largest[n], counters(s)[n].now);
    }
    const sim::Simulation& all = model.world.run().simulation;
    CHECK(most == Approx(all.microseconds));
    CHECK(largest[0] == count(all.totals.total.total().count()));
    CHECK(largest[1] == count(all.hbm.total().count()));
    CHECK(largest[2] == count(all.totals.matmul_flops.count()));
  }
}

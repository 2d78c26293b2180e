// Rows of hardware counters in a verdict. No GPU ran: the values are synthetic, derived from the simulation.
#include "kernels/verify/counter_rows.h"

#include <catch2/catch.hpp>
#include <limits>

#include "kernels/emulator/device.h"
#include "kernels/verify/verify.h"

using Catch::Contains;

namespace {

sim::Scenario small_scenario(sim::Pass pass) {
  sim::Scenario s;
  s.algorithm = "flash2";
  s.dtype = sim::Dtype::fp32;
  s.pass = pass;
  s.shape.seqlen_q = s.shape.seqlen_k = 128;
  s.shape.head_dim = 32;
  return s;
}

/// A GPU whose counts equal the program's, times `factor`.
counters::Reading reading_of(const sim::Simulation& program, double factor = 1) {
  counters::Reading reading;
  for (const measurements::Metric& metric : measurements::metrics()) {
    if (*metric.quantity)
      reading.values[metric.name] = factor * kernels::simulated_beside(program, metric) / metric.factor;
  }
  return reading;
}

/// Replays the launches in two passes, as a GPU would, and records them.
struct TwoPasses final : counters::Counters {
  counters::Reading answer;
  std::int64_t announced = 0;
  std::vector<std::int64_t> ran;  ///< launches of each pass
  counters::Reading read(std::int64_t launches,
                         const std::function<void(const counters::AroundLaunch&)>& replay) override {
    announced = launches;
    for (int pass = 0; pass < 2; ++pass) {
      ran.push_back(0);
      replay([&](const std::function<void()>& launch) {
        launch();
        ++ran.back();
      });
    }
    return answer;
  }
};

kernels::Verdict verdict_of(const sim::Simulation& program, counters::Reading reading) {
  kernels::Measurement kernel;
  kernel.peak_bytes = program.memory.peak_hbm.count();
  kernel.counters = std::move(reading);
  return kernels::compare(program, kernel);
}

const kernels::VerdictRow& row_of(const kernels::Verdict& verdict, const std::string& quantity) {
  for (const kernels::VerdictRow& row : verdict.rows) {
    if (row.quantity == quantity) return row;
  }
  FAIL("no row " << quantity);
  throw sim::Error("not reached");
}

const char* const counted_rows[] = {"tile_traffic.total.read_bytes",
                                    "tile_traffic.total.write_bytes",
                                    "tile_traffic.atomic_bytes",
                                    "hbm_traffic.read_bytes",
                                    "hbm_traffic.write_bytes",
                                    "work.exp_count",
                                    "time"};

}  // namespace

TEST_CASE("a GPU whose counts equal the program's has a row for each quantity and nothing to explain") {
  const sim::Simulation program = sim::simulate(small_scenario(sim::Pass::backward));
  const kernels::Verdict verdict = verdict_of(program, reading_of(program));
  for (const char* quantity : counted_rows) {
    INFO(quantity);
    const kernels::VerdictRow& row = row_of(verdict, quantity);
    CHECK(row.simulated > 0);
    CHECK(row.measured == Approx(row.simulated));
    CHECK_FALSE(row.missing);
    if (row.quantity != "time") CHECK(row.cause.empty());
  }
  CHECK(verdict.ok());
}

TEST_CASE("sectors become bytes, nanoseconds microseconds and warp instructions exponentials") {
  const sim::Simulation program = sim::simulate(small_scenario(sim::Pass::forward));
  counters::Reading reading;
  reading.values = {{"lts__t_sectors_srcunit_tex_op_write.sum", 1000},
                    {"l1tex__m_xbar2l1tex_read_bytes.sum", 1000},
                    {"gpu__time_duration.sum", 2500},
                    {"smsp__inst_executed_pipe_xu.sum", 10}};
  const kernels::Verdict verdict = verdict_of(program, reading);
  CHECK(row_of(verdict, "tile_traffic.total.write_bytes").measured == 32000);
  CHECK(row_of(verdict, "tile_traffic.total.read_bytes").measured == 1000);
  CHECK(row_of(verdict, "time").measured == 2.5);
  CHECK(row_of(verdict, "work.exp_count").measured == 320);
}

TEST_CASE("reductions have a separate row, as they return nothing to the SM and are not stores") {
  const sim::Simulation program = sim::simulate(small_scenario(sim::Pass::backward));
  const sim::Totals& totals = program.totals;
  REQUIRE(totals.atomic.count() > 0);
  const kernels::Verdict verdict = verdict_of(program, reading_of(program));
  const double atomic = static_cast<double>(totals.atomic.count());
  CHECK(row_of(verdict, "tile_traffic.atomic_bytes").simulated == atomic);
  CHECK(row_of(verdict, "tile_traffic.total.read_bytes").simulated + atomic ==
        static_cast<double>(totals.total.read.count()));
  CHECK(row_of(verdict, "tile_traffic.total.write_bytes").simulated + atomic ==
        static_cast<double>(totals.total.written.count()));
}

TEST_CASE("a count outside its tolerance is explained and does not fail") {
  const sim::Simulation program = sim::simulate(small_scenario(sim::Pass::forward));
  const kernels::Verdict more = verdict_of(program, reading_of(program, 1.5));
  CHECK_THAT(row_of(more, "hbm_traffic.read_bytes").cause,
             Contains("simulated / measured - 1 is -33.3 %") && Contains("L2 kept less"));
  CHECK_THAT(row_of(more, "tile_traffic.total.read_bytes").cause, Contains("only a part"));
  const kernels::Verdict less = verdict_of(program, reading_of(program, 0.5));
  CHECK_THAT(row_of(less, "hbm_traffic.read_bytes").cause,
             Contains("simulated / measured - 1 is +100.0 %") && Contains("or still held"));
  CHECK(more.ok());
  CHECK(less.ok());
}

TEST_CASE("traffic of tiles is compared within 1 percent and that of device memory within 5") {
  const sim::Simulation program = sim::simulate(small_scenario(sim::Pass::forward));
  const kernels::Verdict inside = verdict_of(program, reading_of(program, 1.009));
  CHECK(row_of(inside, "tile_traffic.total.read_bytes").cause.empty());
  const kernels::Verdict between = verdict_of(program, reading_of(program, 1.04));
  CHECK(!row_of(between, "tile_traffic.total.read_bytes").cause.empty());
  CHECK(row_of(between, "hbm_traffic.read_bytes").cause.empty());
  CHECK(!row_of(verdict_of(program, reading_of(program, 1.06)), "hbm_traffic.read_bytes").cause.empty());
}

TEST_CASE("without counts every row has the reason and the rest of the verdict is unchanged") {
  const sim::Simulation program = sim::simulate(small_scenario(sim::Pass::backward));
  const kernels::Verdict verdict = verdict_of(program, {{}, "counters: need administrator rights"});
  for (const char* quantity : counted_rows) {
    INFO(quantity);
    CHECK(row_of(verdict, quantity).missing);
    CHECK(row_of(verdict, quantity).cause == "counters: need administrator rights");
  }
  CHECK_FALSE(row_of(verdict, "memory.peak").missing);
  CHECK(verdict.ok());
}

TEST_CASE("a count that is not a number is missing, not measured") {
  const sim::Simulation program = sim::simulate(small_scenario(sim::Pass::forward));
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -1.0, 1e300}) {
    counters::Reading reading = reading_of(program);
    reading.values["dram__bytes_read.sum"] = value;
    const kernels::Verdict verdict = verdict_of(program, reading);
    const kernels::VerdictRow& row = row_of(verdict, "hbm_traffic.read_bytes");
    CHECK(row.missing);
    CHECK_THAT(row.cause, Contains("no number for dram__bytes_read.sum"));
    CHECK_FALSE(row_of(verdict, "hbm_traffic.write_bytes").missing);
  }
}

TEST_CASE("a time that was not counted names the missing metric") {
  const sim::Simulation program = sim::simulate(small_scenario(sim::Pass::forward));
  counters::Reading reading = reading_of(program);
  reading.values.erase("gpu__time_duration.sum");
  const kernels::Verdict verdict = verdict_of(program, reading);
  CHECK(row_of(verdict, "time").missing);
  CHECK_THAT(row_of(verdict, "time").cause, Contains("gpu__time_duration.sum"));
}

TEST_CASE("verification repeats the launches of the plan once per pass, without those before a backward pass") {
  const sim::Scenario scenario = small_scenario(sim::Pass::backward);
  sim::Simulation program = sim::simulate(scenario);
  sim::AttentionInputs inputs = sim::draw_inputs(scenario.shape, scenario.dtype, scenario.seed);
  inputs.d_o = sim::draw_output_gradient(scenario.shape, scenario.dtype, scenario.seed);
  const auto launches = static_cast<std::int64_t>(program.plan.launches.size());
  TwoPasses passes;
  passes.answer = reading_of(program, 2);
  const kernels::Verification verification(std::move(program), "flash2", std::move(inputs));
  emulator::EmulatedDevice device(emulator::Options{});
  const kernels::Verdict verdict = verification.run(device, &passes);
  CHECK(passes.announced == launches);
  CHECK(passes.ran == std::vector<std::int64_t>{launches, launches});
  CHECK(row_of(verdict, "hbm_traffic.write_bytes").measured ==
        Approx(2 * row_of(verdict, "hbm_traffic.write_bytes").simulated));
  CHECK(verdict.ok());
}

TEST_CASE("without counters a verdict has no rows of them") {
  const sim::Simulation program = sim::simulate(small_scenario(sim::Pass::forward));
  for (const kernels::VerdictRow& row : kernels::compare(program, {}).rows) {
    CHECK(row.quantity.rfind("hbm_traffic.", 0) != 0);
    CHECK(row.quantity != "time");
  }
}

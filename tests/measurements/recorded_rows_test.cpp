// Verdicts on recorded figures. No GPU recorded these: their numbers are made from the simulation.
#include "kernels/verify/recorded_rows.h"

#include <catch2/catch.hpp>

#include "kernels/verify/counter_rows.h"

using Catch::Contains;

namespace {

sim::Simulation small_program(sim::Pass pass = sim::Pass::forward) {
  sim::Scenario s;
  s.gpu = sim::built_in_gpu("h200");
  s.pass = pass;
  s.shape.seqlen_q = s.shape.seqlen_k = 256;
  return sim::simulate(s);
}

measurements::Figure figure_of(const sim::Simulation& program, const std::string& quantity, double value) {
  measurements::Figure figure;
  figure.kernel = "flash2_mma";
  figure.scenario = program.plan.scenario;
  figure.caches = measurements::Caches::cold;
  figure.quantity = quantity;
  figure.value = value;
  return figure;
}

/// A card that counts exactly the program's numbers, times `factor`.
measurements::Recording recording_of(const sim::Simulation& program, double factor = 1) {
  measurements::Recording recording{
      .origin = "made-up.csv", .device = "Made-up GPU", .gpu = "h200", .driver = "1.2.3", .date = "2026-01-02T00:00Z"};
  for (const measurements::Metric& metric : measurements::metrics()) {
    if (!*metric.quantity) continue;
    const double value = kernels::simulated_beside(program, metric) / metric.factor;
    recording.figures.push_back(figure_of(program, metric.name, factor * value));
  }
  return recording;
}

const std::string label = "recorded: Made-up GPU, driver 1.2.3, 2026-01-02 (made-up.csv), cold caches";

}  // namespace

TEST_CASE("recorded figures give the rows that a GPU gives, with their origin") {
  for (const sim::Pass pass : {sim::Pass::forward, sim::Pass::backward}) {
    const sim::Simulation program = small_program(pass);
    const auto rows = kernels::recorded_rows(program, "flash2_mma", {recording_of(program, 1.5)});
    counters::Reading reading;
    for (const measurements::Figure& f : recording_of(program, 1.5).figures) reading.values[f.quantity] = f.value;
    kernels::Verdict of_gpu;
    kernels::add_counter_rows(of_gpu, program, "flash2_mma", reading);
    of_gpu.rows.push_back(kernels::time_row(program, 1.5 * program.microseconds, "flash2_mma"));
    REQUIRE(rows.size() == of_gpu.rows.size());
    for (const kernels::VerdictRow& same : of_gpu.rows) {
      INFO(same.quantity);
      const auto row =
          std::find_if(rows.begin(), rows.end(), [&](const auto& each) { return each.quantity == same.quantity; });
      REQUIRE(row != rows.end());
      CHECK(row->simulated == same.simulated);
      CHECK(row->measured == Approx(same.measured));
      CHECK(row->tolerance == same.tolerance);
      CHECK(row->unit == same.unit);
      CHECK(row->cause == (same.cause.empty() ? label : label + "; " + same.cause));
      CHECK(row->ok);
      CHECK(row->recorded);
    }
  }
}

TEST_CASE("recorded writes of the plain backward kernels name their local memory, those of flash2_mma do not") {
  const std::string local = "each thread keeps its sums of dK and dV in 1,040 bytes of local memory";
  for (const char* kernel : {"flash1", "flash2", "flash2_mma"}) {
    INFO(kernel);
    sim::Scenario s;
    s.algorithm = std::string(kernel).substr(0, 6);
    s.gpu = sim::built_in_gpu("h100-sxm");
    s.pass = sim::Pass::backward;
    s.shape = {8, 16, 16, 1024, 1024, 64, {}};
    const bool plain = std::string(kernel) == s.algorithm;
    if (!plain) s.shape.seqlen_q = s.shape.seqlen_k = 2048;
    const auto rows = kernels::recorded_rows(sim::simulate(s), kernel, measurements::recordings());
    int named = 0, writes = 0;
    for (const kernels::VerdictRow& row : rows) {
      const bool of_writes = row.quantity == "tile_traffic.total.write_bytes";
      writes += of_writes ? 1 : 0;
      if (row.cause.find(local) == std::string::npos) continue;
      CHECK(of_writes);
      ++named;
    }
    CHECK(writes == 1);
    CHECK(named == (plain ? 1 : 0));
  }
}

TEST_CASE("a row that agrees has only the label as its cause, a time names the time that it is compared with") {
  const sim::Simulation program = small_program();
  for (const kernels::VerdictRow& row : kernels::recorded_rows(program, "flash2_mma", {recording_of(program)})) {
    if (row.quantity == "time")
      CHECK(row.cause == label + "; predicted for h200; measured / predicted is 1.00x");
    else
      CHECK(row.cause == label);
  }
}

TEST_CASE("the recorded time of a plain kernel notes that its predicted time is another kernel's") {
  const sim::Simulation program = small_program();
  measurements::Recording recording = recording_of(program);
  recording.figures = {figure_of(program, "time", 50 * program.microseconds)};
  for (const char* kernel : {"flash2", "flash2_mma"}) {
    recording.figures.front().kernel = kernel;
    const auto rows = kernels::recorded_rows(program, kernel, {recording});
    REQUIRE(rows.size() == 1);
    const bool noted = rows.front().cause.find(measurements::plain_time_note) != std::string::npos;
    CHECK(noted == (std::string(kernel) == "flash2"));
  }
}

TEST_CASE("another kernel, another scenario or another card have no recorded rows") {
  const sim::Simulation program = small_program();
  const std::vector<measurements::Recording> recordings = {recording_of(program)};
  CHECK(kernels::recorded_rows(program, "flash2", recordings).empty());
  CHECK(kernels::recorded_rows(small_program(sim::Pass::backward), "flash2_mma", recordings).empty());
  sim::Scenario elsewhere = program.plan.scenario;
  elsewhere.gpu = sim::built_in_gpu("t4");
  CHECK(kernels::recorded_rows(sim::simulate(elsewhere), "flash2_mma", recordings).empty());
}

TEST_CASE("a recorded count too large for 64 bits is missing, not measured") {
  const sim::Simulation program = small_program();
  measurements::Recording recording = recording_of(program);
  recording.figures = {figure_of(program, "lts__t_sectors_srcunit_tex_op_write.sum", 1e18)};
  const auto rows = kernels::recorded_rows(program, "flash2_mma", {recording});
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].missing);
  CHECK_THAT(rows[0].cause, Contains(label) && Contains("no number for lts__t_sectors"));
}

// A profile compared with a program. The profiles are synthetic: numbers of the simulation, changed on purpose.
#include <catch2/catch.hpp>

#include "tests/support/profile_launches.h"

using Catch::Contains;
using profile::Comparison;
using profile::Launch;
using profile::Row;
using profile_launches::compared;
using profile_launches::exact_launch;
using profile_launches::exact_launches;
using profile_launches::number;
using profile_launches::row_of;
using profile_launches::set;
using profile_launches::simulated;
namespace path = profile::path;

TEST_CASE("a profile of exactly the program's work agrees in every row, kernel by kernel and in total") {
  for (const char* algorithm : {"standard", "flash1", "flash2"}) {
    for (const char* pass : {"forward", "backward"}) {
      INFO(algorithm << " " << pass);
      const sim::Simulation program = simulated({{"algorithm", algorithm}, {"pass", pass}, {"seqlen", "512"}});
      const std::vector<Launch> launches = exact_launches(program);
      const Comparison comparison = compared(program, launches);
      CHECK(comparison.in_order);
      CHECK(comparison.parts.size() == program.kernels.size() + (program.kernels.size() > 1 ? 1 : 0));
      CHECK(comparison.outside() == 0);
      for (const profile::KernelComparison& part : comparison.parts) {
        for (const Row& row : part.rows) {
          INFO(part.kernel << " " << row.quantity << " " << row.cause);
          if (row.quantity == path::l2_hits || row.quantity == path::clock) continue;
          REQUIRE(row.measured.has_value());
          CHECK(*row.measured == Approx(row.simulated));
          CHECK(row.cause.empty());
        }
      }
      const profile::KernelComparison& all = comparison.parts.back();
      CHECK(row_of(all, path::time).simulated == Approx(program.microseconds));
      CHECK(row_of(all, path::hbm_reads).simulated == static_cast<double>(program.hbm.read.count()));
    }
  }
}

TEST_CASE("the reads of reductions are left out, and reductions count as writes") {
  const sim::Simulation program = simulated({{"algorithm", "flash2"}, {"pass", "backward"}, {"seqlen", "512"}});
  const double reductions = static_cast<double>(program.totals.atomic.count());
  REQUIRE(reductions > 0);
  std::vector<Launch> launches = exact_launches(program);
  const profile::KernelComparison all = compared(program, launches).parts.back();
  CHECK(row_of(all, path::tile_reads).simulated == static_cast<double>(program.totals.total.read.count()) - reductions);
  CHECK(row_of(all, path::tile_writes).metric ==
        "lts__t_sectors_op_write.sum x 32 B + lts__t_sectors_op_red.sum x 32 B");
  for (Launch& launch : launches) launch.readings.erase("lts__t_sectors_op_red.sum");
  const Row without = row_of(compared(program, launches).parts.back(), path::tile_writes);
  CHECK(!without.within());
  CHECK_THAT(without.cause, Contains("of reductions are another metric"));
}

TEST_CASE("a metric is taken from the best source that every launch has, which is named") {
  const sim::Simulation program = simulated({{"seqlen", "512"}});
  std::vector<Launch> launches = exact_launches(program);
  const auto reads = [&] { return row_of(compared(program, launches).parts.front(), path::tile_reads); };
  const double value = number(launches[0], "l1tex__m_xbar2l1tex_read_bytes.sum");
  set(launches[0], "lts__t_sectors_op_read.sum", value / 32 + 5);
  CHECK(reads().metric == "l1tex__m_xbar2l1tex_read_bytes.sum");
  launches[0].readings.erase("l1tex__m_xbar2l1tex_read_bytes.sum");
  CHECK(reads().metric == "lts__t_sectors_op_read.sum x 32 B");
  CHECK(*reads().measured == value + 160);
  set(launches[0], "lts__t_sectors_srcunit_tex_op_read.sum", value / 32);
  CHECK(reads().metric == "lts__t_sectors_srcunit_tex_op_read.sum x 32 B");
  CHECK(*reads().measured == value);
}

TEST_CASE("a missing metric names the option that records it, and n/a is reported as such") {
  const sim::Simulation program = simulated({{"seqlen", "512"}});
  std::vector<Launch> launches = exact_launches(program);
  launches[0].readings.erase("dram__bytes_read.sum");
  launches[0].readings["gpu__time_duration.sum"] = std::nullopt;
  const profile::KernelComparison part = compared(program, launches).parts.front();
  CHECK(!row_of(part, path::hbm_reads).measured);
  CHECK(row_of(part, path::hbm_reads).cause == "not in the file: add --metrics dram__bytes_read.sum");
  CHECK(row_of(part, path::time).cause == "n/a in the file: gpu__time_duration.sum");
  CHECK(row_of(part, path::time).within());
}

TEST_CASE("tensor-core operations of another dtype are not taken, and fp32 has none") {
  const sim::Simulation bf16 = simulated({{"seqlen", "512"}, {"dtype", "bf16"}});
  const Row row = row_of(compared(bf16, exact_launches(bf16)).parts.front(), path::matmul);
  CHECK(!row.measured);
  CHECK(row.cause == "not in the file: add --metrics sm__ops_path_tensor_src_bf16_dst_fp32.sum");
  const sim::Simulation fp32 = simulated({{"seqlen", "512"}, {"dtype", "fp32"}});
  const Comparison comparison = compared(fp32, exact_launches(fp32));
  for (const Row& each : comparison.parts.front().rows) CHECK(each.quantity != path::matmul);
}

TEST_CASE("launches of several names for one kernel are summed, and the whole work done twice is recognised") {
  const sim::Simulation program = simulated({{"seqlen", "512"}});
  const Launch one = exact_launch(program, 0);
  Launch other = one;
  other.kernel = "warm_up";
  const Comparison comparison = compared(program, {other, one});
  CHECK(!comparison.in_order);
  REQUIRE(comparison.parts.size() == 1);
  const Row row = row_of(comparison.parts[0], path::hbm_writes);
  CHECK(*row.measured == Approx(2 * row.simulated));
  CHECK(row.cause == "2 launches are summed: --launch chooses some");
  CHECK(row_of(comparison.parts[0], path::shared_memory).within());
  CHECK(*row_of(comparison.parts[0], path::shared_memory).measured ==
        number(one, "launch__shared_mem_per_block_dynamic"));
}

TEST_CASE("repetitions of a kernel are compared by their median, and their spread is kept") {
  const sim::Simulation program = simulated({{"seqlen", "512"}});
  std::vector<Launch> launches(4, exact_launch(program, 0));
  const double time = program.microseconds;
  const std::vector<double> factors = {3, 0.98, 1.04, 1.02};  // the first is slow
  for (std::size_t n = 0; n < launches.size(); ++n) set(launches[n], "gpu__time_duration.sum", factors[n] * time);
  const Comparison comparison = compared(program, launches);
  CHECK(comparison.in_order);
  CHECK(comparison.repetitions() == 4);
  CHECK(comparison.outside() == 0);
  const Row row = row_of(comparison.parts[0], path::time);
  CHECK(*row.measured == Approx(1.03 * time));
  CHECK(row.low == Approx(0.98 * time));
  CHECK(row.high == Approx(3 * time));
  CHECK(row.repetitions == 4);
  launches.pop_back();
  CHECK(*row_of(compared(program, launches).parts[0], path::time).measured == Approx(1.04 * time));
}

TEST_CASE("a repeated sequence of kernels is compared kernel by kernel, by medians") {
  const sim::Simulation program = simulated({{"algorithm", "standard"}, {"seqlen", "512"}});
  std::vector<Launch> launches;
  for (const double factor : {1.0, 2.0, 1.5}) {
    for (Launch launch : exact_launches(program)) {
      set(launch, "gpu__time_duration.sum", factor * number(launch, "gpu__time_duration.sum"));
      launches.push_back(launch);
    }
  }
  const Comparison comparison = compared(program, launches);
  CHECK(comparison.in_order);
  REQUIRE(comparison.parts.size() == program.kernels.size() + 1);
  for (const profile::KernelComparison& part : comparison.parts) {
    const Row row = row_of(part, path::time);
    CHECK(*row.measured == Approx(1.5 * row.simulated));
    CHECK(row.repetitions == 3);
    CHECK(*row_of(part, path::hbm_reads).measured == Approx(row_of(part, path::hbm_reads).simulated));
  }
}

TEST_CASE("percentages of several launches are not added, shares of their sectors are") {
  const sim::Simulation program = simulated({{"seqlen", "512"}});
  std::vector<Launch> launches = {exact_launch(program, 0), exact_launch(program, 0)};
  launches[0].kernel = "other";  // of the same pass
  for (Launch& launch : launches) set(launch, "lts__t_sector_op_read_hit_rate.pct", 40);
  const auto hits = [&] { return row_of(compared(program, launches).parts[0], path::l2_hits); };
  CHECK(!hits().measured);
  set(launches[0], "lts__t_sectors_op_read_lookup_hit.sum", 30);
  set(launches[0], "lts__t_sectors_op_read.sum", 40);
  set(launches[1], "lts__t_sectors_op_read_lookup_hit.sum", 0);
  set(launches[1], "lts__t_sectors_op_read.sum", 20);
  CHECK(*hits().measured == Approx(0.5));
  launches.pop_back();
  launches[0].readings.erase("lts__t_sectors_op_read.sum");
  CHECK(*hits().measured == Approx(0.4));
}

TEST_CASE("K and V read as often as by smaller or larger row blocks are recognised") {
  const sim::Simulation program = simulated({{"seqlen", "1024"}});
  REQUIRE(program.plan.problem.tiling.br == 128);
  const double keys = static_cast<double>(program.totals.tensor(sim::Tensor::K).read.count());
  const auto cause = [&](double more) {
    Launch launch = exact_launch(program, 0);
    set(launch, "l1tex__m_xbar2l1tex_read_bytes.sum",
        number(launch, "l1tex__m_xbar2l1tex_read_bytes.sum") + more * 2 * keys);
    return row_of(compared(program, {launch}).parts[0], path::tile_reads).cause;
  };
  CHECK(cause(1) == "as if K and V were read 2 times as often: row blocks of 64 rows, not 128");
  CHECK_THAT(cause(-0.5), Contains("read 1/2 as often: row blocks of 256 rows, not 128"));
  CHECK(cause(0.37) == "unexplained");
  CHECK(cause(-0.37) == "an L1 can have served the rest: plain loads go through it, cp.async.cg and TMA do not");
  CHECK(cause(0.005).empty());
}

TEST_CASE("causes are named if the numbers show them") {
  const sim::Simulation program = simulated({{"seqlen", "1024"}, {"causal", "1"}});
  const auto cause = [&](const char* metric, double factor, std::string_view quantity) {
    Launch launch = exact_launch(program, 0);
    set(launch, "sm__cycles_elapsed.max", 2 * program.microseconds * 1000);  // 1 GHz when twice as slow
    set(launch, metric, number(launch, metric) * factor);
    return row_of(compared(program, {launch}).parts[0], quantity).cause;
  };
  CHECK_THAT(cause("dram__bytes_read.sum", 0.5, path::hbm_reads), Contains("was in L2 before the launch"));
  CHECK(cause("dram__bytes_read.sum", 1.5, path::hbm_reads) == "unexplained");
  CHECK_THAT(cause("dram__sectors_write.sum", 0.1, path::hbm_writes), Contains("can hold the rest of the results"));
  CHECK(cause("dram__sectors_write.sum", 1.2, path::hbm_writes) == "unexplained");
  CHECK_THAT(cause("gpu__time_duration.sum", 2, path::time), Contains("the SMs ran at 1000 MHz, the prediction takes"));
  CHECK_THAT(cause("smsp__inst_executed_pipe_xu.sum", 1.3, path::exponentials), Contains("also converts and divides"));
  CHECK_THAT(cause("smsp__inst_executed_pipe_xu.sum", 0.3, path::exponentials), Contains("other pipes"));
  const double all = 4.0 * 4 * 1024 * 1024 * 64;  // FLOPs without the mask
  const double skipped = all / static_cast<double>(program.totals.matmul_flops.count());
  CHECK(cause("sm__ops_path_tensor_src_fp16.sum", skipped, path::matmul) == "as if no masked tile were skipped");
  CHECK(cause("launch__shared_mem_per_block_dynamic", 1.5, path::shared_memory) == "unexplained");
}

TEST_CASE("a slow clock explains a long time, in part if it does not suffice, and a short time never") {
  const sim::Simulation program = simulated({{"seqlen", "1024"}});
  const auto cause = [&](double factor, double megahertz) {
    Launch launch = exact_launch(program, 0);
    set(launch, "gpu__time_duration.sum", factor * program.microseconds);
    set(launch, "sm__cycles_elapsed.max", factor * program.microseconds * megahertz);
    return row_of(compared(program, {launch}).parts[0], path::time).cause;
  };
  CHECK_THAT(cause(1.8, 1000), Catch::StartsWith("the SMs ran at 1000 MHz, the prediction takes"));
  CHECK_THAT(cause(4, 1000), Catch::StartsWith("in part: the SMs ran at 1000 MHz"));
  CHECK(cause(0.5, 1000) == "unexplained");
  const double clock = static_cast<double>(program.plan.scenario.gpu->clock_hz) * 1e-6;
  CHECK(cause(1.8, clock) == "unexplained");
}

TEST_CASE("the driver's reserve explains a larger block of shared memory only if it is that large") {
  const sim::Simulation program = simulated({{"seqlen", "1024"}});
  const auto cause = [&](double more) {
    Launch launch = exact_launch(program, 0);
    const double tiles = number(launch, "launch__shared_mem_per_block_dynamic");
    launch.readings.erase("launch__shared_mem_per_block_dynamic");
    set(launch, "launch__shared_mem_per_block", tiles + more);
    return row_of(compared(program, {launch}).parts[0], path::shared_memory).cause;
  };
  CHECK(cause(1024) == "the metric holds what the driver reserves as well");
  CHECK(cause(4096) == "unexplained");
}

TEST_CASE("launches whose sum overflows are refused") {
  const sim::Simulation program = simulated({{"seqlen", "512"}});
  Launch launch = exact_launch(program, 0);
  set(launch, "lts__t_sectors_op_write.sum", 0x1p61);
  CHECK_THROWS_WITH(compared(program, {launch}), Contains("tile_traffic.total.write_bytes: the launches add up to"));
}

TEST_CASE("a number that is rounded in its file is compared only to its precision") {
  const sim::Simulation program = simulated({{"seqlen", "512"}});
  Launch launch = exact_launch(program, 0);
  const double exact = number(launch, "l1tex__m_xbar2l1tex_read_bytes.sum");
  launch.readings["l1tex__m_xbar2l1tex_read_bytes.sum"] = profile::Reading{exact * 1.02, exact * 0.03};
  CHECK(compared(program, {launch}).outside() == 0);
  launch.readings["l1tex__m_xbar2l1tex_read_bytes.sum"] = profile::Reading{exact * 1.02, exact * 0.001};
  CHECK(compared(program, {launch}).outside() == 1);
}

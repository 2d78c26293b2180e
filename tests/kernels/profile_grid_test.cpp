// Problems that grids of profiled launches show: sizes counted by hand.
#include <catch2/catch.hpp>

#include "kernels/profile/grid.h"
#include "tests/support/profile_launches.h"

using Catch::Contains;
using profile::Launch;
using profile_launches::simulated;
namespace path = profile::path;

namespace {

std::string told(const sim::Simulation& program, const std::vector<std::string>& grids) {
  std::vector<Launch> launches = profile_launches::exact_launches(program);
  std::vector<const Launch*> pass;
  for (std::size_t n = 0; n < grids.size(); ++n) {
    launches.at(n).grid = grids[n];
    pass.push_back(&launches[n]);
  }
  return profile::other_grid(program, pass);
}

// 32 row blocks of 128 rows or 64 of 64, 8 entries, 32 heads.
sim::Simulation prefill() {
  return simulated({{"batch", "8"}, {"heads", "32"}, {"seqlen", "4096"}, {"head-dim", "128"}, {"dtype", "bf16"}});
}

// One query: 8 entries, 32 heads in 8 groups.
sim::Simulation decoding(const std::string& algorithm) {
  sim::OptionValues options = {{"batch", "8"},        {"heads", "32"},     {"kv-heads", "8"},       {"seqlen-q", "1"},
                               {"seqlen-k", "32768"}, {"head-dim", "128"}, {"algorithm", algorithm}};
  if (algorithm == "flash-decoding") options["splits"] = "4";
  return simulated(options);
}

}  // namespace

TEST_CASE("a grid that fits the scenario tells nothing, in whatever order its axes are") {
  const sim::Simulation program = prefill();
  for (const char* grid : {"(32, 8, 32)", "(8, 32, 32)", "(32, 256, 1)", "(256, 1, 32)", "(8192, 1, 1)", "(64, 32, 8)",
                           "(1024, 1, 8)", "(32, 32, 8)"})
    CHECK(told(program, {grid}).empty());
  const sim::Simulation split = decoding("flash-decoding");
  for (const char* grid : {"(64, 4, 1)", "(1, 4, 256)", "(8, 8, 4)", "(256, 1, 1)"})
    CHECK(told(split, {grid, "(256, 1, 1)"}).empty());
  for (const char* grid : {"(64, 1, 1)", "(1, 8, 32)", "(256, 1, 1)", "(1, 256, 1)"})
    CHECK(told(decoding("flash2"), {grid}).empty());
}

TEST_CASE("a grid of another batch, of other heads or another length names them") {
  const sim::Simulation program = prefill();
  CHECK(told(program, {"(32, 4, 32)"}) == "the grid (32, 4, 32) is that of --batch 4; the scenario has batch 8");
  CHECK(told(program, {"(32, 2, 32)"}) == "the grid (32, 2, 32) is that of --batch 2; the scenario has batch 8");
  CHECK(told(program, {"(32, 32, 5)"}) == "the grid (32, 32, 5) is that of --batch 5; the scenario has batch 8");
  CHECK(told(program, {"(32, 8, 24)"}) == "the grid (32, 8, 24) is that of --heads 24; the scenario has heads 32");
  const sim::Simulation more = simulated({{"batch", "8"}, {"heads", "40"}, {"seqlen", "4096"}, {"head-dim", "128"}});
  CHECK(told(more, {"(12, 8, 40)"}) ==
        "the grid (12, 8, 40) has 12 row blocks, not 32: that of --seqlen-q 1536 with row blocks of 128 rows, or of "
        "other row blocks");
}

TEST_CASE("a grid of another number of parts names the parts, whatever program it is compared with") {
  CHECK(told(decoding("flash-decoding"), {"(64, 64, 1)", "(256, 1, 1)"}) ==
        "the grid (64, 64, 1) is that of --splits 64; the scenario has splits 4");
  CHECK(told(decoding("flash-decoding"), {"(1, 12, 256)", "(256, 1, 1)"}) ==
        "the grid (1, 12, 256) is that of --splits 12; the scenario has splits 4");
  CHECK_THAT(told(decoding("flash-decoding"), {"(24, 4, 1)", "(96, 1, 1)"}), Contains("is that of --batch 3"));
  CHECK_THAT(told(decoding("flash2"), {"(64, 64, 1)"}),
             Contains("is that of --algorithm flash-decoding --splits 64; the scenario has splits 1"));
}

TEST_CASE("a grid that does not follow the problem tells nothing") {
  const sim::Simulation program = prefill();
  for (const char* grid : {"(132, 1, 1)", "(264, 1, 1)", "", "(32, 4)", "grid", "(0, 1, 1)", "(-1, 4, 32)",
                           "(99999999999999999999, 4, 32)", "(7, 11, 13)"})
    CHECK(told(program, {grid}).empty());
  CHECK(told(simulated({{"seqlens", "2 64 64, 1 128 128"}, {"heads", "8"}}), {"(32, 4, 32)"}).empty());
}

TEST_CASE("another grid is the cause of every difference, and not L2") {
  const sim::Simulation program = prefill(), recorded = simulated({{"batch", "4"},
                                                                   {"heads", "32"},
                                                                   {"seqlen", "4096"},
                                                                   {"head-dim", "128"},
                                                                   {"dtype", "bf16"}});
  Launch launch = profile_launches::exact_launch(recorded, 0);
  launch.grid = "(32, 4, 32)";
  const profile::Comparison comparison = profile_launches::compared(program, {launch});
  CHECK(comparison.grid == "the grid (32, 4, 32) is that of --batch 4; the scenario has batch 8");
  for (const profile::Row& row : comparison.parts.front().rows) {
    INFO(row.quantity << ": " << row.cause);
    const bool differs =
        row.measured && row.quantity != path::shared_memory && row.quantity != path::clock && !row.cause.empty();
    if (differs) CHECK(row.cause == comparison.grid);
  }
  CHECK(profile_launches::row_of(comparison.parts.front(), path::hbm_reads).cause == comparison.grid);
  CHECK(profile_launches::compared(recorded, {launch}).grid.empty());
}

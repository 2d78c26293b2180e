// The listing by roles: each role has the column of its function, and each of its events a row there.
#include "viz/model/roles/role_listing.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "sim/catalogue/options.h"
#include "sim/programs/programs.h"
#include "viz/model/run.h"

namespace {

using explorer::RoleColumn;

std::shared_ptr<const explorer::Run> run_of(const sim::OptionValues& options) {
  sim::OptionValues all = options;
  all["algorithm"] = sim::programs::flash3.name;
  return explorer::make_run(sim::scenario_from(all, sim::built_in_gpu));
}

std::vector<RoleColumn> columns_of(const explorer::Run& run, bool source = false) {
  return explorer::columns_of_roles(run.listings[0], run.simulation.traces[0], source);
}

const sim::OptionValues two_tiles = {{"seqlen", "300"}, {"head-dim", "128"}},
                        through_smem = {{"seqlen", "1000"}, {"head-dim", "64"}},
                        one_consumer = {{"seqlen", "900"}, {"head-dim", "128"}, {"br", "64"}, {"causal", "1"}};

}  // namespace

TEST_CASE("each event of a role has a row in the column of its role, by every schedule") {
  for (sim::OptionValues options : {two_tiles, through_smem, one_consumer}) {
    for (const char* schedule : {"serial", "warp-specialised", "ping-pong", "overlapped"}) {
      options["schedule"] = schedule;
      const auto run = run_of(options);
      const std::vector<RoleColumn> columns = columns_of(*run);
      CHECK(columns.size() == (options["schedule"] == "serial" ? 1 : 2));
      const auto replay = explorer::make_replay(run->simulation, 0, {});
      std::size_t roles = 0;
      for (const RoleColumn& column : columns) {
        roles += column.roles.size();
        for (std::size_t n = 0; n < replay->trace.events.size(); ++n) {
          const sim::Event& event = replay->trace.events[n];
          if (std::find(column.roles.begin(), column.roles.end(), event.role) == column.roles.end()) continue;
          const int row = explorer::row_of(column, replay->trace, static_cast<std::int32_t>(n));
          INFO(schedule << " line " << event.line << " of role " << int{event.role});
          REQUIRE(row >= 0);
          const std::vector<int>& numbers = column.rows[static_cast<std::size_t>(row)].numbers;
          CHECK(std::find(numbers.begin(), numbers.end(), event.line) != numbers.end());
        }
      }
      CHECK(roles == replay->trace.roles.size());
    }
  }
}

TEST_CASE("rows of a function are its own lines, in order, and C++ has all of them") {
  const auto run = run_of(two_tiles);
  const std::vector<RoleColumn> equations = columns_of(*run), source = columns_of(*run, true);
  for (std::size_t n = 0; n < equations.size(); ++n) {
    CHECK(equations[n].rows.size() < source[n].rows.size());
    for (const RoleColumn& column : {equations[n], source[n]}) {
      for (std::size_t row = 1; row < column.rows.size(); ++row)
        CHECK(column.rows[row].line->number > column.rows[row - 1].line->number);
    }
  }
}

TEST_CASE("a function that a role calls twice is at the row of the call that runs") {
  sim::OptionValues options = two_tiles;
  options["schedule"] = "serial";
  const auto run = run_of(options);
  const RoleColumn column = columns_of(*run).front();
  const auto replay = explorer::make_replay(run->simulation, 0, {});
  std::vector<int> rows;
  for (std::size_t n = 0; n < replay->trace.events.size(); ++n) {
    const sim::Event& event = replay->trace.events[n];
    if (event.role == 0 && event.verb == sim::Verb::gemm)
      rows.push_back(explorer::row_of(column, replay->trace, static_cast<std::int32_t>(n)));
  }
  REQUIRE(rows.size() == 4);  // S and O of two tiles
  CHECK(rows[0] == rows[1]);
  CHECK(rows[2] == rows[3]);
  CHECK(rows[0] < rows[2]);
}

TEST_CASE("rows of roles are in view however few fit") {
  const auto run = run_of(two_tiles);
  for (const RoleColumn& column : columns_of(*run)) {
    const std::size_t count = column.rows.size();
    for (std::size_t fit = 1; fit <= count + 1; ++fit) {
      for (int row = -1; row < static_cast<int>(count); ++row) {
        const std::size_t first = explorer::first_in_view(column, {row}, fit);
        CHECK(first + std::min(fit, count) <= count);
        if (row >= 0) CHECK((static_cast<std::size_t>(row) >= first && static_cast<std::size_t>(row) < first + fit));
      }
    }
  }
}

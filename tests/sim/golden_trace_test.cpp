// Golden traces: lines, bytes and cycles, the same byte for byte from every compiler, debug and release.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "sim/model/scheduled_replay.h"
#include "sim/programs/launch_cta.h"
#include "tests/support/random_scenario.h"
#include "tests/support/two_warpgroups.h"

using namespace sim;

namespace {

/// Compares with tests/golden/NAME.txt. With FLASHSCOPE_UPDATE_GOLDEN set it writes the file instead and fails.
void check_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(FLASHSCOPE_GOLDEN) + "/" + name + ".txt";
  if (std::getenv("FLASHSCOPE_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << text;
    FAIL_CHECK("wrote " << path << ": look at the difference, then run again without FLASHSCOPE_UPDATE_GOLDEN");
    return;
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    FAIL_CHECK("there is no golden file for " << name << " yet: run with FLASHSCOPE_UPDATE_GOLDEN=1 to write " << path);
    return;
  }
  const std::string golden{std::istreambuf_iterator<char>(in), {}};
  const bool same = golden == text;  // a bool: Catch would print both texts
  INFO("differs from " << path);
  CHECK(same);
}

Scenario small(const std::string& algorithm, Pass pass = Pass::forward) {
  Scenario s;
  s.algorithm = algorithm;
  s.pass = pass;
  s.shape = {2, 4, 2, 100, 120, 16, {true, 5, 60}};
  s.br = 32;
  s.bc = 16;
  s.gpu = built_in_gpu("toy");
  if (find_program(algorithm)->pattern == PatternUse::of_tiles) s.pattern = read_pattern("butterfly");
  return within_limits(s);
}

std::string counted(const Scenario& s) {
  std::string text;
  for (const Trace& trace : count(make_plan(s))) text += to_text(trace);
  return text;
}

/// One CTA of each kernel.
std::string replayed(const Scenario& s) {
  const Plan plan = make_plan(s);
  std::string text;
  for (const Launch& launch : plan.launches) {
    const std::int64_t head = launch.grid.by_kv_head() ? 1 : 2;
    const std::int64_t row = std::min<std::int64_t>(2, grid_axes(plan.problem.shape, launch.grid).rows.count() - 1);
    const std::int64_t col = launch.grid.of_columns() && !plan.program->whole_rows ? 1 : 0;
    text += to_text(scheduled_replay(plan, launch, {1, head, row, col}));
  }
  return text;
}

}  // namespace

TEST_CASE("counted traces are golden") {
  for (const std::string& name : program_names()) check_golden("count-" + name, counted(small(name)));
}

TEST_CASE("replayed traces are golden") {
  for (const std::string& name : program_names()) check_golden("replay-" + name, replayed(small(name)));
}

TEST_CASE("replayed traces of flash3 by each schedule are golden") {
  for (const std::int64_t schedule : {1, 2, 3}) {  // the others are by the first one
    Scenario s = small("flash3");
    s.own["schedule"] = schedule;
    constexpr const char* names[] = {"", "ping-pong", "warp-specialised", "serial"};
    check_golden(text("replay-flash3-", names[schedule]), replayed(s));
  }
}

TEST_CASE("counted traces of backward passes are golden") {
  for (const std::string& name : names_with_backward()) {
    check_golden("count-" + name + "-backward", counted(small(name, Pass::backward)));
  }
}

TEST_CASE("replayed traces of backward passes with dropout are golden") {
  for (const std::string& name : names_with_backward()) {
    Scenario s = small(name, Pass::backward);
    s.dropout = 0.1;
    s.shape.seqlen_q = s.shape.seqlen_k = 70;
    s.shape.mask.window = 30;
    check_golden("replay-" + name + "-backward", replayed(s));
  }
}

TEST_CASE("counted and replayed traces of the released flash1 are golden") {
  for (const Pass pass : {Pass::forward, Pass::backward}) {
    Scenario s = small("flash1", pass);
    s.tiling = TilingRule::released;
    s.shape = {2, 4, 4, 70, 80, 16, {true, 5, {}}};
    if (pass == Pass::backward) s.dropout = 0.1;
    const std::string name = pass == Pass::forward ? "flash1-released" : "flash1-released-backward";
    check_golden("count-" + name, counted(s));
    check_golden("replay-" + name, replayed(s));
  }
}

TEST_CASE("counted and replayed traces of standard attention in PyTorch are golden") {
  for (const Pass pass : {Pass::forward, Pass::backward}) {
    Scenario s = small("standard-pytorch", pass);
    s.shape = {2, 4, 4, 70, 80, 16, {.causal = true}};
    const std::string name = pass == Pass::forward ? "standard-pytorch" : "standard-pytorch-backward";
    check_golden("count-" + name, counted(s));
    check_golden("replay-" + name, replayed(s));
  }
}

TEST_CASE("the trace of a warp-specialised program is golden") {
  const Plan plan = two_warpgroups::plan(small("flash2"));
  check_golden("replay-two-warpgroups", to_text(scheduled_replay(plan, plan.launches[0], {0, 0, 3, 0})));
}

// Golden traces: lines, bytes and cycles, the same byte for byte from every compiler, debug and release. The replays of
// four programs are stored as text, to be read; of all other traces tests/golden/traces.txt has a checksum. To see why
// a checksum changed, run this program before and after the change with FLASHSCOPE_TRACES=FOLDER, which writes all
// texts there, and compare the folders by diff.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <map>
#include <sstream>

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

/// 64-bit FNV-1a: offset basis and prime of its specification (draft-eastlake-fnv).
std::uint64_t checksum(std::string_view text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return hash;
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

/// Texts of traces by their names, such as "count flash1 forward".
using Texts = std::map<std::string, std::string>;

void add_both(Texts& texts, const std::string& name, const Scenario& s) {
  texts["count " + name] = counted(s);
  texts["replay " + name] = replayed(s);
}

Texts of_every_program_and_pass() {
  Texts texts;
  for (const std::string& name : program_names()) add_both(texts, name + " forward", small(name));
  for (const std::string& name : names_with_backward()) {
    Scenario s = small(name, Pass::backward);
    texts["count " + name + " backward"] = counted(s);
    s.dropout = name == "flash3" ? 0 : 0.1;
    s.shape.seqlen_q = s.shape.seqlen_k = 70;
    s.shape.mask.window = 30;
    texts["replay " + name + " backward"] = replayed(s);
  }
  for (const std::int64_t schedule : {1, 2, 3}) {  // the others are by schedule 0
    Scenario s = small("flash3");
    s.own["schedule"] = schedule;
    texts[text("replay flash3 forward, schedule ", schedule)] = replayed(s);
  }
  for (const Pass pass : {Pass::forward, Pass::backward}) {
    Scenario released = small("flash1", pass);
    released.tiling = TilingRule::released;
    released.shape = {2, 4, 4, 70, 80, 16, {true, 5, {}}};
    if (pass == Pass::backward) released.dropout = 0.1;
    add_both(texts, text("flash1 ", name_of(pass), ", released"), released);
    Scenario causal = small("standard-pytorch", pass);
    causal.shape = {2, 4, 4, 70, 80, 16, {.causal = true}};
    add_both(texts, text("standard-pytorch ", name_of(pass), ", causal"), causal);
  }
  const Plan plan = two_warpgroups::plan(small("flash2"));
  texts["replay two warpgroups"] = to_text(scheduled_replay(plan, plan.launches[0], {0, 0, 3, 0}));
  return texts;
}

}  // namespace

TEST_CASE("replayed traces of four programs are golden") {
  for (const char* name : {"standard", "flash1", "flash2", "flash3"}) {
    check_golden(text("replay-", name), replayed(small(name)));
  }
}

TEST_CASE("traces of every program and pass have golden checksums") {
  std::ostringstream lines;
  lines << std::hex << std::setfill('0');
  for (const auto& [name, trace] : of_every_program_and_pass()) {
    lines << std::setw(16) << checksum(trace) << " " << name << "\n";
    if (const char* folder = std::getenv("FLASHSCOPE_TRACES")) {
      std::ofstream(text(folder, "/", name, ".txt"), std::ios::binary) << trace;
    }
  }
  check_golden("traces", lines.str());
}

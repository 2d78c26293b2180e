// K and V in pages (--page-size): entries of the page table, values through permuted pages, memory, L2, what is
// refused.
#include "sim/base/pages.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <set>

#include "sim/catalogue/options.h"
#include "sim/machine/cta.h"
#include "sim/model/memory.h"
#include "sim/model/simulation.h"
#include "sim/programs/drawn_rows.h"
#include "sim/programs/ragged.h"
#include "tests/support/independent_count.h"
#include "tests/support/random_scenario.h"
#include "tests/support/says.h"
#include "tests/support/typed_scenario.h"

namespace sim {
namespace {

/// True if the program takes K and V in one piece too: paged-attention has pages without --page-size as well.
bool takes_one_piece(const std::string& algorithm) { return algorithm != "paged-attention"; }

std::vector<std::string> programs_with_pages() {
  std::vector<std::string> names;
  for (const std::string& name : program_names()) {
    if (find_program(name)->paged && takes_one_piece(name)) names.push_back(name);
  }
  return names;
}

Scenario in_pages(Scenario s, std::int64_t page) {
  s.page_size = page;
  return s;
}

/// One query head over some keys.
Scenario of_keys(const std::string& algorithm, std::int64_t queries, std::int64_t keys) {
  Scenario s;
  s.algorithm = algorithm;
  s.shape.seqlen_q = queries;
  s.shape.seqlen_k = keys;
  return s;
}

std::int64_t entries(const Plan& plan) {
  std::int64_t bytes = 0;
  for (const auto& [moved, amount] : counted(plan).bytes) {
    if (std::get<Tensor>(moved) == Tensor::block_table) bytes += amount;
  }
  return bytes / 4;
}

Ledger without_entries(Ledger ledger) {
  std::erase_if(ledger.bytes, [](const auto& of) { return std::get<Tensor>(of.first) == Tensor::block_table; });
  return ledger;
}

/// Calls check(scenario) for random scenarios in pages, and returns their number.
template <class Check>
int for_random_pages(int number, std::uint64_t seed, const Limits& most, Check check) {
  Dice dice(seed);
  int taken = 0;
  for (int i = 0; i < number; ++i) {
    Scenario s = random_scenario(dice, most);
    draw_pages(dice, s);
    if (!s.page_size || !scenario_error(s).empty()) continue;
    INFO(describe(s));
    check(s);
    ++taken;
  }
  return taken;
}

/// As for_random_pages(), with entries of different lengths and masks that are not drawn there.
template <class Check>
void for_ragged_pages(int number, std::uint64_t seed, const Limits& most, Check check) {
  Dice dice(seed);
  for (int i = 0; i < number; ++i) {
    Scenario s = random_scenario(dice, most);
    s.own.clear();
    draw_pages(dice, s);
    if (!s.page_size || !program_of(s)->ragged) continue;
    SequenceClasses classes;
    for (std::int64_t n = dice.between(1, 4); n > 0; --n)
      classes.push_back({dice.between(1, 3), dice.near_an_end(1, most.seqlen), dice.near_an_end(1, most.seqlen)});
    s.shape.mask.padding = 0;
    s.sequences = std::make_shared<const SequenceClasses>(std::move(classes));
    if (!scenario_error(s).empty()) continue;
    INFO(describe(s));
    check(s);
  }
}

std::vector<float> output_of(const Plan& plan, const AttentionInputs& inputs) {
  std::vector<float> all;
  for (const Plan& c : classes_of(plan)) {
    const AttentionOutputs out = compute(c, plan.classes == nullptr ? inputs : inputs_of_class(plan, inputs, c));
    all.insert(all.end(), out.o.begin(), out.o.end());
    all.insert(all.end(), out.log_sum_exp.begin(), out.log_sum_exp.end());
  }
  return all;
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

}  // namespace

TEST_CASE("a page table is a permutation that depends on the seed and the sequence") {
  const PageTable table = drawn_page_table(16, 1000, 3, 5);
  CHECK(std::set<std::int32_t>(table.page.begin(), table.page.end()).size() == 1000);
  CHECK(*std::max_element(table.page.begin(), table.page.end()) == 999);
  CHECK(table.page == drawn_page_table(16, 1000, 3, 5).page);
  CHECK(table.page != drawn_page_table(16, 1000, 4, 5).page);
  CHECK(table.page != drawn_page_table(16, 1000, 3, 6).page);
  CHECK(table.physical_row(16 * 7 + 3) == 16 * table.page[7] + 3);
  CHECK(PageTable{16}.physical_row(115) == 115);
}

TEST_CASE("a tile reads an entry of each page that it touches, and a page of several tiles is looked up by each") {
  Scenario s = of_keys("flash-decoding", 1, 628);
  s.own["splits"] = 1;
  s.bc = 128;
  CHECK(entries(make_plan(in_pages(s, 16))) == 40);
  s.bc = 64;
  CHECK(entries(make_plan(in_pages(s, 256))) == 10);
  CHECK(entries(make_plan(in_pages(s, 64))) == 10);
  CHECK(entries(make_plan(in_pages(s, 1))) == 628);
}

TEST_CASE("pages move and compute what their closed forms give, counted once and walked") {
  const int taken = for_random_pages(2400, 71, {200, 24, 40, 3, 3}, [](const Scenario& s) {
    const Plan plan = make_plan(s);
    REQUIRE(counted(plan) == closed_form(plan));
  });
  CHECK(taken > 200);
  for_random_pages(900, 72, {40, 8, 12, 2, 2}, [](const Scenario& s) {
    const Plan plan = make_plan(s);
    Totals totals;
    for (const Trace& trace : count(plan)) add_to(totals, trace);
    REQUIRE(totals == count_by_brute_force(plan));
    REQUIRE(IndependentCount(plan).ledger() == closed_form(plan));
  });
}

TEST_CASE("pages of ragged batches move what their closed forms give, counted once and walked") {
  for_ragged_pages(900, 73, {150, 8, 24, 2, 2}, [](const Scenario& s) {
    const Plan plan = make_plan(s);
    Totals totals;
    for (const Trace& trace : count(plan)) add_to(totals, trace);
    REQUIRE(totals == count_by_brute_force(plan));
    REQUIRE(counted(plan) == closed_form(plan));
  });
}

TEST_CASE("long sequences in the pages that people choose move what their closed forms give") {
  Dice dice(74);
  for (int i = 0; i < 300; ++i) {
    const std::vector<std::string> names = programs_with_pages();
    Scenario s =
        typed_scenario(dice, names[static_cast<std::size_t>(dice.between(0, std::ssize(names) - 1))], "h100-sxm");
    s.pass = Pass::forward;
    s.shape.head_dim = dice.one_in(2) ? 128 : 64;
    if (dice.one_in(2)) s.shape.seqlen_q = dice.near_an_end(1, 4);
    if (dice.one_in(3)) s.shape.heads *= dice.between(1, 8);
    s.page_size = std::int64_t{1} << dice.between(0, 10);
    INFO(describe(s));
    if (!scenario_error(s).empty()) continue;
    const Plan plan = make_plan(s);
    REQUIRE(counted(plan) == closed_form(plan));
    Scenario plain = s;
    plain.page_size = {};
    plain.bc = plan.problem.tiling.bc;
    REQUIRE(without_entries(counted(plan)) == counted(make_plan(plain)));
  }
}

TEST_CASE("one page is K and V in one piece and an entry for each tile") {
  for (const std::string& name : programs_with_pages()) {
    INFO(name);
    Scenario s = of_keys(name, 300, 1024);
    s.shape.heads = s.shape.kv_heads = 3;
    s.bc = 128;
    const Plan plain = make_plan(s), paged = make_plan(in_pages(s, 1024));
    const std::int64_t row_blocks = ceil_div(300, paged.problem.tiling.br);
    CHECK(without_entries(counted(paged)) == counted(plain));
    CHECK(entries(paged) == 3 * row_blocks * 8);
  }
}

TEST_CASE("values read through permuted pages are the same bits, and no unused slot of a page reaches them") {
  for_random_pages(250, 75, {70, 16, 32, 2, 2}, [](const Scenario& s) {
    if (!takes_one_piece(s.algorithm)) return;
    Scenario plain = s;
    plain.page_size = {};
    const AttentionInputs inputs = inputs_of(plain);
    REQUIRE(same_bits(output_of(make_plan(s), inputs), output_of(make_plan(plain), inputs)));
  });
  for_ragged_pages(120, 76, {60, 8, 24, 2, 2}, [](const Scenario& s) {
    if (!takes_one_piece(s.algorithm)) return;
    Scenario plain = s;
    plain.page_size = {};
    const AttentionInputs inputs = inputs_of(plain);
    REQUIRE(same_bits(output_of(make_plan(s), inputs), output_of(make_plan(plain), inputs)));
  });
}

TEST_CASE("a load from pages that were not looked up is an error that names its line") {
  for (const char* name : {"flash2", "flash-decoding"}) {
    Plan plan = make_plan(in_pages(of_keys(name, 64, 1024), 16));
    Launch& launch = plan.launches[0];
    int line = 0;
    launch.body = [&](Cta& cta, const Problem& p) {
      for (const Block& j : cta.key_blocks()) {
        line = __LINE__ + 1;
        const SmemTile K = cta.load(block(p.hbm.K, j));
      }
    };
    launch.grid = GridShape(GridKind::per_head, 64, plan.problem.tiling.bc);
    CHECK_THROWS_MATCHES(count(plan), Error, Says("is loaded from pages that were not looked up"));
    try {
      count(plan);
    } catch (const Error& error) {
      CHECK(std::string(error.what()).find(text(":", line, ": K of the keys 0 to ")) != std::string::npos);
    }
    launch.body = [](Cta& cta, const Problem& p) {
      for (const Block& j : cta.key_blocks()) {
        if (j.index() == 0) cta.load_vec(pages_of(p.hbm.block_table, j));  // those of later blocks are forgotten
        const SmemTile K = cta.load(block(p.hbm.K, j));
      }
    };
    CHECK_THROWS_MATCHES(count(plan), Error, Says("is loaded from pages that were not looked up"));
  }
}

TEST_CASE("K and V in pages take whole pages of memory and a table, and the L2 sees the same keys") {
  Scenario s = of_keys("flash2", 1000, 1000);
  s.shape.heads = s.shape.kv_heads = 4;
  const Simulation plain = simulate(s), paged = simulate(in_pages(s, 128));
  const std::int64_t row = 4 * 64 * 2, added_rows = 1024 - 1000;
  CHECK((paged.memory.peak_hbm - plain.memory.peak_hbm).count() == 2 * added_rows * row + 4 * 8);
  for (const Tensor tensor : {Tensor::Q, Tensor::K, Tensor::V, Tensor::O})
    CHECK(total_bytes(paged.plan, tensor) ==
          total_bytes(plain.plan, tensor) + Bytes(tensor == Tensor::K || tensor == Tensor::V ? added_rows * row : 0));
}

TEST_CASE("flash3 in pages has the tiles of its released code for pages") {
  const auto tiles = [](std::int64_t d, std::int64_t page) {
    Scenario s = of_keys("flash3", 1024, 1024);
    s.shape.head_dim = d;
    const Tiling t = make_plan(in_pages(s, page)).problem.tiling;
    return std::pair(t.br, t.bc);
  };
  CHECK(tiles(64, 128) == std::pair<std::int64_t, std::int64_t>(192, 128));
  CHECK(tiles(96, 128) == std::pair<std::int64_t, std::int64_t>(192, 128));
  CHECK(tiles(128, 16) == std::pair<std::int64_t, std::int64_t>(128, 128));
  CHECK(tiles(192, 32) == std::pair<std::int64_t, std::int64_t>(128, 96));
  CHECK(tiles(256, 16) == std::pair<std::int64_t, std::int64_t>(128, 80));
  CHECK_THROWS_MATCHES(tiles(256, 32), Error, Says("neither divide a key block", 32, 80));
}

TEST_CASE("pages that a program does not take are refused by name") {
  const auto made = [](OptionValues options) {
    return make_plan(scenario_from(options, [](const std::string& name) { return built_in_gpu(name); }));
  };
  CHECK_THROWS_WITH(made({{"page-size", "0"}}), "page-size: \"0\" is not a whole number from 1 to 4096");
  CHECK_THROWS_WITH(made({{"page-size", "8192"}}), "page-size: \"8192\" is not a whole number from 1 to 4096");
  CHECK_THROWS_MATCHES(made({{"page-size", "48"}}), Error, Says("page-size: {} tokens neither divide", 48, 128));
  CHECK_THROWS_MATCHES(made({{"page-size", "16"}, {"pass", "backward"}}), Error,
                       Says("applies only to the forward pass"));
  for (const char* name : {"flash1", "standard", "mla-decode", "fmha"})
    CHECK_THROWS_MATCHES(made({{"page-size", "16"}, {"algorithm", name}}), Error, Says("is an option of"));
  CHECK_THROWS_MATCHES(made({{"page-size", "16"}, {"tiling", "released"}}), Error, Says("is an option of"));
}

}  // namespace sim

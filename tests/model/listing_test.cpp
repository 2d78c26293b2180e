#include "viz/model/listing/listing.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "sim/base/embedded.h"
#include "sim/trace/line_comment.h"
#include "tests/support/takes.h"
#include "viz/model/listing/equation.h"

namespace {

using explorer::Listing;
using explorer::ListingLine;
using Kind = ListingLine::Kind;

sim::Scenario scenario_of(const std::string& algorithm, sim::TilingRule tiling = sim::TilingRule::kernel) {
  sim::Scenario scenario;
  scenario.algorithm = algorithm;
  const bool backward = sim::find_program(algorithm)->has_backward();
  scenario.pass = backward ? sim::Pass::forward_backward : sim::Pass::forward;
  scenario.shape.seqlen_q = scenario.shape.seqlen_k = 640;
  scenario.shape.mask.causal = true;
  scenario.tiling = tiling;
  return scenario;
}

/// Simulates every program, forward and backward, with a mask; all except the released code also with dropout.
std::vector<sim::Simulation> every_program() {
  std::vector<sim::Simulation> all;
  for (const std::string& algorithm : sim::program_names()) {
    sim::Scenario scenario = scenario_of(algorithm);
    scenario = within_limits(scenario);
    all.push_back(sim::simulate(scenario));
    scenario.dropout = 0.1;
    if (takes(scenario)) all.push_back(sim::simulate(scenario));
  }
  all.push_back(sim::simulate(scenario_of("flash1", sim::TilingRule::released)));
  return all;
}

const ListingLine& line_of(const Listing& listing, int number) {
  const auto found = std::find_if(listing.lines.begin(), listing.lines.end(),
                                  [number](const ListingLine& line) { return line.number == number; });
  REQUIRE(found != listing.lines.end());
  return *found;
}

}  // namespace

TEST_CASE("a listing has every line that moves or computes exactly once, with its source code") {
  for (const sim::Simulation& s : every_program()) {
    for (std::size_t k = 0; k < s.traces.size(); ++k) {
      const Listing listing = explorer::make_listing(s, k);
      std::set<int> used;
      for (const sim::Event& event : s.traces[k].events) used.insert(event.line);
      std::set<int> shown;
      for (const ListingLine& line : listing.lines) {
        INFO(s.traces[k].kernel << ":" << line.number << " " << line.equation);
        CHECK(line.code == sim::listing_code(s.plan.launches[k].listing, line.number));
        if (line.work) CHECK(shown.insert(line.number).second);
        if (explorer::in_equations(line)) CHECK(line.typeset);
      }
      CHECK(shown == used);
    }
  }
}

TEST_CASE("the bytes and the work of a listing's lines add up to those of its kernel") {
  for (const sim::Simulation& s : every_program()) {
    for (std::size_t k = 0; k < s.traces.size(); ++k) {
      sim::Traffic traffic;
      std::int64_t matmul = 0, other = 0, exps = 0, most = 0;
      const Listing listing = explorer::make_listing(s, k);
      for (const ListingLine& line : listing.lines) {
        if (!line.work) continue;
        traffic += line.work->traffic;
        matmul += line.work->matmul_flops;
        other += line.work->other_flops;
        exps += line.work->exps;
        most = std::max(most, line.work->traffic.total().count());
        if (!line.work->counted) continue;
        CHECK(s.lines[*line.work->counted].traffic == line.work->traffic);
        CHECK(s.lines[*line.work->counted].line == line.number);
      }
      const sim::Totals& totals = s.kernels[k].totals;
      CHECK(traffic == totals.total);
      CHECK(matmul == totals.matmul_flops.count());
      CHECK(other == totals.other_flops.count());
      CHECK(exps == totals.exps.count());
      CHECK(listing.most_bytes == most);
    }
  }
}

TEST_CASE("equations in comments are typeset with symbols, scripts and shapes") {
  using explorer::equation_markup;
  CHECK(equation_markup("S = Q_i K_j^T") == "S ← Q_i K_j^{T}");
  CHECK(equation_markup("m = -inf") == "m ← −∞");
  CHECK(equation_markup("O = diag(l)^-1 O") == "O ← diag(ℓ)^{−1} O");
  CHECK(equation_markup("alpha = exp(m - m')") == "α ← exp(m − m′)");
  CHECK(equation_markup("P~ = Z o P~ / (1 - p)") == "P^~ ← Z ∘ P^~ / (1 − p)");
  CHECK(equation_markup("S_masked_ij") == "S_{masked,ij}");
  CHECK(equation_markup("D_i = do_i . o_i") == "D_i ← do_i · o_i");
  CHECK(equation_markup("L = m + log l") == "L ← m + log ℓ");
  CHECK(equation_markup("^") == "^{}");
  CHECK(equation_markup("").empty());
  const auto read = sim::read_comment("O = (alpha l O + beta PV)/l' (Br, d) line 12");
  CHECK(read.equation == "O = (alpha l O + beta PV)/l'");
  CHECK(read.shape == "(Br, d)");
  CHECK(read.reference == "line 12");
  const auto product = sim::read_comment(" P = Z o P / (1 - p)        (Br, Bc)");
  CHECK(product.equation == "P = Z o P / (1 - p)");
  CHECK(product.shape == "(Br, Bc)");
  const auto loop = sim::read_comment("row blocks that see j       line 7");
  CHECK(loop.equation == "row blocks that see j");
  CHECK(loop.reference == "line 7");
}

TEST_CASE("loops, conditions and blocks of a listing read as sentences") {
  const Listing flash2 = explorer::make_listing(sim::simulate(scenario_of("flash2")), 0);
  std::vector<std::string> sentences;
  for (const ListingLine& line : flash2.lines) {
    if (line.kind == Kind::loop || line.kind == Kind::place) sentences.push_back(line.equation);
  }
  CHECK(sentences ==
        std::vector<std::string>{"i ← row block of this CTA", "for j in column blocks that row block i sees"});
  const sim::Simulation released = sim::simulate(scenario_of("flash1", sim::TilingRule::released));
  sentences.clear();
  for (const ListingLine& line : explorer::make_listing(released, 0).lines) {
    if (line.kind == Kind::condition) sentences.push_back(line.equation);
  }
  CHECK(sentences ==
        std::vector<std::string>{"if this is the first pass", "else", "if there is no later pass", "else"});
}

TEST_CASE("the lines of a helper appear in the listing below its call") {
  const sim::Simulation s = sim::simulate(scenario_of("flash1"));
  const Listing listing = explorer::make_listing(s, 1);
  const auto call = std::find_if(listing.lines.begin(), listing.lines.end(),
                                 [](const ListingLine& line) { return line.kind == Kind::call; });
  REQUIRE(call != listing.lines.end());
  CHECK(call->equation == "clear gradients");
  CHECK(explorer::in_equations(*call));
  const ListingLine& first = *std::next(call);
  CHECK(first.number < call->number);
  CHECK(first.depth == call->depth + 1);
}

TEST_CASE("a function that is called twice appears below its first call, and both calls represent its lines") {
  const std::string source =
      "void f(Cta& cta) {\n  if (a) g(cta, p, 1);  // O = P V\n  RegTile P = g(cta, p, 2);\n}\n"
      "void g(Cta& cta) {\n  h(cta, p);\n}\nvoid h(Cta& cta) {\n  cta.load(x);\n}\n";
  const auto lines = explorer::read_body(source, {3, 9});
  REQUIRE(lines.size() == 4);
  CHECK(lines[0].equation == "O ← P V");
  CHECK(lines[0].condition == "a");
  CHECK(lines[3].equation == "g");
  for (const std::size_t call : {0u, 3u}) CHECK(explorer::numbers_of(lines, lines[call]).size() == 3);
  CHECK(lines[1].called);
}

TEST_CASE("statements at which warpgroups meet are typeset without comments") {
  using explorer::sync_markup;
  CHECK(sync_markup("co_await s.K.full(n - 1);") == "wait K.full[n - 1]");
  CHECK(sync_markup("co_await s.turns.of(w);") == "wait turns[w]");
  CHECK(sync_markup("co_await s.dq_of(w).full(n);") == "wait dQ[w].full[n]");
  CHECK(sync_markup("co_await s.all.phase(n);") == "wait all[n]");
  CHECK(sync_markup("arrive(s.all.phase(n));") == "arrive all[n]");
  CHECK(sync_markup("s.turns.pass_to(next, p.late);") == "arrive turns[next]");
  CHECK(sync_markup("s.V.release(n - 1);") == "release V[n - 1]");
  CHECK(sync_markup("cta.products(n > 0 ? 1 : 0);") == "products(n > 0 ? 1 : 0)");
  for (const char* other : {"", "++n;", "before = j;", "cta.scale(S, p.scale);", "r.P = std::move(P);", "x.y", "f("})
    CHECK(sync_markup(other).empty());
}

TEST_CASE("loads, stores and products know the memory level of their tiles") {
  const Listing listing = explorer::make_listing(sim::simulate(scenario_of("flash1")), 0);
  for (const ListingLine& line : listing.lines) {
    if (!line.work) continue;
    INFO(line.code);
    const bool in_hbm = line.code.find("initialise") != std::string::npos;
    const bool in_registers = line.code.find("RegTile") == 0 || line.code.find("RegVec") == 0;
    const bool shared = line.code.find("SmemTile") == 0 || line.code.find("(O, ") != std::string::npos;
    if (in_hbm) CHECK(line.work->sample.level == sim::Level::none);
    if (in_registers) CHECK(line.work->sample.level == sim::Level::registers);
    if (shared) CHECK(line.work->sample.level == sim::Level::smem);
  }
}

TEST_CASE("lines that a run never executes are left out of its equations") {
  sim::Scenario scenario = scenario_of("flash2");
  const Listing masked = explorer::make_listing(sim::simulate(scenario), 0);
  scenario.shape.mask = {};
  const Listing plain = explorer::make_listing(sim::simulate(scenario), 0);
  const auto mask = [](const ListingLine& line) { return line.code.find("cta.mask(") != std::string::npos; };
  const auto found = std::find_if(masked.lines.begin(), masked.lines.end(), mask);
  REQUIRE(found != masked.lines.end());
  CHECK(explorer::in_equations(*found));
  CHECK_FALSE(explorer::in_equations(line_of(plain, found->number)));

  sim::Scenario one_pass = scenario_of("flash1", sim::TilingRule::released);
  one_pass.shape.seqlen_q = one_pass.shape.seqlen_k = 64;
  for (const ListingLine& line : explorer::make_listing(sim::simulate(one_pass), 0).lines) {
    if (line.equation == "O ← diag(ℓ) O" || line.equation == "store O_i in fp32") CHECK_FALSE(line.runs);
  }
}

TEST_CASE("any text is read as a listing") {
  CHECK(explorer::read_body("", {1, 2}).empty());
  CHECK(explorer::read_body("no function here\n", {1}).empty());
  CHECK(explorer::read_body("void f(Cta& cta) {\n", {1, 2, 3}).empty());
  const std::string source =
      "void f(Cta& cta) {\n"
      "  for (;;) {\n"
      "    strange(cta, [&] { return 1; });\n"
      "    cta.load(x);\n"
      "  }\n"
      "  f(cta, p);\n"
      "}\n";
  const auto lines = explorer::read_body(source, {4});
  REQUIRE(lines.size() == 5);  // it calls itself, so its lines are not repeated
  CHECK(lines[1].kind == Kind::code);
  CHECK(lines[4].kind == Kind::call);
  const std::string circle = "void f(Cta& cta) {\n  g(cta, p);\n}\nvoid g(Cta& cta) {\n  h(cta, p);\n}\n";
  CHECK(explorer::read_body(circle + "void h(Cta& cta) {\n  g(cta, p);\n}\n", {2}).size() < 100);
  const auto read = explorer::read_body("void g(Cta& cta) {\n  for (;;) {\n    cta.load(x);\n  }\n}\n", {3});
  REQUIRE(read.size() == 3);
  CHECK(read[0].kind == Kind::loop);
  CHECK(read[0].equation == "for (;;) {");
  CHECK_FALSE(read[0].typeset);
  CHECK(read[1].kind == Kind::verb);
  CHECK(read[1].depth == 1);
}

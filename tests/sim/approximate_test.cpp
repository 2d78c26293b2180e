// Formulas of approximate attention, checked against independent lists of their products and tensors.
#include "sim/model/approximate.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "sim/model/formula_symbols.h"
#include "sim/model/simulation.h"
#include "tests/support/random_scenario.h"

namespace sim {
namespace {

using Catch::Contains;

/// Work of one head: products of m x k and k x n, and elements that its kernels read or write.
struct Head {
  double flops = 0, elements = 0, shared = 0;  ///< shared: read once for all heads
  void product(double m, double k, double n) { flops += 2 * m * k * n; }
};

/// Scores, softmax and the product with V of N queries with c keys each: S and P are written and read.
void attend(Head& head, double n, double c, double d) {
  head.product(n, d, c);
  head.product(n, c, d);
  head.elements += 4 * n * c;
}

constexpr double lsformer_heads = 5;  ///< W is one for each head of a layer

std::map<std::string, Head> heads_of(double n, double d) {
  const double c = std::min(n / 8, 256.0);
  std::map<std::string, Head> heads;
  for (const char* name : {"dense", "linformer", "performer", "reformer", "smyrf", "local", "longformer", "lsformer",
                           "hierarchical", "strided", "bigbird"})
    heads[name].elements = 4 * n * d;  // Q, K, V, O
  heads["dense"].product(n, d, n);
  heads["dense"].product(n, n, d);
  Head& linformer = heads["linformer"];
  linformer.product(c, n, d);             // E K
  linformer.product(c, n, d);             // F V
  linformer.elements += 2 * (2 * c * d);  // both written, both read
  linformer.shared = 2 * n * c;           // E, F
  attend(linformer, n, c, d);
  Head& performer = heads["performer"];
  performer.product(n, d, c);               // features of Q
  performer.product(n, d, c);               // features of K
  performer.product(c, n, d);               // K'^T V
  performer.product(n, c, d);               // Q' (K'^T V)
  performer.elements += 2 * (2 * n * c);    // Q', K' written and read
  performer.elements += 2 * c * d;          // K'^T V written and read
  heads["reformer"].elements += 4 * n * d;  // Q and V are sorted, O is sorted back: each read and written
  attend(heads["reformer"], n, c, d);
  heads["smyrf"].elements += 8 * n * d;  // Q, K and V are sorted, O is sorted back
  attend(heads["smyrf"], n, c, d);
  attend(heads["local"], n, c, d);
  attend(heads["longformer"], n, std::min(n, 512.0), d);
  Head& lsformer = heads["lsformer"];
  lsformer.product(n, d, c);             // K W
  lsformer.product(c, n, d);             // P^T K
  lsformer.product(c, n, d);             // P^T V
  lsformer.elements += 5 * n * c;        // scores and weights of the projection; both products read the weights
  lsformer.elements += 3 * n * d;        // K is read by three kernels, V by two
  lsformer.elements += 2 * (2 * c * d);  // projected K and V, written and read
  lsformer.shared = lsformer_heads * c * d;
  attend(lsformer, n, 2 * c, d);
  double levels = 1;
  for (double span = 64; span < n; span *= 2) ++levels;
  heads["hierarchical"].elements += 4 * n * d;  // means of spans, of keys and of values: written and read
  attend(heads["hierarchical"], n, std::min(n, 64 * levels), d);
  attend(heads["strided"], n, std::sqrt(n), d);
  attend(heads["strided"], n, std::sqrt(n), d);
  attend(heads["bigbird"], n, std::min(n, 8 * 64.0), d);
  return heads;
}

Scenario scenario_of(std::int64_t n, std::int64_t batch, std::int64_t heads) {
  Scenario s;
  s.gpu = built_in_gpu("a100-sxm-40gb");
  s.shape.batch = batch;
  s.shape.heads = s.shape.kv_heads = heads;
  s.shape.seqlen_q = s.shape.seqlen_k = n;
  return s;
}

}  // namespace

TEST_CASE("a formula of approximate attention sums its products, and the elements that its kernels read and write") {
  for (const std::int64_t n : {64, 512, 1024, 2048, 65536}) {
    const Scenario s = scenario_of(n, 3, 5);
    const Plan plan = make_plan(s);
    const auto heads = heads_of(static_cast<double>(n), 64);
    REQUIRE(heads.size() == approximate_families().size());
    for (const ApproximateFamily& family : approximate_families()) {
      INFO(family.name << ", N " << n);
      const Head& head = heads.at(std::string(family.name));
      CHECK(formula_value(std::string(family.flops), plan) == Approx(15 * head.flops).epsilon(1e-12));
      CHECK(formula_value(std::string(family.bytes), plan) ==
            Approx(2 * (15 * head.elements + head.shared)).epsilon(1e-12));
    }
  }
}

TEST_CASE("formulas are found by name, and any other text is parsed as a formula") {
  CHECK(named_formula("4*N*d").formula == "4*N*d");
  CHECK(named_formula("4*N*d").against.empty());
  CHECK(named_formula("local:flops").formula == "b*h*4*N*min(N/8,256)*d");
  CHECK(named_formula("local:flops").against == "work.matmul_flops");
  CHECK(named_formula("local:bytes").against == "hbm_traffic");
  CHECK_THROWS_WITH(named_formula("linformr:bytes"), Contains("did you mean \"linformer\""));
  CHECK_THROWS_WITH(named_formula("local:time"), Contains("local has flops and bytes, not \"time\""));
}

TEST_CASE("every formula grows with N, and none faster than dense attention") {
  for (const ApproximateFamily& family : approximate_families()) {
    INFO(family.name);
    CHECK_FALSE(family.source.empty());
    double before = 0;
    for (std::int64_t n = 256; n <= 65536; n *= 2) {
      const double flops = formula_value(std::string(family.flops), make_plan(scenario_of(n, 1, 1)));
      if (before > 0) CHECK((flops > 1.9 * before && flops <= 4 * before));
      before = flops;
    }
  }
}

}  // namespace sim

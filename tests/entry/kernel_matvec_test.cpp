// A product of a kernel matrix with a vector, y_i = sum over j of k(x_i, z_j) b_j, whose matrix is never stored: the
// tiles of attention without softmax. A program for tests only: Q, K and V are the points x, the points z and b.
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/model/simulation.h"
#include "sim/programs/kernel_form.h"
#include "sim/programs/launches.h"
#include "sim/programs/run.h"
#include "tests/support/ledger.h"
#include "tests/support/random_scenario.h"

namespace {

using namespace sim;
// clang-format off
void matvec(Cta& cta, const Problem& p) {
  const Hbm& hbm = p.hbm;
  const Block& i = cta.row();                             // points x of this CTA
  SmemTile x = cta.load(block(hbm.Q, i));                 // x_i                        (Br, d)
  RegTile y = cta.zeros(Tensor::O, i, hbm.O);             // y = 0                      (Br, dv)
  for (const Block& j : cta.key_blocks(i)) {              // blocks of points z
    SmemTile z = cta.load(block(hbm.K, j));               // z_j                        (Bc, d)
    RegTile P = cta.gaussian(x, z, p.scale);              // P = exp(-s |x_i - z_j|^2)  (Br, Bc)
    SmemTile b = cta.load(block(hbm.V, j));               // b_j                        (Bc, dv)
    cta.gemm_nn_add(y, P, b);                             // y = y + P b_j              (Br, dv)
  }
  cta.store(y, block(hbm.O, i));                          // y_i                        (Br, dv)
}
// clang-format on

std::vector<Launch> launches(const Problem& p) {
  return {{.name = "kernel_matvec",
           .body = matvec,
           .grid = {GridKind::per_row_block, p.tiling.br, p.tiling.bc},
           .inputs = {Tensor::Q, Tensor::K, Tensor::V},
           .outputs = {Tensor::O}}};
}

constexpr Tiling tiling(const TilingCase&) { return {192, 64}; }

KernelForm kernel_form(const Problem& p) {
  using namespace form;
  using form::read, form::write;  // the C library has functions of these names
  return with_dropout(p,
                      {{{Tensor::Q, read, matrix, "B H Nq d e"},
                        {Tensor::K, read, matrix, "B H Tr Nk d e"},
                        {Tensor::V, read, matrix, "B H Tr Nk dv e"},
                        {Tensor::O, write, matrix, "B H Nq dv e"}},
                       {{"matmul_flops", "P b", "2 B H A dv"},
                        {"other_flops", "differences, squares, their sum; scale", "B H A (3d+1)"},
                        {"exp_count", "P", "B H A"}}},
                      dropout);
}

std::span<const NamedForm> forms() {
  static constexpr NamedForm all[] = {{"kernel_matvec", kernel_form}};
  return all;
}

const bool added = add_program({.name = "kernel-matvec",
                                .title = "Product of a kernel matrix with a vector",
                                .short_title = "Kernel",
                                .forward = {"kernel_matvec.cpp", "Charlier et al. 2021", tiling, launches},
                                .forms = forms,
                                .text = [](std::string_view) { return std::string_view(); }});

/// n points x, n points z and a number b for each z.
Scenario points(std::int64_t n, const char* gpu = "h100-sxm") {
  Scenario s;
  s.gpu = built_in_gpu(gpu);
  s.algorithm = "kernel-matvec";
  s.dtype = Dtype::fp32;
  s.shape = {1, 1, 1, n, n, 3, {}};
  s.shape.head_dim_v = 1;
  return s;
}

}  // namespace

TEST_CASE("a product of a kernel matrix moves x and y once, and z and b once for each block of x") {
  const std::int64_t golden[][5] = {{1000, 12000, 72000, 24000, 4000}, {10000, 120000, 6360000, 2120000, 40000}};
  for (const auto& [n, x, z, b, y] : golden) {
    const Simulation run = simulate(points(n));
    CHECK(run.totals.tensor(Tensor::Q).read == Bytes(x));
    CHECK(run.totals.tensor(Tensor::K).read == Bytes(z));
    CHECK(run.totals.tensor(Tensor::V).read == Bytes(b));
    CHECK(run.totals.tensor(Tensor::O).written == Bytes(y));
    CHECK(run.totals.exps.count() == n * n);
    CHECK((run.totals.matmul_flops + run.totals.other_flops).count() == n * n * (3 * 3 + 1 + 2));
  }
}

TEST_CASE("the walk of a product of a kernel matrix counts what its closed forms say, at any lengths") {
  Dice dice(20211);
  for (int n = 0; n < 40; ++n) {
    Scenario s = points(dice.between(1, 3000));
    s.shape.seqlen_k = dice.between(1, 3000);
    s.shape.head_dim = dice.between(1, 8);
    s.shape.head_dim_v = dice.between(1, 4);
    const Plan plan = make_plan(s);
    Totals totals;
    for (const Trace& trace : count(plan)) add_to(totals, trace);
    CHECK(totals == count_by_brute_force(plan));
    CHECK(totals == simulate(s).totals);
  }
}

TEST_CASE("a product of a kernel matrix has the values of the sum in double") {
  Scenario s = points(300);
  s.shape.seqlen_k = 200;
  s.scale = 0.7;
  const Plan plan = make_plan(s);
  const AttentionInputs in = draw_inputs(s.shape, s.dtype, s.seed);
  const AttentionOutputs out = compute(plan, in);
  for (std::size_t i = 0; i < 300; ++i) {
    double sum = 0, size = 0;
    for (std::size_t j = 0; j < 200; ++j) {
      double square = 0;
      for (std::size_t k = 0; k < 3; ++k) square += std::pow(double(in.q[3 * i + k]) - double(in.k[3 * j + k]), 2);
      sum += std::exp(-0.7 * square) * double(in.v[j]);
      size += std::exp(-0.7 * square) * std::abs(double(in.v[j]));
    }
    CHECK(std::abs(double(out.o[i]) - sum) <=
          200 * 6e-8 * size);  // 200 additions in fp32, each within half a last place
  }
}

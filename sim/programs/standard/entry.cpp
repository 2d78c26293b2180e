// standard: what the catalogue knows of it.
#include "sim/base/printable.h"
#include "sim/programs/plan.h"
#include "sim/programs/programs.h"
#include "sim/programs/published_memory.h"

namespace sim {

std::vector<Launch> standard_forward_launches(const Problem& p);
std::vector<Launch> standard_backward_launches(const Problem& p);
std::span<const NamedForm> standard_forms();

namespace {

/// Standard attention, both passes: 128 x 128 output tiles of QK^T and dP; 128 x d of products with d columns; 32-deep
/// steps.
constexpr Tiling standard_tiling(const TilingCase& c) {
  Tiling t{128, 128};
  const auto fits_gemms = [&] {
    const std::int64_t scores = (t.br + t.bc) * t.slice * c.element_bytes,
                       output = (t.br + c.d()) * t.slice * c.element_bytes;
    const bool elementwise = t.br * t.bc * (c.element_bytes + 1) <= c.chip.smem;  // a tile and its dropout mask
    return elementwise && scores <= c.chip.smem && output <= c.chip.smem && t.br * c.d() * 4 <= c.chip.registers;
  };
  while (!fits_gemms() && t.br > 16) t = {t.br / 2, t.bc / 2};
  return t;
}

PublishedMemory memory_of_pytorch(const Plan& plan) {
  const Hbm& hbm = plan.problem.hbm;
  const std::int64_t one_matrix = hbm.Q.total_bytes(plan.problem.shape).count(),
                     one_square = hbm.P.total_bytes(plan.problem.shape).count();
  return {Bytes(checked_add(product(4, one_square), product(10, one_matrix))),
          "4 N^2 B H e + 10 N d B H e",
          "Dao et al. 2022, Table 21, PyTorch",
          {"4 matrices of N x N against P, dP and dS here: autograd also keeps the scores before the softmax",
           "10 matrices of N x d against Q, K, V, O and their gradients here: two more as temporaries"}};
}

/// The forward pass keeps P but not the scores, which a derivative needs.
void check_score_steps(const Scenario& s) {
  for (const std::string& formula : score_formulas(s)) {
    require(s.pass == Pass::forward || !ScoreStep::parse(formula).has_slope(), "pass: standard keeps P and not the ",
            "scores: backward it takes steps with the derivative 1, such as ALiBi, not ", quoted(formula));
  }
}

}  // namespace

constinit const Program programs::standard = {
    .name = "standard",
    .title = /*say*/ "Standard attention",
    .short_title = /*say*/ "Standard",
    .summary = "a kernel per step; the N x N matrices S and P go through HBM",
    .typed = "standard attention, vanilla, naive",
    .forward = {"programs/standard/standard.cpp", "Dao et al. 2022, Algorithm 0", standard_tiling,
                standard_forward_launches},
    .backward = {"programs/standard/standard_backward.cpp", "Dao et al. 2022, Algorithm 3", standard_tiling,
                 standard_backward_launches},
    .forms = standard_forms,
    .check = check_score_steps,
    .pattern = PatternUse::as_mask,
    .published_memory = memory_of_pytorch,
    .score_steps = true,
    .sinks = true};

}  // namespace sim

// Catalogue entry of rabe-staats.
#include "sim/programs/plan.h"
#include "sim/programs/programs.h"

namespace sim {

std::vector<Launch> rabe_staats_launches(const Problem& p);
std::vector<Launch> rabe_staats_backward_launches(const Problem& p);
std::span<const NamedForm> rabe_staats_forms();

namespace {

constexpr Footprint rabe_staats_footprint{{1, 0}, {1, 1}, 1, {0, 2}, {0, 0}};  // Q_i | K_j, V_j | S | PV, or O and O_ij

/// Backward: Q, dO | K, V | P, dP or P_d | dQ or PV, the wider of them | dK, dV
constexpr Footprint rabe_staats_backward_footprint(HeadDims dims) {
  const BlockCount accumulator = dims.qk >= dims.v ? BlockCount{1, 0} : BlockCount{0, 1};
  return {{1, 1}, {1, 1}, 2, accumulator, {1, 1}};
}

/// Chunks of 128 keys and 128 rows, fewer if SMEM or registers are scarce; --chunk sets another number of keys. Both
/// passes have chunks of one size, which fits the backward pass.
constexpr Tiling rabe_staats_tiling(const TilingCase& c) {
  const Footprint backward = with_derivatives(rabe_staats_backward_footprint(c.dims), c.sloped);
  Tiling t = shrink(rabe_staats_footprint, {128, 128}, c.element_bytes, c.dims, c.chip);
  while (t.bc > 16 && !fits(backward, {16, t.bc}, c.element_bytes, c.dims, c.chip)) t.bc /= 2;
  return t;
}

constexpr Tiling rabe_staats_backward_tiling(const TilingCase& c) {
  const Footprint backward = with_derivatives(rabe_staats_backward_footprint(c.dims), c.sloped);
  Tiling t = rabe_staats_tiling(c);
  while (t.br > 16 && !fits(backward, t, c.element_bytes, c.dims, c.chip)) t.br /= 2;
  return t;
}

/// Number of chunks, each with its copy of O, m and l.
std::int64_t rabe_staats_chunks(const Scenario&, const Problem& p) { return ceil_div(p.shape.seqlen_k, p.tiling.bc); }

constexpr OwnOption rabe_staats_options[] = {
    {.name = "chunk",
     .values = "T",
     .help = "of rabe-staats: keys of a chunk, each with a copy of O; its --bc [128]",
     .label = /*say*/ "chunk",
     .note = /*say*/ "keys of a chunk of rabe-staats",
     .unit = "keys",
     .resolved = [](const Plan& plan) { return plan.problem.tiling.bc; },
     .sets_bc = true}};

}  // namespace

constinit const Program programs::rabe_staats = {
    .name = "rabe-staats",
    .title = /*say*/ "Attention after Rabe and Staats",
    .short_title = /*say*/ "Rabe-Staats",
    .summary = "K and V in chunks, each with a copy of O, m and l: Tc (N d + 2 N) numbers, flash1 has N d + 2 N",
    .typed = "rabe and staats, rabe staats",
    .forward = {"programs/rabe_staats/rabe_staats.cpp", "Rabe and Staats 2021; Dao et al. 2022, appendix B.5",
                rabe_staats_tiling, rabe_staats_launches},
    .backward = {"programs/rabe_staats/rabe_staats_backward.cpp", "Rabe and Staats 2021; Dao et al. 2022, appendix B.5",
                 rabe_staats_backward_tiling, rabe_staats_backward_launches},
    .forms = rabe_staats_forms,
    .options = rabe_staats_options,
    .parts = rabe_staats_chunks,
    .score_steps = true};

}  // namespace sim

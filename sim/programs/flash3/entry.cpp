// flash3: what the catalogue knows of it.
#include <algorithm>

#include "sim/programs/flash3/flash3.h"
#include "sim/programs/flash3/flash3_backward.h"
#include "sim/programs/fp8.h"
#include "sim/programs/plan.h"
#include "sim/programs/programs.h"

namespace sim {

std::span<const NamedForm> flash3_forms();

namespace {

/// Tiles of the released code for e4m3 (hopper/tile_size.h), whatever the mask: V is there twice, as it came and
/// transposed.
constexpr Tiling fp8_tiling(const TilingCase& c) {
  const std::int64_t d = c.dims.qk;
  if (d <= 64) return {192, 160};
  if (d <= 96) return {192, 128};
  if (d <= 128) return {128, 224};
  return {128, d <= 192 ? 160 : 128};
}

/// Tiles of the released code for fp16 and bf16 (hopper/tile_size.h): smaller under a causal mask, where rows of a
/// tile see fewer keys, under a window, and for pages, whose addresses take registers of the producer; V of up to 128
/// leaves space for more keys of 192.
constexpr Tiling flash3_tiling(const TilingCase& c) {
  const bool some = c.causal || c.windowed || c.paged;
  const auto [d, dv] = c.dims;
  if (c.element_bytes == 1) return fp8_tiling(c);
  if (d <= 64) return dv <= 64 ? Tiling{192, some ? 128 : 192} : Tiling{128, 112};
  if (d <= 96) return {192, c.windowed || c.paged ? 128 : 144};
  if (d <= 128) return {128, some ? 128 : 176};
  if (d <= 192) return {128, c.windowed || c.paged ? 96 : dv <= 128 ? 128 : 112};
  return {128, c.windowed ? 64 : 80};
}

/// Tiles of the released backward pass (hopper/flash_bwd_launch_template.h): 80 rows of d 128 are what shared memory
/// has space for. Derivatives of score steps take registers of a tile, so it has fewer rows here.
constexpr Tiling flash3_backward_tiling(const TilingCase& c) {
  const std::int64_t d = c.d();
  if (d <= 64) return {c.sloped ? 64 : 128, 128};
  if (d <= 96) return {64, 128};
  if (d <= 128) return {c.causal || c.windowed || c.sloped ? 64 : 80, 128};
  return {64, d <= 192 ? 96 : 80};
}

/// Head dimensions of the released kernels, which pad d to the next one. Source: hopper/flash_api.cpp,
/// round_up_headdim.
constexpr std::int64_t flash3_head_dims[] = {64, 96, 128, 192, 256};

/// Requires something of tiles; a search skips tiles that fail it.
template <class... Part>
void require_tiles(bool allowed, const Part&... message) {
  if (!allowed) throw TileOverflow(message...);
}

/// Refuses what e4m3 alone does not take. Source: the instances of hopper/, and its transposing producer.
void check_fp8_of_flash3(const Scenario& s) {
  const auto [d, dv] = s.shape.head_dims();
  require(std::count(std::begin(flash3_head_dims), std::end(flash3_head_dims), d) == 1,
          "head-dim: in e4m3 flash3 takes 64, 96, 128, 192 and 256, not ", d);
  require(d == dv || (d == 192 && dv == 128), "head-dim-v: in e4m3 flash3 takes ", d,
          " like head-dim, or 128 for a head-dim of 192, not ", dv, " for ", d);
  if (own_value(s, "rotate") == 1) check_rotation(d);
  require(own_value(s, "stages") > 1,
          "stages: in e4m3 the producer transposes a tile of V after the copy of the next has begun: use 2 or more");
  const bool shares = s.samples > 1 || s.shared_prefix > 0;
  require(!shares || own_value(s, "fp8-scales") != static_cast<std::int64_t>(Fp8Scales::tensor),
          "fp8-scales: tensor is one scale of all sequences, and here they share pages: use block or head");
}

/// Keys of a column block are those of its consumers: 64 each up to d 128; above it each has a part of the columns of
/// dK and dV, three of them for d 192 and two for d 256, and at least 16 of the keys of S.
void check_backward(const Scenario& s) {
  require_one_head_dim(s, "flash3's backward pass");
  const std::int64_t d = s.shape.head_dim, br = s.br.value_or(wgmma_rows), step = d <= 128 ? 64 : d <= 192 ? 48 : 32;
  const std::int64_t most = d <= 128 ? 192 : 4 * step, bc = s.bc.value_or(step);
  require_tiles(br % 16 == 0 && br <= 128, "br: flash3's backward pass takes multiples of 16 rows up to 128, not ", br);
  require_tiles(bc % step == 0 && bc <= most, "bc: flash3's backward pass takes multiples of ", step, " keys up to ",
                most, " for a head-dim of ", d, ", not ", bc);
}

void check_forward(const Scenario& s) {
  const auto [d, dv] = s.shape.head_dims();
  const bool deepseek = d > 128 && d <= 192 && dv > 96 && dv <= 128, wide_v = d <= 64 && dv <= 256;
  require(d == dv || deepseek || wide_v, "head-dim-v: flash3 takes ", d,
          " like head-dim; 97..128 for a head-dim of "
          "129..192, or 1..256 for one up to 64, not ",
          dv, " for ", d);
  const std::int64_t br = s.br.value_or(wgmma_rows), bc = s.bc.value_or(wgmma_rows);
  require_tiles(br % wgmma_rows == 0 && br <= 3 * wgmma_rows,
                "br: flash3 takes 64, 128 or 192 rows, 64 for each consumer warpgroup, not ", br);
  require_tiles(bc % 16 == 0 && bc <= 256, "bc: flash3 takes multiples of 16 up to 256, as wgmma does, not ", bc);
  const bool serial = own_value(s, "schedule") == static_cast<std::int64_t>(flash3::Schedule::serial);
  require(!serial || own_value(s, "stages") > 1,
          "stages: without a producer copies are a tile ahead: --schedule serial needs 2 stages");
  if (s.dtype == Dtype::e4m3) check_fp8_of_flash3(s);
}

void check(const Scenario& s) {
  const std::string& architecture = s.gpu->architecture;
  require(architecture == "sm_90" || architecture == "sm_100", "gpu: flash3 needs wgmma and TMA, which sm_90 has and ",
          s.gpu->name, " (", architecture, ") does not: use --gpu h100-sxm");
  require(s.dtype != Dtype::fp32, "dtype: flash3 takes fp16, bf16 and e4m3, not fp32");
  require(s.dropout == 0, "dropout: flash3 has none: leave it out");
  require(s.inputs != InputRule::text, "inputs: flash3 has row blocks of 64, 128 or 192 rows, too large for a text");
  require_tiles(s.tiling != TilingRule::paper,
                "tiling: flash3 has the tiles of its released code: ", name_of(TilingRule::kernel));
  require(s.shape.head_dim <= 256, "head-dim: flash3 takes up to 256, not ", s.shape.head_dim);
  if (s.pass != Pass::backward) check_forward(s);
  if (s.pass != Pass::forward) check_backward(s);
}

std::vector<Launch> flash3_launches(const Problem& p) {
  const flash3::Options own(p);
  const std::int64_t warpgroups = flash3::consumers(p) + (own.schedule == flash3::Schedule::serial ? 0 : 1);
  std::vector<Tensor> inputs = {Tensor::Q, Tensor::K, Tensor::V};
  if (p.fp8()) inputs.insert(inputs.end(), {Tensor::q_scale, Tensor::k_scale, Tensor::v_scale});
  return {{.name = "flash3_forward",
           .body = flash3::forward,
           .grid = {GridKind::per_row_block, p.tiling.br, p.tiling.bc},
           .threads = warpgroup_threads * warpgroups,
           .round_p = true,
           .inputs = inputs,
           .outputs = {Tensor::O, Tensor::L},
           .products = Products::wgmma,
           .persistent = own.persistent,
           .longest_first = own.persistent && p.shape.mask.causal}};
}

std::vector<Launch> flash3_backward_launches(const Problem& p) {
  using enum Tensor;
  const std::int64_t warpgroups = flash3_backward::consumers(p) + 1;
  return between_prepare_and_finish(p, {.name = "flash3_backward",
                                        .body = flash3_backward::body,
                                        .grid = {GridKind::per_column_block, p.tiling.br, p.tiling.bc},
                                        .threads = warpgroup_threads * warpgroups,
                                        .round_p = true,
                                        .inputs = {Q, K, V, dO, L, D, dQ_acc},
                                        .outputs = {dQ_acc, dK, dV},
                                        .products = Products::wgmma,
                                        .longest_first = p.shape.mask.causal});
}

constexpr OwnOption flash3_options[] = {
    {.name = "schedule",
     .values = "overlapped|ping-pong|warp-specialised|serial",
     .help = "of flash3, forward: softmax overlaps with products of its own warpgroup too, of others in turns, of "
             "others in any "
             "order, or there is no producer [overlapped]",
     .label = /*say*/ "schedule",
     .note = /*say*/ "how warpgroups share the work, for flash3",
     .of_words = true,
     .forward_only = true},
    {.name = "grid",
     .values = "persistent|one",
     .help = "of flash3, forward: a CTA for each SM, which takes row block after row block, or one for each row block "
             "[persistent]",
     .label = /*say*/ "grid",
     .note = /*say*/ "one CTA for each SM, or for each row block, for flash3",
     .of_words = true,
     .forward_only = true},
    {.name = "stages",
     .values = "N",
     .help = "of flash3, forward: stages of the rings of K and V [2]",
     .label = /*say*/ "stages",
     .note = /*say*/ "tiles of K and V in flight, for flash3",
     .unit = "stages",
     .least = 1,
     .most = 8,
     .preset = 2,
     .forward_only = true,
     .plotted = "1 2 3 4"},
    {.name = "arrive",
     .values = "ended|issued",
     .help = "of flash3, forward: a turn on the tensor cores passes on when the products of a warpgroup have ended, or "
             "are issued "
             "[ended]",
     .label = /*say*/ "turn passes on",
     .note = /*say*/ "when products have ended, or at once when they are issued, for flash3",
     .of_words = true,
     .forward_only = true},
    {.name = "fp8-scales",
     .values = "block|head|tensor",
     .help = "of flash3 in e4m3: a scale for each block of Br x d or Bc x d, as in the paper, for each KV head, as in "
             "the released code, or for all of Q, K and V each [block]",
     .label = /*say*/ "scales",
     .note = /*say*/ "rows that share a scale of e4m3, for flash3",
     .of_fp8 = true,
     .of_words = true},
    {.name = "rotate",
     .values = "0|1",
     .help =
         "of flash3 in e4m3: Q and K are rotated before they are quantised, by a Hadamard matrix with random signs, "
         "for d a power of two [1 for such a d, else 0]",
     .label = /*say*/ "rotation",
     .note = /*say*/ "Q and K are rotated before they are quantised, for flash3",
     .resolved = [](const Plan& plan) { return std::int64_t{rotates(plan.scenario) ? 1 : 0}; },
     .of_fp8 = true,
     .of_words = true}};

}  // namespace

constinit const Program programs::flash3 = {
    .name = "flash3",
    .title = /*say*/ "FlashAttention-3",
    .short_title = /*say*/ "Flash-3",
    .summary = "flash2 by warpgroups with roles: a producer copies, consumers overlap softmax with products",
    .typed = "fa3, flash attention 3, flash attention v3",
    .forward = {"programs/flash3/flash3.cpp", "Shah et al. 2024, Algorithms 1 and 2", flash3_tiling, flash3_launches},
    .backward = {"programs/flash3/flash3_backward.cpp", "Shah et al. 2024, Algorithm 3", flash3_backward_tiling,
                 flash3_backward_launches},
    .forms = flash3_forms,
    .head_dims = flash3_head_dims,
    .check = check,
    .options = flash3_options,
    .br_step = wgmma_rows,
    .bc_step = 16,
    .ragged = true,
    .paged = true,
    .gpus = true,
    .score_steps = true,
    .sinks = true,
    .fp8 = true};

}  // namespace sim

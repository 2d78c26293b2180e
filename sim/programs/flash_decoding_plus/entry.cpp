// Catalogue entry of flash-decoding-plus: tiles, parts and packed heads are those of flash-decoding.
// Not modelled: sinks, which need the maximum that this program does without, are refused.
#include "sim/programs/flash_decoding/flash_decoding.h"
#include "sim/programs/plan.h"
#include "sim/programs/programs.h"

namespace sim {

std::vector<Launch> flash_decoding_plus_launches(const Problem& p);
std::span<const NamedForm> flash_decoding_plus_forms();

namespace {

constexpr OwnOption flash_decoding_plus_options[] = {splits_option, pack_option};

}  // namespace

constinit const Program programs::flash_decoding_plus = {
    .name = "flash-decoding-plus",
    .title = "FlashDecoding++",
    .short_title = /*say*/ "Decoding++",
    .summary = "flash-decoding with one maximum for all rows: no rescaling; row blocks out of its range run again",
    .typed = "flash decoding plus, flashdecoding++, flash-decoding++, fd++",
    .forward = {"programs/flash_decoding_plus/flash_decoding_plus.cpp", "Hong et al. 2024, FlashDecoding++, section 3",
                flash_decoding_tiling, flash_decoding_plus_launches},
    .forms = flash_decoding_plus_forms,
    .head_dims = flash2_head_dims,
    .options = flash_decoding_plus_options,
    .view = flash_decoding_view,
    .parts = flash_decoding_splits,
    .ragged = true,
    .steps = true,
    .score_steps = true,
    .unified_max = true};

}  // namespace sim

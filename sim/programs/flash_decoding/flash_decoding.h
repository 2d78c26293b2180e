// Parts of flash-decoding that its relatives have as well: tiles, kernels, equations, the number of parts, heads as
// rows.
#pragma once
#include "sim/programs/plan.h"

namespace sim {

Tiling flash_decoding_tiling(const TilingCase& c);

/// The query heads of a KV head as rows of one tile if the options ask for it and the mask permits it.
Shape flash_decoding_view(const Scenario& s);

std::vector<Launch> flash_decoding_launches(const Problem& p);
std::span<const NamedForm> flash_decoding_forms();

/// Number of parts of the keys; 0: one, whose kernel writes O itself. Throws Error for an impossible --splits.
std::int64_t flash_decoding_splits(const Scenario& s, const Problem& p);

/// True if each batch entry has a single query.
bool has_one_query(const Scenario& s);

/// True if heads may be rows of one tile as far as the mask and dropout go: the mask shows a single query, the last
/// one, all unpadded keys whatever its row, and dropout draws by head.
bool may_pack(const Scenario& s);

/// The query heads of a KV head as adjacent rows, (batch, KV heads, heads / KV heads x Nq, d): the same memory.
Shape with_heads_as_rows(Shape shape);

inline constexpr OwnOption splits_option{
    .name = "splits",
    .values = "N|auto",
    .help =
        "of flash-decoding, flash-decoding-plus and mla-decode: parts of the keys, at most one per key block; auto: as "
        "many as fill the GPU [auto]",
    .label = /*say*/ "splits",
    .note = /*say*/ "parts of the keys, for decoding",
    .unit = "parts",
    .resolved = [](const Plan& plan) { return std::max<std::int64_t>(1, plan.problem.parts); },
    .plotted = "1 2 3 4 6 8 12 16 24 32 48 64 96 128"};

inline constexpr OwnOption pack_option{
    .name = "pack",
    .values = "0|1",
    .help =
        "of flash-decoding and flash-decoding-plus: with one query, query heads of a KV head are rows of one tile [1]",
    .label = /*say*/ "pack",
    .note = /*say*/ "query heads as rows of one tile, for decoding",
    .unit = "1",
    .least = 0,
    .most = 1,
    .preset = 1};

}  // namespace sim

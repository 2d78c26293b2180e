// Random scenarios for property tests. A seed draws the same scenarios on every compiler.
#pragma once
#include <algorithm>
#include <limits>
#include <random>
#include <string>

#include "sim/programs/run.h"
#include "tests/support/takes.h"

namespace sim {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  std::int64_t between(std::int64_t low, std::int64_t high) {  // std:: distributions differ between libraries
    return low + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  /// As between(), but half of the draws are within 3 of an end: bounds fail at their edges.
  std::int64_t near_an_end(std::int64_t low, std::int64_t high) {
    if (one_in(2)) return between(low, high);
    const std::int64_t reach = std::min<std::int64_t>(3, high - low);
    return one_in(2) ? between(low, low + reach) : between(high - reach, high);
  }
  bool one_in(std::int64_t n) { return between(1, n) == 1; }

 private:
  std::mt19937_64 engine_;
};

/// The largest sizes to draw.
struct Limits {
  std::int64_t seqlen, head_dim, block, batch, heads;
};

inline Mask random_mask(Dice& dice, std::int64_t seqlen_k, std::int64_t most_window) {
  Mask mask;
  mask.causal = dice.one_in(2);
  if (dice.one_in(3)) mask.padding = dice.near_an_end(0, seqlen_k);
  if (dice.one_in(3)) mask.window = dice.near_an_end(0, most_window);
  return mask;
}

/// Documents of any lengths, or of one length, that add up to the keys.
inline std::shared_ptr<const Documents> random_documents(Dice& dice, std::int64_t keys) {
  const std::int64_t equal = dice.one_in(3) ? dice.near_an_end(1, keys) : 0;
  Documents bounds = {0};
  while (bounds.back() < keys && bounds.size() < 500)
    bounds.push_back(std::min(keys, bounds.back() + (equal > 0 ? equal : dice.near_an_end(1, keys))));
  bounds.back() = keys;
  return std::make_shared<const Documents>(std::move(bounds));
}

/// Adds to a mask what random_mask() does not draw: right windows, another corner, a prefix or documents. The lengths
/// may not change afterwards.
inline void draw_more_masks(Dice& dice, Shape& shape) {
  Mask& mask = shape.mask;
  if (dice.one_in(3)) mask.window_right = dice.near_an_end(0, shape.seqlen_k);
  if (dice.one_in(3)) mask.diagonal = DiagonalFrom::top_left;
  if (dice.one_in(3)) {
    mask.window.reset();
    if (!mask.after()) mask.causal = true;
    mask.prefix = dice.near_an_end(0, shape.seqlen_k);
  } else if (dice.one_in(2) && shape.seqlen_q <= shape.seqlen_k) {
    mask.documents = random_documents(dice, shape.seqlen_k);
  }
}

/// Draws sinks in half of the scenarios of programs that take them: one for all heads or one for each, -infinity and
/// one above all scores among them.
inline void draw_sinks(Dice& dice, Scenario& s) {
  if (dice.one_in(2) || !program_of(s)->sinks) return;
  const float logits[] = {-std::numeric_limits<float>::infinity(), -2, 0, 1.5f, 100};
  std::vector<float> drawn;
  for (std::int64_t n = dice.one_in(2) ? 1 : s.shape.heads; n > 0; --n) drawn.push_back(logits[dice.between(0, 4)]);
  s.sinks = std::make_shared<const std::vector<float>>(std::move(drawn));
}

/// Draws pages for a forward pass of a program that takes them: they divide its key blocks, or hold some of them.
inline void draw_pages(Dice& dice, Scenario& s) {
  if (!program_of(s)->paged || s.pass != Pass::forward) return;
  const std::int64_t bc = make_plan(s).problem.tiling.bc, most = 4096;
  s.bc = bc;  // flash3's own tiles depend on whether there are pages
  std::int64_t divisor = dice.near_an_end(1, std::min(bc, most));
  while (bc % divisor != 0) --divisor;
  s.page_size = bc > most || dice.one_in(2)
                    ? divisor
                    : bc * dice.between(1, std::max<std::int64_t>(1, std::min<std::int64_t>(8, most / bc)));
}

/// Names of the programs that have a backward pass: a program may be added without one.
inline std::vector<std::string> names_with_backward() {
  std::vector<std::string> names;
  for (const Program& program : built_in_programs()) {
    if (program.has_backward()) names.emplace_back(program.name);
  }
  return names;
}

inline bool has_backward(const Scenario& s) { return find_program(s.algorithm)->has_backward(); }

/// Returns both passes for a program that has both, else the forward pass.
inline Pass all_passes(const std::string& algorithm) {
  return find_program(algorithm)->has_backward() ? Pass::forward_backward : Pass::forward;
}

/// Draws any pattern except a picture, which fits the size of one scenario only.
inline Pattern random_pattern(Dice& dice, std::int64_t blocks) {
  Pattern pattern;
  pattern.kind = static_cast<PatternKind>(dice.between(1, 6));
  pattern.globals = dice.near_an_end(0, blocks);
  pattern.reach = dice.near_an_end(1, blocks);
  if (pattern.kind == PatternKind::window && dice.one_in(4)) pattern.reach = 0;
  pattern.share = static_cast<double>(dice.near_an_end(0, 20)) / 20;
  return pattern;
}

/// Draws a picture of the blocks of a scenario with `percent` black pixels.
inline Pattern random_picture(Dice& dice, const Scenario& s, std::int64_t percent) {
  const Tiling tiles = pattern_tiling(s);
  Picture picture;
  picture.width = ceil_div(s.shape.seqlen_k, tiles.bc);
  picture.height = ceil_div(s.shape.seqlen_q, tiles.br);
  for (std::int64_t n = 0; n < picture.width * picture.height; ++n)
    picture.black.push_back(dice.between(1, 100) <= percent);
  Pattern pattern;
  pattern.kind = PatternKind::picture;
  pattern.file = "drawn.pbm";
  pattern.picture = std::make_shared<const Picture>(std::move(picture));
  return pattern;
}

/// Sets one query in half of the draws, and any number of parts of the keys. The number stays valid as long as Nk and
/// the tiles do.
inline void split_keys(Dice& dice, Scenario& s) {
  if (dice.one_in(2)) s.shape.seqlen_q = 1;
  if (s.algorithm.starts_with("flash-decoding") && dice.one_in(4)) s.own["pack"] = 0;
  const std::int64_t bc = make_plan(s).problem.tiling.bc;
  s.own["splits"] = dice.near_an_end(1, ceil_div(s.shape.seqlen_k, bc));
}

/// Ragged sizes, queries and keys of different lengths, grouped heads, every mask and dtype. Half of the scenarios use
/// the papers' two-level model with a small SRAM, so that a row of scores does not always fit.
inline Scenario random_scenario(Dice& dice, const Limits& most) {
  Scenario s;
  const std::vector<std::string> names = names_with_queries();
  s.algorithm = names[static_cast<std::size_t>(dice.between(0, static_cast<std::int64_t>(names.size()) - 1))];
  s.pass = static_cast<Pass>(dice.between(0, 2));
  if (!has_backward(s)) s.pass = Pass::forward;
  s.dtype = static_cast<Dtype>(dice.between(0, 2));
  if (dice.one_in(3)) s.dropout = 0.1;
  s.shape.batch = dice.between(1, most.batch);
  s.shape.kv_heads = dice.between(1, most.heads);
  s.shape.heads = s.shape.kv_heads * dice.between(1, most.heads);
  s.shape.seqlen_q = dice.near_an_end(1, most.seqlen);
  s.shape.seqlen_k = dice.one_in(3) ? s.shape.seqlen_q : dice.near_an_end(1, most.seqlen);
  s.shape.head_dim = dice.between(1, most.head_dim);
  if (!dice.one_in(4)) s.shape.mask = random_mask(dice, s.shape.seqlen_k, most.seqlen);
  if (dice.one_in(2)) {
    s.tiling = TilingRule::paper;
    s.sram = dice.between(64, 4 * most.seqlen + 64);
  }
  if (!dice.one_in(8)) s.br = dice.between(1, most.block);
  if (!dice.one_in(8)) s.bc = dice.between(1, most.block);
  s = within_limits(s);
  if (has_own_option(s, "splits")) split_keys(dice, s);
  const PatternUse use = find_program(s.algorithm)->pattern;
  if (use != PatternUse::none && dice.one_in(4) == (use == PatternUse::if_given)) {
    s.pattern = random_pattern(dice, 8);
    s.seed = static_cast<std::uint64_t>(dice.between(0, 1000));
  }
  return s;
}

/// Formats a scenario for the message of a failed test.
inline std::string describe(const Scenario& s) {
  const auto optional = [](const std::optional<std::int64_t>& n) { return n ? std::to_string(*n) : std::string("-"); };
  const Shape& p = s.shape;
  return text(s.algorithm, " ", name_of(s.pass), s.dropout > 0 ? " dropout " : " ", name_of(s.dtype), " B ", p.batch,
              " H ", p.heads, "/", p.kv_heads, " Nq ", p.seqlen_q, " Nk ", p.seqlen_k, " d ", p.head_dim,
              p.mask.causal ? " causal " : " ", name_of(p.mask.diagonal), " padding ", p.mask.padding, " window ",
              optional(p.mask.window), ",", optional(p.mask.window_right), " prefix ", p.mask.prefix, " documents ",
              p.mask.documents ? text_of_documents(*p.mask.documents) : "-", " br ", optional(s.br), " bc ",
              optional(s.bc), s.tiling == TilingRule::paper ? " paper" : " kernel", " sram ", optional(s.sram),
              s.pattern.any() ? " pattern " : "", text_of(s.pattern),
              s.sinks ? " sinks " + text_of_sinks(*s.sinks) : "", s.page_size ? text(" pages of ", *s.page_size) : "",
              " seed ", s.seed);
}

}  // namespace sim

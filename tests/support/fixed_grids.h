// Twelve small grids by own loops, at the edge of what their L2 holds: all kinds of grid, masks and orders of issue.
#pragma once
#include <algorithm>

#include "tests/support/coupled_grid.h"

namespace coupled_grid {

struct FixedGrid {
  Grid grid;
  Chip chip;
};

/// Attention of one batch, in tiles of br x bc, at 128 columns of two bytes.
struct Attention {
  std::int32_t n = 2048, heads = 4, kv_heads = 4, br = 128, bc = 64;
  bool causal = false, down = false;
  std::int32_t window = -1;   ///< keys before the diagonal; below 0: all
  std::int32_t together = 1;  ///< heads issued together, last row block first if there are several
  std::int32_t rows() const { return n / br; }
  std::int32_t keys() const { return n / bc; }
};

/// Adds an axis, and returns its number.
inline std::int32_t add_axis(Grid& grid, std::int32_t items, std::int64_t bytes, bool per_kv_head) {
  grid.axes.push_back({per_kv_head, std::vector<std::int64_t>(static_cast<std::size_t>(items), bytes)});
  return static_cast<std::int32_t>(grid.axes.size()) - 1;
}

inline std::int32_t add_script(Grid& grid, Script script) {
  grid.scripts.push_back(std::move(script));
  return static_cast<std::int32_t>(grid.scripts.size()) - 1;
}

/// A row block that walks over the keys that it sees: Q before, O after.
inline Script forward_script(const Attention& a, std::int32_t row, std::int32_t q, std::int32_t kv, std::int32_t o) {
  std::int32_t first = 0, past = a.keys();
  if (a.causal) past = std::min(past, ((row + 1) * a.br + a.bc - 1) / a.bc);
  if (a.window >= 0) first = std::max(0, row * a.br - a.window) / a.bc;
  Script script;
  for (std::int32_t n = 0; n < past - first; ++n) {
    std::vector<Access> step;
    if (n == 0) step.push_back({q, row, true, false});
    step.push_back({kv, a.down ? past - 1 - n : first + n, true, false});
    if (n == past - first - 1) step.push_back({o, row, false, true});
    script.step(step);
  }
  return script;
}

inline void add_forward(Grid& grid, const Attention& a) {
  const std::int32_t kv = add_axis(grid, a.keys(), a.bc * 512, true);
  const std::int32_t q = add_axis(grid, a.rows(), a.br * 256, false);
  const std::int32_t o = add_axis(grid, a.rows(), a.br * 256, false);
  std::vector<std::int32_t> scripts;
  for (std::int32_t row = 0; row < a.rows(); ++row)
    scripts.push_back(add_script(grid, forward_script(a, row, q, kv, o)));
  for (std::int32_t first = 0; first < a.heads; first += a.together) {
    for (std::int32_t n = 0; n < a.rows(); ++n) {
      const std::int32_t row = a.together > 1 ? a.rows() - 1 - n : n;
      for (std::int32_t head = first; head < first + a.together; ++head)
        grid.ctas.push_back({scripts[static_cast<std::size_t>(row)], head, head * a.kv_heads / a.heads});
    }
  }
}

/// A CTA a head: each block of keys meets all rows, whose O, l and m are read and written.
inline Grid flash1_grid(const Attention& a) {
  Grid grid;
  const std::int32_t kv = add_axis(grid, a.keys(), a.bc * 512, true);
  const std::int32_t q = add_axis(grid, a.rows(), a.br * 256, false);
  const std::int32_t o = add_axis(grid, a.rows(), a.br * 264, false);
  Script script;
  for (std::int32_t key = 0; key < a.keys(); ++key) {
    for (std::int32_t row = 0; row < a.rows(); ++row) {
      std::vector<Access> step;
      if (row == 0) step.push_back({kv, key, true, false});
      step.push_back({q, row, true, false});
      step.push_back({o, row, true, true});
      script.step(step);
    }
  }
  add_script(grid, std::move(script));
  for (std::int32_t head = 0; head < a.heads; ++head) grid.ctas.push_back({0, head, head});
  return grid;
}

/// A block of keys that walks over the rows that see it, and adds to dQ.
inline Grid backward_grid(const Attention& a) {
  Grid grid;
  const std::int32_t q = add_axis(grid, a.rows(), a.br * 520, false), dq = add_axis(grid, a.rows(), a.br * 512, false);
  const std::int32_t kv = add_axis(grid, a.keys(), a.bc * 512, true), dkv = add_axis(grid, a.keys(), a.bc * 512, true);
  for (std::int32_t key = 0; key < a.keys(); ++key) {
    Script script;
    const std::int32_t first = a.causal ? key * a.bc / a.br : 0;
    for (std::int32_t row = first; row < a.rows(); ++row) {
      std::vector<Access> step;
      if (row == first) step.push_back({kv, key, true, false});
      step.push_back({q, row, true, false});
      step.push_back({dq, row, true, true});
      if (row == a.rows() - 1) step.push_back({dkv, key, false, true});
      script.step(step);
    }
    add_script(grid, std::move(script));
  }
  for (std::int32_t head = 0; head < a.heads; ++head) {
    for (std::int32_t key = 0; key < a.keys(); ++key) grid.ctas.push_back({key, head, head});
  }
  return grid;
}

/// A CTA a tile of S, in four slices of Q and K.
inline Grid tile_grid(const Attention& a) {
  constexpr std::int32_t slices = 4;
  Grid grid;
  const std::int32_t q = add_axis(grid, a.rows() * slices, a.br * 64, false);
  const std::int32_t k = add_axis(grid, a.keys() * slices, a.bc * 64, true);
  const std::int32_t s = add_axis(grid, a.rows() * a.keys(), std::int64_t{a.br} * a.bc * 2, false);
  for (std::int32_t row = 0; row < a.rows(); ++row) {
    for (std::int32_t key = 0; key < a.keys(); ++key) {
      Script script;
      for (std::int32_t slice = 0; slice < slices; ++slice) {
        std::vector<Access> step{{q, row * slices + slice, true, false}, {k, key * slices + slice, true, false}};
        if (slice == slices - 1) step.push_back({s, row * a.keys() + key, false, true});
        script.step(step);
      }
      const std::int32_t number = add_script(grid, std::move(script));
      grid.ctas.push_back({number, 0, 0});
    }
  }
  return grid;
}

inline Grid forward_grid(const Attention& a) {
  Grid grid;
  add_forward(grid, a);
  return grid;
}

inline Chip small_chip(double hbm, double capacity, double step_cycles = 2000) {
  Chip chip;
  chip.sms = 8;
  chip.hbm = hbm;
  chip.capacity = capacity;
  chip.step_cycles = step_cycles;
  return chip;
}

inline std::vector<FixedGrid> fixed_grids() {
  const Attention dense{}, causal{.n = 4096, .heads = 2, .kv_heads = 2, .causal = true};
  Attention down = causal, window = causal, longest_first = dense;
  down.down = true;
  window.window = 1024;
  longest_first.causal = longest_first.down = true;
  longest_first.together = 2;
  Grid ragged;
  for (const std::int32_t n : {2048, 512, 1024, 256})
    add_forward(ragged, {.n = n, .heads = 2, .kv_heads = 2, .causal = true});
  Chip two_per_sm = small_chip(100, 524288), four_sms = small_chip(100, 1572864);
  two_per_sm.ctas_per_sm = 2;
  four_sms.sms = 4;
  return {
      {forward_grid(dense), small_chip(100, 524288)},
      {forward_grid(dense), two_per_sm},
      {forward_grid(causal), small_chip(100, 524288)},
      {forward_grid(down), small_chip(100, 1048576)},
      {forward_grid(causal), small_chip(20, 524288)},
      {forward_grid(window), small_chip(100, 524288)},
      {forward_grid({.heads = 8, .kv_heads = 2, .causal = true}), small_chip(100, 524288)},
      {forward_grid(longest_first), small_chip(100, 786432)},
      {std::move(ragged), small_chip(100, 262144)},
      {flash1_grid({.n = 1024, .heads = 8, .kv_heads = 8, .br = 64, .bc = 128}), four_sms},
      {backward_grid({.heads = 2, .kv_heads = 2, .br = 64, .bc = 128, .causal = true}), small_chip(150, 1048576, 4000)},
      {tile_grid({.heads = 1, .kv_heads = 1, .bc = 128}), small_chip(100, 131072, 1500)}};
}

}  // namespace coupled_grid

// Kernels and chips for tests of grids in time: all kinds of grid, near the sizes at which something begins to fit.
#pragma once
#include "sim/model/grid_walk.h"
#include "tests/support/random_scenario.h"
#include "tests/support/replayed_grid.h"

namespace sim {

enum class GridKindDrawn : std::uint8_t {
  dense,
  causal_up,
  causal_down,
  window_up,
  window_down,
  ragged,
  ragged_longest,
  grouped,
  flash1,
  tiles,
  backward,
  causal_backward,
  longest_first,
  persistent,
  gaps,
  split,
  sawtooth,
  causal_sawtooth,
  right_window,
  prefix,
  documents,
  causal_documents,
  ragged_sections
};
inline constexpr const char* drawn_kinds[] = {"dense",
                                              "causal up",
                                              "causal down",
                                              "window up",
                                              "window down",
                                              "ragged",
                                              "ragged longest first",
                                              "grouped",
                                              "flash1",
                                              "tiles",
                                              "backward",
                                              "causal backward",
                                              "longest first",
                                              "persistent",
                                              "gaps",
                                              "split",
                                              "sawtooth",
                                              "causal sawtooth",
                                              "right window",
                                              "prefix",
                                              "documents",
                                              "causal documents",
                                              "ragged, longest first of each entry"};
inline constexpr Interval kinds_of_sections{static_cast<std::int64_t>(GridKindDrawn::ragged_sections),
                                            std::ssize(drawn_kinds)};
inline constexpr Interval kinds_of_masks{static_cast<std::int64_t>(GridKindDrawn::right_window),
                                         kinds_of_sections.begin};
inline constexpr Interval kinds_of_sawtooth{static_cast<std::int64_t>(GridKindDrawn::sawtooth), kinds_of_masks.begin};
inline constexpr Interval other_kinds{0, kinds_of_sawtooth.begin};

enum class DrawnSize : std::uint8_t { tiny, small, large };

/// A kernel of a plan, and the chip that it runs on.
struct DrawnGrid {
  std::string kind;
  Plan plan;
  const Launch* launch = nullptr;
  coupled_grid::Chip chip;
};

class GridDice {
 public:
  GridDice(std::uint64_t seed, DrawnSize size) : dice_(seed), size_(size) {}

  DrawnGrid draw(std::size_t kind) {
    kind_ = static_cast<GridKindDrawn>(kind);
    DrawnGrid drawn{drawn_kinds[kind], make_plan(scenario()), nullptr, {}};
    const std::size_t kernel = is(GridKindDrawn::backward) || is(GridKindDrawn::causal_backward) ? 1 : 0;
    drawn.launch = &drawn.plan.launches[kernel];
    drawn.chip = chip(drawn.plan.problem.shape);
    drawn.plan.launches[kernel].in_flight = std::int64_t{drawn.chip.sms} * drawn.chip.ctas_per_sm;
    return drawn;
  }

 private:
  bool is(GridKindDrawn kind) const { return kind_ == kind; }
  /// One of the values for the size that is drawn.
  std::int64_t of_size(std::initializer_list<std::int64_t> tiny, std::initializer_list<std::int64_t> small,
                       std::initializer_list<std::int64_t> large) {
    return one_of(size_ == DrawnSize::tiny ? tiny : size_ == DrawnSize::small ? small : large);
  }
  std::int64_t one_of(std::initializer_list<std::int64_t> values) {
    return values.begin()[dice_.between(0, static_cast<std::int64_t>(values.size()) - 1)];
  }
  double real_between(double low, double high) {
    return low + (high - low) * static_cast<double>(dice_.between(0, 10'000)) / 10'000;
  }

  Scenario scenario() {
    using enum GridKindDrawn;
    Scenario s;
    Shape& shape = s.shape;
    shape.seqlen_q = of_size({512, 1024, 2048}, {4096, 8192, 16384}, {16384, 32768, 65536});
    shape.heads = of_size({1, 2, 4, 8}, {1, 2, 4, 8, 16, 32, 64}, {4, 8, 16, 32});
    shape.head_dim = 128;
    s.br = 128;
    s.bc = 64;
    if (is(causal_up) || is(causal_down) || is(causal_backward) || is(longest_first) || is(causal_sawtooth) ||
        is(ragged_sections))
      shape.mask.causal = true;
    if (is(window_up) || is(window_down)) shape.mask = {true, 0, shape.seqlen_q / one_of({4, 8})};
    if (is(right_window)) shape.mask.window = shape.mask.window_right = shape.seqlen_q / one_of({8, 16});
    if (is(prefix)) shape.mask = {.causal = true, .prefix = shape.seqlen_q / one_of({2, 4})};
    if (is(causal_documents)) shape.mask.causal = true;
    if (is(documents) || is(causal_documents)) {
      Documents bounds = {0};
      while (bounds.back() < shape.seqlen_q) bounds.push_back(bounds.back() + one_of({200, 512, 1000, 2048}));
      bounds.back() = shape.seqlen_q;
      shape.mask.documents = std::make_shared<const Documents>(std::move(bounds));
    }
    if (is(causal_down) || is(window_down)) s.own["keys"] = 1;
    if (is(sawtooth) || is(causal_sawtooth)) s.own["keys"] = 2;
    if (is(ragged) || is(ragged_longest) || is(grouped) || is(gaps)) shape.mask.causal = dice_.one_in(2);
    if (is(grouped)) shape.heads = std::max<std::int64_t>(4, shape.heads);
    if (is(flash1)) {
      s.algorithm = "flash1";
      shape.seqlen_q = of_size({512}, {1024, 2048, 4096}, {4096, 8192});
      shape.heads = of_size({8, 16}, {16, 32, 64}, {40});
      s.br = 64;
      s.bc = 128;
    }
    if (is(tiles)) {
      s.algorithm = "standard";
      shape.seqlen_q = of_size({1024}, {2048, 4096, 8192}, {16384});
      shape.heads = of_size({1, 2}, {1, 2, 4}, {2});
      s.bc = 128;
    }
    if (is(backward) || is(causal_backward)) {
      s.pass = Pass::backward;
      s.br = 64;
      s.bc = 128;
      shape.seqlen_q = of_size({1024}, {2048, 4096, 8192}, {16384, 32768});
      shape.heads = std::min<std::int64_t>(size_ == DrawnSize::large ? 4 : 8, shape.heads);
    }
    if (is(longest_first) || is(persistent) || is(ragged_sections)) {
      s.algorithm = "flash3";
      s.br.reset();
      s.bc.reset();
      if (is(ragged_sections)) s.own["schedule"] = 2;  // V_j with K_j, as a walk has it: overlapped, a step later
    }
    if (is(split)) {
      s.algorithm = "flash-decoding";
      s.br.reset();
      s.own["splits"] = one_of({1, 4, 8});
      shape.heads = std::max<std::int64_t>(8, shape.heads);
    }
    const double most_tiles = size_ == DrawnSize::tiny ? 2e4 : size_ == DrawnSize::small ? 4e5 : 2.5e6;
    while (static_cast<double>(shape.heads) * static_cast<double>(shape.seqlen_q) *
                   static_cast<double>(shape.seqlen_q) >
               most_tiles * 128 * 64 &&
           shape.heads > 1)
      shape.heads /= 2;
    shape.kv_heads = shape.heads / (is(grouped) ? std::min<std::int64_t>(4, shape.heads) : 1);
    if (is(split)) shape.kv_heads = ceil_div(shape.heads, 8);
    shape.seqlen_k = shape.seqlen_q;
    if (is(split)) shape.seqlen_q = 128;
    if (is(ragged) || is(ragged_longest) || is(ragged_sections)) set_lengths(s);
    if (is(gaps)) {
      s.pattern = random_pattern(dice_, 8);
      while (s.pattern.kind == PatternKind::none || s.pattern.kind == PatternKind::causal)
        s.pattern = random_pattern(dice_, 8);
      if (s.pattern.kind == PatternKind::random) s.pattern.share = real_between(0.1, 0.9);
    }
    return s;
  }

  void set_lengths(Scenario& s) {
    s.shape.heads = s.shape.kv_heads = of_size({2}, {2, 4}, {4});
    SequenceClasses classes;
    for (std::int64_t n = of_size({4}, {4, 8, 16}, {12}); n > 0; --n) {
      const std::int64_t length = of_size({256, 512, 1000}, {512, 1000, 2048, 4096, 8192}, {2048, 8192, 16384, 30000});
      classes.push_back({1, length, length});
    }
    s.sequences = std::make_shared<const SequenceClasses>(std::move(classes));
    const bool longest = is(GridKindDrawn::ragged_sections) ? dice_.one_in(2) : is(GridKindDrawn::ragged_longest);
    if (longest) s.issue = IssueOrder::longest;
  }

  /// An L2 of 0.3 to 3 times K and V of a head, or what a chip full of heads revisits.
  coupled_grid::Chip chip(const Shape& shape) {
    using enum GridKindDrawn;
    coupled_grid::Chip chip;
    chip.sms = static_cast<std::int32_t>(of_size({4, 8, 20}, {20, 40, 66, 108, 132}, {72, 108, 132}));
    chip.ctas_per_sm = static_cast<std::int32_t>(one_of({1, 1, 2}));
    chip.step_cycles = real_between(size_ == DrawnSize::large ? 1000 : 1200, 3000);
    chip.hbm = chip.sms * (size_ == DrawnSize::large ? real_between(4, 14) : real_between(5, 15));
    const double part = real_between(0, 1);
    double of = 0.3 + 2.7 * part * part, bytes = static_cast<double>(shape.seqlen_k) * 512;
    if (is(ragged) || is(ragged_longest) || is(ragged_sections))
      bytes = static_cast<double>(of_size({512}, {4096}, {16384})) * 512;
    if (is(tiles)) bytes = static_cast<double>(shape.seqlen_k) * 256;
    if (is(backward) || is(causal_backward)) bytes *= 2, chip.step_cycles *= 2;
    if (is(flash1)) {
      chip.ctas_per_sm = 1;
      if (size_ != DrawnSize::large) chip.sms = static_cast<std::int32_t>(of_size({4, 8}, {8, 20, 40}, {}));
      chip.hbm = chip.sms * real_between(5, 30);
      of = (0.1 + 1.4 * part * part) * static_cast<double>(std::min<std::int64_t>(chip.sms, shape.heads));
    }
    if (is(longest_first) || is(persistent) || is(ragged_sections)) chip.ctas_per_sm = 1, chip.step_cycles *= 2;
    if (is(tiles)) chip.step_cycles = 1500, chip.hbm = chip.sms * real_between(10, 30);
    chip.capacity = std::max(of * bytes, size_ == DrawnSize::large ? 4e6 : 0.0);
    return chip;
  }

  Dice dice_;
  DrawnSize size_;
  GridKindDrawn kind_ = GridKindDrawn::dense;
};

/// What a kernel's walk takes from a chip.
struct WalkInputs {
  WalkPace pace;
  WalkChip chip;
};

/// Returns a pace that includes what the port, the L2 and its latency take of a step, as the schedule of an SM does.
inline WalkInputs walk_inputs(const coupled_grid::Grid& grid, const coupled_grid::Chip& chip, double tile_bytes) {
  double steps = 0;
  for (const coupled_grid::Cta& cta : grid.ctas)
    steps += static_cast<double>(grid.scripts[static_cast<std::size_t>(cta.script)].ends.size());
  const double bytes = tile_bytes / steps, port = bytes / chip.port;
  const double at_once =
      std::min(static_cast<double>(grid.ctas.size()), static_cast<double>(chip.sms) * chip.ctas_per_sm);
  const double of_l2 = bytes * at_once / chip.ctas_per_sm / (chip.l2_per_sm * chip.sms);
  const double waits = chip.ctas_per_sm == 1 ? chip.l2_latency + port : 0;
  WalkInputs inputs{{std::max({chip.step_cycles, port, of_l2, waits}), chip.l2_latency + port}, {}};
  inputs.chip.slots.sm_count = chip.sms;
  inputs.chip.slots.slowdown.clear();
  for (int r = 1; r <= chip.ctas_per_sm; ++r) inputs.chip.slots.slowdown.push_back(r);
  inputs.chip.hbm_bytes_per_cycle = chip.hbm;
  inputs.chip.hbm_latency = chip.hbm_latency;
  inputs.chip.capacity = chip.capacity;
  return inputs;
}

}  // namespace sim

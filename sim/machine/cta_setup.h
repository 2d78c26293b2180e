// Setup of a CTA: the launch that it is of, and what its run computes and keeps.
#pragma once
#include <array>

#include "sim/base/dropout.h"
#include "sim/base/dtype.h"
#include "sim/base/score.h"
#include "sim/base/shape.h"
#include "sim/base/sinks.h"
#include "sim/machine/blocks.h"
#include "sim/machine/iteration_counter.h"

namespace sim {

/// Ways to run a program. Either can compute values (CtaSetup::values), but they make sense in a replay only.
enum class Mode {
  count,   ///< each kind of iteration once, with how often the grid executes it: O(row blocks)
  replay,  ///< every iteration of one CTA
};

/// Events after which the trace keeps a copy of the values that they leave.
enum class KeepValues : std::uint8_t { none, of_rows, all };  ///< of_rows: those of one number per row

/// The first result of a verb that holds a value that is not finite, where that means something went wrong: NaN and
/// infinity anywhere, -infinity where it is neither a hidden score nor the statistics of a row that saw nothing.
struct FirstNonfinite {
  int line = 0;  ///< line of the verb; 0: there was none
  Tensor tensor = Tensor::none;
  bool found() const { return line != 0; }
};

/// Properties of its launch that a CTA knows, and the part of its run that is kept.
struct CtaSetup {
  Mode mode = Mode::count;
  const Shape* shape = nullptr;
  Dtype dtype = Dtype::fp16;
  bool round_p = false;         ///< P and dS are rounded to the dtype before products (tensor cores read the dtype)
  bool fma = false;             ///< products are multiply-adds on the FP32 pipe, whatever the dtype
  std::int64_t br = 1, bc = 1;  ///< block sizes of rows and keys
  std::int64_t key_blocks = 0;  ///< key blocks of one CTA, in a grid that splits the keys
  bool all_keys = false;        ///< a CTA of a head also visits key blocks that no query sees
  std::int64_t times = 1;       ///< CTAs that this one represents
  Block row, col;               ///< its position in the grid; whole axis if the grid has no such coordinate
  std::int64_t head = 0;        ///< its (first) query head: batch entry x heads + head
  std::int64_t group = 1;       ///< query heads that it loops over
  std::int64_t in_flight = 0;   ///< CTAs of row blocks in a wave; 0: all
  std::int64_t warps = 4;
  std::array<std::size_t, 3> most_iterations{};  ///< first and last iterations of a replay's loops, by depth; 0: all
  Dropout dropout;
  const ScoreSteps* score_steps = nullptr;  ///< null: scores stay as they are
  const Sinks* sinks = nullptr;             ///< null: there are none
  const Cut* cut = nullptr;                 ///< part of a replay that runs; null: all of it
  bool values = false;                      ///< compute values
  KeepValues keep = KeepValues::none;
  bool keep_events = true;          ///< off: values only, for speed; not of a part
  bool nonfinite = false;           ///< inputs hold inf or NaN: products skip what a mask hides (0 x NaN is NaN)
  FirstNonfinite* watch = nullptr;  ///< result of the search in a CTA with values; null: no search
  std::uint64_t resume_seed = 0;    ///< seed of the order in which roles are resumed; 0: one after the other
  std::size_t most_events = std::size_t{1} << 22;  ///< a replay that would keep more is rejected
  std::size_t* counted_events = nullptr;           ///< counts the events that a replay would keep; with keep_events off
  std::size_t most_kept_values = std::size_t{1} << 28;  ///< floats: 1 GiB
};

}  // namespace sim

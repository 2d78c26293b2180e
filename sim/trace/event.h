// One event = one verb of a program on one tile: what moved or was computed, where, how much, when, after what.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/trace/cause.h"
#include "sim/trace/tensor_table.h"

namespace sim {

/// The line of a program's listing that issued a verb. Verbs take it as a last parameter defaulted to __builtin_LINE().
struct Line {
  int number;
  constexpr Line(int n) : number(n) {}  // NOLINT: converts, so that the default reads `Line line = __builtin_LINE()`
};

/// A tensor that programs name, by its number: first the rows of sim/trace/tensor_table.h, in the order of reports, and
/// after `none` those that single programs declare (declare_tensor in sim/trace/tensors.h).
#define FLASHSCOPE_NAME(name, ...) name,
enum class Tensor : std::uint8_t {
  FLASHSCOPE_HBM_TENSORS(FLASHSCOPE_NAME) FLASHSCOPE_CHIP_TENSORS(FLASHSCOPE_NAME) none
};
#undef FLASHSCOPE_NAME
inline constexpr std::size_t tensor_capacity = 48;  ///< more than there are: the size of an array that a tensor indexes
std::string_view name_of(Tensor tensor);

/// True for one fp32 number per query row in HBM: statistics are a meter of their own.
bool is_statistic(Tensor tensor);

/// What a program asked a CTA to do.
// clang-format off
enum class Verb : std::uint8_t {
  load, store, fill, gemm, mask, scale, max, exp, sum, rescale, add, divide, log, wait,
  dot, jacobian, dropout, atomic_add, multiply, compare, all, select, arrive, move
};
// clang-format on
std::string_view name_of(Verb verb);

/// The hardware that an event occupies. One event at a time per engine and SM.
enum class Engine : std::uint8_t { copy_in, copy_out, tensor, fp32, exp, barrier };
inline constexpr int engine_count = 6;
std::string_view name_of(Engine engine);

/// Meters within tile traffic: zero-initialisation; m, l, L, D; and the rest.
enum class Bucket : std::uint8_t { matrix, statistics, initialisation };
std::string_view name_of(Bucket bucket);

/// `both`: a reduction in HBM that reads and writes each byte (atomic_add).
enum class Direction : std::uint8_t { none, read, write, both };
std::string_view name_of(Direction direction);

/// Who chose a block index: the CTA's place in the grid, or a loop (0 the outermost). With the index it makes an
/// event's coordinate affine in the CTA's id: the same compressed event stands for row block 7 of every head.
enum class Origin : std::uint8_t { whole, cta, loop0, loop1, loop2 };
std::string_view name_of(Origin origin);

/// Where a tile lies on chip.
enum class Level : std::uint8_t { none, smem, registers };

/// One axis of a tile: block `index` covers the elements [begin, begin + size) of its axis.
struct Axis {
  std::int64_t index = 0;
  std::int64_t begin = 0;
  std::int64_t size = 0;
  Origin origin = Origin::whole;
  std::int64_t block = 0;  ///< size of whole blocks of the axis: a kernel computes that much at a short end, too
};

inline constexpr std::int32_t no_event = -1;

/// What an event does at a barrier of its CTA, or with products that are under way (sim/machine/roles.h).
struct Sync {
  std::int16_t barrier = -1;    ///< index in Trace::barriers; -1: none
  std::int16_t under_way = -1;  ///< of a wait without a barrier: the products of its role that may be left
  std::int32_t phase = 0;       ///< awaited or arrived at; a phase below 0 was over before the CTA began
  std::int64_t bytes = 0;       ///< of a copy: the whole box, which the phase expects as a transaction
  bool after_products = false;  ///< of an arrival: it takes effect when the products before it have ended
  friend bool operator==(const Sync&, const Sync&) = default;
};

struct Event {
  Verb verb = Verb::load;
  Engine engine = Engine::copy_in;
  Tensor tensor = Tensor::none;
  Bucket bucket = Bucket::matrix;
  Direction direction = Direction::none;  ///< across the SRAM boundary; none for work inside the SM
  Cause cause = Cause::bandwidth;         ///< of a scheduled event's time: the pipe that work is slowest on
  std::uint8_t role = 0;                  ///< the warpgroup that issued it; 0 in sequential programs
  bool asynchronous = false;              ///< of a product: its role goes on and waits for it later
  Level level = Level::none;              ///< where its tile lies: what is loaded, stored or made; none: only in HBM
  std::int32_t line = 0;                  ///< of the program's listing
  std::int32_t loop = 0;                  ///< the line of the innermost loop around it, which names the loop; 0: none
  Axis rows, cols;                        ///< the tile; batch and head are the CTA's
  std::int32_t head = 0;                  ///< which query head of the CTA's group, where one CTA takes a KV head
  std::int32_t iteration = 0;     ///< of a resumed CTA: the iteration that it belongs to (IterationCounter::now)
  std::int64_t bytes = 0;         ///< across the SRAM boundary, once and in each direction
  std::int64_t matmul_flops = 0;  ///< once, on the matrix pipe
  std::int64_t other_flops = 0;   ///< once, on the FP32 pipe, per element of the tile
  std::int64_t exps = 0;          ///< once
  std::int64_t smem_bytes = 0;    ///< through the shared-memory port, once
  std::int64_t times = 1;         ///< how often the whole grid executes it; 1 in a replay
  Sync sync;                      ///< of warp-specialised programs
  std::array<std::int32_t, 6> operands{no_event, no_event, no_event,
                                       no_event, no_event, no_event};  ///< the events that made its operands
  Cycles begin, end;        ///< in a replay with times, since the CTA started; at `end` its result is ready
  Cycles released;          ///< when its engine is free again; the rest up to `end` is latency
  std::int32_t value = -1;  ///< index into Trace::values of what it produced; -1 when not kept

  /// Whether it moves its bytes this way, read or write; a reduction moves them both ways.
  bool moves(Direction way) const { return direction == way || direction == Direction::both; }
};

}  // namespace sim

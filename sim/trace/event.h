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
inline constexpr std::size_t tensor_capacity = 64;  ///< more than there are: the size of an array that a tensor indexes
std::string_view name_of(Tensor tensor);

/// True for one fp32 number per query row in HBM: statistics are a meter of their own.
bool is_statistic(Tensor tensor);

/// An operation that a program requests of a CTA.
// clang-format off
enum class Verb : std::uint8_t {
  load, store, fill, gemm, mask, scale, max, exp, sum, rescale, add, divide, log, wait,
  dot, jacobian, dropout, atomic_add, multiply, compare, all, select, arrive, move, modify,
  transpose
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

/// Source of a block index: the CTA's position in the grid, or a loop (0 the outermost). With the index it makes an
/// event's coordinate affine in the CTA's id: the same compressed event stands for row block 7 of every head.
enum class Origin : std::uint8_t { whole, cta, loop0, loop1, loop2 };
std::string_view name_of(Origin origin);

/// Memory on chip that holds a tile.
enum class Level : std::uint8_t { none, smem, registers };

/// One axis of a tile: block `index` covers the elements [begin, begin + size) of its axis.
struct Axis {
  std::int64_t index = 0;
  std::int64_t begin = 0;
  std::int64_t size = 0;
  Origin origin = Origin::whole;
  std::int64_t block = 0;  ///< size of whole blocks of the axis: a kernel computes a whole block at a short end, too
};

inline constexpr std::int32_t no_event = -1;

/// Action of an event on a barrier of its CTA, or on products under way (sim/machine/roles.h).
struct Sync {
  std::int16_t barrier = -1;    ///< index in Trace::barriers; -1: none
  std::int16_t under_way = -1;  ///< wait without a barrier: number of its role's products that may remain
  std::int32_t phase = 0;       ///< phase that it awaits or arrives at; below 0: over before the CTA began
  std::int64_t bytes = 0;       ///< copy: bytes of the whole box, which the phase expects as a transaction
  bool after_products = false;  ///< arrival: it takes effect when the products before it have ended
  friend bool operator==(const Sync&, const Sync&) = default;
};

struct Event {
  Verb verb = Verb::load;
  Engine engine = Engine::copy_in;
  Tensor tensor = Tensor::none;
  Bucket bucket = Bucket::matrix;
  Direction direction = Direction::none;  ///< across the SRAM boundary; none for work inside the SM
  Cause cause = Cause::bandwidth;         ///< cause of a scheduled event's time: the slowest pipe of its work
  std::uint8_t role = 0;                  ///< the warpgroup that issued it; 0 in sequential programs
  bool asynchronous = false;              ///< product: its role continues and waits for it later
  Level level = Level::none;              ///< memory of the tile loaded, stored or made; none: only in HBM
  std::int32_t line = 0;                  ///< line of the program's listing
  std::int32_t loop = 0;                  ///< the line of the innermost loop around it, which names the loop; 0: none
  Axis rows, cols;                        ///< the tile; batch and head are the CTA's
  std::int32_t head = 0;                  ///< query head within the CTA's group, if one CTA processes a KV head
  std::int32_t iteration = 0;             ///< resumed CTA: the iteration that it belongs to (IterationCounter::now)
  std::int64_t bytes = 0;                 ///< across the SRAM boundary, once and in each direction
  std::int64_t matmul_flops = 0;          ///< once, on the matrix pipe
  std::int64_t other_flops = 0;           ///< once, on the FP32 pipe, per element of the tile
  std::int64_t exps = 0;                  ///< once
  std::int64_t tanhs = 0;                 ///< once, of score steps; on the pipe of exponentials
  std::int64_t smem_bytes = 0;            ///< through the shared-memory port, once
  std::int64_t times = 1;                 ///< executions in the whole grid; 1 in a replay
  Sync sync;                              ///< its barrier or products, in warp-specialised programs
  std::array<std::int32_t, 6> operands{no_event, no_event, no_event,
                                       no_event, no_event, no_event};  ///< the events that made its operands
  Cycles begin, end;        ///< since the CTA started, in a replay with times; at `end` its result is ready
  Cycles released;          ///< time when its engine is free again; the rest up to `end` is latency
  std::int32_t value = -1;  ///< index of its result in Trace::values; -1 if not kept

  /// True if the event moves its bytes in direction `way`; a reduction moves them both ways.
  bool moves(Direction way) const { return direction == way || direction == Direction::both; }
};

}  // namespace sim

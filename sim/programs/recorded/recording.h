// Recorded programs: written in Python, run once under a recorder, and kept as a table of verbs that C++ replays. A
// table may come from anyone: it is hostile until it is read.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/programs/program.h"

namespace sim::recorded {

/// A tile or a vector of the body: r4. None where index < 0: a tile that is not there.
struct Register {
  int index = -1;
};

/// A block: `row`, `col`, or that of a loop. Its index is its place among those: 0, 1, 2 + depth of the loop.
struct BlockName {
  int index = 0;
};

/// A block of a tensor in HBM: Q[b0], S[row,b0], O_part.part[b0,col], O.all.
struct Place {
  enum class Shape : std::uint8_t { rows, tile, part, whole };
  Tensor tensor = Tensor::none;
  Shape shape = Shape::whole;
  int rows = -1, cols = -1;  ///< as BlockName::index
};

/// A tensor in HBM whose columns a tile has: @O.
struct Like {
  Tensor tensor = Tensor::none;
};

/// Name of a tile or vector: :alpha.
struct Name {
  Tensor tensor = Tensor::none;
};

struct Number {
  float value = 0;
};

/// A value of the problem: $scale is a number, the others are extents.
struct Value {
  enum class Of : std::uint8_t { scale, head_dim, slice, keys, bc };
  Of of = Of::scale;
};

using Operand = std::variant<Register, BlockName, Place, Like, Name, Number, Value>;

struct Verb;  // sim/programs/recorded/verbs.h
struct Turn;

/// One line of code: a verb, or a loop with its turns.
struct Op {
  const Verb* verb = nullptr;
  int line = 0;     ///< of the source
  int result = -1;  ///< register
  std::vector<Operand> operands;
  int block = -1;                         ///< of a loop: the block that it goes over
  std::vector<Turn> turns;                ///< of a loop
  std::array<std::uint8_t, 4> turn_of{};  ///< of a loop: which turn runs, by 2 x masked + last
};

/// At the end of a turn the vector `to`, of before the loop, becomes `from`.
struct Carry {
  int to = -1, from = -1;
};

/// The body of a loop for some of masked x last.
struct Turn {
  std::vector<Op> ops;
  std::vector<Carry> carries;
  std::vector<int> made;  ///< registers that end with it, in the order in which they were made
};

/// A question that a body or a program asked while it was recorded, and what the answer was.
struct Answer {
  std::size_t question = 0;  ///< in the table of questions
  bool is = false;
};

/// A body as it was recorded for some answers.
struct Body {
  std::vector<Answer> when;
  Turn all;
  int registers = 0;
};

/// Extents that the tiling of a kernel takes from the tiles.
enum class RowsOf : std::uint8_t { br, one };
enum class ColsOf : std::uint8_t { bc, slice, keys };

struct Kernel {
  std::string name;
  GridKind grid = GridKind::per_row_block;
  std::vector<Tensor> inputs, outputs, scratch;
  std::int64_t threads = 128;
  bool rounds_p = true;  ///< where the dtype has 16 bits
  bool prefetches = true;
  std::int64_t tiles_in_flight = 1;
  bool unfused = false, skips = true;
  RowsOf rows = RowsOf::br;
  ColsOf cols = ColsOf::bc;
  std::vector<Answer> when;  ///< of the problem alone
  std::vector<Body> bodies;
};

/// A program as its file has it.
struct Recording {
  std::string name, title, summary;
  std::shared_ptr<const Program> like;  ///< whose tiles it has; null: none
  std::optional<Tiling> tiles;
  bool parts_of_key_blocks = false;
  std::int64_t parts = 0;  ///< where there are not as many as blocks of keys
  std::string file, source, listing;
  std::vector<Kernel> kernels;
};

/// True if tiles are to be halved from `largest_tiles` until they fit.
inline bool halves_tiles(const Recording& r) { return !r.like && !r.tiles; }
inline constexpr Tiling largest_tiles{128, 128};
inline constexpr std::int64_t smallest_tile = 16;  ///< of those: what tensor cores take

/// Number of copies of results that are kept for each part of the keys, once tiles are chosen.
std::int64_t parts_of(const Recording& recording, const Problem& problem);

/// The launches of a problem whose tiles are chosen. Throws Error where no kernel runs.
std::vector<Launch> launches_of(const Recording& recording, const Problem& problem);

/// Runs one body of a kernel on a CTA. Throws Error with the line of the source for tiles whose sizes do not go
/// together and for blocks outside of a tensor.
void replay(const Recording& recording, const Kernel& kernel, Cta& cta, const Problem& problem);

/// The source of a recorded listing, as long as a program of it lives; "" else.
std::string_view source_of(std::string_view listing);

}  // namespace sim::recorded

namespace sim {

/// Reads an .fscope file; `called` names it in errors. Throws Error that names the file, kernel and line of code.
std::shared_ptr<const Program> parse_program(const std::string& text, const std::string& called);

/// From now on its name means this program; one of the same name is replaced, and lives as long as a scenario has it.
/// Throws Error for the name of a program of the catalog. May be called by several threads at once.
void load_program(std::shared_ptr<const Program> program);

/// Loaded programs, the first one first.
std::vector<std::shared_ptr<const Program>> loaded_programs();

}  // namespace sim

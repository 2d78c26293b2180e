// Recorded programs: written in Python, run once under a recorder, and stored as a table of verbs that C++ replays. A
// table is untrusted until it is parsed.
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

/// A tile or a vector of the body: r4. Absent if index < 0.
struct Register {
  int index = -1;
};

/// A block: `row`, `col`, or that of a loop, with index 0, 1, 2 + depth of the loop.
struct BlockName {
  int index = 0;
};

/// A block of a tensor in HBM: Q[b0], S[row,b0], O_part.part[b0,col], O.all.
struct Place {
  enum class Shape : std::uint8_t { rows, tile, part, whole };
  Tensor tensor = Tensor::none;
  Shape shape = Shape::whole;
  int rows = -1, cols = -1;     ///< as BlockName::index
  bool of_other_width = false;  ///< columns of a tensor as wide as V are chunks of d, or the reverse: right if d = dv
};

/// A tensor in HBM that gives a tile its columns: @O.
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
  enum class Of : std::uint8_t { scale, head_dim, head_dim_v, slice, keys, bc };
  Of of = Of::scale;
};

using Operand = std::variant<Register, BlockName, Place, Like, Name, Number, Value>;

struct Verb;  // sim/programs/recorded/verbs.h
struct Turn;

/// One line of code: a verb, or a loop with its bodies.
struct Op {
  const Verb* verb = nullptr;
  int line = 0;     ///< line of the source
  int result = -1;  ///< register of the result
  std::vector<Operand> operands;
  int block = -1;                         ///< for a loop: its block
  std::vector<Turn> turns;                ///< for a loop: its bodies
  std::array<std::uint8_t, 4> turn_of{};  ///< for a loop: index of the body that runs, by 2 x masked + last
};

/// Assignment at the end of an iteration: the vector `to`, from before the loop, becomes `from`.
struct Carry {
  int to = -1, from = -1;
};

/// Body of a loop for some combinations of masked and last.
struct Turn {
  std::vector<Op> ops;
  std::vector<Carry> carries;
  std::vector<int> made;  ///< registers that end with it, in the order in which they were made
};

/// A question that a body or a program asked while it was recorded, and its answer.
struct Answer {
  std::size_t question = 0;  ///< index in the table of questions
  bool is = false;
};

/// A body as recorded for some answers.
struct Body {
  std::vector<Answer> when;
  Turn all;
  int registers = 0;
};

/// Extents that a kernel's tiling takes from the tiles.
enum class RowsOf : std::uint8_t { br, one };
enum class ColsOf : std::uint8_t { bc, slice, keys };

struct Kernel {
  std::string name;
  GridKind grid = GridKind::per_row_block;
  std::vector<Tensor> inputs, outputs, scratch;
  std::int64_t threads = 128;
  bool rounds_p = true;  ///< if the dtype has 16 bits
  bool prefetches = true;
  std::int64_t tiles_in_flight = 1;
  bool unfused = false, skips = true;
  RowsOf rows = RowsOf::br;
  ColsOf cols = ColsOf::bc;
  std::vector<Answer> when;  ///< answers about the problem only
  std::vector<Body> bodies;
};

/// A program as stored in its file.
struct Recording {
  std::string name, title, summary;
  std::shared_ptr<const Program> like;  ///< program whose tiles it uses; null if there is none
  std::optional<Tiling> tiles;
  bool parts_of_key_blocks = false;
  std::int64_t parts = 0;          ///< number of parts, if it is not the number of key blocks
  std::vector<std::string> score;  ///< formulas that modify the scores, before those of the options
  std::string file, source, listing;
  std::vector<Kernel> kernels;
};

/// True if tiles are halved from `largest_tiles` until they fit.
inline bool halves_tiles(const Recording& r) { return !r.like && !r.tiles; }
inline constexpr Tiling largest_tiles{128, 128};
inline constexpr std::int64_t smallest_tile = 16;  ///< smallest halved tile: the minimum of tensor cores

/// True if some body modifies the scores.
bool modifies_scores(const Recording& recording);

/// True if some kernel reads the page table: the program takes --page-size.
bool looks_up_pages(const Recording& recording);

/// Number of copies of results for the parts of the keys, once tiles are chosen.
std::int64_t parts_of(const Recording& recording, const Problem& problem);

/// Returns the launches of a problem whose tiles are chosen. Throws Error if no kernel runs.
std::vector<Launch> launches_of(const Recording& recording, const Problem& problem);

/// Runs one body of a kernel on a CTA. Throws Error with the line of the source for tiles of incompatible sizes and for
/// blocks outside a tensor.
void replay(const Recording& recording, const Kernel& kernel, Cta& cta, const Problem& problem);

/// Returns the source of a recorded listing while a program of it exists; otherwise "".
std::string_view source_of(std::string_view listing);

}  // namespace sim::recorded

namespace sim {

/// Parses an .fscope file; `called` names it in errors. Throws Error that names the file, kernel and line of code.
std::shared_ptr<const Program> parse_program(const std::string& text, const std::string& called);

/// Registers a program under its name. Replaces a loaded program of that name, which lives as long as a scenario uses
/// it. Throws Error for the name of a program of the catalogue. Thread-safe.
void load_program(std::shared_ptr<const Program> program);

/// Returns the loaded programs, in the order of loading.
std::vector<std::shared_ptr<const Program>> loaded_programs();

}  // namespace sim

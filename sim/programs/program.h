// A program = a sequence of kernels over one attention problem; a kernel = a body that one CTA runs, and its grid.
#pragma once
#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/dropout.h"
#include "sim/base/embedded.h"
#include "sim/machine/grid.h"
#include "sim/machine/hbm.h"
#include "sim/programs/tilings.h"

namespace sim {

class Cta;
struct KernelForm;       // sim/programs/kernel_form.h
struct Plan;             // sim/programs/scenario.h
struct PublishedMemory;  // sim/programs/published_memory.h
struct Scenario;
namespace recorded {
struct Recording;  // sim/programs/recorded/recording.h
}

/// How warpgroups of flash3 share the work: softmax beside products of its own tiles too, of other warpgroups alone,
/// as it comes, or without a producer.
enum class Schedule : std::uint8_t { overlapped, ping_pong, warp_specialised, serial };

/// The problem that kernel bodies see: shapes, tensors in HBM, scale, dropout and the tiles of the pass.
struct Problem {
  Shape shape;
  Dtype dtype = Dtype::fp16;
  float scale = 1;
  Dropout dropout;
  Hbm hbm;
  Tiling tiling;
  Bytes row_capacity;  ///< SMEM that a kernel may fill with one row of scores (softmax of `standard`)
  std::shared_ptr<RowSource> pattern_rows;  ///< the values of mask_blocks; null: the program reads no pattern
  bool ragged = false;  ///< batch entries have lengths of their own, which kernels read from a table
  bool pattern() const { return pattern_rows != nullptr; }
  std::int64_t parts = 0;  ///< copies of O_part and its statistics, one for each part of the keys; 0: there are none
  Schedule schedule = Schedule::overlapped;  ///< of flash3
  bool persistent = false;                   ///< of flash3: --grid persistent
  std::int64_t stages = 2;                   ///< of flash3: of the rings of K and V
  BlockOrder keys = BlockOrder::up;          ///< --keys: the order in which CTAs of flash2 take their key blocks
};

/// Instructions by which a kernel multiplies matrices in half precision.
enum class Products : std::uint8_t { mma, wgmma };

/// One kernel launch.
struct Launch {
  std::string name;
  std::function<void(Cta&, const Problem&)> body;
  GridShape grid;
  std::int64_t threads = 128;
  bool round_p = false;              ///< tensor cores take P in the dtype
  std::vector<Tensor> inputs;        ///< existed before the launch and are read
  std::vector<Tensor> outputs;       ///< written and used after it
  std::vector<Tensor> scratch = {};  ///< written and read by the launch alone
  bool prefetches = true;            ///< copies run ahead as far as their place in SMEM allows; else each at its turn
  std::int64_t tiles_in_flight = 1;  ///< of one tensor, where copies run ahead: how many places it has
  bool unfused = false;              ///< as frameworks run it: streams reach less of the HBM's bandwidth
  Products products = Products::mma;
  bool persistent = false;     ///< one CTA an SM takes one part of the grid after another, without a pause
  bool longest_first = false;  ///< the parts of the grid with the most work begin first
  std::string_view listing;    ///< the source of the body; empty: that of the pass, which the plan sets
  Tiling tiling;

  bool reads(Tensor tensor) const { return std::find(inputs.begin(), inputs.end(), tensor) != inputs.end(); }
  bool writes(Tensor tensor) const {
    return std::find(outputs.begin(), outputs.end(), tensor) != outputs.end() ||
           std::find(scratch.begin(), scratch.end(), tensor) != scratch.end();
  }
};

/// Facts of a problem by which a pass chooses its tiles.
struct TilingCase {
  std::int64_t element_bytes = 2, d = 64;
  OnChip chip;
  std::int64_t batch = 1, heads = 1, seqlen_q = 0, seqlen_k = 0;  ///< as the program sees the shape
  bool causal = false, windowed = false, dropout = false;
  bool pattern = false;  ///< the program reads one
  std::int64_t sm_count = 1;
  std::string_view architecture;
};

/// One pass of an algorithm.
struct ProgramPass {
  std::string_view listing;  ///< its embedded source: "programs/flash2/flash2.cpp"
  std::string_view source;   ///< the paper
  Tiling (*tiling)(const TilingCase&) = nullptr;
  std::vector<Launch> (*launches)(const Problem&) = nullptr;
};

/// An option of a program's own: a whole number, or the number of one of its words. The catalogue makes a row of it
/// (sim/catalogue/options.h), which counts for this program alone.
struct OwnOption {
  std::string_view name, values;  ///< "splits", and what it takes, in help: "N|auto"
  std::string_view help;          ///< a line of the command line's help, with the default in brackets
  std::string_view label, note;   ///< on a screen
  std::string_view unit;
  std::int64_t least = 1, most = std::int64_t{1} << 20;
  std::int64_t (*resolved)(const Plan&) = nullptr;  ///< what it comes to
  bool sets_bc = false;                             ///< another name for the rows of a key block
  std::vector<std::string> (*words)() = nullptr;    ///< of an option that takes words, the first of them by itself
  bool forward_only = false;                        ///< none of a backward pass
  std::string_view plotted = {};                    ///< where a plot over it has points, with spaces between
};

/// Use that a program makes of --pattern: it refuses it, masks elements, or skips blocks, which are the tiles of both
/// passes. if_given: with one it is another program, `under_pattern`.
enum class PatternUse : std::uint8_t { none, as_mask, of_tiles, if_given };

/// The equations of one kernel.
struct NamedForm {
  std::string_view kernel;
  KernelForm (*form)(const Problem&);
};

/// An algorithm: all that the rest of the program knows of it.
struct Program {
  std::string_view name;  ///< of the command line
  std::string_view title;
  std::string_view short_title;   ///< where room is scarce; the explorer translates it
  std::string_view summary;       ///< one sentence
  std::string_view typed;         ///< other words for its name, with commas between
  ProgramPass forward, backward;  ///< backward may be left out
  std::span<const NamedForm> (*forms)() = nullptr;
  bool row_at_a_time = false;                ///< the papers' tiling does not change its Br = 1
  bool whole_rows = false;                   ///< one block of keys, all of them, whatever the tiling
  std::string_view half_kernel;              ///< family of kernels for fp16 and bf16; any other has the program's name
  std::string_view timed_as;                 ///< kernels whose recorded times are its own, with commas between
  void (*check)(const Scenario&) = nullptr;  ///< throws Error for what it cannot do; null: it can do all
  std::span<const OwnOption> options = {};
  PatternUse pattern = PatternUse::none;
  std::string_view under_pattern;            ///< name of the program that this one is with a pattern
  Shape (*view)(const Scenario&) = nullptr;  ///< the shape as its kernels see it; null: as it is
  /// How many parts of the keys it keeps results of, once tiles are chosen; 0 or null: none. Throws Error.
  std::int64_t (*parts)(const Scenario&, const Problem&) = nullptr;
  PublishedMemory (*published_memory)(const Plan&) = nullptr;  ///< what a framework with it took; null: not published
  std::int64_t br_step = 1, bc_step = 1;                       ///< its tiles are multiples of these
  std::string_view variant_of;           ///< the algorithm that it is the published code of, where it departs from it
  TilingRule rule = TilingRule::kernel;  ///< with which that algorithm's name means this program: released
  bool shares_heads = false;             ///< gives a head to several CTAs where heads are few
  bool ragged = false;                   ///< takes batch entries of different lengths: --seqlens
  std::string_view (*text)(std::string_view listing) = embedded_text;  ///< finds the sources of its passes
  const recorded::Recording* recording = nullptr;  ///< its tiles, parts and launches, where it was recorded
  constexpr bool has_backward() const { return backward.launches != nullptr; }
};

/// Name of the algorithm of a scenario that names none.
std::string_view default_algorithm();

/// Every built-in algorithm, in the order of the command line.
const std::deque<Program>& catalog();

/// Published code that departs from its algorithm: programs of their own, which lists of algorithms leave out.
const std::vector<Program>& variants();

/// Programs that commands take by name and that lists of algorithms leave out: the explorer does not draw roles of
/// warpgroups yet.
const std::vector<Program>& unlisted_programs();

/// Adds an algorithm, before main() begins: `const bool added = sim::add_program({...})`.
bool add_program(const Program& program);

/// The algorithms of now: those of the catalog, and then those that are loaded (sim/programs/recorded).
std::vector<std::shared_ptr<const Program>> programs_now();

/// Their names, and then those of the variants as well.
std::vector<std::string> program_names();
std::vector<std::string> all_program_names();

/// A program of the catalog, a variant or a loaded one, which lives as long as the pointer. Throws Error with the known
/// names and the nearest one.
std::shared_ptr<const Program> find_program(std::string_view name);

/// Which passes of an algorithm a plan runs, in this order.
enum class Pass { forward, backward, forward_backward };
std::string_view name_of(Pass pass);  ///< "forward", "backward", "forward+backward"

/// The source of a pass; that of a recorded program as long as the program lives.
std::string_view listing_text(std::string_view listing);

/// Line `number` of a listing without indentation; "" past its end.
std::string listing_line(std::string_view listing, int number);

/// Code of that line, without its comment: "SmemTile K = cta.load(block(hbm.K, j));"
std::string listing_code(std::string_view listing, int number);

}  // namespace sim

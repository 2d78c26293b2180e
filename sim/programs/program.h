// A program = a sequence of kernels over one attention problem; a kernel = a body that one CTA runs, and its grid.
#pragma once
#include <algorithm>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/dropout.h"
#include "sim/base/embedded.h"
#include "sim/base/score.h"
#include "sim/base/sinks.h"
#include "sim/base/text.h"
#include "sim/machine/grid.h"
#include "sim/machine/hbm.h"
#include "sim/programs/key_sections.h"
#include "sim/programs/tilings.h"

namespace sim {

class Cta;
struct KernelForm;       // sim/programs/kernel_form.h
struct Plan;             // sim/programs/plan.h
struct PublishedMemory;  // sim/programs/published_memory.h
struct Scenario;         // sim/programs/scenario.h
namespace recorded {
struct Recording;  // sim/programs/recorded/recording.h
}

/// The problem that kernel bodies see: shapes, tensors in HBM, scale, dropout and the tiles of the pass.
struct Problem {
  Shape shape;
  Dtype dtype = Dtype::fp16;
  float scale = 1;
  Dropout dropout;
  std::shared_ptr<const ScoreSteps> score_steps = {};  ///< modifications of the scores; null: none
  bool modified() const { return score_steps != nullptr; }
  bool sloped() const { return modified() && score_steps->has_slope(); }    ///< dS has their derivatives as factors
  bool alibi() const { return modified() && score_steps->reads_slopes(); }  ///< CTAs read slopes of their heads
  bool kv_shared() const { return shape.kv_shared; }                        ///< V is the first columns of K
  std::shared_ptr<const Sinks> sinks = {};  ///< logits that join the sums of the softmax; null: none
  bool has_sinks() const { return sinks != nullptr; }
  std::int64_t heads_in_rows = 1;  ///< query heads that are rows of one tile: more than one if heads are packed
  Hbm hbm;
  Tiling tiling;
  Bytes row_capacity;  ///< SMEM that a kernel may fill with one row of scores (softmax of `standard`)
  std::shared_ptr<RowSource> pattern_rows;  ///< the values of mask_blocks; null: the program reads no pattern
  bool ragged = false;                      ///< batch entries have their own lengths, which kernels read from a table
  std::shared_ptr<const PageTable> pages = {};  ///< the rows of K and V lie in pages, which kernels look up; null: not
  bool paged() const { return pages != nullptr; }
  bool fp8() const { return dtype == Dtype::e4m3; }  ///< Q, K and V have scales, which kernels read
  std::vector<KeySection> key_sections = {};         ///< of the keys that batch entries share; empty: they share none
  bool pattern() const { return pattern_rows != nullptr; }
  float phi = 0;  ///< of a unified maximum: the one maximum of all rows (Program::unified_max)
  float low = -std::numeric_limits<float>::infinity(), high = -low;  ///< x is in its range if low < x - phi < high
  std::int64_t fallback_blocks = 0;  ///< row blocks of all heads that run the synchronised kernels too: --fallback
  std::int64_t parts = 0;            ///< copies of O_part and its statistics, one for each part of the keys; 0: none
  HeadDims kernel_dims;              ///< head dimensions that its kernels compute with and hold: the shape's or more
  bool runs_wider() const { return kernel_dims != shape.head_dims(); }
  std::map<std::string_view, std::int64_t> own_options;  ///< values of Program::options that are given or not derived
  /// Value of a program-specific option, a number or the index of a word; 0 if the program has no such option.
  std::int64_t own(std::string_view option) const;
};

/// Instructions that multiply a kernel's matrices: of tensor cores, unless they are fp32, or multiply-adds on the FP32
/// pipe whatever the dtype, where each warp has a tile of its own.
enum class Products : std::uint8_t { mma, wgmma, fma };

/// One kernel launch.
struct Launch {
  std::string name;
  std::function<void(Cta&, const Problem&)> body;
  GridShape grid;
  std::int64_t threads = 128;
  bool round_p = false;              ///< tensor cores take P in the dtype
  std::vector<Tensor> inputs;        ///< read; they exist before the launch
  std::vector<Tensor> outputs;       ///< written and used after it
  std::vector<Tensor> scratch = {};  ///< written and read by the launch alone
  bool prefetches = true;            ///< copies run ahead as far as their space in SMEM allows; else in program order
  std::int64_t tiles_in_flight = 1;  ///< buffers of one tensor, if copies run ahead
  bool unfused = false;              ///< run as in frameworks: streams reach less of the HBM's bandwidth
  Products products = Products::mma;
  bool alternates = false;     ///< CTAs of odd waves visit blocks from the last to the first (BlockOrder::sawtooth)
  std::int64_t in_flight = 0;  ///< CTAs of a wave, if it alternates: the plan derives them
  bool persistent = false;     ///< one CTA per SM processes one part of the grid after another, without a pause
  bool longest_first = false;  ///< the parts of the grid with the most work begin first
  std::string_view listing;    ///< the source of the body; empty: the pass's, which the plan sets
  KernelForm (*form)(const Problem&) = nullptr;  ///< its equations; null: those of its name among the program's forms
  std::shared_ptr<const ScoreSteps> score_steps = {};  ///< those that it applies; null: all of the problem
  Tiling tiling;
  /// For a launch that recomputes row blocks: returns true if a CTA of these rows has work, by values that are in HBM.
  /// Without values it runs for the first Problem::fallback_blocks row blocks. Null: the launch runs in any case, for
  /// all rows.
  bool (*needed)(const Problem&, const Block& rows) = nullptr;
  std::shared_ptr<const std::vector<Plan>> pieces = {};  ///< the parts of the problem that it runs; null: all of it

  bool reads(Tensor tensor) const { return std::find(inputs.begin(), inputs.end(), tensor) != inputs.end(); }
  bool writes(Tensor tensor) const {
    return std::find(outputs.begin(), outputs.end(), tensor) != outputs.end() ||
           std::find(scratch.begin(), scratch.end(), tensor) != scratch.end();
  }
};

/// Properties of a problem by which a pass chooses its tiles.
struct TilingCase {
  std::int64_t element_bytes = 2;
  HeadDims dims;
  OnChip chip;
  std::int64_t batch = 1, heads = 1, seqlen_q = 0, seqlen_k = 0;  ///< the shape as the program sees it
  bool causal = false, windowed = false, dropout = false;
  bool sloped = false;   ///< a backward pass holds the derivatives of score steps
  bool pattern = false;  ///< the program reads one
  bool paged = false;    ///< K and V lie in pages
  std::int64_t sm_count = 1;
  std::string_view architecture;
  constexpr std::int64_t d() const { return dims.widest(); }  ///< by which tables of kernels choose
};

/// One pass of an algorithm.
struct ProgramPass {
  std::string_view listing;  ///< its embedded source: "programs/flash2/flash2.cpp"
  std::string_view source;   ///< the paper
  Tiling (*tiling)(const TilingCase&) = nullptr;
  std::vector<Launch> (*launches)(const Problem&) = nullptr;
};

/// A program-specific option: a whole number, or the index of one of its words. The catalogue makes a row of it
/// (sim/catalogue/options.h), which applies to this program alone.
struct OwnOption {
  std::string_view name, values;  ///< "splits", and its values in help: "N|auto"
  std::string_view help;          ///< a line of the command line's help, with the default in brackets
  std::string_view label, note;   ///< text in the explorer
  std::string_view unit;
  std::int64_t least = 1, most = std::int64_t{1} << 20;  ///< range of a number
  std::int64_t preset = 0;                               ///< value if it is not given; of words, the first
  std::int64_t (*resolved)(const Plan&) = nullptr;       ///< derives the value that a plan uses; null: given or preset
  bool sets_bc = false;                                  ///< another name for the rows of a key block
  bool of_fp8 = false;                                   ///< of --dtype e4m3 alone; changes the values of attention
  bool of_words = false;          ///< takes a word of `values`, of which the first is the default, and no number
  bool forward_only = false;      ///< a backward pass does not take it
  std::string_view plotted = {};  ///< points of a plot over it, separated by spaces
  std::vector<std::string_view> words() const { return split(values, "|"); }  ///< allowed words, for `of_words`
};

/// Use of --pattern by a program: it rejects it, masks elements, or skips blocks, which are the tiles of both passes.
/// if_given: with a pattern, `under_pattern` runs instead.
enum class PatternUse : std::uint8_t { none, as_mask, of_tiles, if_given };

/// Whether a program takes V as the first columns of K: with --kv-shared, or in every scenario.
enum class SharedKv : std::uint8_t { never, if_given, always };

/// The equations of one kernel.
struct NamedForm {
  std::string_view kernel;
  KernelForm (*form)(const Problem&);
  std::string_view slopes = {};    ///< bytes of slopes that it reads, if it modifies scores; empty: it does not
  std::int64_t modifications = 1;  ///< times that it modifies a score
  bool derivatives = false;        ///< computes the derivatives of score steps too
};

/// An algorithm: everything that the rest of FlashScope knows of it.
struct Program {
  std::string_view name;  ///< name on the command line
  std::string_view title;
  std::string_view short_title;   ///< for narrow space; the explorer translates it
  std::string_view summary;       ///< one sentence
  std::string_view typed;         ///< aliases of its name, separated by commas
  ProgramPass forward, backward;  ///< backward may be left out
  std::span<const NamedForm> (*forms)() = nullptr;
  bool row_at_a_time = false;    ///< the papers' tiling does not change its Br = 1
  bool whole_rows = false;       ///< one block of all keys, whatever the tiling
  std::string_view half_kernel;  ///< family of kernels for fp16 and bf16; any other has the program's name
  std::string_view main_loop;    ///< family whose compiled main loop it has (sim/model/compiled_kernels.h); "": none
  std::span<const std::int64_t> head_dims = {};  ///< head dimensions that kernels for fp16 and bf16 exist for; {}: any
  std::string_view timed_as;                     ///< kernels whose recorded times are its own, separated by commas
  void (*check)(const Scenario&) = nullptr;      ///< throws Error for an unsupported scenario; null: all are supported
  std::span<const OwnOption> options = {};
  PatternUse pattern = PatternUse::none;
  std::string_view under_pattern;            ///< name of the program that this one is with a pattern
  Shape (*view)(const Scenario&) = nullptr;  ///< the shape as its kernels see it; null: as it is
  /// Number of parts of the keys that it keeps results of, once tiles are chosen; 0 or null: none. Throws Error.
  std::int64_t (*parts)(const Scenario&, const Problem&) = nullptr;
  /// As parts, for the entries of one class of a ragged batch, once those of the batch are known; null: the same.
  std::int64_t (*parts_of_class)(const Problem& of_class) = nullptr;
  PublishedMemory (*published_memory)(const Plan&) = nullptr;  ///< published memory of a framework with it; null: none
  std::int64_t br_step = 1, bc_step = 1;                       ///< its tiles are multiples of these
  std::string_view variant_of;  ///< the algorithm whose published code it is, if the code differs from the paper
  TilingRule rule = TilingRule::kernel;  ///< rule under which that algorithm's name means this program: released
  bool shares_heads = false;             ///< gives a head to several CTAs if heads are few
  bool ragged = false;                   ///< takes batch entries of different lengths: --seqlens
  bool own_lengths = false;              ///< its kernels read lengths from a table of their own, not from `sequences`
  bool paged = false;                    ///< takes K and V in pages: --page-size
  std::int64_t tile_pages = 0;  ///< tokens of a page that is not given, if key blocks are pages; 0: they are not
  bool steps = false;           ///< decodes over steps: --steps
  bool gpus = false;            ///< several GPUs may share its sequences: --gpus
  SharedKv kv_shared = SharedKv::never;  ///< takes V as the first columns of K
  bool score_steps = false;              ///< takes modifications of the scores: --softcap, --alibi and --score
  bool sinks = false;                    ///< takes --sink
  bool fp8 = false;                      ///< takes --dtype e4m3, forward
  bool unified_max = false;              ///< has one maximum for all rows: takes --phi, --range and --fallback
  std::string_view (*text)(std::string_view listing) = embedded_text;  ///< finds the sources of its passes
  const recorded::Recording* recording = nullptr;  ///< its tiles, parts and launches, if it was recorded
  constexpr bool has_backward() const { return backward.launches != nullptr; }
};

/// Every built-in algorithm, in the order of the command line.
const std::deque<Program>& built_in_programs();

/// Published code that differs from its algorithm: separate programs, which lists of algorithms leave out.
const std::vector<Program>& variants();

/// Adds an algorithm, before main() begins: `const bool added = sim::add_program({...})`.
bool add_program(const Program& program);

/// Returns the current algorithms: the built-in ones, and then the loaded ones (sim/programs/recorded).
std::vector<std::shared_ptr<const Program>> programs_now();

/// Names of programs_now(), without and with the variants'.
std::vector<std::string> program_names();
std::vector<std::string> all_program_names();

/// Returns a built-in program, a variant or a loaded one, which lives as long as the pointer. Throws Error with
/// the known names and the nearest one.
std::shared_ptr<const Program> find_program(std::string_view name);

/// Returns the source of a pass; a recorded program's lives as long as the program.
std::string_view listing_text(std::string_view listing);

/// Line `number` of a listing without indentation; "" past its end.
std::string listing_line(std::string_view listing, int number);

/// Code of line `number`, without its comment: "SmemTile K = cta.load(block(hbm.K, j));"
std::string listing_code(std::string_view listing, int number);

}  // namespace sim

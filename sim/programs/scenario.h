// A scenario = a user's request. A plan (sim/programs/plan.h) makes the choices that it leaves open.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/dtype.h"
#include "sim/base/pattern.h"
#include "sim/base/sequences.h"
#include "sim/base/shape.h"
#include "sim/machine/device_spec.h"
#include "sim/machine/timing_constants.h"
#include "sim/programs/tilings.h"

namespace sim {

struct Program;  // sim/programs/program.h

/// Returns the algorithm of a scenario that names none.
std::string_view default_algorithm();

/// Passes of an algorithm that a plan runs, in this order.
enum class Pass { forward, backward, forward_backward };
std::string_view name_of(Pass pass);  ///< "forward", "backward", "forward+backward"

/// Returns a built-in device, shared by all callers.
inline std::shared_ptr<const DeviceSpec> built_in_gpu(std::string_view name) {
  return {std::shared_ptr<const DeviceSpec>{}, &device(name)};
}

/// Source of Q, K, V and dO: the seed, sim/base/worked_example.h, a text (sim/base/text_inputs.h), or the seed, with
/// outliers in Q, K and V. The worked example and texts fix the sizes.
enum class InputRule { drawn, worked, text, outliers };
constexpr bool is_drawn(InputRule rule) { return rule == InputRule::drawn || rule == InputRule::outliers; }

/// How several GPUs share the tokens of a sequence. Each owns N / P consecutive ones (ring, gather, ulysses), a chunk
/// from the front and one from the back (zigzag), or every Pth (striped). K and V travel around a ring, step by step
/// beside the computation; gather fetches all of them first; ulysses exchanges tokens for heads.
enum class Parallel : std::uint8_t { ring, zigzag, striped, gather, ulysses };
inline constexpr int parallel_count = 5;
std::string_view name_of(Parallel parallel);

/// Keys of a sequence that a layer keeps: all; the newest and `extent` before it; those of a chunk, at most `extent`.
enum class KeptKeys { all, window, chunk };

/// Equal layers of a model. KV heads and head dims are those of the run unless they are given; a head dim comes with KV
/// heads. Multi-head latent attention keeps one row of `latent` elements of a token, from which it makes K and V.
struct LayerKind {
  std::int64_t count = 1;
  KeptKeys kept = KeptKeys::all;
  std::int64_t extent = 0;
  std::optional<std::int64_t> kv_heads = {}, head_dim = {}, latent = {};
};

/// Layers of a model that keep K and V, by kind.
struct Layers {
  std::vector<LayerKind> kinds;
  std::int64_t all() const {
    std::int64_t sum = 0;
    for (const LayerKind& kind : kinds) sum += kind.count;
    return sum;
  }
};

/// Scores x with low < x - phi < high.
struct ScoreRange {
  double low = 0, high = 0;
  friend bool operator==(const ScoreRange&, const ScoreRange&) = default;
};
std::string text_of(const ScoreRange& range);  ///< "-16.8,6.5"

struct Scenario {
  std::string algorithm{default_algorithm()};
  std::shared_ptr<const Program> named = {};  ///< the algorithm's program when it was named; null: its current one
  Pass pass = Pass::forward;
  Shape shape;  ///< without batch and lengths if there are sequences
  std::int64_t steps =
      0;  ///< decoding steps, each with a new key; seqlen_k is that of the last one; 0: one run as it is
  std::int64_t cached_keys() const { return shape.seqlen_k - steps; }  ///< keys before the first step
  std::shared_ptr<const SequenceClasses> sequences = {};  ///< classes of a ragged batch; null: all are equal
  IssueOrder issue = IssueOrder::file;                    ///< order in which their CTAs begin
  std::optional<std::int64_t> page_size;                  ///< tokens of a page of K and V; none: not in pages
  std::int64_t samples = 1;                               ///< sequences of each batch entry, which share its pages
  std::int64_t shared_prefix = 0;                         ///< keys that all batch entries begin with, in shared pages
  std::int64_t weights = 0;                               ///< bytes of HBM that the weights of its model take
  std::int64_t gpus = 1;                                  ///< GPUs that share each sequence; sizes are those of all
  Parallel parallel = Parallel::ring;                     ///< how they do, if there are several
  std::optional<std::int64_t> context;                    ///< tokens of the longest sequence that is served
  Dtype dtype = Dtype::fp16;
  double dropout = 0;                                           ///< probability of dropping an entry of P, in [0, 1)
  std::optional<double> scale;                                  ///< 1 / sqrt(d) unless given
  std::map<std::string, std::string, std::less<>> score_steps;  ///< values of named_steps() that are given
  std::shared_ptr<const std::vector<float>> sinks = {};         ///< a logit, or one for each query head; null: none
  std::optional<double> phi;        ///< maximum of all rows of programs with a unified one; 0 unless given
  std::optional<ScoreRange> range;  ///< scores for which it is used; unified_range() unless given
  std::optional<double> fallback;   ///< share of the row blocks that also run the synchronised kernels; 0
  std::shared_ptr<const DeviceSpec> gpu = built_in_gpu("h100-sxm");
  std::optional<std::int64_t> clock;  ///< Hz of the SMs, already set in `gpu` (at_clock); none: its table's clock
  std::optional<std::int64_t> sram;   ///< bytes: M of the paper tiling, the SMEM limit of the kernel tiling
  std::optional<std::int64_t> l2;     ///< bytes of L2 that hot data can use; 0: the papers' two-level model without one
  TilingRule tiling = TilingRule::kernel;
  std::optional<std::int64_t> br, bc;
  std::map<std::string, std::int64_t, std::less<>> own;  ///< program-specific options, by name (Program::options)
  Pattern pattern;                                       ///< visible blocks of the tiles; none: all
  std::optional<Tiling> pattern_tiles;  ///< the tiles that its blocks count in; none: the program's own
  std::optional<Layers> layers;         ///< layers of its model; only the KV cache counts them
  InputRule inputs = InputRule::drawn;
  std::string text;           ///< name of the text that is the input
  std::uint64_t seed = 0;     ///< seed of drawn inputs, of dropout and of a random pattern
  TimingConstants constants;  ///< constants of the timing model; only a fit changes them
};

/// Returns the program that runs: the scenario's algorithm, its program under a pattern if there is one, or its
/// published code if the tiling rule requests it. Throws Error if there is none.
std::shared_ptr<const Program> program_of(const Scenario& scenario);

/// Program that the algorithm names, whatever the tiling rule.
std::shared_ptr<const Program> named_program(const Scenario& scenario);

/// Sets the scenario's algorithm and keeps its program. Throws Error for an unknown name.
void name_algorithm(Scenario& scenario, std::string_view algorithm);

/// The range of a unified maximum: the given one; else that published for Llama2-7B in fp16 and bf16, and all in fp32.
ScoreRange unified_range(const Scenario& scenario);

/// Returns the value of a program-specific option; none if it is not given.
std::optional<std::int64_t> own_option(const Scenario& scenario, std::string_view name);

/// Returns the value of an option of the named program, or its preset if it is not given; 0 if there is none.
std::int64_t own_value(const Scenario& scenario, std::string_view name);

/// Returns the formulas of the score steps, as they run: a recorded program's, and the given ones as named_steps() has.
std::vector<std::string> score_formulas(const Scenario& scenario);

/// True if the program that the scenario runs has a specific option of this name.
bool has_own_option(const Scenario& scenario, std::string_view name);

/// Returns the scenario for another algorithm, without the specific options that this one lacks, and without a pattern
/// if it takes none.
Scenario with_algorithm(Scenario scenario, std::string_view algorithm);

/// Gives compared scenarios one pattern: all hide the same blocks, in the tiles of the first program that skips them.
/// The others take its tiles, and standard attention masks its elements; next to a program that reads the pattern, one
/// that is dense without it stays dense. Throws Error if a pattern is given that none of them takes.
void share_pattern(std::vector<Scenario>& compared, const Pattern& given);

/// Returns the tiles in which a pattern's blocks are counted, for this scenario with any pattern.
Tiling pattern_tiling(Scenario scenario);

/// Returns standard attention on the same problem as users run it: with the tiles of its own kernels, whatever tiling
/// the scenario has. Every "against standard attention" means this one.
Scenario standard_of(Scenario scenario);

/// Returns the keys of a block if the scenario sets them: by --bc, or by an option of its program that sets it, as
/// --chunk and for pages --page-size do. Throws Error if the two differ.
std::optional<std::int64_t> asked_bc(const Scenario& scenario);

/// Returns the scenario with other tiles, to try them out; without Bc if the program takes whole rows.
Scenario with_tiles(Scenario scenario, std::optional<std::int64_t> br, std::optional<std::int64_t> bc);

/// True if the scenario fits on chip with these tiles. (Counts one run of each kernel; about 10 us.)
bool tiles_fit(const Scenario& scenario, std::int64_t br, std::int64_t bc);

}  // namespace sim

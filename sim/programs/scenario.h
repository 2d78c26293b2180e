// A scenario = what a user asks for; a plan = the scenario with every choice made: tiles, kernels, on-chip limits.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "sim/base/pattern.h"
#include "sim/base/sequences.h"
#include "sim/machine/device_spec.h"
#include "sim/machine/tile.h"
#include "sim/machine/timing_constants.h"
#include "sim/programs/program.h"

namespace sim {

/// A built-in device, shared with whoever asks.
inline std::shared_ptr<const DeviceSpec> built_in_gpu(std::string_view name) {
  return {std::shared_ptr<const DeviceSpec>{}, &device(name)};
}

/// Counting takes time and memory in proportion to the blocks of one axis; a plan with more is refused.
inline constexpr std::int64_t most_blocks = std::int64_t{1} << 21;

/// Where Q, K, V and dO come from: drawn from the seed, those of sim/base/worked_example.h, or of a text
/// (sim/base/text_inputs.h). The last two have their sizes.
enum class InputRule { drawn, worked, text };

/// Layers of a model that are alike but for what they see: all keys, or `window` keys before the newest and that one.
struct Layers {
  std::int64_t full = 1, windowed = 0, window = 0;
  std::int64_t all() const { return full + windowed; }
};

struct Scenario {
  std::string algorithm{default_algorithm()};
  std::shared_ptr<const Program> named = {};  ///< what the algorithm meant when it was named; null: what it means now
  Pass pass = Pass::forward;
  Shape shape;                                            ///< without batch and lengths where there are sequences
  std::shared_ptr<const SequenceClasses> sequences = {};  ///< of a ragged batch, in file order; null: all are alike
  IssueOrder issue = IssueOrder::file;                    ///< in which their CTAs begin
  Dtype dtype = Dtype::fp16;
  double dropout = 0;           ///< probability of dropping an entry of P, in [0, 1)
  std::optional<double> scale;  ///< 1 / sqrt(d) unless given
  std::shared_ptr<const DeviceSpec> gpu = built_in_gpu("h100-sxm");
  std::optional<std::int64_t> clock;  ///< Hz of the SMs, which `gpu` has already (at_clock); none: those of its table
  std::optional<std::int64_t> sram;   ///< bytes: M of the paper tiling, the SMEM limit of the kernel tiling
  std::optional<std::int64_t> l2;     ///< bytes of L2 that hot data can use; 0 is the papers' machine without one
  TilingRule tiling = TilingRule::kernel;
  std::optional<std::int64_t> br, bc;
  std::map<std::string, std::int64_t, std::less<>> own;  ///< options of programs' own, by name (Program::options)
  Pattern pattern;                                       ///< which blocks of the tiles are visible; none: all
  std::optional<Tiling> pattern_tiles;                   ///< the tiles that it counts in; none: the program's own
  std::optional<Layers> layers;                          ///< of its model; only the KV cache counts them
  InputRule inputs = InputRule::drawn;
  std::string text;           ///< name of the text that is the input
  std::uint64_t seed = 0;     ///< of drawn inputs, of dropout and of a random pattern
  TimingConstants constants;  ///< of the timing model; only a fit changes them
};

struct Plan {
  Scenario scenario;
  const Program* program = nullptr;  ///< what was asked for: the scenario keeps it
  const Program* code = nullptr;  ///< what runs: another under a pattern, or where the tiling rule means published code
  Problem problem;                ///< with the tiles of the first pass
  Capacity capacity;
  std::int64_t l2 = 0;  ///< bytes of L2 that hot data can use
  std::vector<Launch> launches;
  std::shared_ptr<const std::vector<Plan>> classes;  ///< of a ragged batch, see classes_of; null where all are alike
  std::uint64_t resume_seed = 0;                     ///< of tests: CtaSetup::resume_seed of its CTAs
  std::vector<Launch> before;  ///< of a backward pass alone: the forward pass, whose results it reads; not counted
  bool has_forward() const { return scenario.pass != Pass::backward; }
  bool has_backward() const { return scenario.pass != Pass::forward; }
};

/// The plans of the classes of a ragged batch, in file order, with the tiles of the whole; else the plan itself.
/// Counts, bytes and memory are sums over them. The whole plan of a ragged batch has the most queries and the most keys
/// of any class: tiles are chosen by it.
std::span<const Plan> classes_of(const Plan& plan);

/// Launch by which one class runs the kernel.
const Launch& launch_of(const Plan& of_class, const Launch& launch);

/// The CTAs of a kernel in issue order, a segment for each class.
std::vector<Grid> segments_of(const Plan& plan, const Launch& launch);

/// The clock of the SMs while a kernel runs: wgmma has one of its own (DeviceSpec::wgmma_clock_hz).
inline std::int64_t clock_hz(const Plan& plan, const Launch& launch) {
  const DeviceSpec& gpu = *plan.scenario.gpu;
  return launch.products == Products::wgmma ? gpu.wgmma_clock_hz : gpu.clock_hz;
}

/// A tensor of all batch entries and heads.
Bytes total_bytes(const Plan& plan, Tensor tensor);

/// Program that runs: the scenario's algorithm, what it is under a pattern where there is one, or its published code
/// where the tiling rule says so. Throws Error where there is none.
std::shared_ptr<const Program> program_of(const Scenario& scenario);

/// Program that the algorithm names, whatever the tiling rule.
std::shared_ptr<const Program> named_program(const Scenario& scenario);

/// From now on the scenario has this algorithm, and keeps its program. Throws Error for an unknown name.
void name_algorithm(Scenario& scenario, std::string_view algorithm);

/// The value of an option of a program's own; none where it is not given.
std::optional<std::int64_t> own_option(const Scenario& scenario, std::string_view name);

/// True where the program that the scenario runs has an option of this name of its own.
bool has_own_option(const Scenario& scenario, std::string_view name);

/// The scenario for another algorithm, without the options of its own that this one does not have, nor a pattern where
/// it takes none.
Scenario with_algorithm(Scenario scenario, std::string_view algorithm);

/// Scenarios that are compared: what a pattern hides is the same for all, blocks of the tiles of the first that skips
/// them. The others take its tiles, standard attention masks its elements; beside a program that reads the pattern, the
/// one that is dense without it stays dense. Throws Error where a pattern is given that none of them takes.
void share_pattern(std::vector<Scenario>& compared, const Pattern& given);

/// Tiles that blocks of a pattern are counted in, of this scenario with any pattern.
Tiling pattern_tiling(Scenario scenario);

/// Standard attention on the same problem as people run it: with the tiles of its own kernels, whatever tiling the
/// scenario has. Every "against standard attention" means this one.
Scenario standard_of(Scenario scenario);

/// Checks the scenario and makes every choice. Throws Error that names the option and its allowed values.
Plan make_plan(const Scenario& scenario);

/// Keys of a block where the scenario names them: by --bc, or by an option of its program that sets it, as --chunk
/// does. Throws Error where both name different ones.
std::optional<std::int64_t> asked_bc(const Scenario& scenario);

/// The scenario with other tiles, to try them out; without Bc where the program takes whole rows.
Scenario with_tiles(Scenario scenario, std::optional<std::int64_t> br, std::optional<std::int64_t> bc);

/// True where the scenario fits on chip with these tiles. (Counts one run of each kernel; about 10 us.)
bool tiles_fit(const Scenario& scenario, std::int64_t br, std::int64_t bc);

}  // namespace sim

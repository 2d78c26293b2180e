#include "sim/programs/plan.h"

#include <cmath>
#include <limits>

#include "sim/base/named_steps.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"
#include "sim/base/text_inputs.h"
#include "sim/machine/device_fields.h"
#include "sim/machine/occupancy.h"
#include "sim/programs/fp8.h"
#include "sim/programs/gpus.h"
#include "sim/programs/pattern_rows.h"
#include "sim/programs/ragged.h"
#include "sim/programs/ranges.h"
#include "sim/programs/recorded/recording.h"
#include "sim/programs/run.h"
#include "sim/programs/steps.h"
#include "sim/programs/unified_max.h"

namespace sim {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

OnChip on_chip(const Scenario& s) { return {s.sram.value_or(s.gpu->smem_bytes_per_cta), s.gpu->register_bytes_per_sm}; }

Bytes paper_memory(const Scenario& s) { return Bytes(s.sram.value_or(s.gpu->l1_smem_bytes_per_sm)); }

/// The shape as the kernels see it, with a batch entry for each sample.
Shape view_of(const Scenario& s, const Program& program) {
  Shape seen = program.view == nullptr ? s.shape : program.view(s);
  seen.batch = checked_multiply(seen.batch, s.samples);
  return seen;
}

/// Head dimensions of the kernel that runs a scenario: each the next one of its program's list, above its last the next
/// multiple of 64. The papers' machine and devices that are not real have no such kernels.
HeadDims kernel_head_dims(const Scenario& s, const Program& program) {
  constexpr std::int64_t step = 64;
  const std::span<const std::int64_t> known = program.head_dims;
  const bool any = known.empty() || s.dtype == Dtype::fp32 || s.tiling == TilingRule::paper;
  if (any || !s.gpu->architecture.starts_with("sm_")) return s.shape.head_dims();
  const auto next = [&](std::int64_t d) {
    const auto found = std::lower_bound(known.begin(), known.end(), d);
    return found != known.end() ? *found : checked_multiply(ceil_div(d, step), step);
  };
  return {next(s.shape.head_dim), next(s.shape.value_dim())};
}

/// True if a score step has another derivative than 1.
bool has_slope(const Scenario& s) {
  const std::vector<std::string> formulas = score_formulas(s);
  return std::any_of(formulas.begin(), formulas.end(),
                     [](const std::string& formula) { return ScoreStep::parse(formula).has_slope(); });
}

/// Halves the larger side of tiles that are not given until they fit.
Tiling halved_until_they_fit(const Scenario& s) {
  Tiling t = recorded::largest_tiles;
  if (s.br && s.bc) return t;  // neither matters
  const auto fit = [&] { return tiles_fit(s, s.br.value_or(t.br), s.bc.value_or(t.bc)); };
  while ((t.br > recorded::smallest_tile || t.bc > recorded::smallest_tile) && !fit())
    (t.bc >= t.br ? t.bc : t.br) /= 2;
  return t;
}

/// Tiles of a program if the scenario gives none: by its rule, or from its file if it was recorded.
Tiling own_tiling(const Scenario& s, const Program& program, bool backward) {
  const recorded::Recording* const recording = program.recording;
  if (recording != nullptr && recording->tiles) return *recording->tiles;
  if (recording != nullptr && recorded::halves_tiles(*recording)) return halved_until_they_fit(s);
  const Program& rule = recording == nullptr ? program : *recording->like;
  const Shape seen = view_of(s, program);
  return (backward ? rule.backward : rule.forward)
      .tiling({.element_bytes = size_of(s.dtype),
               .dims = kernel_head_dims(s, rule),
               .chip = on_chip(s),
               .batch = seen.batch,
               .heads = seen.heads,
               .seqlen_q = seen.seqlen_q,
               .seqlen_k = seen.seqlen_k,
               .causal = seen.mask.causal,
               .windowed = seen.mask.is_local(),
               .dropout = s.dropout > 0,
               .sloped = has_slope(s),
               .pattern = program.pattern == PatternUse::of_tiles,
               .paged = s.page_size.has_value(),
               .sm_count = s.gpu->sm_count,
               .architecture = s.gpu->architecture});
}

Tiling tiling_of_rule(const Scenario& s, const Program& program, bool backward) {
  Tiling tiling = own_tiling(s, program, backward);
  if (s.tiling != TilingRule::paper) return tiling;
  const Tiling paper = paper_tiling(paper_memory(s).count() / size_of(s.dtype), s.shape.head_dims());
  tiling.bc = paper.bc;
  if (!program.row_at_a_time) tiling.br = paper.br;
  return tiling;
}

Tiling chosen_tiling(const Scenario& s, const Program& program, bool backward) {
  Tiling tiling = tiling_of_rule(s, program, backward);
  const bool of_text = s.inputs == InputRule::text && s.tiling == TilingRule::kernel;  // small tiles, seen one by one
  tiling.br = s.br.value_or(of_text && !program.row_at_a_time ? text_tile : tiling.br);
  if (program.whole_rows) {
    tiling.bc = s.shape.seqlen_k;
    require(!s.bc || *s.bc == tiling.bc, "bc: ", s.bc.value_or(0), " is not ", tiling.bc, ", all keys: the tiles of ",
            program.name, " are whole rows of scores; leave it out");
    return tiling;
  }
  tiling.bc = asked_bc(s).value_or(of_text ? text_tile : tiling.bc);
  return tiling;
}

/// The launches of one pass, each with its tiles and, where it names no other, the listing of the pass.
std::vector<Launch> launches_of(const Program& program, bool backward, Problem problem, const Tiling& tiling) {
  const ProgramPass& pass = backward ? program.backward : program.forward;
  problem.tiling = tiling;
  std::vector<Launch> launches =
      program.recording == nullptr ? pass.launches(problem) : recorded::launches_of(*program.recording, problem);
  for (Launch& launch : launches) {
    if (launch.listing.empty()) launch.listing = pass.listing;
    launch.tiling = tiling;
    if (problem.ragged && !program.own_lengths) launch.inputs.push_back(Tensor::sequences);
    if (problem.paged() && launch.reads(Tensor::K)) launch.inputs.push_back(Tensor::block_table);
    const bool fused = launch.reads(Tensor::K) && !launch.unfused;  // others name it themselves
    if (problem.alibi() && fused && program.recording == nullptr) launch.inputs.push_back(Tensor::slopes);
    const bool makes_output = launch.writes(Tensor::O) && !launch.unfused;
    if (problem.has_sinks() && makes_output && program.recording == nullptr) launch.inputs.push_back(Tensor::sinks);
  }
  return launches;
}

void check_block_count(const char* axis, const char* option, std::int64_t extent, std::int64_t size) {
  require(ceil_div(extent, size) <= most_blocks, axis, ": ", extent, " in blocks of ", size, " makes ",
          ceil_div(extent, size), " blocks, more than ", most_blocks, ": use a shorter --", axis, " or a larger --",
          option);
}

void check_range(std::string_view option, const std::optional<std::int64_t>& number, const Sentence& unit,
                 OptionRange range) {
  require(!number || range.holds(*number), option, ": ", number.value_or(0), unit, " is not in ", range.least, "..",
          range.most);
}

void check_options(const Scenario& s) {
  if (s.sequences == nullptr) s.shape.check();  // its classes' shapes are checked
  check_inputs(s);
  constexpr double largest_scale = std::numeric_limits<float>::max();  // kernels scale in fp32
  check_dropout(s.dropout, s.dropout);
  check_unified_max(s);
  require(!s.scale || std::abs(*s.scale) <= largest_scale, "scale: ", s.scale.value_or(0), " is not a number from -",
          largest_scale, " to ", largest_scale);
  check_range("br", s.br, "", block_range);
  check_range("bc", s.bc, "", block_range);
  check_range("page-size", s.page_size, /*say*/ " tokens", page_range);
  check_range("sram", s.sram, /*say*/ " bytes", sram_range);
  check_range("l2", s.l2, /*say*/ " bytes", l2_range);
  require(!s.l2 || counts_hbm_traffic(*s.gpu), "l2: ", s.gpu->name, " has ", unmodelled_caches(*s.gpu),
          ", which one size does not describe: leave it out");
}

const OwnOption* find_own_option(const Program& program, std::string_view name) {
  const auto has_name = [&](const OwnOption& option) { return option.name == name; };
  const auto found = std::find_if(program.options.begin(), program.options.end(), has_name);
  return found == program.options.end() ? nullptr : &*found;
}

/// Score steps of a problem; null if there are none.
std::shared_ptr<const ScoreSteps> score_steps_of(const Scenario& s, const Shape& seen) {
  const std::vector<std::string> formulas = score_formulas(s);
  if (formulas.empty()) return nullptr;
  auto steps = std::make_shared<const ScoreSteps>(formulas, ScoreFrame::of(s.shape, seen));
  for (const ScoreStep& step : steps->steps()) {
    require(s.pass == Pass::forward || step.no_derivative() == 0, "score: ", quoted(step.source()), " at column ",
            step.no_derivative(), " rounds s, which has no derivative: a backward pass needs one");
  }
  return steps;
}

/// Sinks of a problem; null if there are none.
std::shared_ptr<const Sinks> sinks_of(const Scenario& s, const Shape& seen) {
  return s.sinks == nullptr ? nullptr : std::make_shared<const Sinks>(*s.sinks, ScoreFrame::of(s.shape, seen));
}

Problem make_problem(const Scenario& s, const Program& program, Bytes smem) {
  Problem problem;
  problem.shape = view_of(s, program);
  problem.dtype = s.dtype;
  problem.scale = static_cast<float>(s.scale.value_or(1.0 / std::sqrt(static_cast<double>(s.shape.head_dim))));
  problem.dropout = {s.dropout, s.seed};
  problem.score_steps = score_steps_of(s, problem.shape);
  problem.sinks = sinks_of(s, problem.shape);
  problem.heads_in_rows = s.shape.heads / problem.shape.heads;
  problem.row_capacity = smem;
  problem.ragged = s.sequences != nullptr;
  if (s.page_size) problem.pages = std::make_shared<const PageTable>(PageTable{*s.page_size});
  problem.key_sections = key_sections(s, problem.shape, s.cached_keys());
  problem.kernel_dims = kernel_head_dims(s, program);
  problem.phi = static_cast<float>(s.phi.value_or(0));
  const ScoreRange range = program.unified_max ? unified_range(s) : ScoreRange{-infinite, infinite};
  problem.low = static_cast<float>(range.low);
  problem.high = static_cast<float>(range.high);
  for (const OwnOption& option : program.options) {
    const auto given = own_option(s, option.name);
    if (given || option.resolved == nullptr) problem.own_options[option.name] = given.value_or(option.preset);
  }
  return problem;
}

Capacity make_capacity(const Scenario& s) {
  Capacity capacity;
  capacity.paper = s.tiling == TilingRule::paper;
  capacity.smem = capacity.paper ? paper_memory(s) : Bytes(on_chip(s).smem);
  capacity.registers = Bytes(on_chip(s).registers);
  capacity.dtype = s.dtype;
  return capacity;
}

/// Throws unless the program has an option, with those that have(program).
template <class Has>
void require_option(std::string_view option, const Scenario& s, const Program& program, Has has) {
  if (has(program)) return;
  const auto asked = named_program(s);
  require(asked->under_pattern != program.name || !has(*asked), option, ": ", asked->name,
          " has none with --pattern: leave out one of them");
  std::vector<std::string> names;
  for (const std::string& name : all_program_names()) {
    const auto other = find_program(name);
    if (other->variant_of.empty() && other->recording == nullptr && has(*other)) names.push_back(name);
  }
  const Sentence rest = names.size() == 1 ? Sentence::of("add --algorithm ", names[0], ", or leave it out")
                                          : Sentence(/*say*/ "leave it out");
  require(program.recording == nullptr, option, ": is an option of ", joined(names), "; ", program.name,
          " is a recorded program, which has none: ", rest);
  throw Error(option, ": is an option of ", joined(names), "; ", program.name, " has none: ", rest);
}

/// Throws unless what batch entries share lies in pages, and is there.
void check_sharing(const Scenario& s) {
  check_range("samples", s.samples, "", samples_range);
  check_range("shared-prefix", s.shared_prefix, /*say*/ " tokens", prefix_range);
  check_range("weights", s.weights, /*say*/ " bytes", weights_range);
  check_range("context", s.context, /*say*/ " tokens", context_range);
  const std::pair<std::string_view, bool> given[] = {{"samples", s.samples > 1},
                                                     {"shared-prefix", s.shared_prefix > 0},
                                                     {"weights", s.weights > 0},
                                                     {"context", s.context.has_value()}};
  for (const auto& [option, is_given] : given)
    require(!is_given || s.page_size, option,
            ": is of a KV cache in pages, and here are none: add --page-size, such as ", 16, ", or leave it out");
  require((s.samples == 1 && s.shared_prefix == 0) || is_drawn(s.inputs),
          "samples, shared-prefix: inputs that are not drawn are those of one sequence: leave out --inputs");
  require(!s.context || *s.context >= s.shape.seqlen_k, "context: ", s.context.value_or(0),
          " tokens are fewer than the ", s.shape.seqlen_k, " keys: use ", s.shape.seqlen_k, " or more");
  if (s.samples > 1) with_sizes(with_entry_per_sample(s)).shape.check();
  require(s.shared_prefix <= s.cached_keys(), "shared-prefix: ", s.shared_prefix, " tokens are more than the ",
          s.cached_keys(), " keys: use ", s.cached_keys(), " or fewer");
  require(s.shared_prefix == 0 || s.sequences == nullptr,
          "shared-prefix: is a part of entries of one length: leave out --seqlens");
}

/// Options that the program does not have, and values that they cannot have.
void check_own_options(const Scenario& s, const Program& program) {
  for (const auto& [name, value] : s.own) {
    const OwnOption* option = find_own_option(program, name);
    require_option(name, s, program, [&own = name](const Program& p) { return find_own_option(p, own) != nullptr; });
    const OptionRange numbers{option->least, option->most}, words{0, std::ssize(option->words()) - 1};
    check_range(name, value, "", option->of_words ? words : numbers);
    require(!option->forward_only || s.pass == Pass::forward, name, ": applies only to the forward pass: leave it out");
    require(!option->of_fp8 || s.dtype == Dtype::e4m3, name, ": applies only to --dtype e4m3, and the dtype is ",
            name_of(s.dtype), ": leave it out, or add --dtype e4m3");
  }
  if (s.sequences != nullptr) require_option("seqlens", s, program, [](const Program& p) { return p.ragged; });
  if (s.steps > 0) {
    require_option("steps", s, program, [](const Program& p) { return p.steps; });
    check_steps(s);
  }
  check_range("gpus", s.gpus, "", gpus_range);
  if (s.gpus > 1) {
    require_option("gpus", s, program, [](const Program& p) { return p.gpus; });
    check_gpus(s);
  }
  if (s.shape.kv_shared)
    require_option("kv-shared", s, program, [](const Program& p) { return p.kv_shared != SharedKv::never; });
  for (const auto& [step, value] : s.score_steps) {
    require(
        program.recording == nullptr || program.score_steps, step, ": no body of ", program.name,
        " modifies the scores: write cta.modify(S, i, j) before the mask and record it again, or leave the option out");
    require_option(step, s, program, [](const Program& p) { return p.score_steps; });
  }
  if (s.page_size) {
    require_option("page-size", s, program, [](const Program& p) { return p.paged; });
    require(s.pass == Pass::forward, "page-size: applies only to the forward pass: leave it out");
  }
  check_sharing(s);
  if (s.sinks != nullptr) require_option("sink", s, program, [](const Program& p) { return p.sinks; });
  for (const auto& [name, given] : {std::pair{"phi", s.phi.has_value()}, std::pair{"range", s.range.has_value()},
                                    std::pair{"fallback", s.fallback.has_value()}}) {
    if (given) require_option(name, s, program, [](const Program& p) { return p.unified_max; });
  }
  if (s.pattern.any())
    require_option("pattern", s, program, [](const Program& p) { return p.pattern != PatternUse::none; });
}

/// Throws unless the program takes Q, K and V in e4m3, if they are.
void check_fp8(const Scenario& s, const Program& program) {
  if (s.dtype != Dtype::e4m3) return;
  require(program.fp8, "dtype: e4m3 is of flash3, and ", program.name,
          " takes none: add --algorithm flash3, or use bf16");
  require(s.pass == Pass::forward, "pass: --dtype e4m3 is forward only: ", program.name, " has no other pass in it");
}

/// Throws Error for a scenario that the program does not support. Published code has its own tiles.
void check_limits(const Scenario& s, const Program& program) {
  require(program.variant_of.empty() || s.tiling != TilingRule::paper, "tiling: paper is not for ", program.name,
          ", which has the tiles that it was released with: ", name_of(TilingRule::kernel));
  require(s.pass == Pass::forward || program.recording == nullptr, "pass: ", program.name,
          " is a recorded program, which is forward only: it has no backward pass");
  require(s.pass == Pass::forward || program.has_backward(), "pass: ", program.name, " has no backward pass: forward");
  check_fp8(s, program);
  check_own_options(s, program);
  if (program.check != nullptr) program.check(s);
}

/// Row blocks of all heads that also run the synchronised kernels: a share of them, rounded up. A product that is a
/// whole number but for its rounding stays one.
std::int64_t fallback_blocks_of(const Scenario& s, const Program& program, std::int64_t br) {
  if (s.fallback.value_or(0) == 0) return 0;
  std::int64_t all = 0;
  const auto add = [&](const Shape& seen) {
    all = checked_add(all, product(seen.batch, seen.heads, ceil_div(seen.seqlen_q, br)));
  };
  if (s.sequences == nullptr) add(view_of(s, program));
  if (s.sequences != nullptr) {
    for (const SequenceClass& entries : *s.sequences) {
      Scenario of_class = s;
      of_class.shape = shape_of(s, entries);
      add(view_of(of_class, program));
    }
  }
  constexpr double rounding = 1e-12;
  return std::min(all, static_cast<std::int64_t>(std::ceil(*s.fallback * static_cast<double>(all) * (1 - rounding))));
}

/// Copies of what the program keeps of each part of the keys, and with them the sizes of all tensors.
void make_tensors(Plan& plan) {
  Problem& problem = plan.problem;
  if (plan.code->parts != nullptr) problem.parts = plan.code->parts(plan.scenario, problem);
  if (plan.code->recording != nullptr) problem.parts = recorded::parts_of(*plan.code->recording, problem);
  problem.fallback_blocks = fallback_blocks_of(plan.scenario, *plan.code, problem.tiling.br);
  problem.hbm = tensors_of(problem);
}

/// Lays the pattern over the tiles that it counts in.
void make_pattern(Plan& plan) {
  const Scenario& s = plan.scenario;
  Shape& shape = plan.problem.shape;
  const Tiling tiles = s.pattern_tiles.value_or(plan.problem.tiling);
  const BlockedMatrix matrix{shape.seqlen_q, shape.seqlen_k, tiles.br, tiles.bc};
  if (s.pattern.any()) shape.mask.blocks = std::make_shared<const BlockMask>(s.pattern, matrix, s.seed);
  if (plan.code->pattern != PatternUse::of_tiles) return;
  HbmTensor& map = plan.problem.hbm.mask_blocks;
  plan.problem.pattern_rows = std::make_shared<PatternRows>(shape.mask.blocks, map.cols);
  map.source = plan.problem.pattern_rows.get();
}

/// Whole key blocks touch equally many pages only if pages and blocks divide each other.
void check_page_size(const Scenario& s, const Tiling& tiling) {
  if (!s.page_size || *s.page_size % tiling.bc == 0 || tiling.bc % *s.page_size == 0) return;
  throw TileOverflow("page-size: ", *s.page_size, " tokens neither divide a key block of ", tiling.bc,
                     " keys nor are a multiple of it: use a page size such as 16, or another --bc");
}

void check_tiling(const Scenario& s, const Program& program, const Tiling& tiling) {
  check_page_size(s, tiling);
  if (s.sequences != nullptr) return check_class_blocks(*s.sequences, tiling);
  check_block_count("seqlen-q", "br", s.shape.seqlen_q, tiling.br);
  check_block_count("seqlen-k", "bc", s.shape.seqlen_k, tiling.bc);
  // Backward, a program that takes one row at a time takes one key at a time as well.
  if (program.row_at_a_time && s.pass != Pass::forward) {
    check_block_count("seqlen-k", "br", s.shape.seqlen_k, tiling.br);
    check_block_count("seqlen-q", "bc", s.shape.seqlen_q, tiling.bc);
  }
}

/// The launches of the passes of a plan, with the tiles of each.
void make_launches(Plan& plan, const Tiling& forward, const Tiling& backward) {
  plan.launches.clear();
  (plan.has_forward() ? plan.launches : plan.before) = launches_of(*plan.code, false, plan.problem, forward);
  if (plan.scenario.steps > 0) plan.launches.insert(plan.launches.begin(), append_launch(plan.problem, forward));
  if (plan.has_backward()) {
    for (Launch& launch : launches_of(*plan.code, true, plan.problem, backward))
      plan.launches.push_back(std::move(launch));
  }
  if (plan.problem.fallback_blocks > 0) return;
  const auto recomputes = [](const Launch& launch) { return launch.needed != nullptr; };
  plan.if_needed.clear();
  std::copy_if(plan.launches.begin(), plan.launches.end(), std::back_inserter(plan.if_needed), recomputes);
  std::erase_if(plan.launches, recomputes);
}

/// Sets the CTAs of a wave if the CTAs of odd waves differ: as many as the GPU's SMs hold. Inaccuracy: registers are
/// those of the tiles; a compiled kernel may need more.
void set_waves(Plan& plan) {
  const DeviceSpec& gpu = *plan.scenario.gpu;
  for (Launch& launch : plan.launches) {
    if (!launch.alternates) continue;
    try {
      const Trace counted = count(plan, launch);
      const CtaNeeds needs{counted.peak_smem, counted.peak_registers, launch.threads};
      launch.in_flight = checked_multiply(gpu.sm_count, ctas_per_sm(gpu, needs));
    } catch (const TileOverflow&) {  // count(plan) explains it
      launch.in_flight = 0;
    }
  }
}

/// Gives a plan other batch entries, each a prompt of `prompt` keys and what it appended; its tiles stay.
void set_entries(Plan& plan, const Shape& entries, std::int64_t prompt) {
  plan.scenario.shape = entries;
  plan.problem.shape = view_of(plan.scenario, *plan.code);
  plan.problem.key_sections = key_sections(plan.scenario, plan.problem.shape, prompt);
  plan.problem.score_steps = score_steps_of(plan.scenario, plan.problem.shape);
  plan.problem.sinks = sinks_of(plan.scenario, plan.problem.shape);
  if (plan.code->parts_of_class != nullptr) plan.problem.parts = plan.code->parts_of_class(plan.problem);
  plan.problem.hbm = tensors_of(plan.problem);
}

void make_classes(Plan& plan, const Tiling& forward, const Tiling& backward) {
  auto classes = std::make_shared<std::vector<Plan>>();
  std::int64_t heads = 0;  // heads of earlier classes
  for (const SequenceClass& sequences : *plan.scenario.sequences) {
    Plan& one = classes->emplace_back(plan);
    set_entries(one, shape_of(plan.scenario, sequences), sequences.seqlen_k);
    one.problem.dropout.first_head = heads;
    one.scenario.sequences = nullptr;  // its own entries are alike
    heads = checked_add(heads, checked_multiply(one.problem.shape.batch, one.problem.shape.heads));
    make_launches(one, forward, backward);
  }
  plan.classes = std::move(classes);
}

}  // namespace

Hbm tensors_of(const Problem& problem) {
  const Tiling& tiles = problem.tiling;
  Hbm hbm = make_hbm(problem.shape, problem.dtype, std::max<std::int64_t>(1, problem.parts), tiles.br, tiles.bc,
                     problem.pages.get());
  hbm.slopes.rows = hbm.sinks.rows = problem.heads_in_rows;
  if (problem.fp8() && fp8_scales(problem) != Fp8Scales::block)
    hbm.q_scale.rows = hbm.k_scale.rows = hbm.v_scale.rows = 1;  // of a head
  hbm.K.shared_rows = shared_rows(problem.key_sections, problem.shape.batch);
  hbm.V.shared_rows = problem.shape.kv_shared ? 0 : hbm.K.shared_rows;
  return hbm;
}

Plan as_compiled(Plan plan) {
  Problem& problem = plan.problem;
  if (!problem.runs_wider()) return plan;
  problem.shape.head_dim = problem.kernel_dims.qk;
  problem.shape.head_dim_v = problem.kernel_dims.v;
  for (const Tensor name : hbm_tensors()) {
    HbmTensor& tensor = problem.hbm[name];
    const Extent& cols = facts_of(name).cols;
    if (cols != extents::d && cols != extents::dv) continue;
    const std::int64_t wide = cols == extents::d ? problem.kernel_dims.qk : problem.kernel_dims.v;
    tensor.cols = checked_multiply(tensor.cols / tensor.part_cols, wide);
    tensor.part_cols = wide;
  }
  if (plan.classes == nullptr) return plan;
  auto classes = std::make_shared<std::vector<Plan>>();
  for (const Plan& of_class : *plan.classes) classes->push_back(as_compiled(of_class));
  plan.classes = std::move(classes);
  return plan;
}

Plan with_keys(Plan plan, std::int64_t keys) {
  Shape entries = plan.scenario.shape;
  entries.seqlen_k = keys;
  set_entries(plan, entries, plan.scenario.cached_keys());
  make_launches(plan, plan.problem.tiling, plan.problem.tiling);
  return plan;
}

std::optional<std::int64_t> own_option(const Scenario& s, std::string_view name) {
  const auto given = s.own.find(name);
  return given == s.own.end() ? std::nullopt : std::optional(given->second);
}

std::int64_t own_value(const Scenario& s, std::string_view name) {
  const auto program = named_program(s);  // may have been loaded: it lives as long as this
  const OwnOption* const option = find_own_option(*program, name);
  return own_option(s, name).value_or(option == nullptr ? 0 : option->preset);
}

std::int64_t value_of(const OwnOption& option, const Plan& plan) {
  return option.resolved != nullptr ? option.resolved(plan)
                                    : own_option(plan.scenario, option.name).value_or(option.preset);
}

std::int64_t Problem::own(std::string_view option) const {
  const auto found = own_options.find(option);
  return found == own_options.end() ? 0 : found->second;
}

std::vector<std::string> score_formulas(const Scenario& s) {
  std::vector<std::string> formulas;
  if (const auto program = named_program(s); program->recording != nullptr) formulas = program->recording->score;
  for (const NamedStep& step : named_steps()) {
    const auto given = s.score_steps.find(step.name);
    if (given == s.score_steps.end()) continue;
    for (std::string& formula : step.formulas(given->second, s.shape.mask.diagonal))
      formulas.push_back(std::move(formula));
  }
  return formulas;
}

bool has_own_option(const Scenario& s, std::string_view name) {
  return find_own_option(*named_program(s), name) != nullptr;
}

std::shared_ptr<const Program> program_of(const Scenario& s) {
  std::shared_ptr<const Program> asked = named_program(s);
  const bool other = s.pattern.any() && !asked->under_pattern.empty();
  if (!is_released(s.tiling)) return other ? find_program(asked->under_pattern) : asked;
  for (const Program& variant : variants()) {
    if (variant.variant_of == asked->name && variant.rule == s.tiling) return find_program(variant.name);
  }
  const bool both = asked->variant_of.empty();
  const Sentence kernel = Sentence::name(name_of(TilingRule::kernel));
  const Sentence others = both ? Sentence::of(kernel, " and paper") : kernel;
  throw Error("tiling: ", asked->name, " has no ", name_of(s.tiling), " code: ", others);
}

bool shares_kv(const Scenario& s) { return s.shape.kv_shared || named_program(s)->kv_shared == SharedKv::always; }

void require_one_head_dim(const Scenario& s, std::string_view code) {
  const auto [d, dv] = s.shape.head_dims();
  require(d == dv, "head-dim-v: ", dv, " is not head-dim, ", d, ", and ", code, " has one head dim: leave it out");
}

Plan make_plan(const Scenario& given) {
  Scenario scenario = given;
  scenario.shape.kv_shared = shares_kv(given);
  scenario = with_sizes(std::move(scenario));
  check_options(scenario);
  Plan plan;
  plan.scenario = scenario;
  plan.scenario.named = named_program(scenario);
  plan.program = plan.scenario.named.get();
  plan.code = program_of(plan.scenario).get();
  if (plan.code->tile_pages > 0) scenario.page_size = plan.scenario.page_size = asked_bc(plan.scenario);
  check_limits(scenario, *plan.code);
  plan.capacity = make_capacity(scenario);
  plan.l2 = scenario.l2.value_or(scenario.gpu->l2_effective_bytes);
  plan.problem = make_problem(scenario, *plan.code, plan.capacity.smem);
  const Tiling forward_tiling = chosen_tiling(scenario, *plan.code, false);
  const Tiling backward_tiling = plan.has_backward() ? chosen_tiling(scenario, *plan.code, true) : Tiling{};
  plan.problem.tiling = plan.has_forward() ? forward_tiling : backward_tiling;
  make_tensors(plan);
  if (plan.has_forward()) check_tiling(scenario, *plan.code, forward_tiling);
  if (plan.has_backward()) check_tiling(scenario, *plan.code, backward_tiling);
  make_pattern(plan);
  make_launches(plan, forward_tiling, backward_tiling);
  set_waves(plan);
  if (scenario.sequences != nullptr) make_classes(plan, forward_tiling, backward_tiling);
  restrict_to_fallback(plan);
  return plan;
}

}  // namespace sim

// The table of scenario options. Displayed texts are marked: a test requires their translations.
#include "sim/catalogue/options.h"

#include <cmath>

#include "sim/base/text.h"
#include "sim/catalogue/option_places.h"
#include "sim/machine/device_override.h"
#include "sim/programs/plan.h"
#include "sim/programs/programs.h"
#include "sim/programs/ranges.h"

namespace sim {
namespace {

constexpr std::string_view lengths = "128 256 512 1024 2048 4096 8192 16384 32768 65536 131072",
                           one_and_lengths = "1 128 256 512 1024 2048 4096 8192 16384 32768 65536 131072",
                           usual_widths = "32 64 80 96 128 160 192 256",
                           plotted_widths = "16 32 64 96 128 160 192 224 256", usual_rows = "16 32 64 128 256",
                           plotted_batches = "1 2 4 8 16 32 64 128 256 512 1024",
                           plotted_rows = "16 32 48 64 80 96 112 128 160 192 224 256 320 384 448 512",
                           sram_sizes = "16384 24576 32768 49152 65536 98304 131072 196608 262144 393216";
constexpr std::string_view clocks = "1200000000 1300000000 1400000000 1500000000 1600000000 1700000000 1800000000";
constexpr double many = 1 << 20, very_many = 1 << 30, any_bytes = 1e12;

template <class Word, int count>
std::vector<std::string> words_of() {
  std::vector<std::string> words;
  for (int n = 0; n < count; ++n) words.emplace_back(name_of(static_cast<Word>(n)));
  return words;
}

/// Examples of what a pattern may be, to choose from.
std::vector<std::string> pattern_presets() {
  return {"causal", "window:4", "local-global:1,2", "strided:4", "butterfly", "random:0.25"};
}

double scale_of(const Plan& plan) {
  return plan.scenario.scale.value_or(1.0 / std::sqrt(static_cast<double>(plan.scenario.shape.head_dim)));
}

// clang-format off

ScenarioOption algorithm() {
  static const std::string help = joined(program_names()) + text(" [", programs::flash2.name, "]");
  return read_by(
      [](const Scenario& s) { return s.algorithm; },
      [](Scenario& s, const std::string& value, const GpuLookup&) { name_algorithm(s, value); },
      {"algorithm", "NAME", OptionKind::name, help,
       /*say*/ "algorithm", /*say*/ "which program runs", {}, of_speed, program_names});
}

/// The pattern of programs that take one.
ScenarioOption pattern() {
  ScenarioOption option = read_by(
      [](const Scenario& s) { return s.pattern.any() ? OptionValue(text_of(s.pattern)) : OptionValue(); },
      [](Scenario& s, const std::string& value, const GpuLookup&) { s.pattern = read_pattern(value); },
      {"pattern", pattern_words, OptionKind::name,
       "visible blocks of Br x Bc, for flash1, flash2, block-sparse, flash2-block-sparse and as a mask for standard: "
       "arguments count blocks, s is a probability, black pixels of a picture are visible [all]",
       /*say*/ "pattern", /*say*/ "which blocks are visible", {}, automatic | seldom, pattern_presets});
  option.applies = [](const Scenario& s) { return named_program(s)->pattern != PatternUse::none; };
  return option;
}

/// Both lengths; without a value where they differ.
ScenarioOption seqlen() {
  const ScenarioOption row{
      "seqlen", "N", OptionKind::whole_number,
      "queries and keys; 8k = 8,192, 1M = 1,048,576 and 1e6 = 1,000,000, here as in every whole number [1024]",
      "N", /*say*/ "queries and keys", {"tokens", 1, 1, very_many, Pace::doubling, lengths, lengths}, no_traits,
      nullptr, {"seqlen-q", "seqlen-k"}};
  return read_by(
      [](const Scenario& s) {
        return s.shape.seqlen_q == s.cached_keys() ? OptionValue(s.shape.seqlen_q) : OptionValue();
      },
      [row](Scenario& s, const std::string& value, const GpuLookup&) {
        write(row, value, s.shape.seqlen_q);
        s.shape.seqlen_k = s.shape.seqlen_q + s.steps;
      },
      row);
}

/// The keys, with --steps those before the first step: none are an empty cache.
ScenarioOption seqlen_k() {
  const ScenarioOption row{"seqlen-k", "N", OptionKind::whole_number, "keys; with --steps those in the cache before, 0 if it is empty [seqlen]",
                           /*say*/ "N of K", /*say*/ "keys, if their number differs from the queries'",
                           {"tokens", 0, 1, very_many, Pace::doubling, one_and_lengths}, automatic};
  return read_by([](const Scenario& s) { return OptionValue(s.cached_keys()); },
                 [row](Scenario& s, const std::string& value, const GpuLookup&) {
                   write(row, value, s.shape.seqlen_k);
                   s.shape.seqlen_k += s.steps;
                 },
                 row);
}

/// Examples of ragged batches, to choose from.
std::vector<std::string> sequence_examples() {
  return {"1 1024 1024, 1 512 512, 2 128 128", "3 1 777, 1 300 1000", "1 65536 65536, 63 128 128"};
}

/// Lengths of batch entries that are not alike.
ScenarioOption seqlens() {
  return read_by(
      [](const Scenario& s) { return s.sequences ? OptionValue(text_of(*s.sequences)) : OptionValue(); },
      [](Scenario& s, const std::string& value, const GpuLookup&) {
        s.sequences = std::make_shared<const SequenceClasses>(read_sequences(value));
      },
      {"seqlens", "FILE|TEXT", OptionKind::name,
       "a ragged batch: `count Nq Nk`, such as '1 1024 1024, 2 128 128', lengths '1024, 128, 128', or a file of them; replaces batch and seqlen [none]",
       /*say*/ "lengths", /*say*/ "batch entries of different lengths", {}, automatic | seldom, sequence_examples});
}

/// Row of --cu-seqlens, which sets --seqlens.
ScenarioOption cumulative_seqlens() {
  return read_by(
      [](const Scenario&) { return OptionValue(); },
      [](Scenario& s, const std::string& value, const GpuLookup&) {
        s.sequences = std::make_shared<const SequenceClasses>(read_cumulative_lengths(value).classes);
      },
      {"cu-seqlens", "FILE|TEXT", OptionKind::name,
       "cumulative lengths of a ragged batch, as flash-attn takes them, such as '0 1024 1536 1664', or a file of them; sets seqlens [none]",
       /*say*/ "cumulative lengths", /*say*/ "ends of the batch entries in packed rows", {}, automatic | seldom,
       [] { return std::vector<std::string>{"0 1024 1536 1664"}; }, {"seqlens"}});
}

ScenarioOption issue_order() {
  return at([](auto& s) -> auto& { return s.issue; },
            {"issue", "file|longest", OptionKind::name,
             "order in which the CTAs of a ragged batch begin: as in --seqlens, or most work first [file]",
             /*say*/ "issue", /*say*/ "the order in which CTAs of a ragged batch begin", {}, of_speed | seldom,
             words_of<IssueOrder, 2>});
}

ScenarioOption gpu() {
  return read_by(
      [](const Scenario& s) { return s.gpu->name; },
      [](Scenario& s, const std::string& value, const GpuLookup& find) { s.gpu = gpu_from(value, find); },
      {"gpu", "NAME|FILE.toml[:FIELD=VALUE...]", OptionKind::name,
       "device to model, by its name in the list `devices` or a short one such as A100; fields appended to it replace the device's own, as in h100-sxm:sm_count=114:l2_bytes=25M:clock_hz=1.5G; k, M, G are powers of 1,024 in sizes of memories and counts, of 1,000 in rates and clocks [h100-sxm]",
       "GPU", /*say*/ "the device that is modelled", {}, of_speed, device_names, {}, "h100-sxm"});
}

/// Row of --clock. It changes the device, whose row precedes it.
ScenarioOption clock() {
  const DeviceField& field = *find_device_field("clock_hz");
  const auto least = static_cast<double>(field.min), most = static_cast<double>(field.max);
  ScenarioOption option = read_by(
      [](const Scenario& s) { return value_in(s.clock); },
      [&field](Scenario& s, const std::string& value, const GpuLookup&) {
        s.clock = parse_whole_number("clock", value, field.min, field.max, Measure::clock);
        s.gpu = at_clock(*s.gpu, *s.clock);
      },
      {"clock", "HZ", OptionKind::whole_number,
       "clock at which the SMs are locked, such as 1.29G or 1290MHz, powers of 1,000; L2 and HBM keep their rates per "
       "second [device]",
       /*say*/ "clock", /*say*/ "of the SMs alone; L2 and HBM keep their rates",
       {field.unit, field.min, least, most, Pace::doubling, clocks, clocks, field.max}, automatic | of_device | of_speed | seldom});
  option.resolved = [](const Plan& plan) { return value_in(plan.scenario.gpu->clock_hz); };
  return option;
}

/// V as the first columns of K, of programs that take it.
ScenarioOption kv_shared() {
  ScenarioOption option = at([](auto& s) -> auto& { return s.shape.kv_shared; },
      {"kv-shared", "", OptionKind::flag,
       "of flash-decoding, forward: V is the first head-dim-v columns of K, loaded once, as in the absorbed form of multi-head latent attention; mla-decode always has it",
       /*say*/ "V in K", /*say*/ "V is the first columns of K", {}, seldom});
  option.applies = [](const Scenario& s) { return named_program(s)->kv_shared == SharedKv::if_given; };
  option.resolved = [applies = option.applies](const Plan& plan) {
    return applies(plan.scenario) ? OptionValue(plan.scenario.shape.kv_shared) : OptionValue();
  };
  return option;
}

std::vector<ScenarioOption> shape_options() {
  using enum OptionKind;
  using enum Pace;
  return {
      algorithm(),
      inputs_option(),
      model_option(),
      of_equal_entries(layers_option()),
      at([](auto& s) -> auto& { return s.pass; },
         {"pass", "PASS", name, "forward, backward or forward+backward [forward]",
          /*say*/ "pass", /*say*/ "forward, backward, or both", {}, no_traits, words_of<Pass, 3>}),
      of_equal_entries(at([](auto& s) -> auto& { return s.shape.batch; },
         {"batch", "N", whole_number, "batch entries [1]",
          /*say*/ "batch", /*say*/ "sequences that are computed together", {"sequences", 1, 1, many, doubling, {}, plotted_batches}})),
      followed_by([](Scenario& s, const std::string&) { s.shape.kv_heads = s.shape.heads; },
                  at([](auto& s) -> auto& { return s.shape.heads; },
                     {"heads", "N", whole_number, "query heads [1]",
                      /*say*/ "heads", /*say*/ "query heads", {"heads", 1, 1, many}})),
      at([](auto& s) -> auto& { return s.shape.kv_heads; },
         {"kv-heads", "N", whole_number, "key/value heads, a divisor of heads [heads; of mla-decode 1]",
          /*say*/ "KV heads", /*say*/ "a divisor of heads; fewer: heads share K and V",
          {"heads", 1, 1, many}, automatic}),
      of_equal_entries(seqlen()),
      of_equal_entries(at([](auto& s) -> auto& { return s.shape.seqlen_q; },
         {"seqlen-q", "N", whole_number, "queries [seqlen]",
          /*say*/ "N of Q", /*say*/ "queries, if their number differs from the keys'",
          {"tokens", 1, 1, very_many, doubling, one_and_lengths}, automatic})),
      of_equal_entries(seqlen_k()),
      cumulative_seqlens(), seqlens(), issue_order(),
      at([](auto& s) -> auto& { return s.shape.head_dim; },
         {"head-dim", "N", whole_number, "elements per head, d [64]",
          "d", /*say*/ "elements of a head", {"elements", 1, 1, many, doubling, usual_widths, plotted_widths}}),
      at([](auto& s) -> auto& { return s.shape.head_dim_v; }, [](const Plan& plan) { return plan.scenario.shape.value_dim(); },
         {"head-dim-v", "N", whole_number, "elements of a row of V and O, if their number differs from Q's and K's [head-dim]",
          /*say*/ "d of V", /*say*/ "elements of a row of V and O", {"elements", 1, 1, many, doubling, usual_widths, plotted_widths},
          automatic | seldom}),
      kv_shared(),
      at([](auto& s) -> auto& { return s.dtype; },
         {"dtype", "fp16|bf16|fp32|e4m3", name, "element type in HBM; e4m3, 8 bits with scales, is of flash3, whose O is then in bf16 [fp16]",
          /*say*/ "dtype", /*say*/ "type of the elements in HBM", {}, no_traits, words_of<Dtype, 4>}),
  };
}

std::vector<ScenarioOption> weight_options() {
  using enum OptionKind;
  using enum Pace;
  return {
      pattern(),
      followed_by([](Scenario& s, const std::string& value) {
                    check_dropout(s.dropout, value);
                  },
                  at([](auto& s) -> auto& { return s.dropout; },
                     {"dropout", "P", number, "drop entries of P with probability P, below 1 [0]",
                      /*say*/ "dropout", /*say*/ "probability that an entry of P is dropped",
                      {"1", 0, 0, 0.9999, by_tenth}})),
      at([](auto& s) -> auto& { return s.scale; }, scale_of,
         {"scale", "X", number, "factor on Q K^T [1/sqrt(head-dim)]",
          /*say*/ "scale", /*say*/ "factor on the scores; by default 1/√d", {"1", 0, -1e30, 1e30, by_tenth}, automatic}),
  };
}

std::vector<ScenarioOption> machine_options() {
  using enum OptionKind;
  using enum Pace;
  return {
      gpu(),
      clock(),
      at([](auto& s) -> auto& { return s.sram; }, [](const Plan& plan) { return plan.capacity.smem.count(); },
         {"sram", "BYTES", whole_number,
          "on-chip memory, such as 228k or 227KiB, powers of 1,024: M of the paper tiling, SMEM limit of the kernel tiling [device]",
          /*say*/ "SRAM bytes", /*say*/ "on-chip memory that tiles may fill",
          {"bytes", 1, sram_range.least, any_bytes, doubling, {}, sram_sizes}, automatic | of_device | of_speed}),
      at([](auto& s) -> auto& { return s.l2; }, [](const Plan& plan) { return plan.l2; },
         {"l2", "BYTES", whole_number, "L2 that hot data can use; 50M, 50MB and 50MiB are 52,428,800; 0: none, as in the papers' two-level model [device]",
          /*say*/ "L2 bytes", /*say*/ "L2 for hot data; 0: none, as in the papers",
          {"bytes", l2_range.least, l2_range.least, any_bytes, doubling}, automatic | of_device | of_speed}),
      at([](auto& s) -> auto& { return s.tiling; },
         {"tiling", "kernel|paper|released|released-1", name,
          "kernel: tiles of the kernels; paper: Bc = ceil(M/4d), Br = min(Bc, d); released: flash1 as in its code of 2022, flash2 as in its library, standard as PyTorch runs it; released-1: version 1 of flash1's code, in which CTAs share a head [kernel]",
          /*say*/ "tiling", /*say*/ "the rule that chooses the tiles", {}, of_speed, words_of<TilingRule, 4>}),
      at([](auto& s) -> auto& { return s.br; }, [](const Plan& plan) { return plan.problem.tiling.br; },
         {"br", "N", whole_number, "rows of a query block [tiling]",
          "Br", /*say*/ "rows of a query block", {"rows", block_range.least, block_range.least, block_range.most, doubling, usual_rows, plotted_rows},
          automatic | of_speed}),
      at([](auto& s) -> auto& { return s.bc; }, [](const Plan& plan) { return plan.problem.tiling.bc; },
         {"bc", "N", whole_number, "rows of a key block [tiling]",
          "Bc", /*say*/ "rows of a key block", {"rows", block_range.least, block_range.least, block_range.most, doubling, usual_rows, plotted_rows},
          automatic | of_speed}),
      at([](auto& s) -> auto& { return s.seed; },
         {"seed", "N", whole_number, "seed of drawn inputs, of dropout and of a random pattern [0]",
          /*say*/ "seed", /*say*/ "of drawn inputs, dropout and random patterns", {"1", 0}}),
  };
}

// clang-format on

}  // namespace

const std::vector<ScenarioOption>& scenario_options() {
  static const std::vector<ScenarioOption> table = [] {
    std::vector<ScenarioOption> all = shape_options();
    for (const auto& part : {serving_rows(), gpus_rows(), mask_rows(), weight_options(), score_options(),
                             unified_max_rows(), machine_options(), own_options()})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  return table;
}

const ScenarioOption* find_option(std::string_view name) {
  for (const ScenarioOption& option : scenario_options()) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

const ScenarioOption& option_called(std::string_view name) {
  const ScenarioOption* option = find_option(name);
  require(option != nullptr, "options: the scenario has none that is called \"", name, "\"");
  return *option;
}

bool applies_to(const ScenarioOption& option, const Scenario& scenario) {
  return !option.applies || option.applies(scenario);
}

bool is_reported(const ScenarioOption& option, const Scenario& scenario) {
  if (!option.resolved || !applies_to(option, scenario)) return false;
  return !option.is(seldom) || option.asked(scenario) != option.asked(Scenario{});
}

std::vector<std::string> option_names() {
  std::vector<std::string> names;
  for (const ScenarioOption& option : scenario_options()) names.emplace_back(option.name);
  return names;
}

}  // namespace sim

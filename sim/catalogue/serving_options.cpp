// Rows of serving: how the KV cache lies in memory, and how it grows. Displayed texts are marked: a test requires their
// translations.
#include "sim/catalogue/option_places.h"
#include "sim/programs/ranges.h"
#include "sim/programs/steps.h"

namespace sim {
namespace {

constexpr double most_samples = 4096, most_prefix = 1 << 30, most_weights = 1e15;

/// A row of the programs that take K and V in pages.
ScenarioOption of_paged(ScenarioOption option) {
  option.applies = [](const Scenario& s) { return named_program(s)->paged; };
  return option;
}

ScenarioOption samples() {
  return of_paged(at([](auto& s) -> auto& { return s.samples; },
                     {"samples",
                      "N",
                      OptionKind::whole_number,
                      "with --page-size: sequences of each batch entry, a prompt of Nk tokens whose pages they share: "
                      "tile traffic N times as large, K and V in memory once [1]",
                      /*say*/ "samples",
                      /*say*/ "sequences that share the pages of one prompt",
                      {"sequences", samples_range.least, samples_range.least, most_samples, Pace::doubling,
                       "1 2 4 8 16", "1 2 4 8 16 32 64 128 256", samples_range.most},
                      seldom | of_pages}));
}

ScenarioOption shared_prefix() {
  return of_paged(at([](auto& s) -> auto& { return s.shared_prefix; },
                     {"shared-prefix",
                      "T",
                      OptionKind::whole_number,
                      "with --page-size: tokens that all batch entries begin with: they share its full pages, and each "
                      "reads them [0]",
                      /*say*/ "shared prefix",
                      /*say*/ "tokens that all sequences begin with, in shared pages",
                      {"tokens", prefix_range.least, prefix_range.least, most_prefix, Pace::doubling,
                       "0 512 1024 4096 32768", "0 512 1024 2048 4096 8192 16384 32768", prefix_range.most},
                      seldom | of_pages}));
}

ScenarioOption weights() {
  return of_paged(
      at([](auto& s) -> auto& { return s.weights; },
         {"weights",
          "BYTES",
          OptionKind::whole_number,
          "with --page-size: weights of the model in HBM, such as 26G, powers of 1,024: a KV cache has the "
          "rest, and a step of decoding reads them once [0]",
          /*say*/ "weights",
          /*say*/ "bytes of the model's weights in HBM",
          {"bytes", weights_range.least, weights_range.least, most_weights, Pace::doubling, {}, {}, weights_range.most},
          of_speed | seldom | of_pages}));
}

ScenarioOption context() {
  return of_paged(at([](auto& s) -> auto& { return s.context; },
                     {"context",
                      "N",
                      OptionKind::whole_number,
                      "with --page-size: tokens of the longest sequence, which an allocator without pages reserves for "
                      "each [none]",
                      /*say*/ "context",
                      /*say*/ "tokens of the longest sequence that is served",
                      {"tokens",
                       context_range.least,
                       context_range.least,
                       most_prefix,
                       Pace::doubling,
                       "2048 4096 8192 32768 131072",
                       {},
                       context_range.most},
                      automatic | seldom | of_pages}));
}

/// Pages of K and V.
ScenarioOption page_size_row() {
  return of_paged(
      at([](auto& s) -> auto& { return s.page_size; },
         {"page-size",
          "P",
          OptionKind::whole_number,
          "tokens of a page of K and V, which kernels find through a page table: of flash2, flash3 and flash-decoding, "
          "forward; P divides Bc, or Bc divides P [none: one piece; of paged-attention 16]",
          /*say*/ "page size",
          /*say*/ "tokens of a page of the KV cache",
          {"tokens", page_range.least, page_range.least, page_range.most, Pace::doubling, "1 8 16 32 64 128 256",
           "1 2 4 8 16 32 64 128 256", page_range.most},
          automatic | of_speed | seldom}));
}

/// Steps of decoding. The scenario's keys are those of the last step.
ScenarioOption steps_row() {
  const ScenarioOption row{
      "steps",
      "T",
      OptionKind::whole_number,
      "decode T tokens, of flash-decoding, flash-decoding-plus and paged-attention: a step appends a row of K and of V "
      "to the seqlen-k keys of the cache, and "
      "attends to all; every number is a sum over steps [none: one step, nothing is appended]",
      /*say*/ "steps",
      /*say*/ "tokens that are decoded one after another",
      {"steps", 1, 1, static_cast<double>(most_steps), Pace::doubling, "1 16 32 64 128 256 512 1024", {}, most_steps},
      automatic | seldom};
  ScenarioOption option = read_by([](const Scenario& s) { return s.steps == 0 ? OptionValue() : OptionValue(s.steps); },
                                  [row](Scenario& s, const std::string& value, const GpuLookup&) {
                                    const std::int64_t cached = s.cached_keys();
                                    write(row, value, s.steps);
                                    s.shape.seqlen_k = cached + s.steps;
                                  },
                                  row);
  option.applies = [](const Scenario& s) { return named_program(s)->steps; };
  return option;
}

}  // namespace

std::vector<ScenarioOption> serving_rows() {
  return {page_size_row(), samples(), shared_prefix(), weights(), context(), steps_row()};
}

}  // namespace sim

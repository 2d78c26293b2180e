// Rows of the masks. Displayed texts are marked: a test requires their translations.
#include "sim/base/printable.h"
#include "sim/base/text.h"
#include "sim/catalogue/option_places.h"

namespace sim {
namespace {

constexpr double most_keys = 1 << 30;

/// One side of a window, which -1 leaves without a limit.
std::optional<std::int64_t> side_of_window(std::string_view side) {
  const std::string_view digits = trimmed(side);
  if (digits == "-1") return std::nullopt;
  try {
    return parse_whole_number("window", digits, 0, largest_option);
  } catch (const Error& error) {
    throw Error(error, "; LEFT,RIGHT is window_size of FlashAttention, in which -1 is no limit");
  }
}

/// Reads W, or LEFT,RIGHT. A right window of 0 is the causal mask, which is never farther than a right window.
void read_window(Mask& mask, const std::string& value) {
  const std::vector<std::string_view> sides = split(value, ",");
  mask.window_right = {};
  if (sides.size() < 2) {
    mask.window = parse_whole_number("window", value, 0, largest_option);
    return;
  }
  require(sides.size() == 2, "window: ", quoted(value), " has ", sides.size(),
          " numbers: allowed are W and LEFT,RIGHT");
  mask.window = side_of_window(sides[0]);
  const std::optional<std::int64_t> right = side_of_window(sides[1]);
  mask.causal = mask.causal || right == 0;
  if (!mask.causal) mask.window_right = right;
}

OptionValue window_of(const Mask& mask) {
  if (mask.window_right) return text(mask.window.value_or(-1), ",", *mask.window_right);
  return value_in(mask.window);
}

/// Row of --window: a number, or the pair window_size of FlashAttention.
ScenarioOption window_row() {
  return read_by([](const Scenario& s) { return window_of(s.shape.mask); },
                 [](Scenario& s, const std::string& value, const GpuLookup&) { read_window(s.shape.mask, value); },
                 {"window",
                  "W|LEFT,RIGHT",
                  OptionKind::whole_number,
                  "hide keys more than W before the diagonal; LEFT,RIGHT, window_size of FlashAttention, also hides "
                  "those more than RIGHT after it: -1 is no limit, W,0 is --window W --causal [none]",
                  /*say*/ "window",
                  /*say*/ "earlier keys that a query sees",
                  {"keys", 0, 0, most_keys, Pace::doubling},
                  automatic});
}

std::vector<std::string> document_examples() { return {"512 512", "256 256 256 256", "0 300 1024"}; }

ScenarioOption documents_row() {
  return of_equal_entries(read_by(
      [](const Scenario& s) {
        const Documents* const documents = s.shape.mask.documents.get();
        return documents == nullptr ? OptionValue() : OptionValue(text_of_documents(*documents));
      },
      [](Scenario& s, const std::string& value, const GpuLookup&) {
        s.shape.mask.documents = std::make_shared<const Documents>(read_documents(value));
      },
      {"documents",
       "FILE|TEXT",
       OptionKind::name,
       "documents packed along the keys: a query sees only its own; lengths such as '300 724', which add up to "
       "seqlen-k, cumulative ones that begin with 0, or a file of them [none]",
       /*say*/ "documents",
       /*say*/ "lengths of packed documents; a query sees only its own",
       {},
       automatic | seldom,
       document_examples}));
}

}  // namespace

std::vector<ScenarioOption> mask_rows() {
  using enum OptionKind;
  using enum Pace;
  return {
      at([](auto& s) -> auto& { return s.shape.mask.causal; },
         {"causal", "", flag, "hide keys after the query (aligned bottom-right)",
          /*say*/ "Causal", /*say*/ "a query sees no later key"}),
      at([](auto& s) -> auto& { return s.shape.mask.diagonal; },
         {"causal-from",
          "bottom-right|top-left",
          name,
          "diagonal of --causal, --window and --documents: it ends at the last query and key, or begins at the first "
          "ones, as PyTorch's is_causal [bottom-right]",
          /*say*/ "causal from",
          /*say*/ "the corner that the diagonal is aligned to",
          {},
          seldom,
          [] {
            return std::vector<std::string>{"bottom-right", "top-left"};
          }}),
      of_equal_entries(at([](auto& s) -> auto& { return s.shape.mask.padding; },
                          {"padding",
                           "K",
                           whole_number,
                           "hide the last K keys [0]",
                           /*say*/ "padding",
                           /*say*/ "hidden keys at the end",
                           {"keys", 0, 0, most_keys, doubling}})),
      window_row(),
      at([](auto& s) -> auto& { return s.shape.mask.prefix; },
         {"prefix",
          "N",
          whole_number,
          "the first N keys are visible to all queries, with --causal or a right window [0]",
          /*say*/ "prefix",
          /*say*/ "first keys that every query sees",
          {"keys", 0, 0, most_keys, doubling},
          seldom}),
      documents_row(),
  };
}

}  // namespace sim

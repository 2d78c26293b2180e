#include "viz/panels/option_words.h"

#include <array>

namespace explorer {
namespace {

constexpr std::array problem = {
    OptionWords{"algorithm", /*say*/ "algorithm", /*say*/ "which program runs"},
    OptionWords{"pass", /*say*/ "pass", /*say*/ "forward, backward, or both"},
    OptionWords{"model", /*say*/ "model", /*say*/ "heads and d of a published model"},
    OptionWords{"batch", /*say*/ "batch", /*say*/ "sequences that are computed together"},
    OptionWords{"heads", /*say*/ "heads", /*say*/ "query heads"},
    OptionWords{"kv-heads", /*say*/ "KV heads", /*say*/ "a divisor of heads; fewer: heads share K and V"},
    OptionWords{"seqlen", "N", /*say*/ "queries and keys"},
    OptionWords{"head-dim", "d", /*say*/ "elements of a head"},
    OptionWords{"seqlen-q", /*say*/ "N of Q", /*say*/ "queries, where they are not as many as keys"},
    OptionWords{"seqlen-k", /*say*/ "N of K", /*say*/ "keys, where they are not as many as queries"},
    OptionWords{"dtype", /*say*/ "dtype", /*say*/ "type of the elements in HBM"},
    OptionWords{"scale", /*say*/ "scale", /*say*/ "factor on the scores; 1/√d by itself"},
};
constexpr std::array mask = {
    OptionWords{"causal", /*say*/ "Causal", /*say*/ "a query sees no later key"},
    OptionWords{"padding", /*say*/ "padding", /*say*/ "so many keys at the end are hidden"},
    OptionWords{"window", /*say*/ "window", /*say*/ "a query sees so many keys back"},
    OptionWords{"dropout", /*say*/ "dropout", /*say*/ "probability that an entry of P is dropped"},
};
constexpr std::array machine = {
    OptionWords{"gpu", "GPU", /*say*/ "the device that is modelled"},
    OptionWords{"sram", /*say*/ "SRAM bytes", /*say*/ "on-chip memory that tiles may fill"},
    OptionWords{"l2", /*say*/ "L2 bytes", /*say*/ "L2 for hot data; 0 as on the papers' machine"},
};
constexpr std::array tiles = {
    OptionWords{"tiling", /*say*/ "tiling", /*say*/ "the rule that chooses the tiles"},
    OptionWords{"seed", /*say*/ "seed", /*say*/ "of drawn inputs and of dropout"},
    OptionWords{"br", "Br", /*say*/ "rows of a query block"},
    OptionWords{"bc", "Bc", /*say*/ "rows of a key block"},
};
constexpr std::array groups = {
    OptionGroup{/*say*/ "Problem", problem},
    OptionGroup{/*say*/ "Mask and dropout", mask},
    OptionGroup{/*say*/ "Machine", machine},
    OptionGroup{/*say*/ "Tiles", tiles},
};

}  // namespace

std::span<const OptionGroup> option_groups() { return groups; }

std::string_view short_name(std::string_view algorithm) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> names = {
      {{"standard", /*say*/ "Standard"},
       {"memory-efficient", /*say*/ "Mem-eff"},
       {"flash1", /*say*/ "Flash-1"},
       {"flash2", /*say*/ "Flash-2"}}};
  for (const auto& [name, words] : names) {
    if (name == algorithm) return words;
  }
  return algorithm;
}

}  // namespace explorer

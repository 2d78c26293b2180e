#include "viz/panels/scenario/option_words.h"

#include <algorithm>
#include <array>

#include "sim/base/text.h"

namespace explorer {
namespace {

struct Group {
  std::string_view title, options;
};
constexpr std::array groups = {
    Group{/*say*/ "Problem",
          "algorithm pass model layers batch heads kv-heads seqlen head-dim head-dim-v kv-shared seqlen-q seqlen-k "
          "seqlens issue page-size samples shared-prefix weights context steps gpus parallel "
          "dtype "
          "scale inputs seed"},
    Group{/*say*/ "Mask and dropout", "causal causal-from padding window prefix documents dropout"},
    Group{/*say*/ "Machine", "gpu clock sram l2"},
    Group{/*say*/ "Tiles", "tiling br bc"},
};

}  // namespace

const std::vector<OptionGroup>& option_groups() {
  static const std::vector<OptionGroup> all = [] {
    std::vector<OptionGroup> made;
    for (const Group& group : groups) {
      made.push_back({group.title, {}});
      for (const std::string_view name : sim::split(group.options, " "))
        made.back().options.push_back(&sim::option_called(name));
    }
    for (const sim::ScenarioOption& option : sim::scenario_options()) {
      const auto has = [&](const OptionGroup& group) {
        return std::find(group.options.begin(), group.options.end(), &option) != group.options.end();
      };
      if (option.applies && std::none_of(made.begin(), made.end(), has))
        made.back().options.push_back(&option);  // options of single programs: they determine the tiles
    }
    return made;
  }();
  return all;
}

}  // namespace explorer

// Options over which a run can be plotted, by their names in links.
#pragma once
#include <string_view>

namespace explorer {

inline constexpr std::string_view plotted_options = "seqlen|batch|head-dim|br|bc|sram|splits";
inline constexpr std::string_view plotted_first = plotted_options.substr(0, plotted_options.find('|'));

}  // namespace explorer

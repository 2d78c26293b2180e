// The options that a plot can show a run over, as the link names them.
#pragma once
#include <string_view>

namespace explorer {

inline constexpr std::string_view plotted_options = "seqlen|head-dim|br|bc|sram|splits";
inline constexpr std::string_view plotted_first = plotted_options.substr(0, plotted_options.find('|'));

}  // namespace explorer

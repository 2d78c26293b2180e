// What the commands of the explorer were asked to show: a link, made of --link and of options.
#pragma once
#include "viz/terminal/arguments.h"

namespace terminal {

struct ExplorerRequest {
  std::string link;                          ///< what makes sense of --link, and the options, which count more
  sim::GpuLookup gpu;                        ///< the built-in devices, and the file that was given as --gpu
  bool bare = false;                         ///< nobody asked for a scenario
  bool typed = false;                        ///< the scenario stands in options, not only in the link
  std::int64_t width = 1600, height = 1000;  ///< of the window, in CSS pixels
};

/// Throws sim::Error for a wrong option; keys of the link that make no sense are warnings on stderr.
ExplorerRequest make_explorer_request(const Arguments& arguments);

/// After the link was followed: throws what makes typed options impossible, and warns of the rest.
void report_trouble(const ExplorerRequest& request, const std::string& error,
                    const std::vector<std::string>& complaints);

}  // namespace terminal

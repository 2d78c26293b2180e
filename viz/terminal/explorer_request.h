// Link to show in the explorer's commands, built from --link and options.
#pragma once
#include "viz/model/model.h"
#include "viz/terminal/arguments.h"

namespace terminal {

struct ExplorerRequest {
  std::string link;                          ///< valid parts of --link, overridden by the options
  sim::GpuLookup gpu;                        ///< the built-in devices, and the file given as --gpu
  bool bare = false;                         ///< no scenario was requested
  bool typed = false;                        ///< options set the scenario, not only the link
  std::int64_t width = 1600, height = 1000;  ///< window size in CSS pixels
};

/// Throws sim::Error for a wrong option; invalid keys of the link become warnings on stderr.
ExplorerRequest make_explorer_request(const Arguments& arguments);

/// Device pixels per CSS pixel of --dpr. Throws sim::Error for others than 0.5 to 4.
std::optional<double> dpr_of(const Arguments& arguments);

/// Call after the link is followed: throws if typed options are impossible, and warns about other errors.
void report_trouble(const ExplorerRequest& request, const explorer::Model& model);

}  // namespace terminal

// The recordings that a command reads: those inside FlashScope, then the user's own.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "kernels/measurements/recorded.h"
#include "viz/terminal/arguments.h"

namespace terminal {

/// `--recorded FILE.csv`, repeatable. `more`: what else its help says.
OwnOption recorded_option(std::string_view more);

/// The files of --recorded, as they were given.
std::vector<std::string> recorded_files(const Arguments& arguments);

/// The embedded recordings and those files. Throws Error for a file that is no recording, or none of a GPU.
std::vector<measurements::Recording> all_recordings(const Arguments& arguments);

/// "recorded on h200, t4 as well: --gpu h200 shows it", or "" without GPUs.
std::string elsewhere_note(const std::vector<std::string>& gpus);

}  // namespace terminal

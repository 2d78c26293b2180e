// Recordings that a command uses: the built-in ones, then the user's own.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "kernels/measurements/recorded.h"
#include "viz/terminal/arguments.h"

namespace terminal {

/// The option `--recorded FILE.csv`, repeatable. `more`: continuation of its help.
CommandOption recorded_option(std::string_view more);

/// Files of --recorded, as given.
std::vector<std::string> recorded_files(const Arguments& arguments);

/// The built-in recordings and those files. Throws Error for a file that is not a recording, or not of a GPU.
std::vector<measurements::Recording> all_recordings(const Arguments& arguments);

/// Note on other GPUs: "recorded on h200, t4 as well: --gpu h200 shows it", or "" without GPUs.
std::string elsewhere_note(const std::vector<std::string>& gpus);

}  // namespace terminal

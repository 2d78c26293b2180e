// What the command palette knows: actions, algorithms, devices, options of the scenario, numbers of the run.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "viz/panels/view.h"

namespace explorer {

struct PaletteEntry {
  std::string title, note;  ///< what it is, and at the right end its key or its value
  std::function<void(ViewModel&)> run;
  bool stays = false;  ///< running it goes on with the palette: an option whose value is still to be typed
};

/// The entries that hold every word of a text, the best first, at most `most`. An empty text gives the actions. About
/// 0.2 ms: the palette asks for it in every frame in which it is open.
std::vector<PaletteEntry> find_entries(const View& view, std::string_view text, std::size_t most);

}  // namespace explorer

// Entries of the command palette: actions, algorithms, devices, options of the scenario, numbers of the run.
#pragma once
#include <string>
#include <vector>

#include "viz/panels/view.h"

namespace explorer {

struct PaletteEntry {
  std::string title, note;    ///< the action or option; at the right end its key or value
  Edits edits;                ///< what it does
  bool stays = false;         ///< the palette stays open afterwards: an option whose value is still to be typed
  std::string then_typed{};   ///< its text then
  std::string_view action{};  ///< the action that it runs besides; empty if none
};

/// Returns at most `most` entries that contain every word of a text, the best first; for an empty text, the actions.
/// Takes about 0.2 ms: the palette calls it in every frame while open.
std::vector<PaletteEntry> find_entries(const View& view, std::string_view text, std::size_t most);

}  // namespace explorer

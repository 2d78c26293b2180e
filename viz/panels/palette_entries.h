// Entries of the command palette: actions, algorithms, devices, options of the scenario, numbers of the run.
#pragma once
#include <string>
#include <vector>

#include "viz/panels/ideas.h"

namespace explorer {

struct PaletteEntry {
  std::string title, note;     ///< the action or option; at the right end its key or value
  Edits edits;                 ///< edits that do it
  bool stays = false;          ///< the palette stays open afterwards: an option whose value is still to be typed
  std::string then_typed{};    ///< its text then
  bool near = false;           ///< only resembles the text: Enter does not run it
  const Idea* idea = nullptr;  ///< the note is its answer, in the markup of viz/ui/rich_text.h; null for others
};

/// Returns at most `most` entries that contain every word of a text, the best first; the nearest ideas if there are
/// none; for an empty text, the actions. Takes about 0.2 ms: the palette calls it in every frame while open.
std::vector<PaletteEntry> find_entries(const View& view, std::string_view text, std::size_t most);

/// The first ideas of the index, as examples.
std::vector<PaletteEntry> example_entries(const View& view, std::size_t most);

/// Draws title and note in a row, `title_width` device pixels for the title of an idea.
void draw_palette_entry(View& view, ui::Rect row, const PaletteEntry& entry, float title_width);

}  // namespace explorer

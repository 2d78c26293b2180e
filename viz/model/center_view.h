// The views shown one at a time in the middle, or filling the window below the top bar: one table for the segments, the
// link, the keys and the palette.
//
// To add a view: its name in Center, one row here, its function in viz/panels/panels.h, in its own file, and an
// entry at the same position of the list in viz/panels/center.cpp. The tests of all views iterate over the table.
#pragma once
#include <array>

#include "viz/model/look.h"

namespace explorer {

struct CenterView {
  std::string_view name;      ///< name in links, of its action, and the end of its probe: "center/wall"
  std::string_view title;     ///< English, for words::say
  std::string_view key;       ///< keyboard shortcut
  std::string_view sentence;  ///< effect of the key
  /// True if it takes the whole window below the top bar, with the segments in a separate bar; in windows whose
  /// panels share tabs, and next to a lesson, the whole area of the panels.
  bool fills;
  bool compares;  ///< orders kernels or runs by their numbers, which could give away the answer to a question
};

/// All views, in the order of Center.
inline constexpr auto center_views = std::to_array<CenterView>({
    {"matrix", /*say*/ "Matrix", "1", /*say*/ "Show the attention matrix", false, false},
    {"tiles", /*say*/ "Tiles", "2", /*say*/ "Show the tile sizes", false, true},
    {"plots", /*say*/ "Plots", "3", /*say*/ "Show the plots", false, true},
    {"roofline", /*say*/ "Roofline", "4", /*say*/ "Show the roofline", false, true},
    {"verification", /*say*/ "Verification", "5", /*say*/ "Show the verification", false, false},
    {"wall", /*say*/ "Wall", "6", /*say*/ "Show all bytes at true scale", true, true},
    {"engineer", /*say*/ "Engineer", "7", /*say*/ "Show the engineer's lens", true, false},
    {"microscope", /*say*/ "Microscope", "8", /*say*/ "Show the softmax of one row", true, false},
    {"batch", /*say*/ "Batch", "9", /*say*/ "Show the batch, padded and packed", true, true},
    {"roles", /*say*/ "Roles", "0", /*say*/ "Show the warpgroups of a CTA, each with its role", true, false},
    {"pages", /*say*/ "Pages", "M", /*say*/ "Show the pages of the KV cache", true, false},
    {"numbers", /*say*/ "Numbers", "Q", /*say*/ "Show what 8 bits do to the numbers", true, false},
    {"gpus", /*say*/ "GPUs", "U", /*say*/ "Show the GPUs that share a sequence", true, true},
});
static_assert(center_views.size() == static_cast<std::size_t>(Center::gpus) + 1);

constexpr const CenterView& center_view(Center center) { return center_views[static_cast<std::size_t>(center)]; }

/// Shows a view; ends the race of whole runs.
inline void show_center(Look& look, Center center) {
  look.center = center;
  look.tab = Look{}.tab;
  if (look.play == Play::run) look.play = Look{}.play;
}

/// True if the window shows numbers of whole runs only: no CTA needs to be replayed for it.
inline bool shows_no_moment(const Look& look) {
  const CenterView& view = center_view(look.center);
  return view.fills && view.compares && look.play != Play::run;
}

/// True if the view fills the area of the panels. `turns`: the panels share tabs, and the middle must be in front.
inline bool fills_window(const Look& look, bool turns) {
  return center_view(look.center).fills && look.play != Play::run && (!turns || look.tab == Look{}.tab);
}

}  // namespace explorer

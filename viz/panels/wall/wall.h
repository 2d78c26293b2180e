// The view "wall": device memory of two runs at true scale, and the links between the levels of memory below.
#pragma once
#include <optional>

#include "viz/model/wall.h"
#include "viz/panels/view.h"

namespace explorer {

/// One of the two runs.
struct WallHalf {
  View view;                                   ///< of its subject; for standard attention beside it, of the first
  std::string_view prefix;                     ///< of the paths of its numbers: "standard."
  std::string name, short_name;                ///< of the run
  std::shared_ptr<const sim::Simulation> run;  ///< never null
  WallRun wall;
  std::string path(std::string_view of_run) const { return sim::text(prefix, of_run); }
};

/// The halves that there are: standard attention and the run, the first two of several, or one alone.
struct WallPair {
  std::vector<WallHalf> halves;
  std::string missing;  ///< why there is only one, in words; empty for two
};
WallPair wall_pair(View& view);

/// Cells of one half, each as large as the memory of one device. One byte has the same area in both halves.
struct WallCells {
  ui::Rect place;               ///< what all cells lie in
  float width = 0, height = 0;  ///< of a cell
  std::int64_t columns = 1, count = 1;
  bool tiny = false;  ///< no frames between them
  ui::Rect cell(std::int64_t n) const;
};
/// More cells than this have no frames.
inline constexpr std::int64_t most_framed_cells = 400;
/// As many cells as `count`, as large as their place allows; more than the limit are squares, of whole pixels where
/// they have three or more.
WallCells wall_cells_in(ui::Rect place, std::int64_t count);
/// `places`: where the cells of each half may lie, all of one size.
std::vector<WallCells> wall_cells(const WallPair& pair, const std::vector<ui::Rect>& places);

/// Draws the cells of a half, what lies in them, and ghosts of those that the other one needs besides.
void draw_wall_cells(const WallPair& pair, std::size_t half, const std::vector<WallCells>& cells);
/// Tensors that are drawn as squares in the first cell; the others fill cells one after the other from below.
std::vector<WallTensor> wall_squares(const WallRun& wall, const WallCells& cells);

/// Boxes of the levels, and between them arrows as thick as the bytes that pass.
void draw_memory_chart(const WallPair& pair, std::size_t half, ui::Rect rect);
/// Bytes that the thickest arrow of both charts stands for.
double most_bytes_of_links(const WallPair& pair);
float height_of_memory_chart(const View& view, float width);

/// Sliders for N and for the SRAM of a CTA, which move both halves.
void draw_length_slider(View& view, ui::Rect line);
void draw_sram_slider(View& view, ui::Rect line);

}  // namespace explorer

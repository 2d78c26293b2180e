// The view "wall": device memory of two runs at true scale, and the links between the levels of memory below.
#pragma once
#include <optional>

#include "viz/model/wall.h"
#include "viz/panels/view.h"

namespace explorer {

/// One of the two runs.
struct WallHalf {
  View view;                     ///< view of the run, or of the first run for the added standard attention
  std::string_view prefix;       ///< prefix of the paths of its numbers: "standard."
  std::string name, short_name;  ///< names of the run
  std::shared_ptr<const sim::Simulation> run;  ///< never null
  WallRun wall;
  std::string path(std::string_view of_run) const { return sim::text(prefix, of_run); }
};

/// Both halves: standard attention and the run, the first two of several runs, or only one.
struct WallPair {
  std::vector<WallHalf> halves;
  std::string missing;  ///< why there is only one half, as text; empty if there are two
};
WallPair wall_pair(View& view);

/// Cells of one half, each as large as the memory of one device. A byte has the same area in both halves.
struct WallCells {
  ui::Rect place;               ///< bounds of all cells
  float width = 0, height = 0;  ///< size of a cell
  std::int64_t columns = 1, count = 1;
  bool tiny = false;  ///< no frames between them
  ui::Rect cell(std::int64_t n) const;
};
/// Number of cells above which they have no frames.
inline constexpr std::int64_t most_framed_cells = 400;
/// Places `count` cells, as large as fit; above most_framed_cells they are squares, of whole pixels from three pixels
/// on.
WallCells wall_cells_in(ui::Rect place, std::int64_t count);
/// Cells of all halves. `places`: bounds of each half's cells, all of one size.
std::vector<WallCells> wall_cells(const WallPair& pair, const std::vector<ui::Rect>& places);

/// Draws the cells of a half, their contents, and ghosts of the cells that only the other half needs.
void draw_wall_cells(const WallPair& pair, std::size_t half, const std::vector<WallCells>& cells);
/// Tensors drawn as squares in the first cell; the others fill the cells in order, from below.
std::vector<WallTensor> wall_squares(const WallRun& wall, const WallCells& cells);

/// Draws boxes of the levels, and between them arrows as thick as the bytes moved.
void draw_memory_chart(const WallPair& pair, std::size_t half, ui::Rect rect);
/// Bytes of the thickest arrow of both charts.
double most_bytes_of_links(const WallPair& pair);
float height_of_memory_chart(const View& view, float width);

/// Draws sliders for N and for the SRAM of a CTA, which change both halves.
void draw_length_slider(View& view, ui::Rect line);
void draw_sram_slider(View& view, ui::Rect line);

}  // namespace explorer

// Parts of the attention matrix: tiles, strips of the tensors at its margins, legend, tooltip, values.
#pragma once
#include "viz/model/tiles/tile_layers.h"
#include "viz/model/tiles/tile_matrix.h"
#include "viz/model/tiles/tile_stage.h"
#include "viz/panels/panels.h"
#include "viz/ui/stack.h"

namespace explorer {

/// Maps queries and keys to the screen: the matrix fills `area` at zoom 1. Computes in double, since 131,072 queries,
/// each as tall as a digit, exceed the precision of float.
struct MatrixLens {
  ui::Rect area;
  double queries = 1, keys = 1;                     ///< size of the whole matrix
  double zoom = 1, x_center = 0.5, y_center = 0.5;  ///< centre of the area, as shares of the matrix

  double per_key() const { return static_cast<double>(area.width) * zoom / keys; }  ///< device pixels
  double per_query() const { return static_cast<double>(area.height) * zoom / queries; }
  float x(double key) const;
  float y(double query) const;
  double key_at(float x) const;
  double query_at(float y) const;
  ui::Rect rect(sim::Interval query_range, sim::Interval key_range) const;
  /// Blocks at least partly inside the area.
  sim::Interval rows_seen(const sim::Blocking& rows) const;
  sim::Interval cols_seen(const sim::Blocking& cols) const;
};

/// Context that all parts draw from.
struct MatrixFrame {
  View& view;
  const TileMatrix& matrix;
  MatrixLens lens;

  ui::Rect tile(std::int64_t row, std::int64_t col) const {
    return lens.rect(matrix.rows.elements(row), matrix.cols.elements(col));
  }
  float row_pitch() const { return static_cast<float>(lens.per_query() * static_cast<double>(matrix.rows.size)); }
  float col_pitch() const { return static_cast<float>(lens.per_key() * static_cast<double>(matrix.cols.size)); }
};

/// The lens of Look, clamped to the matrix.
MatrixLens lens_of(const View& view, const TileMatrix& matrix, ui::Rect area);
/// Handles wheel, drag and click on the matrix; changes Look and the playhead. True if the pointer is over it.
bool use_matrix(View& view, const MatrixFrame& frame);
/// Draws the zoom buttons at the right end of a line and cuts them off.
void draw_zoom_buttons(View& view, const MatrixFrame& frame, ui::Space& line);

/// Tensors at the margins: along the queries (left, right) or along the keys (top, bottom).
struct MatrixStrips {
  sim::Tensor left = sim::Tensor::none, top = sim::Tensor::none;      ///< read
  sim::Tensor right = sim::Tensor::none, bottom = sim::Tensor::none;  ///< written
};
MatrixStrips strips_of(const sim::Launch& launch);

/// Values of a tile that were drawn.
struct MatrixValues {
  bool wanted = false;                 ///< there is a tile, and it is large enough
  const TileLayers* layers = nullptr;  ///< null until they are computed
  std::size_t events = 0;              ///< number of events of the layers that have begun
};

void draw_matrix_tiles(const MatrixFrame& frame);
void draw_matrix_bands(const MatrixFrame& frame, const MatrixStrips& strips);
void draw_matrix_strips(const MatrixFrame& frame, const MatrixStrips& strips);
/// Draws the parts of the keys below the matrix, if the grid splits them; parts_height() is the height they need.
void draw_matrix_parts(const MatrixFrame& frame);
float parts_height(const View& view);
void draw_matrix_claim(const MatrixFrame& frame, const TileCounts& counts);
void draw_matrix_legend(const MatrixFrame& frame, const TileCounts& counts, ui::Rect rect, const MatrixValues& values);
/// Draws the values of the tile at the playhead, if it is large enough.
MatrixValues draw_matrix_values(const MatrixFrame& frame);
void draw_matrix_tip(const MatrixFrame& frame, const MatrixValues& values);

}  // namespace explorer

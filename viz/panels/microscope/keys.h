// Parts of the card of one row of S.
#pragma once
#include "viz/panels/microscope/microscope.h"

namespace explorer {

inline constexpr float row_number_height = 16, row_alpha_height = 24;  // CSS pixels

/// State of drawing one frame: the row, the positions of its keys, and the scales of scores and weights.
struct RowKeys {
  View& view;
  const ShownRow& row;
  KeyStrip strip;
  ui::Rect scores, weights, names;
  double low = 0, high = 0, top = 1;  ///< range of the scores; upper end of the weights
  std::vector<ui::Rect> taken = {};   ///< bars and numbers of the current tile's scores

  float score_y(double s) const;
  float weight_y(double p) const;
  float bar() const;  ///< width of a bar
  ui::Rect column(std::size_t t, std::size_t key) const;
};

/// Draws scores, weights and names of a tile's keys; dashes for keys not seen yet.
void draw_tile_keys(RowKeys& k, std::size_t t);
/// Names the largest keys if not all names fit; names that would overlap an earlier one are left out.
void draw_largest_names(RowKeys& k);
/// Draws several keys per column of pixels: the maximum pale, the mean full.
void draw_texture(RowKeys& k);
/// Draws the running maximum before and after the current tile; draw_alpha() labels the rescaling of earlier weights.
void draw_maxima(RowKeys& k);
void draw_alpha(RowKeys& k);

}  // namespace explorer

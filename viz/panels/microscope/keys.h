// The card of one row of S, in pieces.
#pragma once
#include "viz/panels/microscope/microscope.h"

namespace explorer {

inline constexpr float row_number_height = 16, row_alpha_height = 24;  // CSS pixels

/// The drawing of one frame: the row, where its keys are, and the scales of scores and weights.
struct RowKeys {
  View& view;
  const ShownRow& row;
  KeyStrip strip;
  ui::Rect scores, weights, names;
  double low = 0, high = 0, top = 1;  ///< of the scores; of the weights
  std::vector<ui::Rect> taken = {};   ///< bars and numbers of the current tile's scores

  float score_y(double s) const;
  float weight_y(double p) const;
  float bar() const;  ///< width of a bar
  ui::Rect column(std::size_t t, std::size_t key) const;
};

/// Scores, weights and names of a tile's keys; dashes where the row has not come to.
void draw_tile_keys(RowKeys& k, std::size_t t);
/// The largest keys by name, where not all have room; those that would overlap one before are left out.
void draw_largest_names(RowKeys& k);
/// Several keys in a column of pixels: the maximum pale, the mean full.
void draw_texture(RowKeys& k);
/// The running maximum before and after the current tile, and what alpha does to the weights before.
void draw_maxima(RowKeys& k);
void draw_alpha(RowKeys& k);

}  // namespace explorer

// The view "microscope": one row of S key by key, what the row keeps, the row without alpha, P of all rows, and the
// steps of each tile, all at the playhead's time. The panel of the softmax is its small form.
#pragma once
#include "viz/model/microscope.h"
#include "viz/panels/view.h"

namespace explorer {

/// Detail in which keys are drawn: with their names and numbers, as bars, or several per pixel.
enum class KeyDetail { words, bars, texture };

/// Layout of the tiles of the current kernel and pass, from left to right; shared by keys and steps.
struct KeyStrip {
  ui::Rect place;
  std::size_t begin = 0, end = 0;
  float gap = 0, width = 0;  ///< between two tiles, and of one
  float pitch = 0;           ///< from key to key
  KeyDetail detail = KeyDetail::words;
  bool framed() const { return gap > 0; }
  ui::Rect tile(std::size_t t) const {
    return {place.x + static_cast<float>(t - begin) * (width + gap), place.y, width, place.height};
  }
  /// x of the middle of a key of a tile.
  float middle(std::size_t t, std::size_t key) const {
    return tile(t).x + (width > pitch && framed() ? 4 : 0) + (static_cast<float>(key) + 0.5f) * pitch;
  }
  std::size_t tile_at(float x) const;
};
/// True if a strip has no height for numbers and heads of tiles.
bool is_low(const View& view, const KeyStrip& strip);
KeyStrip key_strip(const View& view, const ShownRow& row, ui::Rect place);
/// Width of the label column at the left of a strip, in device pixels; 0 if it does not fit.
float label_width(const View& view, float width);

/// Name of a key: its word, its part, or its index.
std::string key_name(const View& view, const ShownRow& row, std::size_t t, std::size_t key);
/// "tile 2", or, when parts are combined, "part 2".
std::string tile_name(const View& view, const ShownRow& row, std::size_t t);

/// Draws a number of the row and records it under its path in the JSON of simulate --row: "row/tiles.2.m".
float draw_row_text(View& view, ui::Rect box, ui::Style style, ui::Color color, std::string_view path,
                    std::string_view text, ui::Align align = ui::Align::left);
/// Path of a value of a tile: "tiles.2.m".
std::string tile_path(std::size_t t, std::string_view leaf);
std::string tile_path(std::size_t t, std::string_view leaf, std::size_t n);

/// A number of a row: "−∞", "2.63".
std::string row_number(const char* format, float value);

/// e^x, but 0 if x < -700 and e^700 if x > 700.
double exp_of(double x);

/// Draws a dashed line, horizontal or vertical; draw_dashed_bar() draws a dashed bar, open at its base: below, or above
/// if it hangs down.
void draw_dashes(View& view, ui::Rect line, ui::Color color);
void draw_dashed_bar(View& view, ui::Rect bar, bool hangs, ui::Color color);

/// Returns why there is no row to show, or how far its computation is; "" if it can be shown.
std::string reason_of_no_row(const View& view, const ShownRow& row);

/// Draws scores and weights of the row's keys, with the names of the lines at the left if there is space for them. A
/// low place has no numbers and no heads of tiles.
void draw_key_pictures(View& view, const ShownRow& row, ui::Rect place);
/// Describes the current tile: "tile 2: the first maximum".
std::string moment_sentence(const View& view, const ShownRow& row);

/// Lines of what the row keeps. Empty ones are left out; without a footer, names are narrow, and the heads show alpha.
struct KeptLines {
  ui::Rect heads, m, l, O, footer;
};
void draw_kept_lines(View& view, const ShownRow& row, const KeptLines& at);
/// Draws a number and its track, filled in proportion; the part from before the tile is darker.
void draw_kept_number(View& view, ui::Rect line, float value, double most, double before, char tensor, bool known,
                      const std::string& path);

void draw_row_keys(View& view, const ShownRow& row, ui::Rect rect);
void draw_row_kept(View& view, const ShownRow& row, ui::Rect rect);
void draw_row_shares(View& view, const ShownRow& row, ui::Rect rect);
void draw_row_thumbnail(View& view, const ShownRow& row, ui::Rect rect);
/// Draws the way of the row's scores through the current tile: a strip for each event of the program that makes them.
void draw_row_scores(View& view, const ShownRow& row, ui::Rect rect);
void draw_row_steps(View& view, const ShownRow& row, ui::Rect rect);
float row_steps_height(const View& view, float width);

}  // namespace explorer

// Parts of the memory panel: the levels from HBM down to the registers, and what moves between them.
#pragma once
#include "viz/panels/tooltip.h"

namespace explorer {

/// Rectangles of the levels, and of the rows between them that show their bandwidths. A level that the machine lacks is
/// empty.
struct MemoryPlaces {
  ui::Rect hbm, from_hbm, l2, from_l2, smem, from_smem, registers;
};
/// Lays out the levels from top to bottom, or in two columns if the body is wider than high.
MemoryPlaces place_levels(const View& view, ui::Rect body);
/// Minimum height of the levels in a body of that width, in device pixels.
float least_height_of_levels(const View& view, float width);

/// Draws the heading of a level: its name, muted text next to it, and text at the right end if it fits. Returns the
/// rectangle below.
ui::Rect draw_level(View& view, ui::Rect rect, std::string_view name, std::string_view beside, std::string_view right);
ui::Rect draw_level(View& view, ui::Rect rect, std::string_view name, std::string_view beside, std::string_view right,
                    ui::Color color);
/// Rectangle that draw_level() returns, without drawing.
ui::Rect inside_of_level(const View& view, ui::Rect rect);

// The levels.
void draw_hbm(View& view, ui::Rect rect);
void draw_l2(View& view, ui::Rect rect);
void draw_smem(View& view, ui::Rect rect);
void draw_registers(View& view, ui::Rect rect);
/// Draws the bandwidth of each boundary, and the bytes that this CTA has moved across it so far.
void draw_crossings(View& view, const MemoryPlaces& places);
/// Draws the copies under way, from source to destination.
void draw_transfers(View& view, const MemoryPlaces& places);

// Source and destination rectangles in the levels.
ui::Rect place_of_block(const View& view, ui::Rect hbm, const sim::Event& event);
ui::Rect place_in_l2(const View& view, ui::Rect l2, sim::Tensor tensor);
ui::Rect place_of_tile(const View& view, const MemoryPlaces& places, std::int32_t tile);

/// Draws a band below the shared memory: time from left to right, addresses from top to bottom, around the playhead.
void draw_lifetimes(View& view, ui::Rect rect);

// Names and colours.
ui::Color tensor_color(const View& view, sim::Tensor tensor);
ui::Color tensor_color(const View& view, sim::Tensor tensor, ui::Phase phase);
/// "dQ_{acc}" for rich text.
std::string tensor_markup(sim::Tensor tensor);
/// The block that an event makes or moves, for rich text: "K_3", "S_{2,3}", "dQ_{acc,3}".
std::string block_markup(const sim::Event& event);
/// block_markup() without scripts, for names of widgets: "K3", "S2,3".
std::string block_name(const sim::Event& event);
/// Share of an event that has passed at the playhead, 0 to 1.
float share_passed(const View& view, const sim::Event& event);
const sim::Event& event_of(const View& view, std::int32_t event);

/// Tooltip of an event: the block it moves or makes, rows, bytes, times, listing line.
std::vector<std::string> describe(const View& view, std::int32_t event);
/// Tooltip of a tile on chip: as describe(), with its address and lifetime.
std::vector<std::string> describe_tile(const View& view, std::int32_t tile);
/// Moves the playhead to an event, and selects the number that it contributes to.
void go_to(View& view, std::int32_t event);

/// A tile on chip as a box.
struct TileBox {
  ui::Rect rect;
  ui::Color fill, filling;  ///< `filling` covers a share of it
  float share = 0;
  bool upwards = true;  ///< filled from below, as by a copy; else from the left, as by work
  bool active = false;  ///< outlined
  std::string markup, short_markup, caption;
};
void draw_tile_box(View& view, const TileBox& box);
/// Colours, share and text of a tile at the playhead.
TileBox look_of_tile(const View& view, std::int32_t tile, ui::Rect rect);
/// Handles the pointer: shows a tooltip; a click seeks the event that makes the tile. `level`: prefix of the widget's
/// name.
void use_tile(View& view, std::string_view level, std::int32_t tile, ui::Rect rect);

/// Use of a memory: this CTA's tiles now, their maximum over the run, and its neighbours on the SM.
struct Occupation {
  std::int64_t held = 0, most = 0, capacity = 0, neighbours = 0;
};
void draw_occupation(View& view, ui::Rect rect, const Occupation& occupation);

}  // namespace explorer

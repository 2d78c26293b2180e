// The memory panel in pieces: the levels from HBM down to the registers, and what moves between them.
#pragma once
#include "viz/panels/tooltip.h"

namespace explorer {

/// Where the levels stand, and the rows between them in which their bandwidths stand. A level that the machine does not
/// have is empty.
struct MemoryPlaces {
  ui::Rect hbm, from_hbm, l2, from_l2, smem, from_smem, registers;
};
/// From top to bottom, or in two columns where there is more width than height.
MemoryPlaces place_levels(const View& view, ui::Rect body);
/// The height that they need at least in a body of that width, in device pixels.
float least_height_of_levels(const View& view, float width);

/// Writes the line of a level: its name, something muted beside it, something at the right end where there is room.
/// Returns the place below.
ui::Rect draw_level(View& view, ui::Rect rect, std::string_view name, std::string_view beside, std::string_view right);
ui::Rect draw_level(View& view, ui::Rect rect, std::string_view name, std::string_view beside, std::string_view right,
                    ui::Color color);
/// The same place without drawing.
ui::Rect inside_of_level(const View& view, ui::Rect rect);

// The levels.
void draw_hbm(View& view, ui::Rect rect);
void draw_l2(View& view, ui::Rect rect);
void draw_smem(View& view, ui::Rect rect);
void draw_registers(View& view, ui::Rect rect);
/// The bandwidth of each boundary, and what this CTA has moved across it so far.
void draw_crossings(View& view, const MemoryPlaces& places);
/// The copies that are under way, from where they come to where they go.
void draw_transfers(View& view, const MemoryPlaces& places);

// Places in them, for what moves.
ui::Rect place_of_block(const View& view, ui::Rect hbm, const sim::Event& event);
ui::Rect place_in_l2(const View& view, ui::Rect l2, sim::Tensor tensor);
ui::Rect place_of_tile(const View& view, const MemoryPlaces& places, std::int32_t tile);

/// A band below the shared memory: time from left to right, addresses from top to bottom, around the playhead.
void draw_lifetimes(View& view, ui::Rect rect);

// How things are called and coloured.
ui::Color tensor_color(const View& view, sim::Tensor tensor);
ui::Color tensor_color(const View& view, sim::Tensor tensor, ui::Phase phase);
/// "dQ_{acc}" for rich text.
std::string tensor_markup(sim::Tensor tensor);
/// "K_3", "S_{2,3}", "dQ_{acc,3}": what an event makes or moves, for rich text.
std::string block_markup(const sim::Event& event);
/// The same without scripts, for names of widgets: "K3", "S2,3".
std::string block_name(const sim::Event& event);
/// The share of an event that has passed at the playhead, 0 to 1.
float share_passed(const View& view, const sim::Event& event);
const sim::Event& event_of(const View& view, std::int32_t event);

/// What an event moves or makes: block, rows, bytes, times, listing line; for a tooltip.
std::vector<std::string> describe(const View& view, std::int32_t event);
/// The same for a tile on chip, with its place and its life.
std::vector<std::string> describe_tile(const View& view, std::int32_t tile);
/// Moves the playhead to an event, and selects the number that it is part of.
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
/// Colours, share and words of a tile at the playhead.
TileBox look_of_tile(const View& view, std::int32_t tile, ui::Rect rect);
/// Reacts to the pointer: a tooltip, and a click goes to the event that makes the tile. `level`: of the name.
void use_tile(View& view, std::string_view level, std::int32_t tile, ui::Rect rect);

/// How much of a memory is taken: this CTA's tiles, the most that it ever takes, and its neighbours on the SM.
struct Occupation {
  std::int64_t held = 0, most = 0, capacity = 0, neighbours = 0;
};
void draw_occupation(View& view, ui::Rect rect, const Occupation& occupation);

}  // namespace explorer

// The widgets of the explorer. Each draws itself, calls hit() under its name and returns what the user wants; the
// caller keeps the value. Heights are control_height() unless the caller's rectangle says otherwise.
#pragma once
#include <span>
#include <string_view>

#include "viz/ui/hit.h"
#include "viz/ui/icons.h"

namespace ui {

/// CSS pixels.
inline constexpr float control_radius = 7, card_radius = 10;

/// How high a control is, in device pixels: 32 CSS pixels, or 40 where fingers press it. `small`: of one that stands in
/// a line of text, 28 or 40.
enum class Control { normal, small };
float control_height(const Canvas& canvas, Control control = Control::normal);

/// A card: the ground that a panel stands on.
void panel(Canvas& canvas, Rect rect);
/// A field inside of a card.
void inset_panel(Canvas& canvas, Rect rect);
/// How far something is: a track, and its share 0..1 in the accent or another colour.
void progress_bar(Canvas& canvas, Rect rect, float share, Color color);

enum class Weight { normal, primary };  ///< primary: in the accent, once per panel

/// Return true in the frame of the click.
bool button(Ui& ui, std::string_view id, Rect rect, std::string_view label, Weight weight = Weight::normal);
bool icon_button(Ui& ui, std::string_view id, Rect rect, Icon icon, Weight weight = Weight::normal);
float button_width(const Canvas& canvas, std::string_view label);

/// One of a few choices, side by side. Returns the chosen one, `selected` when nothing was clicked. The probes of the
/// segments are "id/name": a name is the same in every language, as its label need not be.
int segmented(Ui& ui, std::string_view id, Rect rect, std::span<const std::string_view> names,
              std::span<const std::string_view> labels, int selected);
float segmented_width(const Canvas& canvas, std::span<const std::string_view> labels);

/// A switch with its label on the right. Returns the value it should have.
bool toggle(Ui& ui, std::string_view id, Rect rect, std::string_view label, bool on);
float toggle_width(const Canvas& canvas, std::string_view label);

/// One of many choices: a field with a muted label, the value and a list that opens over the rest of the window.
/// Returns the chosen one. The probes are "id" of the field and "id/name" of the options while the list is open, or
/// "id/option" where no names are given; a click elsewhere or Escape closes it.
int drop_down(Ui& ui, std::string_view id, Rect rect, std::string_view label, std::span<const std::string_view> options,
              int selected, std::span<const std::string_view> names = {});
float drop_down_width(const Canvas& canvas, std::string_view label, std::span<const std::string_view> options);

/// A value 0..1 on a line; the knob follows the pointer while it is held. Returns the value it should have.
float slider(Ui& ui, std::string_view id, Rect rect, float value);

/// A view of something taller than itself. Between begin and end, draw at `rect` moved up by the returned offset, which
/// the caller keeps (device pixels). The wheel and the bar at the right move it; the bar's probe is "id".
float begin_scroll(Ui& ui, std::string_view id, Rect rect, float content_height, float offset);
void end_scroll();

}  // namespace ui

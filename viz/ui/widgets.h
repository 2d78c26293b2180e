// Widgets of the explorer. Each draws itself, calls hit() under its name and returns what the user wants; the caller
// keeps the value. Heights are control_height() unless the caller's rectangle differs.
#pragma once
#include <span>
#include <string_view>

#include "viz/ui/hit.h"
#include "viz/ui/icons.h"

namespace ui {

/// CSS pixels.
inline constexpr float control_radius = 7, card_radius = 10;

/// Height of a control in device pixels: 32 CSS pixels, or 40 for fingers. `small`, in a line of text: 28 or 40.
enum class Control { normal, small };
float control_height(const Canvas& canvas, Control control = Control::normal);

/// Draws a card: the background of a panel.
void panel(Canvas& canvas, Rect rect);
/// Draws a field inside a card.
void inset_panel(Canvas& canvas, Rect rect);
/// Draws a progress bar: a track, and its share 0..1 in the accent or another colour.
void progress_bar(Canvas& canvas, Rect rect, float share, Color color);

enum class Weight { normal, primary };  ///< primary: in the accent, once per panel

/// Draw a button. Return true in the frame of the click.
bool button(Ui& ui, std::string_view id, Rect rect, std::string_view label, Weight weight = Weight::normal);
bool icon_button(Ui& ui, std::string_view id, Rect rect, Icon icon, Weight weight = Weight::normal);
float button_width(const Canvas& canvas, std::string_view label);

/// Draws a few choices side by side. Returns the chosen one, `selected` if none was clicked. The probes of the segments
/// are "id/name": names are the same in every language, labels need not be.
int segmented(Ui& ui, std::string_view id, Rect rect, std::span<const std::string_view> names,
              std::span<const std::string_view> labels, int selected);
float segmented_width(const Canvas& canvas, std::span<const std::string_view> labels);

/// Draws a switch with its label on the right. Returns its new value.
bool toggle(Ui& ui, std::string_view id, Rect rect, std::string_view label, bool on);
float toggle_width(const Canvas& canvas, std::string_view label);

/// Draws a field with a muted label, the value, and a list of choices that opens over the rest of the window. Returns
/// the chosen one. The probes are "id" of the field and "id/name" of the options while the list is open, or "id/option"
/// if no names are given; a click elsewhere or Escape closes it.
int drop_down(Ui& ui, std::string_view id, Rect rect, std::string_view label, std::span<const std::string_view> options,
              int selected, std::span<const std::string_view> names = {});
float drop_down_width(const Canvas& canvas, std::string_view label, std::span<const std::string_view> options);

/// Draws a value 0..1 on a line; the knob follows the pointer while held. Returns its new value.
float slider(Ui& ui, std::string_view id, Rect rect, float value);

/// Begins a view of content taller than itself. Until end_scroll(), draw at `rect` moved up by the returned offset,
/// which the caller keeps (device pixels). The wheel and the bar at the right change it; the bar's probe is "id".
float begin_scroll(Ui& ui, std::string_view id, Rect rect, float content_height, float offset);
void end_scroll();

}  // namespace ui

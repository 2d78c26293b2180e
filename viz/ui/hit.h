// The one place where a widget meets the pointer. Every interactive widget calls hit(), which leaves a probe behind:
// tests, the browser and tutorials find the widget by its name.
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "viz/ui/canvas.h"

namespace ui {

/// What fingers do on a screen, beyond what a mouse can.
struct Fingers {
  bool touching = false;  ///< the pointer is a finger, or was one last
  bool two = false;       ///< two of them; then the pointer stays where they were put down, and presses nothing
  float spread = 1;       ///< how many times as far apart as in the last frame they are
  Point moved = {};       ///< how far their middle went since the last frame, in device pixels
};

/// What widgets remember between frames and report about this one. Given by the caller; nothing else is kept.
struct UiState {
  std::map<std::string, Rect, std::less<>> probes;       ///< widgets of this frame by name, what is visible of them
  std::multimap<std::string, Rect, std::less<>> places;  ///< of this frame: what can be pointed at and is no widget
  Fingers fingers;                                       ///< of this frame
  std::string letters;        ///< of the last frame: those that the widget under the pointer takes for itself
  std::string open;           ///< the drop-down whose list is open, or the field that is typed into; empty for none
  std::string typed;          ///< what stands in the field that is typed into
  std::size_t caret = 0;      ///< in bytes of `typed`
  bool all_selected = false;  ///< the next character replaces all of `typed`
  std::map<std::string, std::string, std::less<>> shown;  ///< the numbers of this frame by name, as they are written
};

/// What widgets need: where they draw, and what they remember. Two references, passed on.
struct Ui {
  Canvas& canvas;
  UiState& state;
};

struct Hit {
  bool hovered = false;  ///< the pointer is over it, and nothing lies before it
  bool held = false;     ///< it was pressed, and the button is still down
  bool clicked = false;  ///< it was pressed and released over it, in this frame
};

/// Makes a rectangle react to the pointer, inside of the current ImGui window and clip rectangle, and records the probe
/// `id`. Throws sim::Error when this frame has a widget of that name already.
Hit hit(Ui& ui, std::string_view id, Rect rect);

/// True if a letter, large or small, or a sign was typed in this frame: what counts is not which key it took, "?" is
/// elsewhere on every keyboard.
bool typed(char sign);

/// Records where something is drawn that words can point at; several things may have one name.
void mark_place(Ui& ui, std::string_view name, Rect rect);

/// Cuts widgets and drawing of the current window to a rectangle, until pop_view().
void push_view(Rect rect);
void pop_view();

}  // namespace ui

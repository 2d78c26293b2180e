// Connects widgets to the pointer. Every interactive widget calls hit(), which records a probe: tests, the browser and
// tutorials find the widget by its name.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "viz/ui/canvas.h"

namespace ui {

/// Touch input beyond what a mouse can do.
struct Fingers {
  bool touching = false;  ///< the pointer is a finger, or was one last
  bool two = false;       ///< two fingers; the pointer then stays where they were put down, and presses nothing
  float spread = 1;       ///< ratio of their distance to that in the last frame
  Point moved = {};       ///< movement of their midpoint since the last frame, in device pixels
};

/// What a panel of text keeps between frames.
struct Reading {
  char key = 0;                       ///< key pressed for the panel in this frame; 0 if none
  bool presents = false;              ///< the last frame presented it in large type
  bool tabbed = false;                ///< in the last frame the panels shared tabs
  int turned = 0;                     ///< the text that was drawn: another one begins at its top
  std::string field;                  ///< answer field that the last frame drew; empty if none
  std::string first;                  ///< place of the first link on the page presented
  std::string pointed;                ///< place of the linked word under the pointer in this frame; empty if none
  std::string lit;                    ///< place highlighted in the last frame
  std::vector<Rect> lit_places = {};  ///< its rectangles
};

/// State that widgets keep between frames, and their reports on this frame. Owned by the caller; nothing else is kept.
struct UiState {
  std::map<std::string, Rect, std::less<>> probes;       ///< widgets of this frame by name: their visible parts
  std::multimap<std::string, Rect, std::less<>> places;  ///< pointing targets of this frame that are not widgets
  Fingers fingers;                                       ///< fingers in this frame
  std::map<std::string, float, std::less<>> scrolled;    ///< offsets of scrolling views by name, in device pixels
  std::string letters;        ///< letters that the widget under the pointer in the last frame handles itself
  std::string open;           ///< the drop-down whose list is open, or the field being typed into; empty if none
  std::string typed;          ///< text of the field being typed into
  std::size_t caret = 0;      ///< position in `typed`, in bytes
  bool all_selected = false;  ///< the next character replaces all of `typed`
  Reading reading;
  std::map<std::string, std::string, std::less<>> shown;  ///< numbers of this frame by name, as written
};

/// Context of widgets: the canvas they draw on, and their state. Two references, passed on.
struct Ui {
  Canvas& canvas;
  UiState& state;
};

struct Hit {
  bool hovered = false;  ///< true if the pointer is over it, and nothing is in front of it
  bool held = false;     ///< true if it was pressed, and the button is still down
  bool clicked = false;  ///< true if it was pressed, and released over it in this frame
};

/// Makes a rectangle react to the pointer, within the current ImGui window and clip rectangle, and records the probe
/// `id`. Throws sim::Error if this frame already has a widget of that name.
Hit hit(Ui& ui, std::string_view id, Rect rect);

/// True if a letter, in upper or lower case, or a symbol was typed in this frame. The character counts, not the key:
/// keyboards differ in where "?" is.
bool typed(char sign);

/// Records where something is drawn that words can point at; several things may share a name.
void mark_place(Ui& ui, std::string_view name, Rect rect);

/// Clips widgets and drawing of the current window to a rectangle, until pop_view().
void push_view(Rect rect);
void pop_view();

}  // namespace ui

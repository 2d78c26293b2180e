// Queue of user input for Dear ImGui, shared by the window, the browser and the tests.
// Dear ImGui 1.86 samples pointer and keys once per frame, and would miss a press and release between two frames, or a
// press at a position that the pointer has not visited. The queue spreads events over frames so that none is missed;
// later versions have such a queue of their own, which is switched off.
#pragma once
#include <imgui.h>

#include <deque>
#include <string>
#include <string_view>
#include <variant>

#include "viz/ui/hit.h"

namespace platform {

struct PointerMoved {
  float x, y;  ///< device pixels
  bool finger = false;
};
/// The pointer left the window, or a finger was lifted.
struct PointerLeft {};
/// Releases everything as if never pressed; the pointer is then outside.
struct PressDropped {};
/// Two fingers moved.
struct Pinched {
  float x, y;              ///< midpoint of the fingers at the start, in device pixels
  float spread;            ///< ratio of their distance to that of the last event
  float moved_x, moved_y;  ///< shift of the midpoint since the last event
};
struct ButtonChanged {
  int button;  ///< ImGuiMouseButton_Left, ...
  bool down;
};
struct WheelTurned {
  float lines;  ///< up is positive
};
struct KeyChanged {
  ImGuiKey key;  ///< Dear ImGui's own, or ui::imgui::key_of_letter(); letters are needed with Ctrl only
  bool down;
  bool ctrl = false, shift = false;  ///< held; on a Mac Command counts as Ctrl
};
struct Typed {
  std::string text;  ///< UTF-8
};
using Event =
    std::variant<PointerMoved, PointerLeft, PressDropped, Pinched, ButtonChanged, WheelTurned, KeyChanged, Typed>;

class InputQueue {
 public:
  /// Sets the options of a new context that this queue relies on.
  static void prepare(ImGuiIO& io);

  void push(Event event) { waiting_.push_back(std::move(event)); }
  /// A finger: the pointer arrives and presses; when lifted it leaves, so that nothing stays hovered.
  void touch_down(float x, float y);
  void touch_move(float x, float y);
  void touch_up();
  /// A second finger cancels the press of the first. Pinched follows, and pinch_end() when both are lifted.
  void pinch_begin();
  void pinch_end();

  /// Delivers the events that fit into the next frame, in order: a button changes only after the pointer has been at
  /// its position for a frame, and buttons and keys change once per frame; wheel steps and pinches add up. Call it
  /// before ImGui::NewFrame(). Returns the finger input of this frame.
  ui::Fingers apply(ImGuiIO& io);
  bool empty() const { return waiting_.empty(); }

 private:
  std::deque<Event> waiting_;
  bool touching_ = false;
};

}  // namespace platform

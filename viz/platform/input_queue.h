// What the user does, on its way to Dear ImGui: one queue for the window, the browser and the tests.
// Dear ImGui 1.86 looks at the state of pointer and keys once a frame, and would not see a press and a release between
// two frames, nor a press at a place where the pointer has not been. The queue hands events over so that it sees them
// all; later versions have such a queue of their own, which is switched off.
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
/// Whatever is pressed is let go of, as if it had never been pressed, and the pointer is nowhere.
struct PressDropped {};
/// Two fingers moved.
struct Pinched {
  float x, y;              ///< their middle when they were put down, device pixels
  float spread;            ///< how many times as far apart as before they are
  float moved_x, moved_y;  ///< of their middle since the last event
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
  bool ctrl = false, shift = false;  ///< are held; on a Mac Command counts as Ctrl
};
struct Typed {
  std::string text;  ///< UTF-8
};
using Event =
    std::variant<PointerMoved, PointerLeft, PressDropped, Pinched, ButtonChanged, WheelTurned, KeyChanged, Typed>;

class InputQueue {
 public:
  /// Sets what this queue relies on in a new context.
  static void prepare(ImGuiIO& io);

  void push(Event event) { waiting_.push_back(std::move(event)); }
  /// A finger: the pointer arrives and presses; when it is lifted it is nowhere, so that nothing stays hovered.
  void touch_down(float x, float y);
  void touch_move(float x, float y);
  void touch_up();
  /// A second finger: the first one presses nothing any more. Pinched follows, and pinch_end() when both are gone.
  void pinch_begin();
  void pinch_end();

  /// Hands over what fits into the next frame, in order: a button changes only after the pointer has been in its place
  /// for a frame, and buttons and keys change once; turns of the wheel and what two fingers do add up. Call it before
  /// ImGui::NewFrame(). Returns what fingers do in this frame.
  ui::Fingers apply(ImGuiIO& io);
  bool empty() const { return waiting_.empty(); }

 private:
  std::deque<Event> waiting_;
  bool touching_ = false;
};

}  // namespace platform

// What the user does, on its way to Dear ImGui: one queue for the window, the browser and the tests.
// ImGui 1.86 looks at the state of pointer and keys once a frame, and would not see a press and a release between two
// frames, nor a press at a place where the pointer has not been. The queue hands events over so that it sees them all.
#pragma once
#include <imgui.h>

#include <deque>
#include <string>
#include <string_view>
#include <variant>

namespace platform {

struct PointerMoved {
  float x, y;  ///< device pixels
};
/// The pointer left the window, or a finger was lifted.
struct PointerLeft {};
struct ButtonChanged {
  int button;  ///< ImGuiMouseButton_Left, ...
  bool down;
};
struct WheelTurned {
  float lines;  ///< up is positive
};
struct KeyChanged {
  ImGuiKey key;  ///< Dear ImGui's own numbers, or key_of_letter(); letters are needed with Ctrl only
  bool down;
  bool ctrl = false, shift = false;  ///< are held; on a Mac Command counts as Ctrl
};
/// The number of a letter's key, 'A' to 'Z': Dear ImGui 1.86 has no names for most of them.
constexpr ImGuiKey key_of_letter(char letter) { return static_cast<ImGuiKey>(letter); }
static_assert(ImGuiKey_COUNT <= 'A');
struct Typed {
  std::string text;  ///< UTF-8
};
using Event = std::variant<PointerMoved, PointerLeft, ButtonChanged, WheelTurned, KeyChanged, Typed>;

class InputQueue {
 public:
  /// Sets what this queue relies on in a new context: its numbers of keys.
  static void prepare(ImGuiIO& io);

  void push(Event event) { waiting_.push_back(std::move(event)); }
  /// A finger: the pointer arrives and presses; when it is lifted it is nowhere, so that nothing stays hovered.
  void touch_down(float x, float y);
  void touch_up();

  /// Hands over what fits into the next frame, in order: a button changes only after the pointer has been in its place
  /// for a frame, and buttons and keys change once; turns of the wheel add up. Call it before ImGui::NewFrame().
  void apply(ImGuiIO& io);
  bool empty() const { return waiting_.empty(); }

 private:
  std::deque<Event> waiting_;
};

}  // namespace platform

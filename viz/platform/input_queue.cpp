#include "viz/platform/input_queue.h"

#include <algorithm>
#include <cfloat>
#include <iterator>

#include "viz/ui/imgui_version.h"

namespace platform {
namespace {

/// Input already delivered in this frame.
struct Frame {
  ImGuiIO& io;
  ui::Fingers fingers;
  bool moved = false, pressed = false, left = false;
};

// hand_over(event, frame): false when the event must wait for the next frame.

bool hand_over(const PointerMoved& event, Frame& frame) {
  if (frame.pressed || frame.left || frame.fingers.two) return false;
  frame.io.MousePos = {event.x, event.y};
  frame.fingers.touching = event.finger;
  frame.moved = true;
  return true;
}

bool hand_over(const PointerLeft&, Frame& frame) {
  if (frame.moved || frame.pressed) return false;
  frame.io.MousePos = {-FLT_MAX, -FLT_MAX};
  frame.left = true;
  return true;
}

/// Releases and leaves at once: a release over a widget would be a click, and a continuing press would drag it away.
bool hand_over(const PressDropped&, Frame& frame) {
  if (frame.moved || frame.pressed || frame.left) return false;
  frame.io.MousePos = {-FLT_MAX, -FLT_MAX};
  std::fill(std::begin(frame.io.MouseDown), std::end(frame.io.MouseDown), false);
  frame.pressed = frame.left = true;
  return true;
}

bool hand_over(const Pinched& event, Frame& frame) {
  ui::Fingers& fingers = frame.fingers;
  if (frame.pressed || frame.left || (frame.moved && !fingers.two)) return false;
  frame.io.MousePos = {event.x, event.y};
  frame.moved = fingers.touching = fingers.two = true;
  fingers.spread *= event.spread;
  fingers.moved = {fingers.moved.x + event.moved_x, fingers.moved.y + event.moved_y};
  return true;
}

bool hand_over(const ButtonChanged& event, Frame& frame) {
  if (frame.moved || frame.pressed || frame.left) return false;
  frame.io.MouseDown[event.button] = event.down;
  frame.pressed = true;
  return true;
}

bool hand_over(const WheelTurned& event, Frame& frame) {
  if (frame.moved || frame.pressed || frame.left) return false;
  frame.io.MouseWheel += event.lines;  // wheel steps add up: fast scrolling does not lag behind
  return true;
}

bool hand_over(const KeyChanged& event, Frame& frame) {
  if (frame.pressed) return false;
  ui::imgui::send_key(frame.io, event.key, event.down, event.ctrl, event.shift);
  frame.pressed = true;
  return true;
}

bool hand_over(const Typed& event, Frame& frame) {
  if (frame.pressed) return false;
  frame.io.AddInputCharactersUTF8(event.text.c_str());
  return true;
}

}  // namespace

void InputQueue::prepare(ImGuiIO& io) {
  ui::imgui::prepare_keys(io);
  io.MousePos = {-FLT_MAX, -FLT_MAX};
}

void InputQueue::touch_down(float x, float y) {
  touch_move(x, y);
  push(ButtonChanged{ImGuiMouseButton_Left, true});
}

void InputQueue::touch_move(float x, float y) { push(PointerMoved{x, y, true}); }

void InputQueue::touch_up() {
  push(ButtonChanged{ImGuiMouseButton_Left, false});
  push(PointerLeft{});
}

void InputQueue::pinch_begin() { push(PressDropped{}); }
void InputQueue::pinch_end() { push(PointerLeft{}); }

ui::Fingers InputQueue::apply(ImGuiIO& io) {
  Frame frame{io};
  frame.fingers.touching = touching_;
  while (!waiting_.empty()) {
    if (!std::visit([&](const auto& event) { return hand_over(event, frame); }, waiting_.front())) break;
    waiting_.pop_front();
  }
  touching_ = frame.fingers.touching;
  return frame.fingers;
}

}  // namespace platform

// Uniform interface to Dear ImGui 1.86 to 1.91: everything that differs between them is here. Keys have names and
// events since 1.87; before, they were indices of arrays. cmake/Imgui.cmake compiles this file to check that a version
// is supported.
#pragma once
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <iterator>

namespace ui::imgui {

#if IMGUI_VERSION_NUM < 18700

/// Key of a letter 'A' to 'Z'.
constexpr ImGuiKey key_of_letter(char letter) { return static_cast<ImGuiKey>(letter); }
static_assert(ImGuiKey_COUNT <= 'A');
inline constexpr ImGuiKey keypad_enter = ImGuiKey_KeyPadEnter;

/// Prepares the keys of a new context.
inline void prepare_keys(ImGuiIO& io) {
  for (int key = 0; key < ImGuiKey_COUNT; ++key) io.KeyMap[key] = key;
}
/// Sends a change of a key, and whether Ctrl and Shift are held.
inline void send_key(ImGuiIO& io, ImGuiKey key, bool down, bool ctrl, bool shift) {
  io.KeysDown[key] = down;
  io.KeyCtrl = ctrl;
  io.KeyShift = shift;
}
/// True if any key of the keyboard is held.
inline bool any_key_down() {
  const ImGuiIO& io = ImGui::GetIO();
  return std::any_of(std::begin(io.KeysDown), std::end(io.KeysDown), [](bool down) { return down; });
}

#else

constexpr ImGuiKey key_of_letter(char letter) { return static_cast<ImGuiKey>(ImGuiKey_A + (letter - 'A')); }
inline constexpr ImGuiKey keypad_enter = ImGuiKey_KeypadEnter;
#if IMGUI_VERSION_NUM < 18900
inline constexpr ImGuiKey ctrl_key = ImGuiKey_ModCtrl, shift_key = ImGuiKey_ModShift;
#else
inline constexpr ImGuiKey ctrl_key = ImGuiMod_Ctrl, shift_key = ImGuiMod_Shift;
#endif

inline void prepare_keys(ImGuiIO& io) {
  io.ConfigInputTrickleEventQueue = false;  // our queue decides what belongs in a frame
}
inline void send_key(ImGuiIO& io, ImGuiKey key, bool down, bool ctrl, bool shift) {
  io.AddKeyEvent(ctrl_key, ctrl);
  io.AddKeyEvent(shift_key, shift);
  io.AddKeyEvent(key, down);
}
inline bool any_key_down() {
  for (int key = ImGuiKey_Tab; key <= ImGuiKey_KeypadEqual; ++key) {
    if (ImGui::IsKeyDown(static_cast<ImGuiKey>(key))) return true;
  }
  return false;
}

#endif

/// Ends the open windows after an exception, and with them what they have pushed.
inline void end_windows() {
  while (ImGui::GetCurrentContext()->CurrentWindowStack.Size > 1) ImGui::End();
}

}  // namespace ui::imgui

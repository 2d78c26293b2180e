// Dear ImGui 1.86 to 1.91, as one: all that differs between them is here. Keys have had names of their own and events
// since 1.87; before, they were numbers in arrays. cmake/Imgui.cmake compiles this file to see whether a version fits.
#pragma once
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <iterator>

namespace ui::imgui {

#if IMGUI_VERSION_NUM < 18700

/// Of a letter 'A' to 'Z'.
constexpr ImGuiKey key_of_letter(char letter) { return static_cast<ImGuiKey>(letter); }
static_assert(ImGuiKey_COUNT <= 'A');
inline constexpr ImGuiKey keypad_enter = ImGuiKey_KeyPadEnter;

/// In a new context.
inline void prepare_keys(ImGuiIO& io) {
  for (int key = 0; key < ImGuiKey_COUNT; ++key) io.KeyMap[key] = key;
}
/// A key changes, while Ctrl and Shift are held or not.
inline void send_key(ImGuiIO& io, ImGuiKey key, bool down, bool ctrl, bool shift) {
  io.KeysDown[key] = down;
  io.KeyCtrl = ctrl;
  io.KeyShift = shift;
}
/// Whether a key of the keyboard is held.
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
  io.ConfigInputTrickleEventQueue = false;  // our queue knows what belongs into a frame
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

/// Ends the windows that are open, after an exception. What they have pushed goes with them.
inline void end_windows() {
  while (ImGui::GetCurrentContext()->CurrentWindowStack.Size > 1) ImGui::End();
}

}  // namespace ui::imgui

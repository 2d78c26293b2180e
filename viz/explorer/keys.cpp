#include "viz/explorer/keys.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sim/base/text.h"
#include "viz/ui/imgui_version.h"

namespace explorer {
namespace {

constexpr std::string_view ctrl_prefix = "Ctrl+", shift_prefix = "Shift+";

constexpr std::array<std::pair<std::string_view, ImGuiKey>, 8> named_keys = {{{"Space", ImGuiKey_Space},
                                                                              {"Left", ImGuiKey_LeftArrow},
                                                                              {"Right", ImGuiKey_RightArrow},
                                                                              {"Up", ImGuiKey_UpArrow},
                                                                              {"Down", ImGuiKey_DownArrow},
                                                                              {"Home", ImGuiKey_Home},
                                                                              {"End", ImGuiKey_End},
                                                                              {"Escape", ImGuiKey_Escape}}};

bool cut_prefix(std::string_view& text, std::string_view prefix) {
  const bool found = text.substr(0, prefix.size()) == prefix;
  if (found) text.remove_prefix(prefix.size());
  return found;
}

/// True if a chord such as "Ctrl+Left" was pressed.
bool chord_pressed(std::string_view chord) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool ctrl = cut_prefix(chord, ctrl_prefix), shift = cut_prefix(chord, shift_prefix);
  const bool has_ctrl = io.KeyCtrl || io.KeySuper;  // Command, on a Mac
  for (const auto& [name, key] : named_keys) {
    if (name == chord) return ctrl == has_ctrl && shift == io.KeyShift && ImGui::IsKeyPressed(key);
  }
  if (ctrl) return has_ctrl && ImGui::IsKeyPressed(ui::imgui::key_of_letter(chord[0]));
  return !has_ctrl && ui::typed(chord[0]);
}

/// True for actions that do not change the step; the arrows and Enter belong to the tour.
bool in_tour(std::string_view name) {
  constexpr std::string_view counts[] = {"play",  "to-start", "to-end", "slower", "faster",
                                         "still", "theme",    "undo",   "redo"};
  return std::find(std::begin(counts), std::end(counts), name) != std::end(counts);
}

/// True if an action is available under an overlay, which reserves the other keys.
bool counts_under(Overlay overlay, const Action& action) {
  if (overlay == Overlay::none) return true;
  if (action.name == "close") return true;
  const bool opens = action.name == "help" || action.name == "palette";
  if (overlay == Overlay::tour) return in_tour(action.name);
  if (overlay == Overlay::device) return action.name == "undo" || action.name == "redo";
  if (overlay == Overlay::pattern) return action.name == "pattern" || action.name == "undo" || action.name == "redo";
  return overlay == Overlay::help ? opens : overlay == Overlay::palette && action.name == "palette";
}

}  // namespace

bool pressed(std::string_view keys) {
  while (!keys.empty()) {
    const std::size_t end = std::min(keys.find(' '), keys.size());
    if (chord_pressed(keys.substr(0, end))) return true;
    keys.remove_prefix(std::min(end + 1, keys.size()));
  }
  return false;
}

void take_keys(ViewModel& model, ui::UiState& state) {
  ImGuiIO& io = ImGui::GetIO();
  const std::string letters = std::exchange(state.letters, {});
  if (io.WantTextInput || !state.open.empty()) return;
  const Overlay overlay = model.look.overlay;
  for (const Action& action : actions()) {
    if (!counts_under(overlay, action)) continue;
    // The palette takes "/" as a letter.
    const std::string_view keys =
        overlay == Overlay::palette ? action.keys.substr(0, action.keys.find(' ')) : action.keys;
    if (keys.size() == 1 && letters.find(keys) != std::string::npos) continue;
    if (!pressed(keys)) continue;
    action.run(model);
    if (model.look.overlay != overlay) {
      io.InputQueueCharacters.resize(0);  // the key that opens the palette is not typed into it
      return;
    }
  }
}

}  // namespace explorer

// Overlays: the window is dimmed, a card is shown in its middle, and a click outside the card closes it.
#pragma once
#include <imgui.h>

#include <string>

#include "viz/panels/view.h"

namespace explorer {

/// Draws with draw(front, card) in front of all panels. `width`, `height`: wanted, in CSS pixels; the card never
/// exceeds the window. Widgets of the window below do not react to the pointer.
template <class Draw>
void draw_overlay(View& view, const std::string& name, float width, float height, Draw draw) {
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(window);
  constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground |
                                     ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                     ImGuiWindowFlags_NoNav;
  ImGui::Begin(name.c_str(), nullptr, flags);
  ui::Canvas canvas = view.canvas().on(*ImGui::GetWindowDrawList());
  ui::Ui ui{canvas, view.ui.state};
  View front{ui, view, view.index};
  const ui::Rect all{0, 0, window.x, window.y};
  canvas.fill(all, ui::with_alpha(view.theme().window, 0.72f));
  const float margin = view.px(12);
  const float w = std::min(view.px(width), all.width - 2 * margin),
              h = std::min(view.px(height), all.height - 2 * margin);
  const ui::Rect card{std::round((all.width - w) / 2), std::round((all.height - h) / 3), w, h};
  const ui::Theme& theme = view.theme();
  canvas.card(card, theme.card, ui::mix(theme.border, theme.text, 0.15f), canvas.px(ui::card_radius));
  draw(front, card);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !card.contains({mouse.x, mouse.y}))
    view.set([&](Look& look) { look.overlay = Overlay::none; });
  ImGui::End();
}

/// Lists all actions with their keys.
void draw_help(View& view);
/// The command palette: a text field, and the actions, algorithms, devices, options and numbers it finds.
void draw_palette(View& view);
/// The editor in which the blocks of the pattern are painted.
void draw_pattern_editor(View& view);
/// A key as it is shown: "Ctrl ←" for "Ctrl+Left".
std::string key_label(std::string_view key);

}  // namespace explorer

// Compiles only with a supported version of Dear ImGui: 1.86 to 1.91 have all of this (see cmake/Imgui.cmake).
#include "viz/ui/imgui_version.h"

float look(ImFontAtlas& atlas, ImFont& font, ImDrawList& list) {
  unsigned char* texels = nullptr;
  int width = 0, height = 0;
  atlas.GetTexDataAsAlpha8(&texels, &width, &height);
  list.AddText(&font, font.FontSize, {0, 0}, list._VtxCurrentIdx, "");
  return font.FindGlyphNoFallback('a')->AdvanceX + ImGui::GetIO().MouseClickedLastCount[0];
}

void listen(ImGuiIO& io) {
  ui::imgui::prepare_keys(io);
  ui::imgui::send_key(io, ui::imgui::key_of_letter('V'), ui::imgui::any_key_down(), false, io.KeyShift);
  io.MouseDown[0] = ImGui::IsKeyPressed(ui::imgui::keypad_enter) && io.InputQueueCharacters.empty();
  ui::imgui::end_windows();
}

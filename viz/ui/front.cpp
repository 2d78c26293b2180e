#include "viz/ui/front.h"

#include <string>

namespace ui {

void begin_front(std::string_view name, Rect rect) {
  ImGui::SetNextWindowPos({rect.x, rect.y});
  ImGui::SetNextWindowSize({rect.width, rect.height});
  constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground |
                                     ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                     ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollWithMouse;
  ImGui::Begin(std::string(name).c_str(), nullptr, flags);
}

void end_front() { ImGui::End(); }

}  // namespace ui

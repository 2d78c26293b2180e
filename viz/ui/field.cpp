#include "viz/ui/field.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "sim/base/check.h"
#include "viz/ui/widgets.h"

namespace ui {
namespace {

constexpr float padding = 11, caret = 22, label_gap = 6;  // CSS pixels

float label_width(const Canvas& canvas, std::string_view label) {
  return label.empty() ? 0 : canvas.text_width(Style::caption, label) + canvas.px(label_gap);
}

}  // namespace

Rect draw_field(Canvas& canvas, Rect rect, std::string_view label, Hit h, bool open, bool list) {
  const Theme& theme = canvas.theme();
  const float touch = open || h.held ? 0.1f : h.hovered ? 0.06f : 0;
  canvas.card(rect, mix(theme.inset, theme.text, touch), open ? theme.muted : theme.border, canvas.px(control_radius));
  Rect rest = rect.inset(canvas.px(padding), 0);
  if (list) {
    const Rect mark = cut_right(rest, canvas.px(9));
    const float y = mark.center().y, u = canvas.fonts().scale;
    canvas.triangle({mark.x, y - 2 * u}, {mark.right(), y - 2 * u}, {mark.center().x, y + 3 * u}, theme.muted);
    cut_right(rest, canvas.px(4));
  }
  if (!label.empty()) {
    // Aligns both on one baseline, although the label is smaller.
    const float drop = (canvas.fonts()[Style::control].Ascent - canvas.fonts()[Style::caption].Ascent) / 2;
    canvas.text(rest.moved(0, std::round(drop)), Style::caption, theme.muted, label);
  }
  cut_left(rest, label_width(canvas, label));
  return rest;
}

float field_width(const Canvas& canvas, std::string_view label, bool list) {
  return 2 * canvas.px(padding) + label_width(canvas, label) + (list ? canvas.px(caret) - canvas.px(8) : 0);
}

namespace {

/// Rectangle of the list: below the field if it fits, else above it, never outside the window.
Rect place_of_list(const Canvas& canvas, Rect field, std::span<const std::string_view> options) {
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  float width = field.width;
  for (const std::string_view option : options) {
    width = std::max(width, canvas.text_width(Style::control, option) + 4 * canvas.px(padding));
  }
  const float wanted = static_cast<float>(options.size()) * control_height(canvas, Control::small) + 2 * canvas.px(4);
  const float gap = canvas.px(4), below = window.y - field.bottom() - 2 * gap, above = field.y - 2 * gap;
  const bool up = wanted > below && above > below;
  const float height = std::min(wanted, up ? above : below);
  const float x = std::clamp(field.x, 0.f, std::max(0.f, window.x - width));
  return {x, up ? field.y - gap - height : field.bottom() + gap, width, height};
}

int draw_options(Ui& ui, std::string_view id, Rect rest, std::span<const std::string_view> options, int selected,
                 std::span<const std::string_view> names) {
  Canvas& canvas = ui.canvas;
  const Theme& theme = canvas.theme();
  const float needed = control_height(canvas, Control::small) * static_cast<float>(options.size());
  const float height =
      std::min(control_height(canvas, Control::small), rest.height * control_height(canvas, Control::small) / needed);
  for (int i = 0; i < static_cast<int>(options.size()); ++i) {
    const std::string_view option = options[static_cast<std::size_t>(i)];
    const Rect row = cut_top(rest, height);
    const Hit h = hit(ui, sim::text(id, "/", names[static_cast<std::size_t>(i)]), row);
    if (h.hovered) canvas.fill(row, theme.track, canvas.px(control_radius - 2));
    canvas.text(row.inset(canvas.px(padding), 0), Style::control, i == selected ? theme.text : theme.muted, option);
    if (i == selected) canvas.disc({row.right() - canvas.px(padding), row.center().y}, canvas.px(3), theme.strong);
    if (h.clicked) {
      selected = i;
      ui.state.open.clear();
    }
  }
  return selected;
}

}  // namespace

bool clicked_outside(Rect rect) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  return ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !rect.contains({mouse.x, mouse.y});
}

int option_list(Ui& ui, std::string_view id, Rect field, std::span<const std::string_view> options, int selected,
                std::span<const std::string_view> names) {
  if (names.empty()) names = options;
  sim::require(names.size() == options.size(), "widgets: \"", id, "\" has ", names.size(), " names for ",
               options.size(), " options");
  const Rect list = place_of_list(ui.canvas, field, options);
  ImGui::SetNextWindowPos({list.x, list.y});
  ImGui::SetNextWindowSize({list.width, list.height});
  constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground |
                                     ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                                     ImGuiWindowFlags_NoNav;
  ImGui::Begin((std::string(id) + " list").c_str(), nullptr, flags);
  Canvas canvas = ui.canvas.on(*ImGui::GetWindowDrawList());
  const Theme& theme = canvas.theme();
  // Fill and border distinguish the list from the cards below it.
  canvas.card(list, theme.dark ? mix(theme.card, theme.text, 0.04f) : theme.card, mix(theme.border, theme.text, 0.15f),
              canvas.px(control_radius));
  Ui front{canvas, ui.state};
  selected = draw_options(front, id, list.inset(canvas.px(4)), options, selected, names);
  ImGui::End();

  const bool left = clicked_outside(list) && clicked_outside(field);
  if (left || ImGui::IsKeyPressed(ImGuiKey_Escape)) ui.state.open.clear();
  return selected;
}

}  // namespace ui

#include "viz/ui/widgets.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "sim/base/check.h"
#include "viz/ui/layout.h"
#include "viz/ui/within.h"

namespace ui {
namespace {

constexpr float segment_padding = 12, toggle_track = 34;  // CSS pixels

/// Colour of a control under the pointer, or pressed: mixed with a little of the text's.
Color touched(const Theme& theme, Color color, Hit h) {
  return mix(color, theme.text, h.held ? 0.14f : h.hovered ? 0.08f : 0);
}

struct Look {
  Color inside, border, text;
};

Look look_of(const Theme& theme, Weight weight, Hit h) {
  if (weight == Weight::normal) return {touched(theme, theme.inset, h), theme.border, theme.text};
  const Color inside = mix(theme.strong, theme.on_strong, h.held ? 0.25f : h.hovered ? 0.12f : 0);
  return {inside, inside, theme.on_strong};
}

Look draw_button(Canvas& canvas, Rect rect, Weight weight, Hit h) {
  const Look look = look_of(canvas.theme(), weight, h);
  canvas.card(rect, look.inside, look.border, canvas.px(control_radius));
  return look;
}

}  // namespace

float control_height(const Canvas& canvas, Control control) {
  if (is_for_fingers(ImGui::GetIO().DisplaySize.x, canvas.fonts().scale)) return canvas.px(40);
  return canvas.px(control == Control::small ? 28 : 32);
}

void panel(Canvas& canvas, Rect rect) {
  canvas.card(rect, canvas.theme().card, canvas.theme().border, canvas.px(card_radius));
}

void inset_panel(Canvas& canvas, Rect rect) {
  canvas.card(rect, canvas.theme().inset, canvas.theme().border, canvas.px(control_radius));
}

void progress_bar(Canvas& canvas, Rect rect, float share, Color color) {
  canvas.fill(rect, canvas.theme().track, canvas.px(3));
  canvas.fill(rect.share(share), color, canvas.px(3));
}

bool button(Ui& ui, std::string_view id, Rect rect, std::string_view label, Weight weight) {
  const Hit h = hit(ui, id, rect);
  const Look look = draw_button(ui.canvas, rect, weight, h);
  ui.canvas.text(rect.inset(ui.canvas.px(6), 0), Style::control, look.text, label, Align::center);
  return h.clicked;
}

float button_width(const Canvas& canvas, std::string_view label) {
  return canvas.text_width(Style::control, label) + 2 * canvas.px(segment_padding);
}

bool icon_button(Ui& ui, std::string_view id, Rect rect, Icon icon, Weight weight) {
  const Hit h = hit(ui, id, rect);
  const Look look = draw_button(ui.canvas, rect, weight, h);
  draw_icon(ui.canvas, icon, rect.center(), look.text, look.inside);
  return h.clicked;
}

float segmented_width(const Canvas& canvas, std::span<const std::string_view> labels) {
  float width = 2 * canvas.px(2);
  for (const std::string_view label : labels) width += button_width(canvas, label);
  return width;
}

int segmented(Ui& ui, std::string_view id, Rect rect, std::span<const std::string_view> names,
              std::span<const std::string_view> labels, int selected) {
  sim::require(names.size() == labels.size(), "widgets: \"", id, "\" has ", names.size(), " names for ", labels.size(),
               " labels");
  Canvas& canvas = ui.canvas;
  const Theme& theme = canvas.theme();
  inset_panel(canvas, rect);
  Rect rest = rect.inset(canvas.px(2));
  const float stretch = rest.width / (segmented_width(canvas, labels) - 2 * canvas.px(2));
  for (int i = 0; i < static_cast<int>(labels.size()); ++i) {
    const std::string_view label = labels[static_cast<std::size_t>(i)];
    const bool chosen = i == selected;
    const Rect segment = cut_left(rest, button_width(canvas, label) * stretch);
    const Hit h = hit(ui, sim::text(id, "/", names[static_cast<std::size_t>(i)]), segment);
    if (chosen) canvas.fill(segment, theme.strong, canvas.px(control_radius - 2));
    const Color color = chosen ? theme.on_strong : h.hovered ? theme.text : theme.muted;
    canvas.text(segment, Style::control, color, label, Align::center);
    if (h.clicked) selected = i;
  }
  return selected;
}

float toggle_width(const Canvas& canvas, std::string_view label) {
  return canvas.px(toggle_track) + canvas.px(8) + canvas.text_width(Style::control, label);
}

bool toggle(Ui& ui, std::string_view id, Rect rect, std::string_view label, bool on) {
  Canvas& canvas = ui.canvas;
  const Theme& theme = canvas.theme();
  const Hit h = hit(ui, id, rect);
  Rect rest = rect;
  const Rect left = cut_left(rest, canvas.px(toggle_track));
  const float height = canvas.px(18);
  const Rect track{left.x, std::round(left.center().y - height / 2), left.width, height};
  canvas.fill(track, touched(theme, on ? theme.strong : theme.track, on ? Hit{} : h), height / 2);
  const float from_edge = height / 2, radius = height / 2 - canvas.px(3);
  const Point knob{on ? track.right() - from_edge : track.x + from_edge, track.center().y};
  canvas.disc(knob, radius, on ? theme.on_strong : theme.muted);
  cut_left(rest, canvas.px(8));
  canvas.text(rest, Style::control, theme.text, label);
  return h.clicked ? !on : on;
}

float slider(Ui& ui, std::string_view id, Rect rect, float value) {
  Canvas& canvas = ui.canvas;
  const Theme& theme = canvas.theme();
  const Hit h = hit(ui, id, rect);
  if (h.held || h.clicked) value = (ImGui::GetIO().MousePos.x - rect.x) / rect.width;
  value = std::clamp(value, 0.f, 1.f);
  const float thick = canvas.px(3), radius = canvas.px(h.held ? 7.f : 6.f);
  const Rect track{rect.x, std::round(rect.center().y - thick / 2), rect.width, thick};
  progress_bar(canvas, track, value, theme.strong);
  // Keeps the knob inside the rectangle, so that it is not clipped at the ends.
  const float x = kept_within(rect.x + value * rect.width, radius, rect.x, rect.right());
  canvas.disc({x, track.center().y}, radius, touched(theme, theme.strong, h));
  return value;
}

namespace {

/// Distance by which one or two fingers pan the view; a widget that they pressed there is released.
float pulled(const Ui& ui, Rect visible) {
  const Fingers& fingers = ui.state.fingers;
  const ImGuiIO& io = ImGui::GetIO();
  if (fingers.two) return visible.contains({io.MousePos.x, io.MousePos.y}) ? fingers.moved.y : 0;
  const ImVec2 from = io.MouseClickedPos[0];
  const float least = ui.canvas.px(8), moved = std::abs(io.MousePos.y - from.y);
  const bool along = moved > least && moved > std::abs(io.MousePos.x - from.x);
  if (!fingers.touching || !io.MouseDown[0] || !along || !visible.contains({from.x, from.y})) return 0;
  ImGui::ClearActiveID();
  return io.MouseDelta.y;
}

}  // namespace

float begin_scroll(Ui& ui, std::string_view id, Rect rect, float content_height, float offset) {
  Canvas& canvas = ui.canvas;
  const float most = std::max(0.f, content_height - rect.height);
  const ImGuiIO& io = ImGui::GetIO();
  const bool over = ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
                    common(rect, canvas.clip()).contains({io.MousePos.x, io.MousePos.y});
  if (over) offset -= io.MouseWheel * canvas.px(48);
  if (ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) && most > 0)
    offset -= pulled(ui, common(rect, canvas.clip()));
  if (most > 0) {
    const Rect lane{rect.right() - canvas.px(8), rect.y, canvas.px(8), rect.height};
    const Hit h = hit(ui, id, lane);
    const float knob = std::max(canvas.px(24), rect.height * rect.height / content_height);
    if (h.held) offset = (io.MousePos.y - rect.y - knob / 2) / (rect.height - knob) * most;
    const float y = rect.y + std::clamp(offset / most, 0.f, 1.f) * (rect.height - knob);
    canvas.fill({lane.x + canvas.px(2), y, canvas.px(4), knob}, touched(canvas.theme(), canvas.theme().border, h));
  }
  push_view(rect);
  return std::clamp(offset, 0.f, most);
}

void end_scroll() { pop_view(); }

}  // namespace ui

#include "viz/ui/text_field.h"

#include <algorithm>
#include <cmath>

#include "viz/ui/field.h"
#include "viz/ui/imgui_version.h"

namespace ui {
namespace {

constexpr std::size_t longest = 200;  // bytes

bool pressed(ImGuiKey key) { return ImGui::IsKeyPressed(key); }

bool is_inside_of_character(const std::string& text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
}

/// Position of the next or previous character; stays at the ends.
std::size_t neighbour(const std::string& text, std::size_t at, bool right) {
  do {
    if (right ? at >= text.size() : at == 0) return at;
    at += right ? 1 : static_cast<std::size_t>(-1);
  } while (is_inside_of_character(text, at));
  return at;
}

void clear_if_all_selected(UiState& state) {
  if (!state.all_selected) return;
  state.typed.clear();
  state.caret = 0;
  state.all_selected = false;
}

void insert(UiState& state, std::string_view text) {
  if (text.empty()) return;
  clear_if_all_selected(state);
  if (state.typed.size() + text.size() > longest) return;
  state.typed.insert(state.caret, text);
  state.caret += text.size();
}

void erase(UiState& state, std::size_t from, std::size_t to) {
  if (state.all_selected) return clear_if_all_selected(state);
  state.typed.erase(from, to - from);
  state.caret = from;
}

void move(UiState& state, std::size_t to) {
  state.caret = to;
  state.all_selected = false;
}

std::string typed_now() {
  std::string text;
  for (const ImWchar c : ImGui::GetIO().InputQueueCharacters) {
    if (c < 0x20 || c == 0x7f) continue;
    char utf8[5];
    text += ImTextCharToUtf8(utf8, c);
  }
  const ImGuiIO& io = ImGui::GetIO();
  if ((io.KeyCtrl || io.KeySuper) && pressed(imgui::key_of_letter('V'))) {
    const char* pasted = ImGui::GetClipboardText();
    for (const char* c = pasted; c != nullptr && *c != '\0'; ++c) {
      if (static_cast<unsigned char>(*c) >= 0x20) text += *c;
    }
  }
  return text;
}

void take_keys(UiState& state) {
  insert(state, typed_now());
  const std::string& text = state.typed;
  if (pressed(ImGuiKey_Backspace)) erase(state, neighbour(text, state.caret, false), state.caret);
  if (pressed(ImGuiKey_Delete)) erase(state, state.caret, neighbour(text, state.caret, true));
  if (pressed(ImGuiKey_LeftArrow)) move(state, neighbour(text, state.caret, false));
  if (pressed(ImGuiKey_RightArrow)) move(state, neighbour(text, state.caret, true));
  if (pressed(ImGuiKey_Home)) move(state, 0);
  if (pressed(ImGuiKey_End)) move(state, text.size());
}

/// Draws the line, scrolled so that the caret is visible.
void draw_line(Canvas& canvas, const UiState& state, Rect rect, Style style) {
  const Theme& theme = canvas.theme();
  const float height = canvas.line_height(style), top = std::round(rect.center().y - height / 2);
  const float before = canvas.text_width(style, std::string_view(state.typed).substr(0, state.caret));
  const float left = rect.x - std::max(0.f, before + canvas.px(2) - rect.width);
  canvas.push_clip(rect);
  if (state.all_selected) {
    canvas.fill({left, top, canvas.text_width(style, state.typed), height}, mix(theme.inset, theme.text, 0.25f));
  }
  canvas.text_at({left, top}, style, theme.text, state.typed);
  canvas.fill({left + before, top, std::max(1.f, canvas.px(1)), height}, theme.strong);
  canvas.pop_clip();
}

}  // namespace

void begin_typing(UiState& state, std::string_view id, std::string_view text) {
  state.open = id;
  state.typed = text;
  state.caret = text.size();
  state.all_selected = !text.empty();
}

bool is_typing(const Ui& ui, std::string_view id) { return ui.state.open == id; }

Typing type_line(Ui& ui, Rect rect, Style style) {
  ImGui::GetCurrentContext()->WantTextInputNextFrame = 1;
  take_keys(ui.state);
  draw_line(ui.canvas, ui.state, rect, style);
  const bool entered = pressed(ImGuiKey_Enter) || pressed(imgui::keypad_enter);
  if (!entered && !pressed(ImGuiKey_Escape)) return Typing::goes_on;
  ui.state.open.clear();
  return entered ? Typing::entered : Typing::cancelled;
}

bool text_field(Ui& ui, std::string_view id, Rect rect, std::string_view hint, std::string& text, Rect around) {
  const Hit h = hit(ui, id, rect);
  const bool typing = is_typing(ui, id);
  const Rect inside = draw_field(ui.canvas, rect, {}, h, typing, false);
  if (!typing) {
    const Theme& theme = ui.canvas.theme();
    ui.canvas.text(inside, Style::control, text.empty() ? theme.muted : theme.text, text.empty() ? hint : text);
    if (h.clicked) begin_typing(ui.state, id, text);
    return false;
  }
  type_line(ui, inside, Style::control);
  if (clicked_outside(rect) && clicked_outside(around)) ui.state.open.clear();
  const bool other = ui.state.typed != text;
  text = ui.state.typed;
  return other;
}

}  // namespace ui

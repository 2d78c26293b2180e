// The command palette: a text field and the entries it finds.
#include <algorithm>
#include <array>

#include "viz/panels/overlay.h"
#include "viz/panels/palette_entries.h"
#include "viz/ui/imgui_version.h"
#include "viz/ui/paragraph.h"

namespace explorer {
namespace {

constexpr float width = 620, line_height = 48, padding = 8;  // CSS pixels
constexpr std::size_t most_rows = 10, longest_text = 100;

bool key(ImGuiKey key) { return ImGui::IsKeyPressed(key); }

/// Removes the last UTF-8 character.
void erase_last(std::string& text) {
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80) text.pop_back();
  if (!text.empty()) text.pop_back();
}

/// The palette after the keys of this frame.
Palette with_keys(Palette palette) {
  const std::string before = palette.typed;
  for (const ImWchar c : ImGui::GetIO().InputQueueCharacters) {
    char utf8[5];
    if (c >= 0x20 && c != 0x7f && palette.typed.size() < longest_text) palette.typed += ImTextCharToUtf8(utf8, c);
  }
  if (key(ImGuiKey_Backspace)) erase_last(palette.typed);
  if (palette.typed != before) palette.chosen = 0;
  return palette;
}

void draw_line(View& view, ui::Rect line, const std::string& typed) {
  ui::Canvas& canvas = view.canvas();
  const ui::Theme& theme = view.theme();
  ui::Rect text = line.inset(view.px(16), 0);
  if (typed.empty())
    canvas.text(text.moved(view.px(4), 0), ui::Style::body, theme.muted,
                view.say("Find an action, an algorithm, a GPU, a model, an option, a lesson or a number"));
  // Keeps the end of a long text visible.
  const float needed = canvas.text_width(ui::Style::body, typed), cut = std::max(0.f, needed - text.width + view.px(4));
  canvas.push_clip(text);
  canvas.text_at({text.x - cut, line.center().y - canvas.line_height(ui::Style::body) / 2}, ui::Style::body, theme.text,
                 typed);
  canvas.pop_clip();
  const float caret = text.x + needed - cut + 1;
  canvas.fill({caret, line.center().y - view.px(9), std::max(1.f, view.px(1.5f)), view.px(18)}, theme.strong);
  canvas.line({line.x, line.bottom()}, {line.right(), line.bottom()}, theme.border, 1);
}

bool draw_row(View& view, ui::Rect row, std::size_t n, const PaletteEntry& entry, Palette& palette) {
  ui::Canvas& canvas = view.canvas();
  const ui::Theme& theme = view.theme();
  const ui::Hit hit = ui::hit(view.ui, view.id("palette/" + std::to_string(n)), row);
  const bool moved = ImGui::GetIO().MouseDelta.x != 0 || ImGui::GetIO().MouseDelta.y != 0;
  if (hit.hovered && moved) palette.chosen = static_cast<int>(n);
  const bool chosen = palette.chosen == static_cast<int>(n);
  if (chosen) canvas.fill(row, theme.track, view.px(6));
  ui::Rect text = row.inset(view.px(10), 0);
  draw_palette_entry(view, text, entry, 0.3f * text.width);
  return hit.clicked;
}

void run(const View& view, const PaletteEntry& entry, Palette& palette) {
  if (!entry.stays) view.set([](Look& look) { look.overlay = Overlay::none; });
  view.edit(entry.edits);
  palette = {entry.then_typed, 0};
}

}  // namespace

void draw_palette_entry(View& view, ui::Rect row, const PaletteEntry& entry, float title_width) {
  ui::Canvas& canvas = view.canvas();
  const ui::Theme& theme = view.theme();
  if (entry.idea != nullptr) {
    const std::string& title = entry.title;
    const float wide = std::max(title_width, ui::rich_width(canvas, ui::Style::control, title) + 1);
    const auto [name, words] = ui::columns(row, view.px(10), {wide, ui::rest()});
    ui::rich_text(canvas, name, ui::Style::control, {theme.text}, title);
    ui::paragraph(canvas, ui::middle(words, ui::line_step(canvas, ui::Style::caption) + 1), ui::Style::caption,
                  {theme.muted, true, theme.card}, entry.note);
    return;
  }
  const float wide = std::min(row.width / 2, canvas.text_width(ui::Style::caption, entry.note) + 1);
  const auto [title, note] = ui::columns(row, view.px(12), {ui::rest(), wide});
  canvas.text(note, ui::Style::caption, theme.muted, entry.note, ui::Align::right);
  canvas.text(title, ui::Style::body, theme.text, entry.title);
}

void draw_palette(View& view) {
  Palette palette = with_keys(view.state.palette);
  const std::vector<PaletteEntry> entries = find_entries(view, palette.typed, most_rows);
  const int last = std::max(0, static_cast<int>(entries.size()) - 1);
  palette.chosen =
      std::clamp(palette.chosen + (key(ImGuiKey_DownArrow) ? 1 : 0) - (key(ImGuiKey_UpArrow) ? 1 : 0), 0, last);
  const bool entered = key(ImGuiKey_Enter) || key(ui::imgui::keypad_enter);
  const auto rows = static_cast<float>(std::max<std::size_t>(1, entries.size()));
  const float row = view.for_fingers() ? 40 : 32;  // CSS pixels
  const PaletteEntry* taken = nullptr;
  draw_overlay(view, "palette", width, line_height + rows * row + 2 * padding, [&](View& front, ui::Rect card) {
    const std::array<ui::Rect, 2> parts = ui::rows(card, 0, {front.px(line_height), ui::rest()});
    draw_line(front, parts[0], palette.typed);
    ui::Space rest(parts[1].inset(front.px(padding)));
    for (std::size_t n = 0; n < entries.size(); ++n) {
      if (draw_row(front, rest.top(front.control_height()), n, entries[n], palette)) taken = &entries[n];
    }
  });
  if (entered && !entries.empty() && !entries.front().near) taken = &entries[static_cast<std::size_t>(palette.chosen)];
  if (taken != nullptr) run(view, *taken, palette);
  if (!(palette == view.state.palette)) view.edit(TypeInPalette{palette.typed, palette.chosen});
}

}  // namespace explorer

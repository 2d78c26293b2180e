#include "tests/ui/gallery_panels.h"

#include <array>
#include <cmath>
#include <string>

#include "viz/ui/rich_text.h"
#include "viz/ui/widgets.h"

using namespace ui;

namespace gallery {
namespace {

constexpr std::string_view letters = "QKVSPO";

void draw_strip(Canvas& canvas, Rect rect, char letter, int active) {
  const Theme& theme = canvas.theme();
  const std::string name(1, letter);
  canvas.text(cut_left(rect, canvas.px(20)), Style::control, theme.tensor_text(letter, theme.inset), name);
  const float pitch = rect.width / 16;
  for (int i = 0; i < 16; ++i) {
    const Phase phase = i < active ? Phase::done : i == active ? Phase::active : Phase::future;
    canvas.fill({rect.x + static_cast<float>(i) * pitch, rect.y, pitch - canvas.px(2), rect.height},
                theme.tensor(letter, phase), canvas.px(2));
  }
}

/// Draws a slot of shared memory: filled in its tensor's colour from the bottom up, the text legible on both.
void draw_slot(Canvas& canvas, Rect rect, std::string_view label, char letter, float share) {
  const Theme& theme = canvas.theme();
  const Color fill = theme.tensor(letter);
  Rect rest = rect;
  canvas.card(rect, theme.inset, fill, canvas.px(5));
  const Rect filled = cut_bottom(rest, share * rect.height);
  canvas.fill(filled, fill, share < 1 ? 0 : canvas.px(5));
  canvas.in_two_colors(rect, filled, text_on(fill), text_on(theme.inset), [&](Color color) {
    Rect half = rect.inset(0, canvas.px(4));
    const Rect upper = cut_top(half, half.height / 2);
    rich_text(canvas, upper, Style::control, {.color = color}, label, Align::center);
    canvas.text(half, Style::caption, color, "32 KB", Align::center);
  });
}

void draw_bar(Canvas& canvas, Rect rect, char letter, std::string_view label, Phase phase) {
  const Color fill = canvas.theme().tensor(letter, phase);
  canvas.fill(rect, fill, canvas.px(3));
  if (phase == Phase::active) canvas.stroke(rect, canvas.theme().strong, canvas.px(2), canvas.px(3));
  if (rich_width(canvas, Style::caption, label) > rect.width) return;
  rich_text(canvas, rect, Style::caption, {.color = text_on(fill)}, label, Align::center);
}

void draw_lane(Canvas& canvas, Rect lane, std::string_view name, std::string_view tensors, float now) {
  const Theme& theme = canvas.theme();
  canvas.text(cut_left(lane, canvas.px(112)), Style::caption, theme.muted, name);
  canvas.fill(lane, theme.inset, canvas.px(3));
  const float width = lane.width / 20;
  for (int i = 0; i < 20; ++i) {
    const char letter = tensors[static_cast<std::size_t>(i) % tensors.size()];
    if (letter == '.') continue;
    const Rect bar = Rect{lane.x + static_cast<float>(i) * width, lane.y, width, lane.height}.inset(canvas.px(1), 0);
    const Phase phase = bar.right() < now ? Phase::done : bar.x > now ? Phase::future : Phase::active;
    draw_bar(canvas, bar, letter, letter == 'S' ? std::string("QK^T") : letter + ("_" + std::to_string(i % 10)), phase);
  }
}

void draw_transport(Ui& ui, Rect rest, Values& values) {
  constexpr std::array<std::string_view, 5> speeds{"0.25×", "0.5×", "1×", "2×", "4×"};
  Canvas& canvas = ui.canvas;
  const auto square = [&](const char* name, Icon icon, float width, Weight weight) {
    const bool clicked = icon_button(ui, name, cut_left(rest, canvas.px(width)), icon, weight);
    cut_left(rest, canvas.px(8));
    return clicked;
  };
  if (square("start", Icon::to_start, 34, Weight::normal)) values.position = 0;
  square("back", Icon::step_back, 34, Weight::normal);
  if (square("play", values.playing ? Icon::pause : Icon::play, 52, Weight::primary)) values.playing = !values.playing;
  square("step", Icon::step, 34, Weight::normal);
  if (square("end", Icon::to_end, 34, Weight::normal)) values.position = 1;
  if (rest.width < canvas.px(500)) return;
  cut_left(rest, canvas.px(8));
  values.speed = segmented(ui, "speed", cut_left(rest, segmented_width(canvas, speeds)), speeds, speeds, values.speed);
  cut_left(rest, canvas.px(20));
  const Ink ink{.color = canvas.theme().text, .tensors = true, .surface = canvas.theme().card};
  canvas.text(cut_right(rest, canvas.px(140)), Style::body, canvas.theme().muted, "66.95 / 350.6 µs", Align::right);
  rich_text(canvas, rest, Style::body, ink, "Softmax: P = exp(S − m′), then update m and ℓ");
}

}  // namespace

void draw_memory(Canvas& canvas, Rect rect) {
  Rect rest = card(canvas, rect, "Memory", "one SM of 132");
  Rect strips = cut_top(rest, canvas.px(190));
  inset_panel(canvas, strips);
  strips = strips.inset(canvas.px(12));
  for (std::size_t i = 0; i < letters.size(); ++i) {
    draw_strip(canvas, cut_top(strips, canvas.px(18)), letters[i], 3 + static_cast<int>(i));
    cut_top(strips, canvas.px(11));
  }
  cut_top(rest, canvas.px(12));
  for (const float share : {0.35f, 1.f}) {
    Rect row = cut_top(rest, canvas.px(50));
    const float pitch = row.width / static_cast<float>(letters.size());
    for (const char letter : letters) {
      const Rect slot = cut_left(row, pitch).inset(canvas.px(3), 0);
      draw_slot(canvas, slot, letter + std::string("_4"), letter, share);
    }
    cut_top(rest, canvas.px(10));
  }
  const Theme& theme = canvas.theme();
  for (const Color color : {theme.window, theme.card, theme.inset, theme.track, theme.border, theme.tile_done}) {
    Rect row = cut_top(rest, canvas.px(24));
    canvas.card(cut_left(row, canvas.px(60)), color, theme.border, canvas.px(3));
    cut_left(row, canvas.px(12));
    canvas.text(row, Style::caption, theme.muted, "surface with text, muted; faint for ticks");
    cut_top(rest, canvas.px(4));
  }
}

void draw_matrix(Canvas& canvas, Rect rect, int tiles) {
  const Theme& theme = canvas.theme();
  Rect rest = card(canvas, rect, "Attention matrix", "16 × 16 tiles of 128 × 128");
  const float side = std::min(rest.width - canvas.px(40), rest.height), pitch = side / static_cast<float>(tiles);
  const float left = rest.x + (rest.width - side) / 2, hole = std::max(1.f, canvas.px(pitch > 12 ? 2 : 1));
  for (int i = 0; i < tiles; ++i) {
    for (int j = 0; j < tiles; ++j) {
      const Rect tile{left + static_cast<float>(j) * pitch, rest.y + static_cast<float>(i) * pitch, pitch - hole,
                      pitch - hole};
      const Color color = i * 3 < tiles ? theme.tile_done : theme.tile_to_do;
      if (j > i) {
        canvas.disc(tile.center(), canvas.px(1), theme.skipped);
      } else if (j == i) {
        canvas.triangle({tile.x, tile.y}, {tile.right(), tile.bottom()}, {tile.x, tile.bottom()}, color);
      } else {
        canvas.fill(tile, color, canvas.px(3));
      }
    }
  }
  const Rect current{left + 2 * pitch, rest.y + 6 * pitch, pitch - hole, pitch - hole};
  canvas.fill(current, theme.tensor('S'), canvas.px(3));
  canvas.fill(current.share(0.4f), theme.tensor('P'), canvas.px(3));
  canvas.stroke(current.inset(-canvas.px(2)), theme.strong, canvas.px(2), canvas.px(4));
  const Rect claim{left + side / 2, rest.y + canvas.px(16), side / 2, canvas.px(30)};
  canvas.text(claim, Style::number, theme.text, "47 %", Align::right);
  canvas.text(claim.moved(0, canvas.px(24)), Style::caption, theme.muted, "of the tiles are never touched",
              Align::right);
}

void draw_code(Canvas& canvas, Rect rect) {
  constexpr std::array<std::array<std::string_view, 2>, 10> lines{
      {{"for i in row blocks", "parallel over SMs"},
       {"  load Q_i", "HBM → SRAM"},
       {"  O_i ← 0   m ← -∞   ℓ ← 0", "registers"},
       {"    load K_j, V_j", "prefetched, two slots"},
       {"    S ← Q_i K_j^T / √d", "tensor cores"},
       {"    m′ ← max(m, rowmax(S))", ""},
       {"    P ← exp(S - m′)", "exp unit"},
       {"    O_i ← exp(m - m′) O_i + PV_j", "tensor cores"},
       {"    dS_{ij} = P_{ij}∘(dP_{ij} − D_i)", "backward"},
       {"  dQ_i ← dQ_i + dS_{ij} K_j", "∈ ℝ^{N×d}, ≤ ⌈N/B_r⌉"}}};
  const Theme& theme = canvas.theme();
  Rect rest = card(canvas, rect, "FlashAttention-2, forward", "i = 6   j = 2");
  const float pitch = std::min(canvas.px(26), rest.height / static_cast<float>(lines.size()));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Rect line = cut_top(rest, pitch);
    const bool current = i == 5;
    if (current) canvas.fill(line.inset(-canvas.px(8), 0), mix(theme.card, theme.text, 0.12f), canvas.px(4));
    if (current)
      canvas.fill({line.x - canvas.px(8), line.y + canvas.px(4), canvas.px(3), pitch - canvas.px(8)}, theme.strong);
    canvas.text(cut_left(line, canvas.px(20)), Style::table, theme.faint, std::to_string(i + 1), Align::right);
    cut_left(line, canvas.px(14));
    const Ink ink{.color = theme.text, .tensors = true, .surface = theme.card};
    cut_left(line, rich_text(canvas, line, Style::code, ink, lines[i][0]) + canvas.px(12));
    const std::string note = plain(lines[i][1]);
    if (canvas.text_width(Style::caption, note) > line.width) continue;
    canvas.text(line, Style::caption, theme.muted, note, Align::right);
  }
}

void draw_styles(Ui& ui, Rect rect, Values& values) {
  Canvas& canvas = ui.canvas;
  const Theme& theme = canvas.theme();
  Rect rest = card(canvas, rect, "Styles", "a view that scrolls");
  Rect buttons = cut_bottom(rest, canvas.px(32));
  cut_bottom(rest, canvas.px(10));
  button(ui, "predict", cut_left(buttons, button_width(canvas, "Predict")), "Predict");
  cut_left(buttons, canvas.px(8));
  button(ui, "reveal", cut_left(buttons, button_width(canvas, "Reveal")), "Reveal", Weight::primary);
  cut_left(buttons, canvas.px(16));
  values.position = slider(ui, "position", buttons, values.position);

  constexpr std::array<std::pair<Style, std::string_view>, styles> samples{
      {{Style::number, "Number 0123456789"},
       {Style::title, "Title FlashAttention-2, forward"},
       {Style::body, "Body: the scores never reach HBM 注意力"},
       {Style::control, "Control Medium 13"},
       {Style::caption, "Caption → ≤ ≥ ≠ ≈ ∞ ∈ ℝ ∑ √ ∂ ∇ ⌈x⌉ ⌊x⌋ αβγδθλμσ"},
       {Style::code, "code 0O1lI ← max(m, rowmax)"},
       {Style::table, "table 3.1415 ×1.00 ℓ ∇ ⌈⌉"},
       {Style::script, "script 11"},
       {Style::small_script, "small script 10"},
       {Style::code_script, "code script 10"}}};
  const float row = canvas.px(26);
  const float height = row * static_cast<float>(samples.size());
  values.offset = begin_scroll(ui, "styles", rest, height, values.offset);
  Rect lines{rest.x, rest.y - values.offset, rest.width - canvas.px(12), height};
  for (const auto& [style, sample] : samples) canvas.text(cut_top(lines, row), style, theme.text, sample);
  end_scroll();
}

void draw_timeline(Ui& ui, Rect rect, Values& values) {
  Canvas& canvas = ui.canvas;
  const Theme& theme = canvas.theme();
  panel(canvas, rect);
  Rect rest = rect.inset(canvas.px(16), canvas.px(10));
  draw_transport(ui, cut_top(rest, canvas.px(32)), values);
  Rect ticks = cut_top(rest, canvas.px(24));
  cut_left(ticks, canvas.px(112));
  const float now = ticks.x + values.position * ticks.width, top = ticks.bottom();
  const int count = ticks.width > canvas.px(600) ? 8 : 4;
  for (int i = 0; i < count; ++i) {
    Rect tick = ticks.share(1.f / static_cast<float>(count));
    tick.x += static_cast<float>(i) * tick.width;
    canvas.text(tick, Style::caption, theme.faint, std::to_string(58 + 2 * i) + " µs");
  }
  for (const auto& [name, tensors] : {std::pair{"Copy in", "QKVKVKV.."},
                                      {"Tensor cores", "S.O.S.PV"},
                                      {"Softmax / exp", ".P..P.."},
                                      {"Copy out", "O........"}}) {
    draw_lane(canvas, cut_top(rest, canvas.px(24)), name, tensors, now);
    cut_top(rest, canvas.px(6));
  }
  canvas.line({now, top - canvas.px(6)}, {now, rest.y - canvas.px(6)}, theme.strong, canvas.px(2));
  const float u = canvas.fonts().scale;
  canvas.triangle({now - 6 * u, top - 10 * u}, {now + 6 * u, top - 10 * u}, {now, top - 2 * u}, theme.strong);
}

}  // namespace gallery

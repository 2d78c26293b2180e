#include "tests/ui/gallery.h"

#include <array>
#include <cmath>

#include "tests/ui/gallery_panels.h"
#include "viz/ui/rich_text.h"
#include "viz/ui/widgets.h"

using namespace ui;

namespace gallery {
namespace {

constexpr std::array<std::string_view, 4> algorithms{"Standard", "Flash-1", "Flash-2", "Flash-3"};
constexpr std::array<std::string_view, 3> devices{"A100", "H100 SXM", "B200"};
constexpr std::array<std::string_view, 4> lengths{"1024", "2048", "4096", "131072"};

Rect middle(Rect rect, float height) { return {rect.x, std::round(rect.center().y - height / 2), rect.width, height}; }

void draw_logo(Canvas& canvas, Point corner) {
  const Theme& theme = canvas.theme();
  const float size = canvas.px(7), step = canvas.px(9);
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column <= row; ++column) {
      const Color color = row == 2 && column == 1 ? theme.tensor('S') : column == row ? theme.faint : theme.strong;
      const auto r = static_cast<float>(row), c = static_cast<float>(column);
      canvas.fill({corner.x + c * step, corner.y + r * step, size, size}, color);
    }
  }
}

void draw_top_bar(Ui& ui, const Layout& layout, Values& values) {
  Canvas& canvas = ui.canvas;
  draw_logo(canvas, {layout.title.x, layout.title.center().y - canvas.px(13)});
  Rect title = layout.title;
  cut_left(title, canvas.px(36));
  canvas.text(title, Style::title, canvas.theme().text, "FlashScope");

  Rect rest = middle(layout.controls, canvas.px(34));
  push_view(layout.controls);
  if (!layout.tabbed) {
    const Rect bar = cut_left(rest, segmented_width(canvas, algorithms));
    values.algorithm = segmented(ui, "algo", bar, algorithms, algorithms, values.algorithm);
    cut_left(rest, canvas.px(8));
  }
  const Rect gpu = cut_left(rest, drop_down_width(canvas, "GPU", devices));
  values.device = drop_down(ui, "gpu", gpu, "GPU", devices, values.device);
  cut_left(rest, canvas.px(8));
  const Rect n = cut_left(rest, drop_down_width(canvas, "N", lengths));
  values.length = drop_down(ui, "n", n, "N", lengths, values.length);
  cut_left(rest, canvas.px(16));
  values.causal = toggle(ui, "causal", cut_left(rest, toggle_width(canvas, "Causal")), "Causal", values.causal);
  pop_view();

  Rect actions = middle(layout.actions, canvas.px(32));
  for (const auto& [name, icon] : {std::pair{"theme", Icon::theme}, {"share", Icon::share}, {"help", Icon::help}}) {
    if (icon_button(ui, name, cut_right(actions, canvas.px(32)), icon)) ++values.shared;
    cut_right(actions, canvas.px(8));
  }
}

void draw_counter(Canvas& canvas, Rect rect, std::string_view name, std::string_view number, std::string_view unit) {
  const Theme& theme = canvas.theme();
  if (rect.empty()) return;
  panel(canvas, rect);
  Rect rest = rect.inset(canvas.px(16), canvas.px(11));
  canvas.text(cut_top(rest, canvas.px(18)), Style::caption, theme.muted, name);
  Rect line = cut_top(rest, canvas.px(30));
  const float width = canvas.text(line, Style::number, theme.text, number);
  cut_left(line, width + canvas.px(6));
  canvas.text(line.moved(0, canvas.px(3)), Style::control, theme.muted, unit);
  canvas.text(cut_top(rest, canvas.px(18)), Style::caption, theme.muted, "of 9.44 MB  ·  standard 18.4 MB");
  progress_bar(canvas, cut_bottom(rest, canvas.px(3)), 0.2f, theme.strong);
}

void draw_roofline(Canvas& canvas, Rect rect) {
  const Theme& theme = canvas.theme();
  if (rect.empty()) return;
  panel(canvas, rect);
  Rect rest = rect.inset(canvas.px(16), canvas.px(11));
  canvas.text_at({rest.x, rest.y}, Style::caption, theme.muted, "Roofline");
  cut_left(rest, rest.width / 4);
  const std::array<Point, 3> roof{Point{rest.x, rest.bottom()},
                                  {rest.x + rest.width * 0.6f, rest.y + canvas.px(5)},
                                  {rest.right(), rest.y + canvas.px(5)}};
  canvas.polyline(roof, theme.muted, canvas.px(2));
  canvas.ring({rest.x + rest.width * 0.3f, rest.center().y + canvas.px(2)}, canvas.px(4), theme.muted, canvas.px(2));
  canvas.disc({rest.x + rest.width * 0.7f, rest.y + canvas.px(16)}, canvas.px(5), theme.strong);
  canvas.text({rest.x, rest.center().y, rest.width, canvas.px(20)}, Style::control, theme.text, "FA-2 433",
              Align::right);
}

void draw_tabs(Ui& ui, Rect rect, Values& values) {
  constexpr std::array<std::string_view, tabs> names{"Matrix", "Memory", "Code", "Softmax", "Counts"};
  if (!rect.empty()) values.tab = segmented(ui, "tab", middle(rect, ui.canvas.px(32)), names, names, values.tab);
}

}  // namespace

Rect card(Canvas& canvas, Rect rect, std::string_view title, std::string_view caption) {
  panel(canvas, rect);
  Rect rest = rect.inset(canvas.px(16), canvas.px(14));
  const Rect line = cut_top(rest, canvas.px(20));
  const float width = canvas.text(line, Style::title, canvas.theme().text, title);
  Rect beside = line;
  cut_left(beside, width + canvas.px(12));
  canvas.text(beside, Style::caption, canvas.theme().muted, caption, Align::right);
  cut_top(rest, canvas.px(10));
  return rest;
}

void draw(Ui& ui, const Layout& layout, Values& values) {
  Canvas& canvas = ui.canvas;
  constexpr std::array<std::array<std::string_view, 3>, 5> counters{{{"HBM → SM reads", "1.88", "MB"},
                                                                     {"SM → HBM writes", "200", "KB"},
                                                                     {"Arithmetic", "0.20", "GFLOP"},
                                                                     {"Time on one SM", "66.95", "µs"},
                                                                     {"Tensor cores busy", "53", "%"}}};
  for (std::size_t i = 0; i < counters.size(); ++i) {
    draw_counter(canvas, layout.counters[i], counters[i][0], counters[i][1], counters[i][2]);
  }
  draw_roofline(canvas, layout.roofline);
  draw_tabs(ui, layout.tab_bar, values);
  if (!layout.memory.empty()) draw_memory(canvas, layout.memory);
  if (!layout.matrix.empty()) draw_matrix(canvas, layout.matrix, values.tiles);
  if (!layout.code.empty()) draw_code(canvas, layout.code);
  if (!layout.softmax.empty()) draw_styles(ui, layout.softmax, values);
  draw_timeline(ui, layout.timeline, values);
  draw_top_bar(ui, layout, values);
}

}  // namespace gallery

// The panel in the middle: several views take turns.
#include <algorithm>
#include <array>

#include "viz/panels/panels.h"

namespace explorer {
namespace {

struct CenterView {
  std::string_view name, title;
  void (*draw)(View& view, ui::Rect line, ui::Rect body);
  bool compares;  ///< places kernels or runs by their numbers, where the eye reads what is covered
};
constexpr std::array<CenterView, 5> center_views = {
    {{"matrix", /*say*/ "Matrix", draw_matrix, false},
     {"tiles", /*say*/ "Tiles", draw_tiles, true},
     {"plots", /*say*/ "Plots", draw_plots, true},
     {"roofline", /*say*/ "Roofline", draw_roofline_view, true},
     {"verification", /*say*/ "Verification", draw_verification, false}}};

/// The view of a name; the first if there is none.
const CenterView& view_called(std::string_view name) {
  const auto* const found = std::find_if(center_views.begin(), center_views.end(),
                                         [&](const CenterView& center) { return center.name == name; });
  return found == center_views.end() ? center_views.front() : *found;
}

}  // namespace

bool covers_center(const Covered& covered, std::string_view center) {
  return view_called(center).compares && (!covered.quantities.empty() || covered.order);
}

void draw_center(View& view, ui::Rect rect) {
  ui::panel(view.canvas(), rect);
  ui::Rect body = rect.inset(view.px(16), view.px(12));
  ui::Rect line = cut_top(body, view.control_height(ui::Control::small));
  cut_top(body, view.px(8));
  std::array<std::string_view, center_views.size()> names, titles;
  const CenterView& shown = view_called(view.model.look.center);
  const auto chosen = static_cast<std::size_t>(&shown - center_views.data());
  for (std::size_t i = 0; i < center_views.size(); ++i) {
    names[i] = center_views[i].name;
    titles[i] = view.say(center_views[i].title);
  }
  if (view.bare) {
    const float width = view.canvas().text_width(ui::Style::title, titles[chosen]) + view.px(16);
    view.canvas().text(cut_left(line, width), ui::Style::title, view.theme().text, titles[chosen]);
    return shown.draw(view, line, body);
  }
  const ui::Rect segments = cut_left(line, std::min(line.width, ui::segmented_width(view.canvas(), titles)));
  cut_left(line, view.px(16));
  const int next = ui::segmented(view.ui, view.id("center"), segments, names, titles, static_cast<int>(chosen));
  view.model.look.center = center_views[static_cast<std::size_t>(next)].name;
  if (covers_center(view.model.covered, shown.name)) return view.canvas().covered(body, ui::Style::number);
  shown.draw(view, line, body);
}

}  // namespace explorer

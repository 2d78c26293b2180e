// The panel in the middle: several views take turns.
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

/// True if a question asks what the view places by its numbers.
bool is_covered(const View& view, const CenterView& center) {
  const Covered& covered = view.model.covered;
  return center.compares && (!covered.quantities.empty() || covered.order);
}

}  // namespace

void draw_center(View& view, ui::Rect rect) {
  ui::panel(view.canvas(), rect);
  ui::Rect body = rect.inset(view.px(16), view.px(12));
  ui::Rect line = cut_top(body, view.control_height(ui::Control::small));
  cut_top(body, view.px(8));
  std::array<std::string_view, center_views.size()> names, titles;
  std::size_t chosen = 0;
  for (std::size_t i = 0; i < center_views.size(); ++i) {
    names[i] = center_views[i].name;
    titles[i] = view.say(center_views[i].title);
    if (center_views[i].name == view.model.look.center) chosen = i;
  }
  if (view.bare) {
    const float width = view.canvas().text_width(ui::Style::title, titles[chosen]) + view.px(16);
    view.canvas().text(cut_left(line, width), ui::Style::title, view.theme().text, titles[chosen]);
    return center_views[chosen].draw(view, line, body);
  }
  const ui::Rect segments = cut_left(line, std::min(line.width, ui::segmented_width(view.canvas(), titles)));
  cut_left(line, view.px(16));
  const int next = ui::segmented(view.ui, view.id("center"), segments, names, titles, static_cast<int>(chosen));
  view.model.look.center = center_views[static_cast<std::size_t>(next)].name;
  if (is_covered(view, center_views[chosen])) return view.canvas().covered(body, ui::Style::number);
  center_views[chosen].draw(view, line, body);
}

}  // namespace explorer

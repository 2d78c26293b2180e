// Strips of the rings' stages under the lanes: a slope while a tile comes, pale when it is full, bright while it is
// read, nothing while the stage is free.
#include <algorithm>
#include <array>
#include <cmath>

#include "viz/model/event_label.h"
#include "viz/panels/roles/lanes.h"

namespace explorer {
namespace {

using ui::Rect;

constexpr float filling_part = 0.28f, full_part = 0.58f;  // of the inset in the tensor's colour
constexpr float least_label = 9, group_label = 12;        // CSS pixels

void draw_filling(const RolesLanes& lanes, Rect row, const RingStage& stage, const StageFilling& filling) {
  View& view = lanes.view;
  const char letter = letter_of(stage.tensor);
  const ui::Color color = view.theme().tensor(letter), inset = view.theme().inset;
  const float begin = lanes.x(filling.begin), full = lanes.x(filling.full);
  const std::array<ui::Point, 3> slope = {{{begin, row.bottom()}, {full, row.y}, {full, row.bottom()}}};
  view.canvas().convex(slope, ui::mix(color, inset, filling_part));
  const Rect pale = lanes.part(row, filling.full, filling.read);
  const Rect bright = lanes.part(row, filling.read, filling.released);
  view.canvas().fill(pale, ui::mix(color, inset, full_part));
  view.canvas().fill(bright, color);
  const std::string_view name = stage.tensor == sim::Tensor::dQ_acc ? "dQ" : name_of(stage.tensor);
  const std::string label = sim::text(name, " ", filling.block);
  if (row.height < view.px(least_label) || view.world.covered.order) return;
  const float wide = view.canvas().text_width(ui::Style::small_script, label) + view.px(6);
  for (const auto& [box, ground] : {std::pair(bright, color), std::pair(pale, ui::mix(color, inset, full_part))}) {
    if (box.width < wide) continue;
    view.canvas().text({box.x + view.px(4), box.y - view.px(1), box.width, box.height + view.px(2)},
                       ui::Style::small_script, ui::text_on(ground), label);
    return;
  }
}

/// "K0" of the stage "K 0".
std::string short_name(const RingStage& stage) {
  std::string name = stage.name;
  name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
  return name;
}

/// The last stage that shares the name of stage `n`: itself, or the last of its tensor if rows are too low for names.
std::size_t last_named_with(const RolesLanes& lanes, const std::vector<const RingStage*>& stages, std::size_t n) {
  if (lanes.stages[n].height >= lanes.view.px(least_label)) return n;
  while (n + 1 < lanes.stages.size() && stages[n + 1]->tensor == stages[n]->tensor) ++n;
  return n;
}

}  // namespace

void draw_rings(const RolesLanes& lanes) {
  View& view = lanes.view;
  const std::vector<const RingStage*> stages = ring_stages(lanes.roles);
  view.canvas().push_clip(lanes.window.place);
  for (std::size_t n = 0; n < lanes.stages.size(); ++n) {
    const RingStage& stage = *stages[n];
    const Rect row = lanes.stages[n];
    view.canvas().fill(row, ui::with_alpha(view.theme().inset, 0.6f));
    for (const StageFilling& filling : stage.fillings) {
      if (lanes.shows(filling.begin, filling.released)) draw_filling(lanes, row, stage, filling);
    }
  }
  view.canvas().pop_clip();
  for (std::size_t n = 0; n < lanes.stages.size();) {
    const std::size_t last = last_named_with(lanes, stages, n);
    Rect row = ui::around(lanes.stages[n], lanes.stages[last]);
    const std::string name = short_name(*stages[n]) + (last == n ? "" : "–" + short_name(*stages[last]));
    n = last + 1;
    const float high = std::max(row.height, view.px(group_label));
    row = {lanes.gutter.x, std::round(row.center().y - high / 2), lanes.gutter.width, high};
    view.canvas().text(row, ui::Style::code_script, view.theme().muted, name, ui::Align::right);
  }
}

}  // namespace explorer

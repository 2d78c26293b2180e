#include "viz/panels/center_parts.h"

#include <array>

namespace explorer {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 16> resource_names = {
    {{"tensor", /*say*/ "tensor cores"},
     {"fp32", /*say*/ "FP32 units"},
     {"exp", /*say*/ "exp units"},
     {"smem", /*say*/ "shared memory"},
     {"issue", /*say*/ "instruction issue"},
     {"hbm", /*say*/ "HBM bandwidth"},
     {"l2", /*say*/ "L2 bandwidth"},
     {"latency", /*say*/ "latency"},
     {"barrier", /*say*/ "barriers"},
     {"turn", /*say*/ "turns of warpgroups"},
     {"stage", /*say*/ "stages of the ring"},
     {"launch", /*say*/ "launches"},
     {"tail", /*say*/ "idle SMs at the end"},
     {"registers", /*say*/ "registers"},
     {"threads", /*say*/ "threads"},
     {"CTA slots", /*say*/ "CTA slots"}}};

}  // namespace

ui::Rect controls_place(const View& view, ui::Rect line, ui::Rect& body, float width) {
  if (line.width >= view.px(width)) return line;
  const auto [own, rest] = ui::rows(body, view.px(8), {view.control_height(ui::Control::small), ui::rest()});
  body = rest;
  return own;
}

std::string_view resource_name(const View& view, std::string_view resource) {
  for (const auto& [name, words] : resource_names) {
    if (name == resource) return view.say(words);
  }
  return resource;
}

}  // namespace explorer

#include "viz/explorer/headless.h"

#include "sim/machine/device_spec.h"

namespace explorer {
namespace {

Explorer opened(std::string_view link) {
  Explorer explorer(sim::built_in_gpu);
  explorer.model.follow(link);
  return explorer;
}

}  // namespace

Headless::Headless(std::string_view link, Size size)
    : explorer(opened(link)),
      driver(size.width, size.height,
             ui::ui_scale(static_cast<float>(size.width), static_cast<float>(size.height), size.dpr), explorer.theme(),
             [this, size](ui::Ui& ui) {
               explorer.draw(ui, static_cast<float>(size.width), static_cast<float>(size.height), size.dpr);
               driver.theme = explorer.theme();
             }) {}

}  // namespace explorer

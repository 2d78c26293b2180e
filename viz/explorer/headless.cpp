#include "viz/explorer/headless.h"

namespace explorer {
namespace {

Explorer opened(std::string_view link, sim::GpuLookup gpu) {
  Explorer explorer(std::move(gpu));
  explorer.model.follow(link);
  return explorer;
}

}  // namespace

Headless::Headless(std::string_view link, Size size, sim::GpuLookup gpu)
    : explorer(opened(link, std::move(gpu))),
      driver(size.width, size.height,
             explorer.scale(static_cast<float>(size.width), static_cast<float>(size.height), size.dpr),
             explorer.theme(), [this, size](ui::Ui& ui) {
               const auto width = static_cast<float>(size.width), height = static_cast<float>(size.height);
               explorer.draw(ui, width, height, size.dpr);
               if (over) over(ui);
               driver.theme = explorer.theme();
               driver.scale = explorer.scale(width, height, size.dpr);
             }) {}

void Headless::finish() {
  constexpr int most = 200'000;  // a slice waits 2 ms for kernels on other threads, on a busy machine for minutes
  for (int slices = 0; slices < most;) {
    driver.frame();  // panels request data, and may request more after the first results
    if (!explorer.model.advance()) return;
    while (slices++ < most && explorer.model.advance()) {
    }
  }
}

}  // namespace explorer

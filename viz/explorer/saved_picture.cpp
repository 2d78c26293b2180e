#include "viz/explorer/saved_picture.h"

#include <algorithm>
#include <cmath>

namespace explorer {

platform::Picture saved_picture(Explorer& explorer, Size size, const ui::UiState& state) {
  constexpr float least_dpr = 2;
  constexpr int most_slices = 200'000;
  const float factor = std::max(1.f, least_dpr / size.dpr), dpr = factor * size.dpr;
  const float width = std::round(factor * static_cast<float>(size.width)),
              height = std::round(factor * static_cast<float>(size.height));
  platform::Screen screen(static_cast<int>(width), static_cast<int>(height), explorer.scale(width, height, dpr));
  for (const auto& [name, offset] : state.scrolled) screen.state.scrolled[name] = factor * offset;
  explorer.model.notice.clear();
  const auto frame = [&] {
    screen.frame(explorer.theme(), [&](ui::Ui& ui) { explorer.draw(ui, width, height, dpr); });
  };
  frame();
  for (int slices = 0; slices < most_slices && explorer.model.advance(); frame()) {
    while (slices++ < most_slices && explorer.model.advance()) {
    }
  }
  return screen.picture();
}

}  // namespace explorer

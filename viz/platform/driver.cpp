#include "viz/platform/driver.h"

#include <string>

#include "sim/base/check.h"
#include "viz/draw/steady.h"
#include "viz/platform/png.h"

namespace platform {
namespace {

PointerMoved place_in(ui::Rect rect, float at) { return {rect.x + at * rect.width, rect.center().y}; }

}  // namespace

Driver::Driver(int width, int height, float first_scale, ui::Theme first_theme, Draw draw)
    : screen(width, height, first_scale), theme(first_theme), scale(first_scale), draw_(std::move(draw)) {
  frame();
}

void Driver::frame() {
  screen.rescale(scale);
  screen.frame(theme, draw_);
}

void Driver::settle() {
  while (!screen.input.empty()) frame();
  frame();
}

ui::Rect Driver::rect(std::string_view name) const {
  const auto found = screen.state.probes.find(name);
  if (found != screen.state.probes.end()) return found->second;
  std::string names;
  for (const auto& [other, rect] : screen.state.probes) names += (names.empty() ? "" : ", ") + other;
  throw sim::Error("driver: no widget is called \"", name, "\"; there are ", names);
}

void Driver::click(std::string_view name, float at) {
  screen.input.push(place_in(rect(name), at));
  screen.input.push(ButtonChanged{ImGuiMouseButton_Left, true});
  screen.input.push(ButtonChanged{ImGuiMouseButton_Left, false});
  settle();
}

void Driver::tap(std::string_view name, float at) {
  const PointerMoved place = place_in(rect(name), at);
  screen.input.touch_down(place.x, place.y);
  screen.input.touch_up();
  settle();
}

void Driver::pinch(std::string_view name, float spread, float across, float down) {
  const PointerMoved place = place_in(rect(name), 0.5f);
  screen.input.touch_down(place.x, place.y);
  screen.input.pinch_begin();
  constexpr int steps = 4;
  for (int n = 0; n < steps; ++n) {
    screen.input.push(Pinched{place.x, place.y, static_cast<float>(draw::steady::power(spread, 1. / steps)),
                              across / steps, down / steps});
    frame();
  }
  screen.input.pinch_end();
  settle();
}

void Driver::swipe(std::string_view name, float down, float at) {
  const PointerMoved place = place_in(rect(name), at);
  screen.input.touch_down(place.x, place.y);
  settle();
  constexpr int steps = 4;
  for (int n = 1; n <= steps; ++n) {
    const float part = static_cast<float>(n) / steps;
    screen.input.touch_move(place.x, place.y + part * down);
    frame();
  }
  screen.input.touch_up();
  settle();
}

void Driver::drag(std::string_view name, float from, float to) {
  const ui::Rect widget = rect(name);
  screen.input.push(place_in(widget, from));
  screen.input.push(ButtonChanged{ImGuiMouseButton_Left, true});
  screen.input.push(place_in(widget, to));
  screen.input.push(ButtonChanged{ImGuiMouseButton_Left, false});
  settle();
}

void Driver::hover(std::string_view name, float at) {
  screen.input.push(place_in(rect(name), at));
  settle();
}

void Driver::wheel(std::string_view name, float lines) {
  screen.input.push(place_in(rect(name), 0.5f));
  screen.input.push(WheelTurned{lines});
  settle();
}

void Driver::key(ImGuiKey key, bool ctrl, bool shift) {
  screen.input.push(KeyChanged{key, true, ctrl, shift});
  screen.input.push(KeyChanged{key, false, false, false});
  settle();
}

void Driver::type(std::string_view text) {
  screen.input.push(Typed{std::string(text)});
  settle();
}

void Driver::screenshot(const std::filesystem::path& path) const { write_png(path, picture()); }

}  // namespace platform

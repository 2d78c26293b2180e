// Windows: "WIDTHxHEIGHT LINK". Any link is drawn in a window of any size, by panels whose ranges are not empty.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "tests/fuzz/invariant.h"
#include "viz/explorer/headless.h"

namespace {

/// Within the limits of `screenshot --size`, and drawn within milliseconds.
int side_of(std::string_view text, int least, int most) {
  const long typed = std::strtol(std::string(text.substr(0, 6)).c_str(), nullptr, 10);
  return static_cast<int>(std::clamp<long>(typed, least, most));
}

/// False for large scenarios, which take seconds and do not test the window.
bool is_small(std::string_view text) {
  std::size_t digits = 0, longest = 0;
  for (const char c : text) longest = std::max(longest, digits = c >= '0' && c <= '9' ? digits + 1 : 0);
  return longest < 4;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(input), size);
  const std::size_t blank = std::min(text.find(' '), text.size()), cross = text.substr(0, blank).find('x');
  const std::string_view link = text.substr(std::min(blank + 1, text.size()));
  if (cross == std::string_view::npos || !is_small(link)) return 0;
  const int width = side_of(text.substr(0, cross), 320, 1920);
  const int height = side_of(text.substr(cross + 1, blank - cross - 1), 480, 1200);
  explorer::Headless window(link, {width, height, 1});
  window.driver.frame();
  fuzz::check(!window.driver.screen.state.probes.empty(), "a window has something to click");
  return 0;
}

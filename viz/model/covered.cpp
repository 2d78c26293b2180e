#include "viz/model/covered.h"

#include <algorithm>

namespace explorer {

bool Covered::hides(std::string_view path) const {
  const auto contains = [&](const std::string& meter) {
    return path.starts_with(meter) && (path.size() == meter.size() || path[meter.size()] == '.');
  };
  return std::any_of(quantities.begin(), quantities.end(), contains);
}

bool Covered::hides_level(std::string_view level) const {
  return std::find(levels.begin(), levels.end(), level) != levels.end();
}

std::string Covered::without_answer(const std::string& text) const {
  if (!numbers) return text;
  const Spans spans = numbers(text);
  std::string shown;
  std::size_t done = 0;
  for (const auto& [begin, end] : spans) {
    shown += text.substr(done, begin - done) + "?";
    done = end;
  }
  return shown + text.substr(done);
}

}  // namespace explorer

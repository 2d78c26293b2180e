#include "viz/model/covered.h"

#include <algorithm>

namespace explorer {

bool Covered::hides(std::string_view path) const {
  return std::any_of(quantities.begin(), quantities.end(), [&](const std::string& meter) {
    return path.starts_with(meter) && (path.size() == meter.size() || path[meter.size()] == '.');
  });
}

std::string Covered::without_answer(std::string text) const {
  if (!numbers) return text;
  const Spans spans = numbers(text);
  for (auto span = spans.rbegin(); span != spans.rend(); ++span)
    text.replace(span->first, span->second - span->first, "?");
  return text;
}

}  // namespace explorer

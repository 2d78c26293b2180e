#include "sim/base/nearest.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"

namespace sim {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

/// How far a name is from what was typed, and whether it holds it without beginning with it.
struct Farness {
  std::size_t distance;
  bool holds;
};

/// Of each candidate. `typed` is cut: a hostile name must not cost quadratic time.
std::vector<Farness> farness(std::string_view typed, const std::vector<std::string>& candidates) {
  const std::string start = in_lower_case(typed.substr(0, 100));
  std::vector<Farness> all;
  for (const std::string& candidate : candidates) {
    const std::string known = in_lower_case(candidate);
    const std::size_t at = start.empty() ? std::string::npos : known.find(start);
    all.push_back({at == 0 ? 0 : edit_distance(start, known), at != 0 && at != std::string::npos});
  }
  return all;
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& allowed) {
  if (allowed.empty()) return "";
  const std::vector<Farness> far = farness(name, allowed);
  const auto nearest = std::min_element(far.begin(), far.end(),
                                        [](const Farness& a, const Farness& b) { return a.distance < b.distance; });
  return allowed[static_cast<std::size_t>(nearest - far.begin())];
}

std::vector<std::string> nearest_names(std::string_view name, const std::vector<std::string>& allowed,
                                       std::size_t count) {
  const std::vector<Farness> far = farness(name, allowed);
  std::vector<std::size_t> order(allowed.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto rank = [&](std::size_t n) { return std::pair(far[n].distance > 0 && !far[n].holds, far[n].distance); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  order.resize(std::min(count, order.size()));
  std::vector<std::string> names;
  for (const std::size_t n : order) names.push_back(allowed[n]);
  return names;
}

std::string unknown_name_message(std::string_view what, std::string_view name,
                                 const std::vector<std::string>& allowed) {
  return text("unknown ", what, " ", quoted(name, 100), ": did you mean \"", nearest_name(name, allowed),
              "\"? known: ", joined(allowed));
}

std::string unlisted_name_message(std::string_view what, std::string_view name,
                                  const std::vector<std::string>& allowed) {
  constexpr std::size_t most = 3;
  const std::vector<std::string> nearest = nearest_names(name, allowed, most);
  std::string list;
  for (const std::string& each : nearest) {
    const bool last = &each == &nearest.back();
    list += text(list.empty() ? "" : last ? " or " : ", ", "\"", each, "\"");
  }
  return text("unknown ", what, " ", quoted(name, 100), ": did you mean ", list, "?");
}

}  // namespace sim

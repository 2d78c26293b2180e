#include "sim/base/nearest.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/printable.h"

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

/// Letters of ASCII alone: names have no others.
std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return lower;
}

/// How far a name is from what was typed, and whether it holds it without beginning with it.
std::pair<std::size_t, bool> farness(std::string_view typed, const std::string& candidate) {
  const std::string start = in_lower_case(typed.substr(0, 100));  // a hostile name must not cost quadratic time
  const std::string known = in_lower_case(candidate);
  const std::size_t at = start.empty() ? std::string::npos : known.find(start);
  return {at == 0 ? 0 : edit_distance(start, known), at != 0 && at != std::string::npos};
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& allowed) {
  if (allowed.empty()) return "";
  return *std::min_element(allowed.begin(), allowed.end(), [&](const std::string& a, const std::string& b) {
    return farness(name, a).first < farness(name, b).first;
  });
}

std::vector<std::string> nearest_names(std::string_view name, std::vector<std::string> allowed, std::size_t count) {
  std::stable_sort(allowed.begin(), allowed.end(), [&](const std::string& a, const std::string& b) {
    const auto [far_a, holds_a] = farness(name, a);
    const auto [far_b, holds_b] = farness(name, b);
    return std::pair(far_a > 0 && !holds_a, far_a) < std::pair(far_b > 0 && !holds_b, far_b);
  });
  allowed.resize(std::min(count, allowed.size()));
  return allowed;
}

std::string unknown_name_message(std::string_view what, std::string_view name,
                                 const std::vector<std::string>& allowed) {
  std::string known;
  for (const std::string& each : allowed) known += (known.empty() ? "" : ", ") + each;
  return text("unknown ", what, " ", quoted(name, 100), ": did you mean \"", nearest_name(name, allowed),
              "\"? known: ", known);
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

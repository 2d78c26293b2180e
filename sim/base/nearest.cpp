#include "sim/base/nearest.h"

#include <algorithm>
#include <numeric>

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

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& allowed) {
  if (allowed.empty()) return "";
  const std::string start = in_lower_case(name.substr(0, 100));  // a hostile name must not cost quadratic time
  const auto farness = [&](const std::string& candidate) {
    const std::string known = in_lower_case(candidate);
    const bool begins = !start.empty() && known.compare(0, start.size(), start) == 0;
    return begins ? 0 : edit_distance(start, known);
  };
  return *std::min_element(allowed.begin(), allowed.end(),
                           [&](const std::string& a, const std::string& b) { return farness(a) < farness(b); });
}

std::string unknown_name_message(std::string_view what, std::string_view name,
                                 const std::vector<std::string>& allowed) {
  std::string known;
  for (const std::string& each : allowed) known += (known.empty() ? "" : ", ") + each;
  return text("unknown ", what, " ", quoted(name, 100), ": did you mean \"", nearest_name(name, allowed),
              "\"? known: ", known);
}

}  // namespace sim

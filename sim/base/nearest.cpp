#include "sim/base/nearest.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"

namespace sim {
namespace {

/// Levenshtein distance to a whole name, and to the nearest prefix of it.
struct Distance {
  std::size_t whole, beginning;
};

Distance edit_distance(std::string_view a, std::string_view b) {
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
  return {row.back(), *std::min_element(row.begin(), row.end())};
}

/// Similarity of a name to the typed text: edit distance, whether it contains the text other than at its start, and
/// whether it may be meant. A third of the letters may be wrong, but not the only one.
struct Farness {
  std::size_t distance;
  bool holds, near;
};

/// Computes the farness of each candidate. `typed` is truncated: a malicious name must not cost quadratic time.
std::vector<Farness> farness(std::string_view typed, const std::vector<std::string>& candidates) {
  const std::string start = in_lower_case(typed.substr(0, 100));
  std::vector<Farness> all;
  for (const std::string& candidate : candidates) {
    const std::string known = in_lower_case(candidate);
    const std::size_t at = start.empty() ? std::string::npos : known.find(start);
    const Distance distance = edit_distance(start, known);
    const bool holds = at != 0 && at != std::string::npos && start.size() > 1;
    const std::size_t wrong = start.size() <= 1 ? 0 : std::max<std::size_t>(1, start.size() / 3);
    all.push_back({at == 0 ? 0 : distance.whole, holds, holds || at == 0 || distance.beginning <= wrong});
  }
  return all;
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& allowed) {
  if (allowed.empty()) return "";
  const std::vector<Farness> far = farness(name, allowed);
  const auto rank = [](const Farness& f) { return std::pair(!f.near, f.distance); };
  const auto nearest =
      std::min_element(far.begin(), far.end(), [&](const Farness& a, const Farness& b) { return rank(a) < rank(b); });
  return nearest->near ? allowed[static_cast<std::size_t>(nearest - far.begin())] : "";
}

std::vector<std::string> nearest_names(std::string_view name, const std::vector<std::string>& allowed,
                                       std::size_t count) {
  const std::vector<Farness> far = farness(name, allowed);
  std::vector<std::size_t> order(allowed.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto rank = [&](std::size_t n) { return std::pair(far[n].distance > 0 && !far[n].holds, far[n].distance); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  std::erase_if(order, [&](std::size_t n) { return !far[n].near; });
  order.resize(std::min(count, order.size()));
  std::vector<std::string> names;
  for (const std::size_t n : order) names.push_back(allowed[n]);
  return names;
}

Sentence unknown_name_message(const Sentence& what, std::string_view name, const std::vector<std::string>& allowed) {
  const std::string nearest = nearest_name(name, allowed), typed = quoted(name, 100), known = joined(allowed);
  if (nearest.empty()) return Sentence::of("unknown ", what, " ", typed, ": known: ", known);
  return Sentence::of("unknown ", what, " ", typed, ": did you mean ", quoted(nearest), "? known: ", known);
}

Sentence unlisted_name_message(const Sentence& what, std::string_view name, const std::vector<std::string>& allowed) {
  constexpr std::size_t most = 3;
  const std::string typed = quoted(name, 100);
  std::vector<Sentence> nearest;
  for (const std::string& each : nearest_names(name, allowed, most))
    nearest.push_back(Sentence::name("\"" + each + "\""));
  if (nearest.empty()) return Sentence::of("unknown ", what, " ", typed, ".");
  const Sentence last = nearest.back();
  nearest.pop_back();
  const Sentence meant = nearest.empty() ? last : Sentence::of(Sentence::list(std::move(nearest)), " or ", last);
  return Sentence::of("unknown ", what, " ", typed, ": did you mean ", meant, "?");
}

}  // namespace sim

#include "viz/model/lane_columns.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "viz/model/event_label.h"

namespace explorer {
namespace {

constexpr std::array<char, 7> letters = {0, 'Q', 'K', 'V', 'S', 'P', 'O'};
constexpr std::size_t finest_level = 17;

/// Ticks of work by letter.
using Work = std::array<std::int64_t, letters.size()>;

std::size_t place_of(char letter) {
  return static_cast<std::size_t>(std::find(letters.begin(), letters.end(), letter) - letters.begin());
}

/// Adds an event to the parts that it overlaps.
void add(std::vector<Work>& parts, const sim::Event& event, double ticks) {
  const std::size_t letter = place_of(letter_of(event.tensor));
  const auto begin = static_cast<double>(event.begin.count()), end = static_cast<double>(event.released.count());
  const auto part_at = [&](double time) { return std::min(parts.size() - 1, static_cast<std::size_t>(time / ticks)); };
  for (std::size_t part = part_at(begin); part <= part_at(end); ++part) {
    const double from = static_cast<double>(part) * ticks;
    parts[part][letter] += static_cast<std::int64_t>(std::max(0., std::min(end, from + ticks) - std::max(begin, from)));
  }
}

LaneColumn summed(const Work& work, double ticks) {
  const auto most = std::max_element(work.begin(), work.end());
  std::int64_t all = 0;
  for (const std::int64_t part : work) all += part;
  const double busy = std::min(1.0, static_cast<double>(all) / ticks);
  return {letters[static_cast<std::size_t>(most - work.begin())], static_cast<std::uint8_t>(std::lround(busy * 255))};
}

std::vector<Work> halved(const std::vector<Work>& parts) {
  std::vector<Work> half(parts.size() / 2);
  for (std::size_t n = 0; n < parts.size(); ++n) {
    for (std::size_t letter = 0; letter < letters.size(); ++letter) half[n / 2][letter] += parts[n][letter];
  }
  return half;
}

}  // namespace

LaneColumns::LaneColumns(const sim::Trace& trace, const Lane& lane, sim::Cycles end) : end_(end) {
  std::size_t level = 0;
  while (level < finest_level && (std::size_t{2} << level) < lane.events.size()) ++level;
  const auto ticks_at = [&](std::size_t n) {
    return static_cast<double>(end.count()) / static_cast<double>(std::size_t{1} << n);
  };
  std::vector<Work> parts(std::size_t{1} << level);
  for (const std::int32_t n : lane.events) add(parts, trace.events[static_cast<std::size_t>(n)], ticks_at(level));
  levels_.resize(level + 1);
  for (;; --level, parts = halved(parts)) {
    for (const Work& work : parts) levels_[level].push_back(summed(work, ticks_at(level)));
    if (level == 0) return;
  }
}

std::size_t LaneColumns::level(sim::Cycles longest) const {
  std::size_t level = 0;
  while (level + 1 < levels_.size() && (end_.count() >> level) > longest.count()) ++level;
  return level;
}

}  // namespace explorer

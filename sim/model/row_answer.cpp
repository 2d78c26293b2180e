#include "sim/model/row_answer.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sim {
namespace {

constexpr double no_max = static_cast<double>(unseen_max);

/// Sums over a part of the keys: l and O of its tiles [begin, end) with the maximum m.
struct Section {
  std::size_t begin = 0, end = 0;
  double m = no_max, l = 0;
  std::vector<double> O;
};

/// Sums of a softmax that has seen no key: those of its sink.
Section section_at(std::size_t tile, float sink) {
  return {tile, tile, static_cast<double>(sink), sink == unseen_max ? 0.0 : 1.0, {}};
}

double rescale(double before, double after, Rescaling rescaling) {
  if (before == no_max) return 0;
  return rescaling == Rescaling::kept ? std::exp(before - after) : 1.0;
}

/// Rescales the sums by alpha, then adds a part, weighted for the maximum `m`.
void add(Section& sums, double m, double l, double weight, const std::vector<double>& O, Rescaling rescaling,
         std::vector<double>& factor, std::size_t rescaled_from) {
  const double alpha = rescale(sums.m, m, rescaling);
  sums.l = alpha * sums.l + l;
  sums.O.resize(O.size());
  for (std::size_t c = 0; c < O.size(); ++c) sums.O[c] = alpha * sums.O[c] + weight * O[c];
  if (alpha != 1)
    for (std::size_t t = rescaled_from; t < sums.end; ++t) factor[t] *= alpha;
  sums.m = m;
}

bool begins_section(std::span<const SoftmaxTile> tiles, std::size_t t) {
  return t == 0 || tiles[t].kernel != tiles[t - 1].kernel || tiles[t].part != tiles[t - 1].part;
}

/// Sums over the parts of the keys. Second passes add nothing: their sums are those of the first.
std::vector<Section> sections_of(std::span<const SoftmaxTile> tiles, Rescaling rescaling, std::vector<double>& factor) {
  std::vector<Section> sections;
  for (std::size_t t = 0; t < tiles.size() && !tiles[t].of_parts; ++t) {
    if (begins_section(tiles, t)) sections.push_back(section_at(t, tiles[t].sink));
    if (!tiles[t].max_runs) continue;
    Section& section = sections.back();
    section.end = t;
    const bool seen = tiles[t].exact_m != no_max;
    if (seen) {
      factor[t] = 1;
      add(section, tiles[t].exact_m, tiles[t].exact_sum, 1, tiles[t].exact_added, rescaling, factor, section.begin);
    }
    section.end = t + 1;
  }
  return sections;
}

/// Combines the parts that the tiles `parts` cover.
Section combined(std::span<const SoftmaxTile> tiles, std::span<const SoftmaxTile> parts,
                 const std::vector<Section>& sections, Rescaling rescaling, std::vector<double>& factor) {
  Section sums = section_at(0, parts.front().sink);
  std::vector<double> of_sections(sections.size());
  for (const SoftmaxTile& part : parts) {
    const auto is_part = [&](const Section& s) { return s.begin < tiles.size() && tiles[s.begin].part == part.part; };
    const auto found = std::find_if(sections.begin(), sections.end(), is_part);
    if (found == sections.end() || found->l == 0) continue;
    const double alpha = rescale(sums.m, part.exact_m, rescaling), weight = part.exact_sum / found->l;
    const auto index = static_cast<std::size_t>(found - sections.begin());
    for (double& of_section : of_sections) of_section *= alpha;
    of_sections[index] = weight;
    add(sums, part.exact_m, part.exact_sum, weight, found->O, rescaling, factor, 0);
  }
  for (std::size_t s = 0; s < sections.size(); ++s) {
    for (std::size_t t = sections[s].begin; t < sections[s].end; ++t) factor[t] *= of_sections[s];
  }
  return sums;
}

}  // namespace

double RowAnswer::share(const SoftmaxTile& tile, std::size_t t, std::size_t j) const {
  const auto score = static_cast<double>(tile.scores[j]);
  return score == no_max || t >= factor.size() ? 0.0 : std::exp(score - tile.exact_m) * factor[t];
}

RowAnswer answer_of(std::span<const SoftmaxTile> tiles, std::size_t count, Rescaling rescaling) {
  tiles = tiles.first(std::min(count, tiles.size()));
  RowAnswer answer;
  answer.factor.assign(tiles.size(), 0.0);
  const std::vector<Section> sections = sections_of(tiles, rescaling, answer.factor);
  std::size_t keys = 0;
  while (keys < tiles.size() && !tiles[keys].of_parts) ++keys;
  Section sums;
  if (keys < tiles.size()) {
    sums = combined(tiles, tiles.subspan(keys), sections, rescaling, answer.factor);
  } else if (!sections.empty()) {
    sums = sections.back();
    std::fill(answer.factor.begin(), answer.factor.begin() + static_cast<std::ptrdiff_t>(sums.begin), 0.0);
  }
  answer.m = sums.m;
  answer.l = sums.l;
  answer.O = std::move(sums.O);
  for (double& value : answer.O) value /= sums.l == 0 ? 1 : sums.l;
  for (double& value : answer.factor) value /= sums.l == 0 ? 1 : sums.l;
  return answer;
}

double relative_error(std::span<const double> a, std::span<const double> b) {
  double difference = 0, length = 0;
  for (std::size_t c = 0; c < std::min(a.size(), b.size()); ++c) {
    difference += (a[c] - b[c]) * (a[c] - b[c]);
    length += b[c] * b[c];
  }
  return length == 0 ? 0 : std::sqrt(difference / length);
}

std::vector<KeyShare> largest_shares(std::span<const SoftmaxTile> tiles, std::size_t count, std::size_t most) {
  count = std::min(count, tiles.size());
  const RowAnswer kept = answer_of(tiles, count, Rescaling::kept),
                  skipped = answer_of(tiles, count, Rescaling::skipped);
  std::vector<KeyShare> largest;
  const auto larger = [](const KeyShare& a, const KeyShare& b) { return a.kept > b.kept; };
  for (std::size_t t = 0; t < count; ++t) {
    if (tiles[t].of_parts || !tiles[t].max_runs || kept.factor[t] == 0) continue;
    for (std::size_t j = 0; j < tiles[t].scores.size(); ++j) {
      const KeyShare key{tiles[t].keys.begin + static_cast<std::int64_t>(j), kept.share(tiles[t], t, j),
                         skipped.share(tiles[t], t, j)};
      if (key.kept == 0 || (largest.size() == most && key.kept <= largest.back().kept)) continue;
      largest.insert(std::upper_bound(largest.begin(), largest.end(), key, larger), key);
      if (largest.size() > most) largest.pop_back();
    }
  }
  return largest;
}

}  // namespace sim

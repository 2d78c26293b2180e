#include "sim/programs/key_sections.h"

#include <algorithm>

#include "sim/programs/page_pool.h"
#include "sim/programs/scenario.h"

namespace sim {

std::vector<KeySection> key_sections(const Scenario& s, const Shape& seen, std::int64_t prompt) {
  if (!s.page_size || (s.samples == 1 && s.shared_prefix == 0)) return {};
  const auto in_full_pages = [&](std::int64_t keys) { return keys / *s.page_size * *s.page_size; };
  const std::int64_t prefix = in_full_pages(std::min(s.shared_prefix, prompt)),
                     common = prompt < seen.seqlen_k ? in_full_pages(prompt) : prompt;
  std::vector<KeySection> sections = {
      {{0, prefix}, seen.batch}, {{prefix, common}, s.samples}, {{common, seen.seqlen_k}, 1}};
  std::erase_if(sections, [](const KeySection& section) { return section.keys.empty(); });
  const bool shared = std::any_of(sections.begin(), sections.end(), [](auto& section) { return section.entries > 1; });
  return shared ? sections : std::vector<KeySection>();
}

std::int64_t held_rows(const std::vector<KeySection>& sections, const Shape& seen, std::int64_t rows) {
  if (sections.empty()) return checked_multiply(seen.batch, rows);
  const Interval live = seen.live_keys({0, seen.seqlen_q});
  std::int64_t held = 0;
  for (const KeySection& section : sections)
    held = checked_add(held, checked_multiply(section.holders(seen.batch), overlap(section.keys, live).size()));
  return rows == live.size() ? held : checked_multiply(held, rows) / std::max<std::int64_t>(1, live.size());
}

std::int64_t shared_rows(const std::vector<KeySection>& sections, std::int64_t batch, std::int64_t page) {
  std::int64_t rows = 0;
  for (const KeySection& section : sections) {
    const std::int64_t stored = checked_multiply(ceil_div(section.keys.size(), page), page);
    rows = checked_add(rows, checked_multiply(batch - section.holders(batch), stored));
  }
  return rows;
}

std::vector<PageDemand> page_demands(const Scenario& s) {
  const auto of = [&s](std::int64_t prompts, std::int64_t keys, std::int64_t prefix) {
    return PageDemand{prompts, s.samples, keys, s.steps, prefix, *s.page_size};
  };
  if (s.sequences == nullptr) return {of(s.shape.batch, s.cached_keys(), s.shared_prefix)};
  std::vector<PageDemand> demands;
  for (const SequenceClass& c : *s.sequences) demands.push_back(of(c.count, c.seqlen_k, 0));
  return demands;
}

Scenario with_entry_per_sample(Scenario s) {
  s.shape.batch = checked_multiply(s.shape.batch, s.samples);
  if (s.sequences != nullptr) {
    auto classes = std::make_shared<SequenceClasses>(*s.sequences);
    for (SequenceClass& c : *classes) c.count = checked_multiply(c.count, s.samples);
    s.sequences = std::move(classes);
  }
  s.samples = 1;
  s.shared_prefix = 0;
  return s;
}

}  // namespace sim

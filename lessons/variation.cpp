#include "lessons/variation.h"

#include "lessons/options_text.h"
#include "sim/base/text.h"

namespace lessons {
namespace {

/// FNV-1a of 64 bits (Fowler, Noll, Vo): equal on all platforms.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

/// Sets an option of a scenario.
void put(std::string& scenario, const std::string& option, std::string_view value) {
  scenario = text_of(changed(read_changes(scenario), {{option, std::string(sim::trimmed(value))}}));
}

std::string_view chosen(const Other& option, std::string_view key) {
  const auto values = sim::split(option.scenario, ",");
  const std::uint64_t hash = hash_of(sim::text(key, "\n", option.name));
  return values[(hash >> 16) % values.size()];
}

}  // namespace

Lesson varied(Lesson lesson, std::string_view student) {
  if (student.empty()) return lesson;
  const std::string key = sim::text(student, "\n", lesson.id);
  for (const Other& option : lesson.vary) put(lesson.scenario, option.name, chosen(option, key));
  for (Step& step : lesson.steps) {
    for (const Other& option : step.vary) put(step.scenario, option.name, chosen(option, key));
  }
  return lesson;
}

std::vector<Variation> variations(const Lesson& lesson) {
  std::vector<Variation> all;
  const auto add = [&](const std::vector<Other>& vary, bool dragged, std::optional<std::size_t> step) {
    for (const Other& option : vary) {
      for (const std::string_view value : sim::split(option.scenario, ",")) {
        const std::string where = step ? sim::text("step ", lesson.steps[*step].name, ": ") : "";
        all.push_back({sim::text(where, option.name, "=", sim::trimmed(value)), lesson, dragged, step});
        Lesson& one = all.back().lesson;
        put(step ? one.steps[*step].scenario : one.scenario, option.name, value);
      }
    }
  };
  add(lesson.vary, false, std::nullopt);
  for (std::size_t n = 0; n < lesson.steps.size(); ++n) {
    add(lesson.steps[n].vary, false, n);
    add(lesson.steps[n].drag, true, n);
  }
  return all;
}

}  // namespace lessons

#include "lessons/variation.h"

#include "lessons/options_text.h"
#include "sim/base/text.h"

namespace lessons {
namespace {

/// FNV-1a of 64 bits (Fowler, Noll, Vo): the same everywhere.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

Lesson with(Lesson lesson, const std::string& option, std::string_view value) {
  lesson.scenario = text_of(changed(read_options(lesson.scenario), {{option, std::string(sim::trimmed(value))}}));
  return lesson;
}

}  // namespace

Lesson varied(Lesson lesson, std::string_view student) {
  if (student.empty()) return lesson;
  const std::vector<Other> vary = lesson.vary;
  for (const Other& option : vary) {
    const auto values = sim::split(option.scenario, ",");
    const std::uint64_t hash = hash_of(std::string(student) + "\n" + lesson.id + "\n" + option.name);
    lesson = with(std::move(lesson), option.name, values[(hash >> 16) % values.size()]);
  }
  return lesson;
}

std::vector<Lesson> variations(const Lesson& lesson) {
  std::vector<Lesson> all;
  for (const Other& option : lesson.vary) {
    for (const std::string_view value : sim::split(option.scenario, ","))
      all.push_back(with(lesson, option.name, value));
  }
  return all;
}

}  // namespace lessons

// Varies the parameters of a lesson for each student, so that a copied number is wrong.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "lessons/lesson.h"

namespace lessons {

/// Returns the lesson for a student: each option that varies, in the lesson or in a step, has one of its values, chosen
/// by the name alone, on every machine alike. Steps that vary an option over the same values get the same one. Returns
/// the lesson itself for an empty name.
Lesson varied(Lesson lesson, std::string_view student);

/// A lesson as a student may get it or drag it, and the value that differs: "batch=16", "step passes: seqlen=768".
struct Variation {
  std::string name;
  Lesson lesson;
  bool dragged = false;                  ///< its questions were asked before, with other numbers
  std::optional<std::size_t> step = {};  ///< the only step that differs; empty: all do
};

/// Returns one lesson for each value of each option that varies or is dragged, all else unchanged. For checks.
std::vector<Variation> variations(const Lesson& lesson);

}  // namespace lessons

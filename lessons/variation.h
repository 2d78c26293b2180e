// The same lesson with other parameters for each student: who copies a number, copies a wrong one.
#pragma once
#include <string>

#include "lessons/lesson.h"

namespace lessons {

/// The lesson for a student: each option that varies, in the lesson or in a step, has one of its values, chosen by the
/// name alone. Steps that vary an option over the same values get the same one. The lesson itself for an empty name.
/// Which it is does not depend on the machine.
Lesson varied(Lesson lesson, std::string_view student);

/// A lesson as a student can get it or drag it, and the value that differs: "batch=16", "step passes: seqlen=768".
struct Variation {
  std::string name;
  Lesson lesson;
  bool dragged = false;  ///< its questions were asked before, with other numbers
};

/// Each value of each option that varies or is dragged, all else as it is. For checks.
std::vector<Variation> variations(const Lesson& lesson);

}  // namespace lessons

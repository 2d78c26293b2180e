// The same lesson with other parameters for each student: who copies a number, copies a wrong one.
#pragma once
#include <string>

#include "lessons/lesson.h"

namespace lessons {

/// The lesson for a student: each option of Lesson::vary has one of its values, chosen by the name alone. The lesson
/// itself for an empty name. Which it is does not depend on the machine.
Lesson varied(Lesson lesson, std::string_view student);

/// All that students can get: each value of each varied option, the others as they are. For checks.
std::vector<Lesson> variations(const Lesson& lesson);

}  // namespace lessons

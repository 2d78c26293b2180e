// Notebook of a learner's answers, kept between visits and handed in: one JSON file.
//
//   {"schema": 1, "student": "", "lessons": [{"id": "07-flash1-by-hand", "version": 1, "step": "half",
//     "answers": [{"step": "half", "question": "done", "given": "1, 1", "later": ["0, 1"]}, ...]}]}
//
// The first answer to a question counts; further tries are "later". "shown": true marks a question whose solution was
// shown; "given" is then empty if the solution was shown before an answer.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lessons/catalogue.h"
#include "lessons/marking.h"

namespace lessons {

inline constexpr std::size_t longest_notebook = std::size_t{1} << 20;  ///< bytes

struct Answer {
  std::string step, question, given;
  bool shown = false;
  std::vector<std::string> later = {};
};

struct LessonNotes {
  std::string id;
  int version = 1;
  std::string step;  ///< step at which the learner stopped; empty before the first
  std::vector<Answer> answers;
  const Answer* answer(std::string_view step_name, std::string_view question) const;
};

struct Notebook {
  std::string student;  ///< selects the parameters of varied lessons; empty for the lesson's own
  std::vector<LessonNotes> lessons;
  /// Returns the notes of this lesson version; creates them if there are none. Notes of other versions are kept.
  LessonNotes& notes(const Lesson& lesson);
  /// Returns the notes of a lesson version; null if there are none.
  const LessonNotes* find(std::string_view id, int version) const;
};

/// Keeps the first answer to a question, and merges into it the further tries and whether the solution was shown.
void keep_answer(LessonNotes& notes, Answer answer);
/// Keeps an answer: as the first one, or else as a further try.
void keep_try(LessonNotes& notes, const std::string& step, const std::string& question, const std::string& given);
/// Merges a learner's answers into what another window saved meanwhile, whose answers count as first. The current step
/// is that of `mine` if it changed since `before`, the notebook that both started from.
Notebook merged(Notebook kept, const Notebook& mine, const Notebook& before = {});

/// Reads a notebook. Throws sim::Error if the text is not one: invalid JSON, another schema, a wrong type, more than 1
/// MiB, 100 lessons or 1,000 answers in a lesson.
Notebook read_notebook(std::string_view json, const std::string& file);
std::string to_text(const Notebook& notebook);

/// Result of `grade` for a lesson: the marks of its questions. `right` is by the first try, `solved` by any.
struct Grade {
  std::string id;
  int version = 1;
  std::size_t right = 0, solved = 0, of = 0;
  struct Mark {
    std::string step, question, given, expected;
    bool right = false, solved = false;
    std::string why;  ///< reason for a rejection; empty if there is none
  };
  std::vector<Mark> marks;
};

/// Marks every question of a lesson again, by simulation. Unanswered questions are wrong: "missing" or "shown".
Grade grade(const WrittenLesson& written, const LessonNotes& notes, const sim::GpuLookup& gpu);

/// {"schema":1,"lessons":[{"id","version","right","solved","of","answers":[...]}]}
nlohmann::ordered_json to_json(const std::vector<Grade>& grades);

}  // namespace lessons

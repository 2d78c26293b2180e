// The notebook and the lessons that are not compiled in: they outlast a step, and a link does not contain them.
#pragma once
#include <functional>
#include <map>
#include <string>

#include "lessons/notebook.h"

namespace explorer {

/// A pack that is unavailable: the server's status, 0 if no server answered, or the damage of the pack.
struct Missed {
  int status = 0;
  std::string damage;
};

struct Classroom {
  lessons::Notebook notebook;
  std::function<void(const std::string&)> keep;       ///< stores each new notebook as text; may be empty
  std::map<std::string, bool, std::less<>> right;     ///< verdicts on answers, by lesson/step/question
  std::map<std::string, Missed, std::less<>> missed;  ///< by name of the pack
  bool hands_out = false, handed_out = false;         ///< the list offers the notebook as a file; the user requested it
  bool handout = false;       ///< only the picture of a step is shown, without the answer of any of its questions
  int read = 0;               ///< counts replacements of lessons or notebooks: steps are then prepared again
  int turned = 0;             ///< counts opened steps: the text of each begins at its top
  bool opens_lesson = false;  ///< the link names a lesson but no scenario: its step sets that
  bool opens_tour = false;    ///< the link opens the tour but names no scenario: its step sets that
  mutable std::map<std::string, lessons::WrittenLesson> varied{};  ///< lessons varied for the notebook's student

  /// Opens a notebook as text. One that cannot be read is empty: who read the file has set it aside and reported it.
  void open(const std::string& text);
  /// Hands the notebook to `keep`.
  void store() const;
};

}  // namespace explorer

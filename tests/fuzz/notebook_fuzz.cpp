// Notebooks of learners: any text is an Error, or a notebook that survives being written and parsed again.
#include <cstdint>

#include "lessons/notebook.h"
#include "sim/base/check.h"
#include "tests/fuzz/invariant.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  try {
    const lessons::Notebook notebook =
        lessons::read_notebook({reinterpret_cast<const char*>(input), size}, "fuzz.json");
    const std::string text = lessons::to_text(notebook);
    const lessons::Notebook again = lessons::read_notebook(text, "again.json");
    fuzz::check(lessons::to_text(again) == text, "a notebook survives being written and read again");
    fuzz::check(again.lessons.size() == notebook.lessons.size(), "no lesson is lost");
    for (std::size_t n = 0; n < notebook.lessons.size(); ++n) {
      fuzz::check(again.lessons[n].answers.size() == notebook.lessons[n].answers.size(), "no answer is lost");
      fuzz::check(notebook.lessons[n].version >= 0, "a version is no debt");
    }
  } catch (const sim::Error& error) {
    fuzz::check_message(error.what());
  }
  return 0;
}

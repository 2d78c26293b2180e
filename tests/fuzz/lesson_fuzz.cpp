// Lessons of teachers: any text is a complete lesson.toml, or an Error with its file; any text is words with parsable
// pages, keys and formulas, or an Error. The words follow a line "=====".
#include <cstdint>
#include <set>

#include "lessons/check.h"
#include "lessons/lesson.h"
#include "lessons/options_text.h"
#include "lessons/page.h"
#include "sim/base/check.h"
#include "sim/base/printable.h"
#include "tests/fuzz/invariant.h"

namespace {

constexpr std::string_view separator = "=====\n";

template <class Read>
void guarded(Read read) {
  try {
    read();
  } catch (const sim::Error& error) {
    fuzz::check_message(error.what());
  }
}

void check_lesson(const lessons::Lesson& lesson) {
  fuzz::check(!lesson.id.empty() && lesson.version >= 0 && lesson.minutes >= 0, "a lesson has its name");
  fuzz::check(!lesson.steps.empty() && lesson.steps.size() <= 40, "a lesson has 1 to 40 steps");
  std::set<std::string> names;
  for (const lessons::Step& step : lesson.steps) {
    fuzz::check(!step.name.empty() && names.insert(step.name).second && step.line > 0, "a step has a name of its own");
    fuzz::check(step.questions.size() <= 20, "a step has at most 20 questions");
    for (const lessons::Question& question : step.questions) {
      fuzz::check(!question.text.empty() && question.line > 0, "a question has a name and a line");
      fuzz::check(question.tolerance >= 0 && question.tolerance <= 1, "a tolerance is a part");
      fuzz::check(!lessons::name_of(question.kind).empty(), "a question is of some kind");
    }
    guarded([&] {
      const sim::OptionValues options = lessons::read_options(step.scenario);
      fuzz::check(lessons::read_options(lessons::text_of(options)) == options, "options survive writing");
    });
  }
}

void check_text(const std::string& text) {
  fuzz::check(sim::printable_lines(text) == text, "words can be seen");
  fuzz::check(lessons::words_in(text) <= text.size(), "a word has a letter");
  for (const std::string& formula : lessons::formulas_in(text))
    fuzz::check(text.find("{" + formula + "}") != std::string::npos, "a formula stands in braces");
  const std::string number = lessons::bare_number(text);
  fuzz::check(number.empty() || (number[0] >= '0' && number[0] <= '9'), "a bare number begins with a digit");
}

void check_words(lessons::Words words) {
  fuzz::check(!words.title.empty(), "words have a title");
  std::set<std::string> names;
  for (lessons::Page& page : words.pages) {
    fuzz::check(!page.name.empty() && names.insert(page.name).second && page.line > 0, "a page has a name of its own");
    fuzz::check(words.page(page.name).line == page.line, "a page is found by its name");
    for (const std::string* text : lessons::texts_of(page)) check_text(*text);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(input), size);
  const std::size_t at = text.find(separator);
  guarded([&] { check_lesson(lessons::read_lesson(text.substr(0, at), "fuzz.toml")); });
  const std::string_view words = at == std::string_view::npos ? text : text.substr(at + separator.size());
  for (const lessons::Language language : {lessons::Language::en, lessons::Language::zh})
    guarded([&] { check_words(lessons::read_words(words, language, "fuzz.md")); });
  return 0;
}

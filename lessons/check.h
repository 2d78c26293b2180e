// Whether a lesson is true and whole: every claim, number, cursor and answer of its runs, in both languages, and what
// each lesson must have.
#pragma once
#include <string>
#include <vector>

#include "lessons/catalogue.h"
#include "sim/catalogue/options.h"

namespace lessons {

/// Something that is wrong: "07-flash1-by-hand/en.md:12: ...".
using Finding = std::string;

struct Checked {
  std::vector<Finding> findings;
  std::size_t steps = 0, claims = 0, questions = 0, numbers = 0, variations = 0;  ///< that were asserted
};

/// Runs every step, in these languages. What is wrong becomes a finding; nothing is thrown. `ids`: the lessons that it
/// may need; `complete`: it must have what every lesson of the catalogue has, but for the tour. `asks`: its questions
/// are checked as well. Some milliseconds a step.
Checked check(const WrittenLesson& written, const sim::GpuLookup& gpu, const std::vector<Language>& languages,
              const std::vector<std::string>& ids, bool complete = true, bool asks = true);

/// Findings about what lessons need of each other: unknown ones and circles.
std::vector<Finding> check_needs(const std::vector<const Lesson*>& all);

/// A text without the places that its links lead to: "[row block]" of "[row block](row:3)".
std::string without_places(std::string_view text);

/// Complains if "CTA" is not explained, "CTA (block of threads)", where the words of a lesson first have it; else "".
std::string unexplained_cta(const Words& words, Language language);

/// Words of a text: runs of letters and digits, a Chinese character each half a word; formulas count as one.
std::size_t words_in(std::string_view text);

/// The first bare number of a prose: digits that no formula makes and that belong to no name, script or year; "" for
/// none. 0 and 1 are names of blocks.
std::string bare_number(std::string_view text);

/// The formulas in braces, scripts left out, in order.
std::vector<std::string> formulas_in(std::string_view text);

/// Complains of a claim that says more of predicted times than is known: their order if their error is unknown, else
/// what holds by twice their error. "" if it does not.
std::string time_claimed(std::string_view claim, const Facts& facts);
/// Complains of a question that is decided by a predicted time, an order as well, unless its error is known and leaves
/// twice itself on both sides. "" if it does not.
std::string time_asked(const Question& question, const Facts& facts);

}  // namespace lessons

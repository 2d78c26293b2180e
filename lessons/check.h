// Checks that a lesson is correct and complete: every claim, number, cursor and answer is recomputed from runs, in both
// languages, and the parts that each lesson must have are present.
#pragma once
#include <string>
#include <vector>

#include "lessons/catalogue.h"
#include "lessons/variation.h"
#include "sim/catalogue/options.h"

namespace lessons {

/// A defect with its position: "07-flash1-by-hand/en.md:12: ...".
using Finding = std::string;

struct Checked {
  std::vector<Finding> findings;
  std::size_t steps = 0, claims = 0, questions = 0, numbers = 0, variations = 0;  ///< counts of checked items
};

/// How questions are checked: as they are; with the numbers of a student, some of which may be equal by chance; or not
/// at all, since they are over.
enum class Asks { as_written, varied, none };

/// Runs every step, in these languages. Defects become findings; nothing is thrown. `ids`: the lessons that it may
/// need; `complete`: requires what every lesson of the catalogue has, except the tour. Takes some milliseconds per
/// step.
Checked check(const WrittenLesson& written, const sim::GpuLookup& gpu, const std::vector<Language>& languages,
              const std::vector<std::string>& ids, bool complete = true, Asks asks = Asks::as_written);

/// Runs the steps that a variation changes, in this language. Findings name the variation; one with the lesson's own
/// values has none.
std::vector<Finding> check(const WrittenLesson& written, const Variation& variation, const sim::GpuLookup& gpu,
                           Language language);

/// Findings about the dependencies of lessons: unknown lessons and cycles.
std::vector<Finding> check_needs(const std::vector<const Lesson*>& all);

/// Returns a text without its link targets: "[row block]" for "[row block](row:3)".
std::string without_places(std::string_view text);

/// Returns an error if the first "CTA" in a lesson's text is not explained as "CTA (block of threads)"; else "".
std::string unexplained_cta(const Words& words, Language language);

/// Counts the words of a text: a run of letters and digits is one, a Chinese character half, a formula one.
std::size_t words_in(std::string_view text);

/// Returns the first bare number in prose: digits outside formulas, names, scripts and years; "" if there is none. 0
/// and 1 are allowed as names of blocks.
std::string bare_number(std::string_view text);

/// Returns the formulas in braces, without scripts, in order.
std::vector<std::string> formulas_in(std::string_view text);

/// Words by which a text states the convention of papers: FlashAttention moves a tile each time, standard attention
/// each matrix once per kernel.
std::string_view papers_convention(Language language);
/// Errors for the claims, choices and goals of a step that set tile traffic against HBM or compulsory traffic, unless
/// the step's `meters` allow it.
std::vector<std::string> meter_errors(const WrittenLesson& written, const Step& step);
/// Returns an error if a step counts as papers do and its text does not state it; else "".
std::string convention_error(const Step& step, Page page, Language language);

/// Returns an error if a claim needs more precision than predicted times have: their order if their error is unknown,
/// else a margin of twice their error. "" if the claim is sound.
std::string time_claimed(std::string_view claim, const Facts& facts);
/// Returns an error if predicted times decide a question, orders included, unless their error is known and the margin
/// or tolerance is at least twice as large. "" if the question is sound.
std::string time_asked(const Question& question, const Facts& facts);

}  // namespace lessons

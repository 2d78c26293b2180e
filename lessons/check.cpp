#include "lessons/check.h"

#include <algorithm>
#include <optional>
#include <set>

#include "lessons/check_numbers.h"
#include "lessons/covered.h"
#include "lessons/marking.h"
#include "lessons/places.h"
#include "sim/base/check.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"

namespace lessons {
namespace {

using std::string;
constexpr std::size_t least_steps = 8, most_steps = 20, most_words = 80, least_places = 3;

/// Collects the findings about one lesson.
class Checker {
 public:
  Checker(const WrittenLesson& written, const sim::GpuLookup& gpu, const std::vector<Language>& languages,
          bool complete, Asks asks)
      : written_(&written),
        lesson_(&written.lesson),
        gpu_(&gpu),
        languages_(languages),
        complete_(complete),
        asks_(asks) {}

  Checked run() {
    for (const Language language : languages_) check_headings(language);
    for (const Language language : languages_) check_first_cta(language);
    check_names_used(lesson_->names);
    for (const Step& step : lesson_->steps) check_step(step);
    if (complete_) check_parts();
    result_.steps = lesson_->steps.size();
    return std::move(result_);
  }

 private:
  string toml() const { return lesson_->id + "/lesson.toml"; }
  string markdown(Language language) const { return sim::text(lesson_->id, "/", name_of(language), ".md"); }
  void find(const string& file, int line, const string& what) { result_.findings.push_back(at_line(file, line, what)); }

  template <class Run>
  void guarded(const string& file, int line, Run run) {
    try {
      run();
    } catch (const sim::Error& error) {
      find(file, line, error.what());
    }
  }

  void check_names_used(const std::vector<Name>& names) {
    for (const Name& name : names) {
      if (!name.used) find(toml(), name.line, "name " + name.name + " is not used");
    }
  }

  /// Checks that the text has the lesson's steps, in the same order.
  void check_headings(Language language) {
    const Words& words = written_->words(language);
    for (std::size_t n = 0; n < std::max(words.pages.size(), lesson_->steps.size()); ++n) {
      const string step = n < lesson_->steps.size() ? lesson_->steps[n].name : "none";
      const string page = n < words.pages.size() ? words.pages[n].name : "none";
      if (step == page) continue;
      find(markdown(language), n < words.pages.size() ? words.pages[n].line : 0,
           sim::text("step ", n + 1, " is ", page, ", in lesson.toml it is ", step));
      return;
    }
  }

  void check_first_cta(Language language) {
    const string what = unexplained_cta(written_->words(language), language);
    if (complete_ && !what.empty()) find(markdown(language), 0, what);
  }

  const Page* page_of(const Step& step, Language language) const {
    for (const Page& page : written_->words(language).pages) {
      if (page.name == step.name) return &page;
    }
    return nullptr;
  }

  void check_step(const Step& step) {
    if (step.claims.empty()) find(toml(), step.line, "step " + step.name + " claims nothing: add claims = [...]");
    if (complete_ && !step.at) find(toml(), step.line, "step " + step.name + " shows no moment: add at = { ... }");
    std::optional<Scene> scene;
    guarded(toml(), step.line, [&] { scene.emplace(*lesson_, step, *gpu_, sim::OptionValues(), runs_); });
    for (const Language language : languages_) {
      if (const Page* page = page_of(step, language)) check_page(step, *page, language);
    }
    check_names_used(step.names);
    check_formulas(step);
    for (const string& mixed : meter_errors(*written_, step)) find(toml(), step.line, mixed);
    if (!scene) return;
    for (const string& claim : step.claims) check_claim(step, claim, *scene);
    check_later(step, *scene);
    for (const Question& question : step.questions) {
      if (asks_ != Asks::none) check_question(step, question, *scene);
    }
    for (const Language language : languages_) {
      if (const Page* page = page_of(step, language)) {
        check_numbers(*page, *scene, language);
        check_places(step, *page, *scene, language);
        if (asks_ == Asks::as_written && language == languages_.front()) check_given_away(step, *page, *scene);
      }
    }
  }

  /// Checks that a step shows no value on the chip that a later one asks for, unless its own text states it.
  void check_later(const Step& step, const Scene& scene) {
    const Page* const page = page_of(step, languages_.front());
    if (page == nullptr || asks_ != Asks::as_written || !has_few_values(scene.run().plan.problem)) return;
    guarded(toml(), step.line, [&] {
      const auto number = static_cast<std::size_t>(&step - lesson_->steps.data());
      for (const AskedLater& later : asked_later(*lesson_, number, *page, scene))
        find(toml(), step.line,
             sim::text("step ", step.name, " shows ", later.quantities.front(), ", which question ",
                       later.question->text, " of step ", later.step->name, " asks for: choose another moment"));
    });
  }

  /// Checks that each link names something the step shows, and that both languages have the same links.
  void check_places(const Step& step, const Page& page, const Scene& scene, Language language) {
    std::vector<string> places = places_in(page);
    const auto complain = [&](const string& what) {
      if (!what.empty()) find(markdown(language), page.line, sim::text("step ", step.name, ": ", what));
    };
    for (const string& place : places) complain(place_error(place, step, scene));
    const auto things = static_cast<std::size_t>(std::count_if(places.begin(), places.end(), is_thing));
    if (complete_ && things < least_places)
      complain(sim::text("links ", things, " words to what is shown, at least ", least_places));
    const Page* english = page_of(step, Language::en);
    if (language == Language::en || english == nullptr) return;
    std::vector<string> same = places_in(*english);
    std::sort(places.begin(), places.end());
    std::sort(same.begin(), same.end());
    if (places != same) complain("links other places than en.md");
  }

  void check_claim(const Step& step, const string& claim, const Scene& scene) {
    ++result_.claims;
    guarded(toml(), step.line, [&] {
      if (!scene.facts().holds(claim))
        find(toml(), step.line, sim::text("claim does not hold: ", claim, " (", scene.facts().sides(claim), ")"));
      if (const string timed = time_claimed(claim, scene.facts()); !timed.empty() && lesson_->number() != "00")
        find(toml(), step.line, timed);
    });
  }

  void check_question(const Step& step, const Question& question, const Scene& scene) {
    ++result_.questions;
    guarded(toml(), question.line, [&] {
      const string right = right_answer(question, scene);
      const Verdict verdict = mark(*lesson_, step, question, scene, right);
      if (!verdict.right)
        find(toml(), question.line,
             "the right answer \"" + right + "\" of " + question.text + " is marked wrong: " + verdict.error.text());
      if (question.kind == QuestionKind::number && question.wrong.size() < 2)
        find(toml(), question.line, "question " + question.text + " needs two anticipated wrong answers");
      if (const string error = number_error(question, scene.facts()); !error.empty())
        find(toml(), question.line, sim::text("question ", question.text, " ", error));
      for (const Wrong& wrong : question.wrong) check_wrong(step, question, wrong, scene);
      if (question.kind == QuestionKind::choice) check_choices(step, question, right);
      if (const string timed = time_asked(question, scene.facts()); !timed.empty())
        find(toml(), question.line, sim::text("question ", question.text, ": ", timed));
      if (question.kind == QuestionKind::until && scene.facts().holds(question.until))
        find(toml(), question.line, "goal " + question.text + " is reached before anything is changed");
      const bool better = verdict.score < verdict.par * (1 - 1e-9);
      const bool worse = verdict.score > verdict.par * (1 + 1e-9);
      if (verdict.par > 0 && (better || worse))
        find(toml(), question.line,
             sim::text("the solution of ", question.text, better ? " is better" : " is worse",
                       " than its par: ", verdict.score, " and ", verdict.par));
    });
  }

  /// Checks that no text gives away an answer before its question, and no reason before the last try.
  void check_given_away(const Step& step, const Page& page, const Scene& scene) {
    guarded(toml(), step.line, [&] {
      for (const auto& [question, error] : numbers_.read(step, page, scene.facts()))
        find(toml(), question->line, error);
      for (const Question& question : step.questions) {
        if (question.kind == QuestionKind::choice && question.choices.size() == 2 && question.tries > 1)
          find(toml(), question.line,
               sim::text("question ", question.text,
                         " leaves one of two choices for a second try: add tries = 1, or a third choice"));
        for (const string& error : reason_errors(question, page, scene.facts()))
          find(toml(), question.line, sim::text("question ", question.text, ": ", error));
      }
    });
  }

  /// Checks that every wrong choice has a reason why it is wrong.
  void check_choices(const Step& step, const Question& question, const string& right) {
    for (const Language language : languages_) {
      const Page* page = page_of(step, language);
      for (const Choice& choice : question.choices) {
        if (page == nullptr || choice.name == right || page->reasons.count(choice.name) > 0) continue;
        find(markdown(language), page->line, "\"! " + choice.name + ":\" is missing in step " + step.name);
      }
    }
  }

  void check_wrong(const Step& step, const Question& question, const Wrong& wrong, const Scene& scene) {
    if (question.kind == QuestionKind::order || question.kind == QuestionKind::until) return;
    const Verdict verdict = mark(*lesson_, step, question, scene, wrong_answer(question, wrong, scene));
    if (verdict.right || verdict.why != wrong.why)
      find(toml(), question.line,
           sim::text("the wrong answer ", wrong.why, " of ", question.text, " is taken for ",
                     verdict.right ? "the right one" : verdict.why + verdict.error.text()));
  }

  /// Checks that a page has the required keys and no unknown ones.
  void check_page(const Step& step, const Page& page, Language language) {
    std::set<string, std::less<>> questions, reasons, choices;
    for (const Question& question : step.questions) {
      questions.insert(question.text);
      for (const Wrong& wrong : question.wrong) reasons.insert(wrong.why);
      for (const Choice& choice : question.choices) choices.insert(choice.name);
    }
    const auto compare = [&](const string& mark, const auto& has, const auto& wanted) {
      for (const string& key : wanted) {
        if (has.count(key) == 0)
          find(markdown(language), page.line, "\"" + mark + " " + key + ":\" is missing in step " + step.name);
      }
      for (const auto& [key, words] : has) {
        const bool choice = mark == "!" && choices.count(key) > 0;
        if (wanted.count(key) == 0 && !choice)
          find(markdown(language), page.line, "\"" + mark + " " + key + ":\" matches no answer in step " + step.name);
      }
    };
    compare("?", page.questions, questions);
    compare("!", page.reasons, reasons);
    compare("+", page.choices, choices);
    check_prose(step, page, language);
  }

  void check_prose(const Step& step, const Page& page, Language language) {
    std::size_t words = 0;
    bool myth = false;
    for (const auto* blocks : {&page.blocks, &page.told}) {
      for (const Block& block : *blocks) {
        if (block.kind != BlockKind::equations) words += words_in(block.text);
        myth |= block.kind == BlockKind::myth;
      }
    }
    if (myth != !step.myth.empty())
      find(markdown(language), page.line,
           "step " + step.name +
               (myth ? " has a myth without its source in lesson.toml" : " lacks the line of its myth, \"> ...\""));
    if (const string what = convention_error(step, page, language); !what.empty())
      find(markdown(language), page.line, what);
    if (lesson_->number() == "00") return;
    if (words > most_words)
      find(markdown(language), page.line,
           sim::text("step ", step.name, " has ", words, " words, at most ", most_words));
    Page prose = page;
    for (auto* blocks : {&prose.blocks, &prose.told})
      std::erase_if(*blocks, [](const Block& block) { return block.kind == BlockKind::equations; });
    for (const string* text : texts_of(prose)) {
      if (const string digits = bare_number(*text); !digits.empty())
        find(markdown(language), page.line,
             "the number " + digits + " in step " + step.name + " comes from no run: " + sim::shortened(*text, 80));
    }
  }

  /// Checks that both languages have the same formulas in each position.
  void check_formulas(const Step& step) {
    const Page *en = page_of(step, Language::en), *zh = page_of(step, Language::zh);
    if (en == nullptr || zh == nullptr || languages_.size() < 2) return;
    const auto all = [](Page page) {
      std::vector<string> formulas;
      for (const string* text : texts_of(page)) {
        for (string& formula : formulas_in(*text)) formulas.push_back(std::move(formula));
      }
      std::sort(formulas.begin(), formulas.end());
      return formulas;
    };
    std::vector<string> differ;
    const std::vector<string> a = all(*en), b = all(*zh);
    std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(differ));
    if (!differ.empty())
      find(markdown(Language::zh), zh->line,
           "step " + step.name + " has other numbers than en.md: {" + differ.front() + "}");
  }

  void check_numbers(Page page, const Scene& scene, Language language) {
    for (string* text : texts_of(page)) {
      result_.numbers += formulas_in(*text).size();
      guarded(markdown(language), page.line, [&] { *text = scene.facts().filled(*text); });
    }
  }

  /// Checks for the parts that every lesson of the catalogue must have.
  void check_parts() {
    std::size_t retrieval = 0, predictions = 0, myths = 0, made = 0;
    for (const Step& step : lesson_->steps) {
      myths += step.myth.empty() ? 0 : 1;
      made += step.makes.empty() ? 0 : 1;
      for (const Question& question : step.questions) {
        const bool makes = question.kind == QuestionKind::order || question.kind == QuestionKind::until ||
                           question.kind == QuestionKind::formula;
        made += makes ? 1 : 0;
        retrieval += question.retrieval ? 1 : 0;
        predictions += !question.retrieval && question.kind != QuestionKind::until ? 1 : 0;
      }
    }
    const auto need = [&](std::size_t has, std::size_t wanted, const string& what) {
      if (has < wanted) find(toml(), 0, sim::text("has ", has, " ", what, ", at least ", wanted));
    };
    need(lesson_->steps.size(), least_steps, "steps");
    need(retrieval, 2, "retrieval questions");
    need(predictions, 2, "predictions");
    need(myths, 1, "myth checks");
    need(made, 1, "things to make");
    if (lesson_->steps.size() > most_steps)
      find(toml(), 0, sim::text("has ", lesson_->steps.size(), " steps, at most ", most_steps));
  }

  const WrittenLesson* written_;
  const Lesson* lesson_;
  const sim::GpuLookup* gpu_;
  std::vector<Language> languages_;
  bool complete_;
  Asks asks_;
  ReadNumbers numbers_;
  KeptRuns runs_;
  Checked result_;
};

}  // namespace

Checked check(const WrittenLesson& written, const sim::GpuLookup& gpu, const std::vector<Language>& languages,
              const std::vector<string>& ids, bool complete, Asks asks) {
  Checked checked = Checker(written, gpu, languages, complete && written.lesson.number() != "00", asks).run();
  for (const string& need : written.lesson.needs) {
    if (std::find(ids.begin(), ids.end(), need) == ids.end())
      checked.findings.push_back(
          at_line(written.lesson.id + "/lesson.toml", 0, "needs " + need + ", which does not exist"));
  }
  return checked;
}

std::vector<Finding> check(const WrittenLesson& written, const Variation& variation, const sim::GpuLookup& gpu,
                           Language language) {
  const Lesson &lesson = written.lesson, &there = variation.lesson;
  const bool same =
      std::equal(lesson.steps.begin(), lesson.steps.end(), there.steps.begin(), there.steps.end(),
                 [&](const Step& a, const Step& b) { return options_of(lesson, a) == options_of(there, b); });
  if (same) return {};  // the value that the lesson has
  WrittenLesson one{variation.lesson, {}, {}};
  Words& words = language == Language::zh ? one.zh : one.en;
  words = written.words(language);
  if (variation.step) {
    const Step step = one.lesson.steps[*variation.step];
    std::erase_if(words.pages, [&](const Page& page) { return page.name != step.name; });
    one.lesson.steps = {step};
  }
  std::vector<Finding> findings =
      Checker(one, gpu, {language}, false, variation.dragged ? Asks::none : Asks::varied).run().findings;
  for (Finding& finding : findings)
    finding += sim::text(variation.dragged ? " (dragged to " : " (for students with ", variation.name, ")");
  return findings;
}

}  // namespace lessons

#include "viz/terminal/lesson/session.h"

#include <algorithm>

#include "sim/base/printable.h"
#include "sim/base/text.h"
#include "viz/terminal/command.h"
#include "viz/terminal/lesson/phrases.h"

namespace terminal {
namespace {

using lessons::Question;
using std::string;

/// The explorer shows the same step.
string link_line(const StepPage& step) {
  return as_typed("flashscope explore --link \"" +
                  lessons::link_of(step.scene.options(), step.step(), step.scene.cursor()) + "\"\n");
}

class Session {
 public:
  Session(const lessons::WrittenLesson& written, lessons::Notebook& notebook, const PageStyle& style,
          const SessionPorts& ports)
      : written_(&written), notebook_(&notebook), style_(style), ports_(&ports) {}

  void play(std::size_t from) {
    for (step_ = from; step_ < steps().size();) {
      if (!play_step()) return;
    }
    notes().step.clear();
    ports_->save(*notebook_);
    ports_->write("\n" + in_lines(phrase("The lesson is done.") + "  " + score(), style_.columns));
  }

 private:
  const std::vector<lessons::Step>& steps() const { return written_->lesson.steps; }
  lessons::LessonNotes& notes() { return notebook_->notes(written_->lesson); }
  string phrase(std::string_view english) const { return terminal::phrase(style_.language, english); }

  std::set<string> answered(const StepPage& page) {
    std::set<string> names;
    for (const Question& question : page.step().questions) {
      if (notes().answer(page.step().name, question.text) != nullptr) names.insert(question.text);
    }
    return names;
  }

  /// "right 3 of 4"
  string score() { return asked_ == 0 ? "" : terminal::phrase(style_.language, "right {} of {}", {right_, asked_}); }

  /// Goes on to the next step, or to one that was asked for. False to leave the lesson.
  bool play_step() {
    const StepPage page = make_step_page(*written_, step_, style_.language);
    notes().step = page.step().name;
    ports_->save(*notebook_);
    ports_->write("\n" + step_text(page, style_, answered(page)) + "\n");
    next_ = step_ + 1;
    for (const Question& question : page.step().questions) {
      if (notes().answer(page.step().name, question.text) != nullptr) {
        ports_->write(answered_text(page, question, style_) + "\n");
        continue;
      }
      if (!ask(page, question)) return leave();
      if (moved_) return arrive();
    }
    if (!wait(page)) return leave();
    return arrive();
  }
  bool arrive() {
    moved_ = false;
    step_ = next_;
    return true;
  }
  bool leave() {
    ports_->save(*notebook_);
    return false;
  }

  /// Until it is answered, shown or left for later.
  bool ask(const StepPage& page, const Question& question) {
    ports_->write(question_text(page, question, style_));
    for (std::size_t hints = 0;;) {
      const auto line = prompt();
      if (!line) return false;
      const string word = sim::in_lower_case(*line);
      if (word == "q") return false;
      if (word.empty() || command(word)) return true;
      if (word == "h") {
        hint(page, question, hints);
      } else if (word == "s") {
        keep_answer(notes(), {page.step().name, question.text, "", true});
        ports_->save(*notebook_);
        ports_->write("- " + phrase("Shown.") + "\n" + answered_text(page, question, style_) + "\n");
        return true;
      } else if (take(page, question, *line)) {
        return true;
      }
    }
  }

  /// Marks an answer; true when the question is over.
  bool take(const StepPage& page, const Question& question, const string& line) {
    const lessons::Verdict verdict = mark(written_->lesson, page.step(), question, page.scene, line);
    ports_->write(verdict_text(page, question, verdict, style_) + "\n");
    if (!verdict.understood) return false;
    const bool again = question.kind == lessons::QuestionKind::until && !verdict.right;
    if (again) return false;  // one tries until the goal is reached; the notebook keeps what reached it
    ++asked_;
    right_ += verdict.right ? 1 : 0;
    keep_answer(notes(), {page.step().name, question.text, line, false});
    ports_->save(*notebook_);
    return true;
  }

  void hint(const StepPage& page, const Question& question, std::size_t& hints) {
    const auto words = page.page.questions.find(question.text);
    const bool more = words != page.page.questions.end() && hints < words->second.hints.size();
    ports_->write(more ? in_lines(typed(words->second.hints[hints++]), style_.columns, "  ")
                       : "  " + phrase("there are no more hints") + "\n");
  }

  bool wait(const StepPage& page) {
    ports_->write(link_line(page) + keys(score()));
    for (;;) {
      const auto line = prompt();
      if (!line || sim::in_lower_case(*line) == "q") return false;
      if (line->empty() || sim::in_lower_case(*line) == "n" || command(sim::in_lower_case(*line))) return true;
      ports_->write(keys(""));
    }
  }
  string keys(const string& score) {
    const string all = phrase("n next  b back  h hint  s show me  g STEP  l steps  q quit");
    return in_lines(score.empty() ? all : all + "   " + score, style_.columns);
  }

  /// What goes elsewhere: b, g STEP, l. True when the step is left.
  bool command(const string& word) {
    if (word == "n") return moved_ = true;
    if (word == "b") {
      next_ = step_ == 0 ? 0 : step_ - 1;
      return moved_ = true;
    }
    if (word == "l") {
      for (std::size_t n = 0; n < steps().size(); ++n)
        ports_->write(sim::text(n == step_ ? "@ " : "  ", n + 1, "  ",
                                typed(written_->words(style_.language).page(steps()[n].name).title), "\n"));
      return false;
    }
    if (!word.starts_with("g ")) return false;
    const string number = word.substr(2);
    const bool digits = number.find_first_not_of("0123456789") == string::npos;
    const std::size_t step = digits && number.size() < 4 ? std::strtoul(number.c_str(), nullptr, 10) : 0;
    if (step < 1 || step > steps().size()) return false;
    next_ = step - 1;
    return moved_ = true;
  }

  std::optional<string> prompt() {
    ports_->write("> ");
    auto line = ports_->read();
    if (line) line = sim::trimmed(*line, " \t\r\n");
    return line;
  }

  const lessons::WrittenLesson* written_;
  lessons::Notebook* notebook_;
  PageStyle style_;
  const SessionPorts* ports_;
  std::size_t step_ = 0, next_ = 0, right_ = 0, asked_ = 0;
  bool moved_ = false;
};

}  // namespace

void print_lesson(const lessons::WrittenLesson& written, const PageStyle& style,
                  const std::function<void(const string&)>& write, std::optional<std::size_t> one) {
  const std::size_t first = one ? *one - 1 : 0;
  for (std::size_t n = first; n < (one ? *one : written.lesson.steps.size()); ++n) {
    const StepPage page = make_step_page(written, n, style.language);
    std::set<string> none;
    string text = (n > first ? "\n\n" : "") + step_text(page, style, none);
    for (const Question& question : page.step().questions) text += "\n" + answered_text(page, question, style);
    write(text + "\n" + link_line(page));
  }
}

void play_lesson(const lessons::WrittenLesson& written, lessons::Notebook& notebook, const PageStyle& style,
                 const SessionPorts& ports, std::optional<std::size_t> from) {
  std::size_t start = from ? *from - 1 : 0;
  const string stopped = notebook.notes(written.lesson).step;
  for (std::size_t n = 0; !from && n < written.lesson.steps.size(); ++n) {
    if (written.lesson.steps[n].name == stopped) start = n;
  }
  if (!from && start > 0) ports.write(phrase(style.language, "goes on where you stopped: step {}", {start + 1}) + "\n");
  Session(written, notebook, style, ports).play(start);
}

}  // namespace terminal

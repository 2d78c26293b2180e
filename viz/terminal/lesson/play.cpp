#include "viz/terminal/lesson/play.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "lessons/variation.h"
#include "sim/base/check.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"
#include "sim/catalogue/options.h"
#include "sim/catalogue/typed_values.h"
#include "viz/terminal/command.h"
#include "viz/terminal/lesson/notebook_file.h"
#include "viz/terminal/lesson/text.h"
#include "viz/terminal/request.h"

namespace terminal {
namespace {

using lessons::Question;
using std::string;

/// Command that shows this step in the explorer: with its lesson, or with a link to the picture if it lacks the lesson.
string link_line(const StepPage& step, const PageStyle& style) {
  const string chinese = style.language == lessons::Language::zh ? "&lang=zh" : "";
  const std::string_view number = step.written->lesson.number();
  const string place = number == "00" ? "overlay=tour&tour-step=" : sim::text("lesson=", number, "&lesson-step=");
  const string link = style.in_explorer ? sim::text(place, step.number + 1, chinese)
                                        : lessons::link_of(step.scene.options(), step.step(), step.scene.cursor());
  return say(style.language, "In the window:") + gap(style.language) +
         as_typed("flashscope explore --link \"" + link + "\"\n");
}

class LessonSession {
 public:
  LessonSession(const lessons::WrittenLesson& written, lessons::Notebook& notebook, const PageStyle& style,
                const SessionPorts& ports)
      : written_(&written), notebook_(&notebook), style_(style), ports_(&ports) {}

  void play(std::size_t from) {
    count_kept();
    for (step_ = from; step_ < steps().size();) {
      if (!play_step()) return;
    }
    notes().step.clear();
    ports_->save(*notebook_);
    ports_->write("\n" + in_lines(say("The lesson is done.") + "  " + score(), style_.columns) + open_steps());
  }

 private:
  const std::vector<lessons::Step>& steps() const { return written_->lesson.steps; }
  lessons::LessonNotes& notes() { return notebook_->notes(written_->lesson); }
  string say(std::string_view english) const { return terminal::say(style_.language, english); }

  /// The attempt at a question: that of earlier visits, or of this one.
  lessons::Attempt attempt(const StepPage& page, const Question& question) {
    return lessons::recalled(page.asked(question), notes());
  }

  /// Names of the questions that are closed.
  std::set<string> answered(const StepPage& page) {
    std::set<string> names;
    for (const Question& question : page.step().questions)
      if (is_over(question, attempt(page, question))) names.insert(question.text);
    return names;
  }

  /// Counts the answers of earlier sessions.
  void count_kept() {
    if (notes().answers.empty()) return;
    for (const lessons::Grade::Mark& one : grade(*written_, notes(), find_gpu).marks) {
      const lessons::Answer* answer = notes().answer(one.step, one.question);
      asked_ += answer != nullptr && !answer->shown ? 1 : 0;
      right_ += one.right ? 1 : 0;
      solved_ += one.solved ? 1 : 0;
    }
  }

  /// Score so far: "right 3 of 4", or by the first try and in the end.
  string score() {
    if (asked_ == 0) return "";
    return right_ == solved_
               ? terminal::say(style_.language, "right {} of {}", right_, asked_)
               : terminal::say(style_.language, "right {} of {} at first, {} in the end", right_, asked_, solved_);
  }

  /// Steps with unanswered questions: "left for later: 3, 5"; "" if there are none.
  string open_steps() {
    string numbers;
    for (std::size_t n = 0; n < steps().size(); ++n) {
      const auto& questions = steps()[n].questions;
      const bool open = std::any_of(questions.begin(), questions.end(), [&](const Question& question) {
        return notes().answer(steps()[n].name, question.text) == nullptr;
      });
      if (open) numbers += (numbers.empty() ? "" : ", ") + std::to_string(n + 1);
    }
    return numbers.empty() ? ""
                           : in_lines(say("left for later: steps") + gap(style_.language) + numbers, style_.columns);
  }

  /// Plays a step and moves to the next or requested one. False to leave the lesson.
  bool play_step() {
    const StepPage page = make_step_page(*written_, step_, style_.language);
    notes().step = page.step().name;
    ports_->save(*notebook_);
    ports_->write("\n" + step_text(page, style_, answered(page)) + "\n");
    next_ = step_ + 1;
    for (const Question& question : page.step().questions) {
      lessons::Attempt now = attempt(page, question);
      if (is_over(question, now)) {
        ports_->write(earlier(page, question, now) + "\n");
        continue;
      }
      if (!ask(page, question, now)) return leave();
      if (moved_) return arrive();
    }
    const auto kept = [&](const Question& question) { return attempt(page, question); };
    if (lessons::open_question(page.step(), kept) == nullptr) ports_->write(told_text(page, style_));
    if (!wait(page)) return leave();
    return arrive();
  }
  bool arrive() {
    moved_ = false;
    step_ = next_;
    return true;
  }
  bool leave() { return ports_->save(*notebook_), false; }

  /// A question closed in an earlier visit, with what followed the last answer.
  string earlier(const StepPage& page, const Question& question, const lessons::Attempt& attempt) {
    return question_text(page, question, style_) + reply_text(page, question, attempt, style_);
  }

  /// Asks until the question is answered, shown or postponed. False to leave the lesson.
  bool ask(const StepPage& page, const Question& question, lessons::Attempt attempt) {
    ports_->write(question_text(page, question, style_) + reply_text(page, question, attempt, style_));
    if (!taught_) ports_->write(question_keys());
    taught_ = true;
    for (;;) {
      const auto line = prompt();
      if (!line) return false;
      const string word = sim::in_lower_case(*line);
      if (word == "q") return false;
      if (word == "later") ports_->write("- " + say("left for later") + "\n\n");
      const Done done = command(word);
      if (word == "later" || done == Done::leaves) return true;
      if (done == Done::here) continue;
      if (word.empty() || word == "?" || word == "help") {
        ports_->write(question_keys());
      } else if (word == "h") {
        hint(page, question, attempt);
      } else if (word == "s") {
        show_answer(attempt, page.asked(question), &notes());
        ports_->save(*notebook_);
        ports_->write(reply_text(page, question, attempt, style_) + "\n");
        return true;
      } else if (take(page, question, *line, attempt)) {
        return true;
      }
    }
  }

  /// Marks an answer; true when the question is closed.
  bool take(const StepPage& page, const Question& question, const string& line, lessons::Attempt& attempt) {
    const bool first = notes().answer(page.step().name, question.text) == nullptr;
    const bool tried = lessons::try_answer(attempt, page.asked(question), line, &notes());
    if (!attempt.error.empty()) {
      ports_->write(in_lines(lessons::for_learners(said(style_.language, attempt.error)), style_.columns, "  ") + "\n");
      return false;
    }
    ports_->write(read_as(question, attempt) + reply_text(page, question, attempt, style_) + "\n");
    if (!tried) return false;
    count(first && notes().answer(page.step().name, question.text) != nullptr, attempt.right());
    ports_->save(*notebook_);
    return is_over(question, attempt);
  }

  /// The number as it was parsed; "" for other kinds of answers.
  string read_as(const Question& question, const lessons::Attempt& attempt) const {
    if (question.kind != lessons::QuestionKind::number) return "";
    return in_lines(terminal::say(style_.language, "read as {}", attempt.verdict->given), style_.columns, "  ");
  }

  void count(bool first, bool right) {
    asked_ += first ? 1 : 0;
    right_ += first && right ? 1 : 0;
    solved_ += right ? 1 : 0;
  }

  void hint(const StepPage& page, const Question& question, lessons::Attempt& attempt) {
    const bool more = attempt.hints < page.page.words(question.text).hints.size();
    attempt.hints += more ? 1 : 0;
    ports_->write(more ? last_hint_text(page, question, attempt, style_)
                       : "  " + say("there are no more hints") + "\n");
  }

  bool wait(const StepPage& page) {
    ports_->write(link_line(page, style_) + keys(score()));
    for (;;) {
      const auto line = prompt();
      const string word = line ? sim::in_lower_case(*line) : "q";
      if (word == "q") return false;
      const Done done = command(word);
      if (word.empty() || done == Done::leaves) return true;
      if (done == Done::here) continue;
      const bool asks = word == "h" || word == "s";
      if (word != "?" && word != "help")
        ports_->write("  " + say(asks ? /*say*/ "no question is open here" : /*say*/ "unknown key") + "\n");
      ports_->write(keys(""));
    }
  }

  string keys_of(const std::vector<std::string_view>& names, const string& score) const {
    std::vector<string> keys;
    for (const std::string_view name : names) keys.push_back(say(name));
    if (!score.empty()) keys.push_back(" " + score);
    return in_row(keys, style_.columns);
  }
  string keys(const string& score) const {
    return keys_of({/*say*/ "n next", /*say*/ "b back", /*say*/ "g 5 to step 5", /*say*/ "l steps", /*say*/ "q quit"},
                   score);
  }
  string question_keys() const {
    const string keys = keys_of({/*say*/ "h hint", /*say*/ "s show me", /*say*/ "later skip it", /*say*/ "b back",
                                 /*say*/ "q quit", /*say*/ "? keys"},
                                "");
    return in_lines(keys.substr(0, keys.size() - 1), style_.columns, "  ");
  }

  /// Effect of a command: not a command, stays in the step, or leaves it.
  enum class Done { nothing, here, leaves };

  Done leave_for(std::size_t step) {
    next_ = step;
    moved_ = true;
    return Done::leaves;
  }

  /// Executes n, b, g STEP and l.
  Done command(const string& word) {
    if (word == "n") return leave_for(next_);
    if (word == "b") return leave_for(step_ == 0 ? 0 : step_ - 1);
    if (word == "l") {
      list_steps();
      return Done::here;
    }
    if (word != "g" && !word.starts_with("g ")) return Done::nothing;
    const string number(sim::trimmed(std::string_view(word).substr(1)));
    const bool digits = number.find_first_not_of("0123456789") == string::npos;
    const std::size_t step = digits && number.size() < 4 ? std::strtoul(number.c_str(), nullptr, 10) : 0;
    if (step < 1 || step > steps().size()) {
      ports_->write("  " + terminal::say(style_.language, "there are steps 1 to {}", steps().size()) + "\n");
      return Done::here;
    }
    return leave_for(step - 1);
  }

  void list_steps() const {
    for (std::size_t n = 0; n < steps().size(); ++n)
      ports_->write(in_lines(typed(written_->words(style_.language).page(steps()[n].name).title), style_.columns,
                             sim::text(n == step_ ? "@ " : "  ", n < 9 ? " " : "", n + 1, "  ")));
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
  std::size_t step_ = 0, next_ = 0, right_ = 0, solved_ = 0, asked_ = 0;
  bool moved_ = false;
  bool taught_ = false;  // the keys of a question were shown
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
    write(text + "\n" + told_text(page, style) + link_line(page, style));
  }
}

void play_lesson(const lessons::WrittenLesson& written, lessons::Notebook& notebook, const PageStyle& style,
                 const SessionPorts& ports, std::optional<std::size_t> from) {
  std::size_t start = from ? *from - 1 : 0;
  const string stopped = notebook.notes(written.lesson).step;
  for (std::size_t n = 0; !from && n < written.lesson.steps.size(); ++n) {
    if (written.lesson.steps[n].name == stopped) start = n;
  }
  if (!from && start > 0) ports.write(say(style.language, "resumes where you stopped: step {}", start + 1) + "\n");
  LessonSession(written, notebook, style, ports).play(start);
}

namespace {

using lessons::Language;

PageStyle style_of(Language language) {
  PageStyle style{language};
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    style.columns = std::clamp<int>(size.ws_col, 40, widest_text);
  return style;
}

/// True if the locale limits the terminal to ASCII.
bool lacks_utf8() {
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(variable);
    if (value == nullptr || *value == '\0') continue;
    const string locale = sim::in_lower_case(value);
    return locale.find("utf-8") == string::npos && locale.find("utf8") == string::npos;
  }
  return false;  // locale not set: modern terminals support UTF-8
}

/// Writes lesson texts to a terminal.
struct Writing {
  PageStyle style;
  bool ascii = false;
  void operator()(const string& text) const { print(ascii ? in_ascii(text) : text, in_colours); }
};

int play(lessons::WrittenLesson written, const Writing& writing, std::optional<std::size_t> from, const string& student,
         const string& next) {
  const std::filesystem::path path = notebook_path();
  lessons::Notebook notebook = load_notebook(path);
  const bool answered = std::any_of(notebook.lessons.begin(), notebook.lessons.end(),
                                    [](const lessons::LessonNotes& notes) { return !notes.answers.empty(); });
  sim::require(student.empty() || student == notebook.student || !answered, "lesson: the notebook ", path.string(),
               " has the answers of ", notebook.student.empty() ? "an unnamed student" : sim::quoted(notebook.student),
               ": hand it in, or move it away");
  const lessons::Notebook before = notebook;
  if (!student.empty()) notebook.student = student;
  written.lesson = lessons::varied(std::move(written.lesson), notebook.student);
  bool keeps = true;
  const SessionPorts ports{
      []() -> std::optional<string> {
        string line;
        return std::getline(std::cin, line) ? std::optional(line) : std::nullopt;
      },
      writing, [&](const lessons::Notebook& mine) { keeps = keeps && add_to_notebook(mine, before, path); }};
  play_lesson(written, notebook, writing.style, ports, from);
  if (notebook.notes(written.lesson).step.empty() && !next.empty())
    print(say(writing.style.language, "Next:") + gap(writing.style.language) +
          as_typed("flashscope lesson " + next.substr(0, 2) + "\n"));
  return exit_done;
}

}  // namespace

Language language_of(const Arguments& arguments) {
  return arguments.value("lang", "en") == "zh" ? Language::zh : Language::en;
}

int play_or_print(const LessonLibrary& library, lessons::WrittenLesson written, const Arguments& arguments) {
  const Language language = language_of(arguments);
  const bool ascii = arguments.find("ascii").has_value();
  sim::require(!ascii || language == Language::en,
               "lesson: Chinese cannot be written in ASCII: leave out --ascii, or --lang zh");
  const string student = arguments.value("student", "");
  const auto steps = static_cast<std::int64_t>(written.lesson.steps.size());
  std::optional<std::size_t> from;
  if (const auto step = arguments.find("step"))
    from = static_cast<std::size_t>(sim::typed_whole_number("step", *step, 1, steps));
  Writing writing{style_of(language), ascii};
  writing.style.in_explorer = !arguments.find("lessons");
  if (::isatty(STDIN_FILENO) != 0 && ::isatty(STDOUT_FILENO) != 0) {
    writing.ascii |= language == Language::en && lacks_utf8();
    const string next = arguments.find("lessons") ? "" : library.behind(written.lesson.id);
    return play(std::move(written), writing, from, student, next);
  }
  require_output();
  written.lesson = lessons::varied(std::move(written.lesson), student);
  writing.style.in_explorer &= student.empty();  // a student's values differ from those there
  print_lesson(written, writing.style, writing, from);
  return exit_done;
}

}  // namespace terminal

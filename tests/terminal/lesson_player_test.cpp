// A lesson played step by step as in the terminal, by robots that read and type.
#include <catch2/catch.hpp>
#include <deque>

#include "lessons/marking.h"
#include "sim/base/check.h"
#include "tests/lessons/example.h"
#include "viz/terminal/lesson/play.h"

using Catch::Contains;

namespace {

/// Result of a played session: all output, and the notebook after it.
struct Played {
  std::string shown;
  lessons::Notebook notebook;
  int saved = 0;
  std::size_t asked = 0;  ///< lines read
};

using Robot = std::function<std::optional<std::string>(const std::string& shown)>;

Played play(const lessons::WrittenLesson& written, const Robot& robot, lessons::Notebook notebook = {},
            const terminal::PageStyle& style = {}, std::optional<std::size_t> from = {}) {
  Played played{"", std::move(notebook), 0, 0};
  std::string since;  // the text since the last prompt
  const terminal::SessionPorts ports{[&] {
                                       if (++played.asked > 500) throw std::logic_error("the session does not end");
                                       played.shown += "\n";  // the line end of the typed line
                                       return robot(std::exchange(since, std::string()));
                                     },
                                     [&](const std::string& text) {
                                       played.shown += text;
                                       since += text;
                                     },
                                     [&](const lessons::Notebook&) { ++played.saved; }};
  terminal::play_lesson(written, played.notebook, style, ports, from);
  return played;
}

/// Types these lines, then ends the input.
Robot typing(std::deque<std::string> lines) {
  return [lines](const std::string&) mutable -> std::optional<std::string> {
    if (lines.empty()) return std::nullopt;
    const std::string line = lines.front();
    lines.pop_front();
    return line;
  };
}

/// Answers the open questions of a lesson in order, by `answer`; types n elsewhere.
template <class Answer>
Robot answering(const lessons::WrittenLesson& written, Answer answer) {
  std::deque<std::string> answers;
  for (const lessons::Step& step : written.lesson.steps) {
    const lessons::Scene scene(written.lesson, step, sim::built_in_gpu);
    for (const lessons::Question& question : step.questions) answers.push_back(answer(question, scene));
  }
  return [answers](const std::string& shown) mutable -> std::optional<std::string> {
    const bool waits = shown.find("n next") != std::string::npos || shown.find("n 下一步") != std::string::npos;
    if (waits || answers.empty()) return "n";
    const std::string line = answers.front();
    answers.pop_front();
    return line;
  };
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
  return times;
}

}  // namespace

TEST_CASE("a robot that types every right answer completes every lesson with full marks", "[repeats]") {
  for (const std::string& id : lessons::built_in_ids()) {
    const lessons::WrittenLesson& written = lessons::built_in(id);
    INFO(id);
    std::size_t questions = 0;
    for (const lessons::Step& step : written.lesson.steps) questions += step.questions.size();
    const Played played = play(written, answering(written, lessons::right_answer));
    CHECK_THAT(played.shown, Contains("The lesson is done."));
    if (questions > 0) CHECK_THAT(played.shown, Contains(sim::text("right ", questions, " of ", questions)));
    CHECK(count(played.shown, "+ Right.") == questions);
    CHECK(count(played.shown, "x Not yet.") == 0);
    CHECK(played.saved > 0);
    REQUIRE(played.notebook.lessons.size() == 1);
    CHECK(played.notebook.lessons[0].answers.size() == questions);
    CHECK(played.notebook.lessons[0].step.empty());  // it starts from the beginning
    CHECK(lessons::grade(written, played.notebook.lessons[0], sim::built_in_gpu).right == questions);
  }
}

TEST_CASE("a step shows its answer after a question is answered or shown, but not if left for later") {
  const lessons::WrittenLesson& tour = lessons::built_in("00-tour");
  const std::string told = "S of all heads takes";
  for (const char* answer : {"3", "s"}) CHECK_THAT(play(tour, typing({answer, "q"})).shown, Contains(told));
  const Played later = play(tour, typing({"later", "n", "b", "s", "q"}));
  CHECK(count(later.shown, told) == 1);
  CHECK(later.shown.find(told) > later.shown.rfind("- Shown."));
}

TEST_CASE("a wrong answer shows its reason and leaves another try, after the last the run's value is shown") {
  const Played once = play(example::written(), typing({"245760", "245760", "q"}));  // repeating an answer costs nothing
  CHECK_THAT(once.shown, Contains("x Not yet. 245,760 B\n  Those 245.8 kB are read.\n  One more try.\n") &&
                             !Contains("307,200") && !Contains("Which moves fewer bytes?"));
  CHECK(once.notebook.lessons[0].answers[0].later.empty());
  const Played back = play(example::written(), typing({"61440", "q"}), once.notebook);
  CHECK_THAT(back.shown, Contains("  Those 245.8 kB are read.\n  One more try.\n") &&
                             Contains("= the run counted: 307,200 B") && Contains("Which moves fewer bytes?"));
  REQUIRE(back.notebook.lessons[0].answers.size() == 1);
  CHECK(back.notebook.lessons[0].answers[0].given == "245760");
  CHECK(back.notebook.lessons[0].answers[0].later == std::vector<std::string>{"61440"});
  const Played second = play(example::written(), typing({"245760", "307200", "q"}));
  CHECK_THAT(second.shown, Contains("+ Right.") && Contains("Which moves fewer bytes?"));
  CHECK(lessons::grade(example::written(), second.notebook.lessons[0], sim::built_in_gpu).right == 0);
}

TEST_CASE("typing later skips a question, an empty line does not") {
  const Played played = play(example::written(), typing({"", "", "later", "q"}));
  CHECK(count(played.shown, "- left for later") == 1);
  CHECK(count(played.shown, "later skip it") == 3);  // with the first question, and after each empty line
  CHECK_THAT(played.shown, Contains("Which moves fewer bytes?"));
}

TEST_CASE("a question reports how many tries are left") {
  const lessons::WrittenLesson one =
      example::written({.toml = example::with(example::toml, "version = 3\n", "version = 3\ntries = 1\n")});
  CHECK_THAT(play(one, typing({"245760", "q"})).shown, Contains("= the run counted: 307,200 B"));
  const lessons::WrittenLesson three = example::written(
      {.toml = example::with(example::toml, "text = \"written\"\n", "text = \"written\"\ntries = 3\n")});
  CHECK_THAT(play(three, typing({"1", "2", "q"})).shown,
             Contains("2 more tries.") && Contains("  Too small.\n  One more try.\n") && !Contains("307,200"));
}

TEST_CASE("a question whose answer is not understood is asked again and costs nothing") {
  const Played played = play(example::written(), typing({"many", "5 us", "307200", "q"}));
  CHECK_THAT(played.shown,
             Contains("\"many\" is not a number") && Contains("\"us\" is not a unit") && Contains("+ Right."));
  REQUIRE(played.notebook.lessons[0].answers.size() == 1);
  CHECK(played.notebook.lessons[0].answers[0].given == "307200");
}

TEST_CASE("hints appear one by one, and then there are no more") {
  const Played played = play(example::written(), typing({"h", "h", "h", "q"}));
  const std::size_t first = played.shown.find("Count the passes."), second = played.shown.find("And the first zeros."),
                    none = played.shown.find("there are no more hints");
  CHECK(first < second);
  CHECK(second < none);
  CHECK(none != std::string::npos);
  CHECK(played.notebook.lessons[0].answers.empty());
}

TEST_CASE("asking to be shown prints the answer and does not count as answered") {
  const Played played = play(example::written(), typing({"s", "q"}));
  CHECK_THAT(played.shown, Contains("- Shown. 307,200 B"));
  REQUIRE(played.notebook.lessons[0].answers.size() == 1);
  CHECK(played.notebook.lessons[0].answers[0].shown);
  CHECK(played.notebook.lessons[0].answers[0].given.empty());
}

TEST_CASE("a skipped question is asked again on returning to its step") {
  const Played played = play(example::written(), typing({"later", "wide", "b", "q"}));
  CHECK(played.notebook.lessons[0].answers.size() == 1);
  const Played back =
      play(example::written(), typing({"later", "later", "n", "b", "q"}));  // a step has two open questions
  CHECK(count(back.shown, "How many bytes of O are written?") >= 1);
}

TEST_CASE("b goes back, g goes to a step, l names the steps") {
  const Played back = play(example::written(), typing({"g 3", "b", "q"}));
  CHECK_THAT(back.shown, Contains("step 3 of 3") && Contains("step 2 of 3"));
  CHECK(back.shown.find("step 3 of 3") < back.shown.find("step 2 of 3"));
  CHECK(back.notebook.lessons[0].step == "lines");
  const Played first = play(example::written(), typing({"b", "b", "q"}));
  CHECK(count(first.shown, "step 1 of 3") == 3);
  const Played names = play(example::written(), typing({"l", "q"}));
  CHECK_THAT(names.shown, Contains("@  1  O is written often") && Contains("   3  Yours"));
}

TEST_CASE("going to a step that does not exist does nothing") {
  for (const std::string word : {"g 0", "g 4", "g -1", "g 99999999999999999999", "g 2x", "g", "gg"}) {
    const Played played = play(example::written(), typing({word, "q"}));
    INFO(word);
    CHECK(count(played.shown, "step 1 of 3") == 1);
    CHECK(played.shown.find("step 2 of 3") == std::string::npos);
    CHECK(played.notebook.lessons[0].answers.empty());
    CHECK(played.notebook.lessons[0].step == "count");
  }
}

TEST_CASE("a resumed session continues at the same step, with the given answers") {
  const Played left = play(example::written(), typing({"307200", "wide", "n", "q"}));
  CHECK(left.notebook.lessons[0].step == "lines");
  const Played again = play(example::written(), typing({"b", "q"}), left.notebook);
  CHECK_THAT(again.shown, Catch::StartsWith("resumes where you stopped: step 2\n"));
  CHECK_THAT(again.shown, Contains("step 1 of 3") && Contains("+ Right. 307,200 B"));  // not asked
  const Played ended = play(example::written(), typing({"307200"}));  // the input ends, as on a hang-up
  CHECK(ended.notebook.lessons[0].answers.size() == 1);
  CHECK(ended.saved > 1);
}

TEST_CASE("an unknown key is reported, with the known keys") {
  const Played played = play(example::written(), typing({"?", "later", "later", "7", "h", "?", "g 9", "q"}));
  CHECK_THAT(played.shown, Contains("h hint  s show me  later skip it") && Contains("- left for later") &&
                               Contains("unknown key") && Contains("no question is open here") &&
                               Contains("there are steps 1 to 3"));
  CHECK(count(played.shown, "h hint") == 2);  // with the first question, and when requested
}

TEST_CASE("the first step states the goals of the lesson, its end lists what was left open") {
  const Played played = play(example::written(), typing({"307200", "n", "n", "n", "n"}));
  CHECK_THAT(played.shown, Contains("What you will be able to do:\n") && Contains("left for later: steps 1, 2, 3"));
  CHECK(count(played.shown, "What you will be able to do:") == 1);
  CHECK(count(play(example::written(), typing({"q"}), {}, {}, 2).shown, "What you will be able to do:") == 0);
}

TEST_CASE("a small example shows its numbers and its done tiles, and covers requested answers") {
  const auto step = [](const char* id, int number) {
    return play(lessons::built_in(id), typing({"q"}), {}, {}, number).shown;
  };
  const std::string half = step("07-flash1-by-hand", 5);
  CHECK_THAT(half, Contains("Q 0 |#.|") && Contains("Q 1 |..|"));  // as in its text: tile (0, 0) is done
  CHECK_THAT(half, Contains("0.731  0.269") && Contains("1  0.368"));
  CHECK(step("07-flash1-by-hand", 3) != half);
  const std::string factor = step("04-online-softmax", 4);
  CHECK_THAT(factor, Contains("covered until it is answered"));
  CHECK(factor.find("0.368") == std::string::npos);
}

TEST_CASE("points of an earlier session count, and its answers are shown again") {
  const Played left = play(example::written(), typing({"307200", "wide", "q"}));
  const Played again = play(example::written(), typing({"q"}), left.notebook);
  CHECK_THAT(again.shown, Contains("right 2 of 2") && Contains("+ Right. 307,200 B"));
}

TEST_CASE("a session begins at the requested step") {
  CHECK_THAT(play(example::written(), typing({"q"}), {}, {}, 3).shown,
             Contains("step 3 of 3") && !Contains("step 1 of 3"));
}

TEST_CASE("a goal is tried until it is reached") {
  const Played played = play(example::written(), typing({"later", "bc=8", "seqlen=1", "bc=32", "n"}), {}, {}, 3);
  CHECK_THAT(played.shown,
             Contains("option seqlen is locked here") && Contains("score") && Contains("The lesson is done."));
  REQUIRE(played.notebook.lessons[0].answers.size() == 1);
  CHECK(played.notebook.lessons[0].answers[0].given == "bc=32");
}

TEST_CASE("a requested number is hidden until its question is answered") {
  const Played open = play(example::written(), typing({"q"}));
  CHECK(open.shown.find("307,200") == std::string::npos);
  const Played answered = play(example::written(), typing({"307200", "wide", "b", "q"}));
  CHECK(count(answered.shown, "307,200") > 1);
}

TEST_CASE("a lesson can be played in Chinese") {
  terminal::PageStyle style{lessons::Language::zh};
  const lessons::WrittenLesson& written = lessons::built_in("05-little-memory");
  const Played played = play(written, answering(written, lessons::right_answer), {}, style);
  CHECK_THAT(played.shown, Contains("本课结束。") && !Contains("The lesson is done."));
  CHECK(count(played.shown, "+ 正确。") == played.notebook.lessons[0].answers.size());
  const Played vague = play(example::written(), typing({"many", "307200", "7", "q"}), {}, style);
  CHECK_THAT(vague.shown, Contains("“many” 不是数：") && Contains("没有 “7” 这一项：请写 1 到 2 的序号"));
  CHECK_THAT(vague.shown, !Contains("is not a number"));
}

TEST_CASE("a printed lesson has every step, answer and reason") {
  std::string text;
  terminal::print_lesson(example::written(), {}, [&](const std::string& part) { text += part; });
  for (const std::string part :
       {"step 1 of 3", "step 3 of 3", "= the run counted: 307,200 B", "x 245,760 B: Those 245.8 kB are read.",
        "Five passes.", "More blocks, more passes.", "A line needs what it works on.", "= the answer: bc=32"}) {
    INFO(part);
    CHECK_THAT(text, Contains(part));
  }
  CHECK(count(text, "flashscope explore --link \"lesson=50&lesson-step=") == 3);
  std::string own;  // not in the explorer
  terminal::print_lesson(example::written(), {.in_explorer = false}, [&](const std::string& part) { own += part; });
  CHECK(count(own, "flashscope explore --link \"algorithm=flash1") == 3);
}

TEST_CASE("no line of a lesson is wider than a narrow terminal", "[repeats]") {
  for (const std::string& id : lessons::built_in_ids()) {
    const lessons::WrittenLesson& written = lessons::built_in(id);
    for (const lessons::Language language : {lessons::Language::en, lessons::Language::zh}) {
      const int columns = 40;
      const Played played = play(written, answering(written, lessons::right_answer), {}, {language, columns});
      INFO(id << " in " << columns << " columns");
      std::istringstream lines(played.shown);
      for (std::string line; std::getline(lines, line);) {
        if (line.find("flashscope explore") != std::string::npos) continue;  // a link is copied as a whole
        if (terminal::columns_of(line) > static_cast<float>(columns)) FAIL_CHECK(line);
      }
    }
  }
}

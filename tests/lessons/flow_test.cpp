// The flow of a question and its pieces, which every player shares.
#include "lessons/flow.h"

#include "lessons/pieces.h"
#include "tests/lessons/example.h"

using Kind = lessons::Piece::Kind;
using lessons::Attempt;
using lessons::LessonNotes;

namespace {

/// A step with the text that its players show.
struct Played : example::Ready {
  lessons::Page page;
  LessonNotes notes{"50-example", 3, "", {}};

  explicit Played(const std::string& name) : Ready(name), page(lessons::filled(lesson.en.page(name), scene.facts())) {}

  lessons::Asked asked(const std::string& name) const { return {lesson.lesson, *step, question(name), page, scene}; }
  bool type(Attempt& attempt, const std::string& name, const std::string& typed) {
    return lessons::try_answer(attempt, asked(name), typed, &notes);
  }
  bool is_over(const Attempt& attempt, const std::string& name) const {
    return lessons::is_over(question(name), attempt);
  }
  lessons::Pieces reply(const Attempt& attempt, const std::string& name) const {
    return lessons::reply_pieces(asked(name), attempt, [](const sim::Sentence& sentence) { return sentence.text(); });
  }
};

/// The texts of the pieces of a kind.
std::vector<std::string> texts(const lessons::Pieces& pieces, Kind kind) {
  std::vector<std::string> all;
  for (const lessons::Piece& piece : pieces) {
    if (piece.kind == kind) all.push_back(piece.text);
  }
  return all;
}

std::string all_text(const lessons::Pieces& pieces) {
  std::string all;
  for (const lessons::Piece& piece : pieces) all += piece.label + " " + piece.text + "\n";
  return all;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("an input that is not understood is no try, and says why") {
  Played step("count");
  Attempt attempt;
  CHECK_FALSE(step.type(attempt, "written", "many"));
  CHECK_FALSE(attempt.error.empty());
  CHECK(attempt.wrong == 0);
  CHECK_FALSE(attempt.verdict.has_value());
  CHECK(step.notes.answers.empty());
  CHECK(step.type(attempt, "written", "307200"));
  CHECK(attempt.error.empty());
  CHECK(step.is_over(attempt, "written"));
}

TEST_CASE("an answer that repeats the last one is no second try") {
  Played step("count");
  Attempt attempt;
  CHECK(step.type(attempt, "written", "61440"));
  CHECK_FALSE(step.type(attempt, "written", "61.44 kB"));
  CHECK(attempt.wrong == 1);
  CHECK_FALSE(step.is_over(attempt, "written"));
  CHECK(step.type(attempt, "written", "245760"));
  CHECK(step.is_over(attempt, "written"));
  REQUIRE(step.notes.answers.size() == 1);
  CHECK(step.notes.answers[0].given == "61440");
  CHECK(step.notes.answers[0].later == Texts{"245760"});
}

TEST_CASE("while tries are left no piece gives the answer away") {
  Played step("count");
  Attempt attempt;
  step.type(attempt, "written", "245760");
  const lessons::Pieces reply = step.reply(attempt, "written");
  CHECK(all_text(reply).find("307,200") == std::string::npos);
  CHECK(texts(reply, Kind::wrong) == Texts{"245,760 B"});
  CHECK(texts(reply, Kind::left) == Texts{"One more try."});
  CHECK(texts(reply, Kind::reason).size() == 1);
  CHECK(texts(reply, Kind::because).empty());
  CHECK(texts(reply, Kind::expected).empty());
  Attempt large;
  step.type(large, "written", "999 MB");
  CHECK(texts(step.reply(large, "written"), Kind::reason) == Texts{"Too large."});
}

TEST_CASE("after the last try the pieces tell the answer, the reason and why") {
  Played step("count");
  Attempt attempt;
  step.type(attempt, "written", "61440");
  step.type(attempt, "written", "245760");
  const lessons::Pieces reply = step.reply(attempt, "written");
  CHECK(texts(reply, Kind::given) == Texts{"245,760 B"});
  CHECK(texts(reply, Kind::expected) == Texts{"307,200 B"});
  CHECK(texts(reply, Kind::because) == Texts{"Five passes."});
  CHECK(texts(reply, Kind::left).empty());
  CHECK(step.type(attempt, "written", "307200"));  // a player that asks on is not refused
}

TEST_CASE("a shown answer is kept, and counts no try") {
  Played step("count");
  Attempt attempt;
  lessons::show_answer(attempt, step.asked("fewer"), &step.notes);
  CHECK(step.is_over(attempt, "fewer"));
  CHECK(texts(step.reply(attempt, "fewer"), Kind::shown) == Texts{"wide blocks"});
  REQUIRE(step.notes.answers.size() == 1);
  CHECK(step.notes.answers[0].shown);
  CHECK(lessons::recalled(step.asked("fewer"), step.notes).shown);
}

TEST_CASE("a goal that is reached goes on until its par, or until it is taken") {
  Played step("make");
  Attempt attempt;
  CHECK(step.type(attempt, "golf", "br=32"));
  CHECK_FALSE(attempt.right());
  CHECK(step.notes.answers.empty());  // a goal that is not reached is no answer
  CHECK(texts(step.reply(attempt, "golf"), Kind::wrong).size() == 1);
  CHECK(step.type(attempt, "golf", "bc=24"));
  REQUIRE(attempt.right());
  REQUIRE(lessons::may_improve(attempt));
  CHECK_FALSE(step.is_over(attempt, "golf"));
  CHECK_THAT(texts(step.reply(attempt, "golf"), Kind::score).at(0), Catch::Contains("go on, or take it"));
  CHECK(step.notes.answers.size() == 1);
  Attempt at_par = attempt;
  CHECK(step.type(at_par, "golf", "bc=32"));
  CHECK(step.is_over(at_par, "golf"));
  lessons::show_answer(attempt, step.asked("golf"), &step.notes);
  CHECK(step.is_over(attempt, "golf"));
  CHECK_FALSE(attempt.shown);
  CHECK(attempt.right());
  CHECK_FALSE(step.notes.answers[0].shown);
  CHECK(step.is_over(lessons::recalled(step.asked("golf"), step.notes), "golf"));
}

TEST_CASE("recalled answers give the attempt that they were") {
  Played step("count");
  Attempt attempt;
  step.type(attempt, "written", "61440");
  CHECK(lessons::recalled(step.asked("written"), step.notes) == attempt);
  step.type(attempt, "written", "300 KiB");
  CHECK(lessons::recalled(step.asked("written"), step.notes) == attempt);
  CHECK(lessons::recalled(step.asked("fewer"), step.notes) == Attempt{});
}

TEST_CASE("questions are read up to the first that is open") {
  Played step("count");
  Attempt open, solved;
  step.type(solved, "written", "307200");
  const auto none = [&](const lessons::Question&) { return open; };
  const auto first = [&](const lessons::Question& question) { return question.text == "written" ? solved : open; };
  const auto both = [&](const lessons::Question&) { return solved; };
  CHECK(lessons::readable_questions(*step.step, none).size() == 1);
  CHECK(lessons::readable_questions(*step.step, first).size() == 2);
  CHECK(lessons::open_question(*step.step, first)->text == "fewer");
  CHECK(lessons::open_question(*step.step, both) == nullptr);
}

TEST_CASE("an order that is shown lists its lines in the run's order") {
  Played step("lines");
  Attempt attempt;
  lessons::show_answer(attempt, step.asked("order"), nullptr);
  CHECK(texts(step.reply(attempt, "order"), Kind::solution) == step.question("order").lines);
}

TEST_CASE("errors are told in words that learners know") {
  CHECK(lessons::for_learners("flash1.cpp:20: O_i does not fit: lower --br or --bc") ==
        "O_i does not fit: lower br or bc");
  CHECK(lessons::for_learners("Br is 3: a -- b") == "Br is 3: a -- b");
}

TEST_CASE("the key has the answer and every anticipated mistake") {
  Played step("count");
  const auto say = [](const sim::Sentence& sentence) { return sentence.text(); };
  const lessons::Pieces key = lessons::key_pieces(step.asked("written"), say);
  CHECK(texts(key, Kind::expected) == Texts{"307,200 B"});
  CHECK(texts(key, Kind::mistake) == Texts{"Those 245.8 kB are read.", "Once alone."});
  CHECK(lessons::key_pieces(step.asked("fewer"), say).back().label == "2");
}

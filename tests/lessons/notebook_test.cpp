// The learner's notebook: round trips, rejection of invalid files, and marking.
#include "lessons/notebook.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/lessons/example.h"
#include "tests/support/untrusted.h"

using Catch::Contains;
using lessons::Notebook;

namespace {

Notebook read(const std::string& json) { return lessons::read_notebook(json, "notebook.json"); }
std::string error_of(const std::string& json) {
  return example::error_of([&] { read(json); });
}

/// A notebook of one lesson with these answers.
std::string with_answers(const std::string& answers) {
  return R"({"schema": 1, "lessons": [{"id": "50-example", "version": 3, "answers": )" + answers + "}]}";
}

Notebook filled() {
  return {"Ada \"L\" 洛",
          {{"50-example", 3, "lines", {{"count", "written", "300 KiB", false}, {"count", "fewer", "", true}}},
           {"07-flash1-by-hand", 1, "", {}}}};
}

}  // namespace

TEST_CASE("a written notebook reads back unchanged") {
  const Notebook notebook = filled();
  const std::string text = lessons::to_text(notebook);
  const Notebook again = read(text);
  CHECK(lessons::to_text(again) == text);
  CHECK(again.student == notebook.student);
  REQUIRE(again.lessons.size() == 2);
  CHECK(again.lessons[0].step == "lines");
  REQUIRE(again.lessons[0].answers.size() == 2);
  CHECK(again.lessons[0].answers[0].given == "300 KiB");
  CHECK_FALSE(again.lessons[0].answers[0].shown);
  CHECK(again.lessons[0].answers[1].shown);
  CHECK(again.lessons[1].answers.empty());
}

TEST_CASE("any typed text is written as JSON that reads back") {
  for (const std::string& text : untrusted::texts) {
    Notebook notebook = filled();
    notebook.student = notebook.lessons[0].answers[0].given = text.substr(0, 1000);
    const std::string json = lessons::to_text(notebook);
    CHECK(nlohmann::json::accept(json));
    CHECK(lessons::to_text(read(json)) == json);
  }
}

TEST_CASE("another schema is refused by its number") {
  CHECK_THAT(error_of(R"({"schema": 2, "lessons": []})"),
             Contains("notebook.json: schema 2 is unknown, this program reads 1"));
  CHECK_THAT(error_of(R"({"lessons": []})"), Contains("schema is missing or no whole number"));
  CHECK_THAT(error_of(R"({"schema": "1", "lessons": []})"), Contains("schema is missing or no whole number"));
  CHECK_THAT(error_of(R"({"schema": 1.0, "lessons": []})"), Contains("schema is missing or no whole number"));
  CHECK_THAT(error_of(R"({"schema": -1, "lessons": []})"), Contains("schema is out of range"));
  CHECK_THAT(error_of(R"({"schema": 18446744073709551615, "lessons": []})"), Contains("schema is out of range"));
}

TEST_CASE("malformed JSON gives a one-line error") {
  std::string deep(200'000, '[');
  const std::vector<std::string> bad = {
      std::string(),
      std::string("null"),
      std::string("[]"),
      std::string("1"),
      std::string("\"x\""),
      std::string("{"),
      std::string("{}"),
      std::string("\xff\xfe"),
      std::string("{\"schema\": 1"),
      deep,
      deep + std::string(200'000, ']'),
      std::string("{\"schema\": 1, \"lessons\": {}}"),
      std::string("{\"schema\": 1, \"lessons\": [1]}"),
      std::string("{\"schema\": 1, \"lessons\": [null]}"),
      std::string("{\"schema\": 1, \"student\": 7, \"lessons\": []}"),
      std::string("{\"schema\": 1, \"lessons\": [{\"id\": 1}]}"),
      with_answers("1"),
      with_answers("[1]"),
      with_answers("[{}]"),
      with_answers(R"([{"step": "a", "question": "b"}])"),
      with_answers(R"([{"step": "a", "question": "b", "given": 1}])"),
      with_answers(R"([{"step": "a", "question": "b", "given": 1, "shown": true}])"),
      with_answers(R"([{"step": "a", "question": "b", "given": ")" + std::string(5000, 'x') + "\"}]"),
      R"({"schema": 1, "lessons": [{"id": "a", "version": 1e9, "answers": []}]})",
      std::string(std::size_t{1} << 20, ' ') + "{}"};
  for (const std::string& json : bad) {
    const std::string error = error_of(json);
    INFO(json.substr(0, 100));
    CHECK_THAT(error, Catch::StartsWith("notebook.json"));
    CHECK(error.size() < 300);
    CHECK(error.find('\n') == std::string::npos);
  }
}

TEST_CASE("a notebook has at most 1 MiB, 100 lessons and 1,000 answers a lesson") {
  Notebook notebook;
  for (int n = 0; n < 101; ++n) notebook.lessons.push_back({sim::text("l", n), 1, "", {}});
  CHECK_THAT(error_of(lessons::to_text(notebook)), Contains("lessons has more than 100 entries"));
  notebook.lessons.resize(1);
  for (int n = 0; n < 1001; ++n) notebook.lessons[0].answers.push_back({"s", sim::text(n), "1", false});
  CHECK_THAT(error_of(lessons::to_text(notebook)), Contains("answers has more than 1000 entries"));
  notebook.lessons[0].answers.resize(1000);
  CHECK(error_of(lessons::to_text(notebook)).empty());
}

TEST_CASE("unknown keys of a notebook are ignored") {
  const Notebook notebook =
      read(R"({"schema": 1, "color": "blue", "lessons": [{"id": "a", "version": 1, "new": [], "answers": []}]})");
  CHECK(notebook.lessons.size() == 1);
}

TEST_CASE("the first answer to a question counts") {
  lessons::LessonNotes notes{"50-example", 3, "", {}};
  keep_answer(notes, {"count", "written", "1", false});
  keep_answer(notes, {"count", "written", "2", false});
  keep_answer(notes, {"lines", "written", "3", false});
  REQUIRE(notes.answers.size() == 2);
  CHECK(notes.answer("count", "written")->given == "1");
  CHECK(notes.answer("count", "fewer") == nullptr);
}

TEST_CASE("further tries and a shown solution are kept with the first answer, and do not count") {
  const lessons::WrittenLesson written = example::written();
  lessons::LessonNotes notes{"50-example", 3, "", {}};
  keep_answer(notes, {"count", "written", "245760", false});
  keep_try(notes, "count", "written", "307200");
  keep_answer(notes, {"lines", "next", "0, 1", false});
  keep_answer(notes, {"lines", "next", "", true});
  const Notebook again = lessons::read_notebook(lessons::to_text({"", {notes}}), "again");
  const lessons::Answer &first = again.lessons[0].answers[0], &second = again.lessons[0].answers[1];
  CHECK(first.later == std::vector<std::string>{"307200"});
  CHECK((second.shown && second.given == "0, 1"));
  const lessons::Grade grade = lessons::grade(written, again.lessons[0], sim::built_in_gpu);
  CHECK(grade.right == 0);
  CHECK(grade.marks[0].given == "245760");
  CHECK(grade.marks[2].given == "0, 1");
  const lessons::Notebook merged =
      lessons::merged({"", {{"50-example", 3, "", {{"count", "written", "245760"}}}}}, again);
  CHECK(merged.lessons[0].answers[0].later == first.later);
  CHECK_THROWS_WITH(
      read(R"({"schema": 1, "lessons": [{"id": "a", "version": 1, "answers": [{"step": "a", "question": "b",
      "given": "1", "later": [1]}]}]})"),
      Contains("later contains something that is not an answer"));
}

TEST_CASE("answers to another version of a lesson count no more, and are kept") {
  const lessons::Lesson lesson = example::written().lesson;
  Notebook notebook = filled();
  CHECK(notebook.notes(lesson).answers.size() == 2);
  notebook.lessons[0].version = 2;
  CHECK(notebook.notes(lesson).answers.empty());
  CHECK(notebook.notes(lesson).version == 3);
  CHECK(notebook.lessons.size() == 3);
  CHECK(notebook.find(lesson.id, 2)->answers.size() == 2);
  CHECK(lessons::read_notebook(lessons::to_text(notebook), "again").find(lesson.id, 2)->answers.size() == 2);
}

TEST_CASE("a grade marks every question and gives the reason of each wrong answer") {
  const lessons::WrittenLesson written = example::written();
  const lessons::LessonNotes notes{"50-example",
                                   3,
                                   "",
                                   {{"count", "written", "245760", false},
                                    {"count", "fewer", "", true},
                                    {"lines", "next", "3, 0", false},
                                    {"lines", "order", "what?", false},
                                    {"make", "golf", "bc=32", false}}};
  const lessons::Grade grade = lessons::grade(written, notes, sim::built_in_gpu);
  CHECK(grade.right == 2);
  CHECK(grade.of == 6);
  REQUIRE(grade.marks.size() == 6);
  CHECK(grade.marks[0].why == "Those 245.8 kB are read.");
  CHECK(grade.marks[0].expected == "307200");
  CHECK(grade.marks[1].why == "shown");
  CHECK(grade.marks[2].right);
  CHECK(grade.marks[2].why.empty());
  CHECK_THAT(grade.marks[3].why, Contains("is not an order"));
  CHECK(grade.marks[4].why == "missing");
  CHECK(grade.marks[5].right);
}

TEST_CASE("grades are JSON of schema 1") {
  const lessons::Grade grade = lessons::grade(example::written(), {"50-example", 3, "", {}}, sim::built_in_gpu);
  const auto json = lessons::to_json({grade});
  CHECK(json["schema"] == 1);
  REQUIRE(json["lessons"].size() == 1);
  const auto& lesson = json["lessons"][0];
  CHECK(lesson.size() == 6);
  CHECK(lesson["id"] == "50-example");
  CHECK(lesson["version"] == 3);
  CHECK(lesson["right"] == 0);
  CHECK(lesson["solved"] == 0);
  CHECK(lesson["of"] == 6);
  for (const auto& answer : lesson["answers"]) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : answer.items()) keys.push_back(key);
    CHECK(keys == std::vector<std::string>{"step", "question", "given", "expected", "right", "solved", "why"});
  }
}

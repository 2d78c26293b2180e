// The commands lesson and grade: list, print, check and create lessons, grade notebooks.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "lessons/catalogue.h"
#include "tests/lessons/example.h"
#include "tests/support/program.h"

using Catch::Contains;
using program::check_refused;
using program::Folder;
using program::good;
using program::run;
using program::shell;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Writes the files of the example lesson into a folder.
void write_example(const Folder& folder, const example::Files& files = {}) {
  program::fs::create_directories(folder / "mine/50-example");
  program::write_file(folder / "mine/50-example/lesson.toml", files.toml);
  program::write_file(folder / "mine/50-example/en.md", files.en);
  program::write_file(folder / "mine/50-example/zh.md", files.zh);
}

std::string notebook(const std::string& answers, int version = 3) {
  return sim::text(R"({"schema": 1, "lessons": [{"id": "50-example", "version": )", version, R"(, "answers": [)",
                   answers, "]}]}");
}

const std::string all_right = R"({"step": "count", "question": "written", "given": "300 KiB"},
  {"step": "count", "question": "fewer", "given": "wide"}, {"step": "lines", "question": "next", "given": "3, 0"},
  {"step": "lines", "question": "order", "given": "ORDER"}, {"step": "make", "question": "formula", "given": "Tc*N*d*e*h*b"},
  {"step": "make", "question": "golf", "given": "bc=32"})";

}  // namespace

TEST_CASE("lesson without arguments lists the lessons and tells how to start one") {
  const std::string out = good({"lesson"}).out;
  CHECK_THAT(out, Catch::StartsWith(good({"lesson", "--list"}).out) && Contains("flashscope lesson 0"));
}

TEST_CASE("an unknown lesson is refused with the nearest") {
  check_refused({"lesson", "07-flash1-by-hnd"},
                {"unknown lesson \"07-flash1-by-hnd\"", "did you mean \"07-flash1-by-hand\""});
  check_refused({"lesson", "77"}, {"unknown lesson \"77\"", "01-two-memories"});
  check_refused({"lesson", "new"}, {"lesson new: name the folder"});
  check_refused({"lesson", "check"}, {"lesson check: name the folder"});
  check_refused({"lesson", "05", "06"}, {"one lesson at a time"});
  check_refused({"lesson", "05", "--step", "0"}, {"step"});
  check_refused({"lesson", "05", "--step", "99"}, {"step"});
  check_refused({"lesson", "05", "--lang", "fr"}, {"lang"});
  check_refused({"lesson", "--lessons", "none"}, {"\"none\" is not a folder"});
}

TEST_CASE("lesson in a pipe prints every step with its answers, and number, id and name select the same lesson") {
  const std::string out = good({"lesson", "5"}).out;
  CHECK(good({"lesson", "05"}).out == out);
  CHECK(good({"lesson", "05-little-memory"}).out == out);
  const lessons::Lesson& lesson = lessons::built_in("05-little-memory").lesson;
  for (std::size_t n = 1; n <= lesson.steps.size(); ++n)
    CHECK_THAT(out, Contains(sim::text("step ", n, " of ", lesson.steps.size())));
  std::size_t questions = 0;
  for (const lessons::Step& step : lesson.steps) questions += step.questions.size();
  const std::vector<std::string> lines = lines_of(out);
  CHECK(static_cast<std::size_t>(std::count_if(
            lines.begin(), lines.end(), [](const std::string& line) { return line.starts_with("= "); })) == questions);
}

TEST_CASE("lesson --check passes for every lesson, and reports the number of claims", "[repeats]") {
  const std::vector<std::string> lines = lines_of(good({"lesson", "--check"}).out);
  REQUIRE(lines.size() == lessons::built_in_ids().size());
  for (const std::string& line : lines) CHECK_THAT(line, Contains(" claims, ") && Catch::EndsWith(": all hold"));
}

TEST_CASE("a new lesson passes its check, and creating it twice in one folder is refused") {
  const Folder folder;
  const program::Result made = run(folder, {"lesson", "new", "21-mine"});
  CHECK(made.exit_code == 0);
  CHECK_THAT(made.out, Contains("wrote 21-mine: lesson.toml, en.md, zh.md"));
  const program::Result checked = run(folder, {"lesson", "check", "21-mine"});
  INFO(checked.out << checked.err);
  CHECK(checked.exit_code == 0);
  CHECK_THAT(checked.out, Contains("21-mine: 2 steps") && Contains("all hold"));
  check_refused(folder, {"lesson", "new", "21-mine"}, {"\"21-mine\" exists already"});
  for (const std::string name : {"mine", "2-mine", "21_mine", "21-", "21-Mine", "21-a b"})
    check_refused(folder, {"lesson", "new", name}, {"is not a name of a lesson"});
  CHECK(folder.files() == 1);
}

TEST_CASE("lesson check names errors by file and line, with exit code 1") {
  const Folder folder;
  write_example(folder);
  CHECK(run(folder, {"lesson", "check", "mine/50-example/"}).exit_code == 0);
  write_example(folder, {example::with(example::toml, "= 5 * tile", "= 4 * tile")});
  const program::Result wrong = run(folder, {"lesson", "check", "mine/50-example"});
  CHECK(wrong.exit_code == 1);
  CHECK_THAT(wrong.out, Catch::StartsWith("50-example/lesson.toml:10: claim does not hold: "));
  write_example(folder, {example::with(example::toml, "version = 3", "version = three")});
  const program::Result broken = run(folder, {"lesson", "check", "mine/50-example"});
  CHECK(broken.exit_code == 1);
  CHECK_THAT(broken.out, Catch::StartsWith("50-example/lesson.toml:2"));
  check_refused(folder, {"lesson", "check", "none"}, {"\"none\" is not a folder"});
  program::fs::create_directories(folder / "empty");
  CHECK(run(folder, {"lesson", "check", "empty"}).exit_code != 0);
}

TEST_CASE("lesson check --complete asks for what every lesson of the catalogue has") {
  const Folder folder;
  write_example(folder);
  const program::Result checked = run(folder, {"lesson", "check", "mine/50-example", "--complete"});
  CHECK(checked.exit_code == 1);
  CHECK_THAT(checked.out, Contains("50-example/lesson.toml: has 3 steps, at least 8"));
  CHECK(run(folder, {"lesson", "50", "--check", "--lessons", "mine", "--complete"}).exit_code == 1);
}

TEST_CASE("lesson value prints a formula of a step, or both sides of a claim") {
  CHECK(good({"lesson", "value", "04", "half", "standard hbm_traffic"}).out == "384 B\n");
  CHECK(good({"lesson", "value", "04", "3", "1 / 3 | percent"}).out == "33.3 % (0.3333)\n");
  CHECK(good({"lesson", "value", "04", "half", "hbm_traffic < standard hbm_traffic"}).out == "144 < 384: holds\n");
  check_refused({"lesson", "value", "04", "hlf", "1"}, {"unknown step \"hlf\"", "did you mean \"half\""});
  check_refused({"lesson", "value", "04"}, {"lesson value: name the lesson or its folder, the step and the formula"});
  const Folder folder;
  example::Files files;
  const std::string others = "others = { wide = \"bc=32\" }\n";
  files.toml = example::with(files.toml, others, others + "[names]\nTc = \"scenario.seqlen / scenario.bc\"\n");
  write_example(folder, files);
  CHECK(run(folder, {"lesson", "value", "mine/50-example", "count", "wide Tc"}).out == "2\n");
  const program::Result wrong = run(folder, {"lesson", "value", "50", "count", "Tc = 5", "--lessons", "mine"});
  CHECK(wrong.out == "4 = 5: does not hold\n");
  CHECK(wrong.exit_code == 1);
}

TEST_CASE("a user's lessons are listed, printed and checked from their folder") {
  const Folder folder;
  write_example(folder);
  const program::Result list = run(folder, {"lesson", "--list", "--lessons", "mine"});
  CHECK_THAT(list.out, Catch::StartsWith("50  An example"));
  CHECK(lines_of(list.out).size() == 2);
  CHECK_THAT(run(folder, {"lesson", "50", "--lessons", "mine"}).out, Contains("step 3 of 3"));
  CHECK_THAT(run(folder, {"lesson", "50", "--lessons", "mine", "--lang", "zh"}).out, Contains("轮到你"));
  check_refused(folder, {"lesson", "51", "--lessons", "mine"}, {"unknown lesson \"51\"", "50-example"});
}

TEST_CASE("a user's lessons are played by the explorer, and their steps drawn") {
  const Folder folder;
  write_example(folder);
  check_refused(folder, {"explore", "--lessons", "mine", "--lesson", "51"},
                {"unknown lesson \"51\"", "known: 50-example"});
  check_refused(folder, {"explore", "--lessons", "none"}, {"\"none\" is not a folder"});
  const auto draw = [&](const std::string& name, const std::vector<std::string>& more) {
    std::vector<std::string> words = {"screenshot", name, "--size", "960x600", "--link", "lesson=50&lesson-step=2"};
    words.insert(words.end(), more.begin(), more.end());
    const program::Result result = run(folder, words);
    INFO(result.err);
    CHECK(result.exit_code == 0);
    return program::read_file(folder / name);
  };
  CHECK(draw("own.png", {"--lessons", "mine"}) != draw("other.png", {}));  // without it, the list of lessons
  write_example(folder, {example::with(example::toml, "version = 3", "version = three")});
  check_refused(folder, {"screenshot", "bad.png", "--lessons", "mine"}, {"50-example/lesson.toml:2"});
}

TEST_CASE("grade grades a notebook: exit code 0 if all is right, 1 if not, 2 if it cannot") {
  const Folder folder;
  write_example(folder);
  const example::Ready ready("lines");
  const std::string order = lessons::right_answer(ready.question("order"), ready.scene);
  program::write_file(folder / "right.json", notebook(example::with(all_right, "ORDER", order)));
  program::write_file(folder / "wrong.json", notebook(R"({"step": "count", "question": "written", "given": "61440"})"));
  const auto grade = [&](const std::string& file) { return run(folder, {"grade", file, "--lessons", "mine"}); };

  const program::Result right = grade("right.json");
  INFO(right.out << right.err);
  CHECK(right.exit_code == 0);
  const auto json = nlohmann::json::parse(right.out);
  CHECK(json["schema"] == 1);
  CHECK(json["lessons"][0]["right"] == 6);
  CHECK(json["lessons"][0]["of"] == 6);

  const program::Result wrong = grade("wrong.json");
  CHECK(wrong.exit_code == 1);
  const auto lesson = nlohmann::json::parse(wrong.out)["lessons"][0];
  CHECK(lesson["id"] == "50-example");
  CHECK(lesson["version"] == 3);
  CHECK(lesson["right"] == 0);
  CHECK(lesson["answers"][0]["given"] == "61440");
  CHECK(lesson["answers"][0]["why"] == "Once alone.");
  CHECK(lesson["answers"][1]["why"] == "missing");
}

TEST_CASE("grade grades all notebooks of a folder, a row for each, and names those that are damaged") {
  const Folder folder;
  write_example(folder);
  program::fs::create_directories(folder / "in");
  const example::Ready ready("lines");
  const std::string order = lessons::right_answer(ready.question("order"), ready.scene);
  program::write_file(folder / "in/b.json", notebook(example::with(all_right, "ORDER", order)));
  program::write_file(folder / "in/a, b.json", notebook(R"({"step": "count", "question": "written", "given": "1"})"));
  program::write_file(folder / "in/notes.txt", "no notebook");
  const auto graded = [&] { return run(folder, {"grade", "in", "--lessons", "mine"}); };
  const program::Result two = graded();
  CHECK(two.exit_code == 1);
  CHECK(two.out == "notebook,student,right,of,50-example,broken\n\"in/a, b.json\",,0,6,0,\nin/b.json,,6,6,6,\n");

  program::write_file(folder / "in/c.json", notebook("", 2));
  const program::Result broken = graded();
  CHECK(broken.exit_code == 2);
  CHECK_THAT(broken.out, Contains("in/b.json,,6,6,6,") && Contains("in/c.json,,,,,") && Contains("are to version 2"));
  CHECK_THAT(broken.err, Contains("in/c.json: the answers are to version 2"));
  CHECK(run(folder, {"grade", "in/b.json", "--lessons", "mine", "--format", "csv"}).out ==
        "notebook,student,right,of,50-example,broken\nin/b.json,,6,6,6,\n");
  check_refused(folder, {"grade", "in", "--lessons", "mine", "--format", "json"},
                {"of a folder there is --format csv"});
}

TEST_CASE("grade refuses a file that is not a notebook of these lessons in one line") {
  const Folder folder;
  write_example(folder);
  program::write_file(folder / "version.json", notebook("", 2));
  program::write_file(folder / "empty.json", R"({"schema": 1, "lessons": []})");
  program::write_file(folder / "other.json",
                      R"({"schema": 1, "lessons": [{"id": "51-other", "version": 1, "answers": []}]})");
  program::write_file(folder / "schema.json", R"({"schema": 7, "lessons": []})");
  program::write_file(folder / "text.json", "\x1b[31mno JSON");
  const auto refused = [&](const std::string& file, const std::string& says) {
    check_refused(folder, {"grade", file, "--lessons", "mine"}, {says});
  };
  refused("version.json", "the answers are to version 2 of 50-example, this program has version 3");
  refused("empty.json", "empty.json: holds no answers");
  refused("other.json", "unknown lesson \"51-other\"");
  refused("schema.json", "schema 7 is unknown");
  refused("text.json", "text.json is not JSON");
  refused("none.json", "none.json: cannot be read");
  refused("mine", "holds no notebook: their names end in .json");
  check_refused(folder, {"grade"}, {"name the notebook"});
}

// Findings of `lesson --check`: each defect, with its file and line.
#include "lessons/check.h"

#include <catch2/catch.hpp>

#include "lessons/options_text.h"
#include "lessons/places.h"
#include "tests/lessons/example.h"

using Catch::Contains;
using Catch::EndsWith;
using Catch::StartsWith;
using example::Files;
using example::findings;
using example::with;

namespace {

/// Returns the only finding about an example with a defect.
std::string finding(const Files& files) {
  const std::vector<std::string> all = findings(files);
  std::string lines;
  for (const std::string& one : all) lines += one + "\n";
  INFO(lines);
  CHECK(all.size() == 1);
  return all.empty() ? "" : all.front();
}
std::string in_toml(const std::string& from, const std::string& to) { return finding({with(example::toml, from, to)}); }
std::string in_en(const std::string& from, const std::string& to) {
  return finding({example::toml, with(example::en, from, to)});
}
std::string in_zh(const std::string& from, const std::string& to) {
  return finding({example::toml, example::en, with(example::zh, from, to)});
}

}  // namespace

TEST_CASE("a correct lesson has no findings, and its checks are counted") {
  const lessons::Checked checked = lessons::check(example::written(), sim::built_in_gpu,
                                                  {lessons::Language::en, lessons::Language::zh}, {"00-tour"}, false);
  CHECK(checked.findings.empty());
  CHECK(checked.steps == 3);
  CHECK(checked.claims == 3);
  CHECK(checked.questions == 6);
  CHECK(checked.numbers == 6);
}

TEST_CASE("a claim that does not hold is found") {
  CHECK_THAT(in_toml("= 5 * tile_traffic.by_tensor.V", "= 4 * tile_traffic.by_tensor.V"),
             StartsWith("50-example/lesson.toml:10: claim does not hold: tile_traffic.by_tensor.O.write_bytes = 4") &&
                 EndsWith(" (307,200 = 245,760)"));
  CHECK_THAT(in_toml("= 5 * tile_traffic.by_tensor.V", "= 5 * tile_traffic.by_tensor.W"),
             StartsWith("50-example/lesson.toml:10: ") && Contains("tile_traffic.by_tensor.W"));
  CHECK_THAT(in_toml("= 5 * tile_traffic.by_tensor.V", ""),
             StartsWith("50-example/lesson.toml:10: ") && Contains("claims nothing"));
  CHECK_THAT(in_toml("claims = [\"tile_traffic.by_tensor.K = tile_traffic.by_tensor.V\"]\n", ""),
             StartsWith("50-example/lesson.toml:") && Contains("step lines claims nothing"));
}

TEST_CASE("tile traffic against HBM traffic is found unless the step states how it is counted") {
  const std::string claim = "claims = [\"tile_traffic.by_tensor.K = tile_traffic.by_tensor.V\"";
  const auto claiming = [&](const std::string& condition, const std::string& meters = "") {
    return with(example::toml, claim, meters + claim + ", \"" + condition + "\"");
  };
  const std::string levels = "meters = \"levels\"\n", papers = "meters = \"papers\"\n";
  for (const char* mixed :
       {"tile_traffic.total > hbm_traffic", "tile_traffic.total > 0.5 * wide hbm_traffic.compulsory_bytes",
        "wide hbm_traffic.read_bytes < 2 * (tile_traffic.total + 1)",
        "tile_traffic.total / hbm_traffic.compulsory_bytes > 1"})
    CHECK_THAT(finding({claiming(mixed)}),
               StartsWith("50-example/lesson.toml:") &&
                   Contains("sets tile traffic against HBM traffic: " + std::string(mixed)));
  CHECK_THAT(in_toml("when = \"wide tile_traffic.total > tile_traffic.total\"",
                     "when = \"wide tile_traffic.total > tile_traffic.total + 0 * hbm_traffic\""),
             Contains("sets tile traffic against HBM traffic"));
  CHECK_THAT(
      in_toml("until = \"tile_traffic.total < 800000\"", "until = \"tile_traffic.total < 800000 + 0 * hbm_traffic\""),
      Contains("sets tile traffic against HBM traffic"));
  CHECK(findings({claiming("tile_traffic.total > hbm_traffic", levels)}).empty());
  CHECK(findings({claiming("wide tile_traffic.total > wide hbm_traffic", levels)}).empty());
  CHECK_THAT(finding({claiming("tile_traffic.total > wide hbm_traffic", levels)}),
             Contains("is for two levels of one run"));
  const std::string en = with(example::en, "## lines: The lines\n", "## lines: The lines\nAs the papers count. "),
                    zh = with(example::zh, "## lines: 各行\n", "## lines: 各行\n按论文的数法。");
  const std::string counted = claiming("tile_traffic.total > wide hbm_traffic", papers);
  CHECK(findings({counted, en, zh}).empty());
  CHECK_THAT(finding({counted, en}), StartsWith("50-example/zh.md:") && Contains("must say \"按论文的数法\""));
  CHECK_THAT(finding({counted, example::en, zh}),
             StartsWith("50-example/en.md:") && Contains("\"as the papers count\""));
  CHECK_THROWS_WITH(findings({claiming("tile_traffic.total > 0", "meters = \"both\"\n")}),
                    Contains("meters \"both\" is not papers or levels"));
}

TEST_CASE("an impossible scenario, run or cursor is found") {
  CHECK_THAT(in_toml("name = \"make\"", "name = \"make\"\nscenario = \"br=0\""),
             StartsWith("50-example/lesson.toml:") && Contains("of the step"));
  CHECK_THAT(in_toml("name = \"make\"", "name = \"make\"\nothers = { broken = \"seqlen=none\" }"),
             Contains("run broken: "));
  CHECK_THAT(in_toml("i = 1, j = 0", "i = 9, j = 0"),
             StartsWith("50-example/lesson.toml:") && Contains("never runs with i = 9"));
  CHECK_THAT(in_toml("i = 1, j = 0", "i = 1"), Contains("runs for several blocks: give i and j"));
  CHECK_THAT(in_toml("line = \"m' = max(m, m~)\", i", "line = \"m' = min(m, m~)\", i"), Contains("m' = max(m, m~)"));
  CHECK_THAT(in_toml("{ kernel = \"flash1_forward\"", "{ kernel = \"flash2_forward\""),
             Contains("did you mean \"flash1_forward\""));
  CHECK_THAT(in_toml("i = 1, j = 0", "i = 1, j = 0, cta = \"0,0,0\""),
             Contains("is not BATCH,HEAD,ROW BLOCK,COLUMN BLOCK"));
}

TEST_CASE("an anticipated wrong answer that equals the right one or another is found") {
  CHECK_THAT(in_toml("when = \"tile_traffic.by_tensor.O.read_bytes\"", "when = \"5 * tile_traffic.by_tensor.V\""),
             StartsWith("50-example/lesson.toml:14: the wrong answer reads of written is taken for the right one"));
  CHECK_THAT(in_toml("when = \"tile_traffic.by_tensor.V\"", "when = \"tile_traffic.by_tensor.O.read_bytes\""),
             Contains("the wrong answer once of written is taken for reads"));
  CHECK_THAT(in_toml("wrong = [{ when = \"0, 1\"", "wrong = [{ when = \"3, 0\""),
             Contains("the wrong answer rows of next is taken for the right one"));
  CHECK_THAT(in_toml("when = \"N * d * e * h * b\"", "when = \"d * N * Tc * e * h * b\""),
             Contains("the wrong answer once of formula is taken for the right one"));
  const std::vector<std::string> one =
      findings({with(example::toml, "  { when = \"tile_traffic.by_tensor.O.read_bytes\", why = \"reads\" },\n", "")});
  REQUIRE(one.size() == 3);
  CHECK_THAT(one[0], Contains("en.md:5: \"! reads:\" matches no answer in step count"));
  CHECK_THAT(one[1], Contains("zh.md:5: \"! reads:\" matches no answer in step count"));
  CHECK_THAT(one[2], Contains("question written needs two anticipated wrong answers"));
}

TEST_CASE("a right answer that is marked wrong is found") {
  CHECK_THAT(in_toml("solution = \"Tc * N", "solution = \"Tr * N"),
             Contains("the right answer \"Tr * N * d * e * h * b\" of formula is marked wrong"));
  CHECK_THAT(in_toml("solution = \"bc=32\"", "solution = \"bc=8\""), Contains("of golf is marked wrong"));
  CHECK_THAT(in_toml("answer = \"scenario.seqlen / scenario.br - 1, 0\"", "answer = \"4, 0\""),
             Contains("there is no tile 4, 0"));
  CHECK_THAT(in_toml("tile_traffic.total > tile_traffic.total", "tile_traffic.total < 1e99"),
             Contains("both wide and narrow hold"));
}

TEST_CASE("a goal that is reached at the start, and a solution better than par, are found") {
  CHECK_THAT(in_toml("tile_traffic.total < 800000", "tile_traffic.total < 8000000"),
             StartsWith("50-example/lesson.toml:") && Contains("goal golf is reached before anything is changed"));
  CHECK_THAT(in_toml("solution = \"bc=32\"", "par = \"tile_traffic.total\"\nsolution = \"bc=32\""),
             Contains("the solution of golf is better than its par"));
}

TEST_CASE("steps that a language lacks or has in another order are found") {
  CHECK_THAT(findings({example::toml, example::en, with(example::zh, "## make: 轮到你", "## made: 轮到你")}).front(),
             StartsWith("50-example/zh.md:28: step 3 is made, in lesson.toml it is make"));
  const std::string shorter = example::zh.substr(0, example::zh.find("## make"));
  CHECK_THAT(findings({example::toml, example::en, shorter}).front(), StartsWith("50-example/zh.md: step 3 is none"));
}

TEST_CASE("missing and superfluous texts of questions are found in their language") {
  CHECK_THAT(in_zh("! reads: 那 {tile_traffic.by_tensor.O.read_bytes} 是读的。\n", "! reads: 那是读的。\n"),
             StartsWith("50-example/zh.md:5: step count has other numbers than en.md"));
  CHECK_THAT(findings({example::toml, example::en, with(example::zh, "! once: 只有一遍。\n", "")}).front(),
             StartsWith("50-example/zh.md:5: \"! once:\" is missing in step count"));
  CHECK_THAT(findings({example::toml, with(example::en, "+ narrow: narrow blocks\n", "")}).front(),
             StartsWith("50-example/en.md:5: \"+ narrow:\" is missing in step count"));
  CHECK_THAT(in_en("! narrow: More blocks, more passes.\n", ""),
             StartsWith("50-example/en.md:5: \"! narrow:\" is missing in step count"));
  CHECK_THAT(in_en("= written: Five passes.", "! thrice: Five passes."),
             Contains("\"! thrice:\" matches no answer in step count"));
  CHECK_THAT(in_en("= golf: Wider is better.", "? other: Wider?"),
             Contains("\"? other:\" matches no answer in step make"));
}

TEST_CASE("formulas that differ between languages or are invalid are found") {
  CHECK_THAT(in_zh("写了 {tile_traffic.by_tensor.O.write_bytes /", "写了 {tile_traffic.by_tensor.O.read_bytes /"),
             StartsWith("50-example/zh.md:5: step count has other numbers than en.md"));
  const std::vector<std::string> both = findings({example::toml, with(example::en, "{scenario.br}", "{scenario.bq}"),
                                                  with(example::zh, "{scenario.br}", "{scenario.bq}")});
  REQUIRE(both.size() == 2);
  CHECK_THAT(both[0], StartsWith("50-example/en.md:5: ") && Contains("scenario.bq"));
  CHECK_THAT(both[1], StartsWith("50-example/zh.md:5: "));
}

TEST_CASE("a bare number is found in the words of its step") {
  CHECK_THAT(in_en("? written: How many", "? written: How many of the 307,200"),
             StartsWith("50-example/en.md:5: the number 307") && Contains("in step count comes from no run"));
  CHECK_THAT(in_zh("! once: 只有一遍。", "! once: 只有 3 遍。"), StartsWith("50-example/zh.md:5: the number 3"));
  CHECK_THAT(in_en("+ wide: wide blocks", "+ wide: blocks of 32"), Contains("the number 32"));
  CHECK(findings({example::toml,
                  with(example::en, "How many bytes of O", "How many bytes of O in FlashAttention-2 of 2023")})
            .empty());
}

TEST_CASE("a myth without its source, and a source without its myth, are found") {
  const std::vector<std::string> both = findings({with(example::toml, "myth = \"a page, section 3.1.3\"\n", "")});
  REQUIRE(both.size() == 2);
  CHECK_THAT(both[0], StartsWith("50-example/en.md:20: step lines has a myth without its source in lesson.toml"));
  CHECK_THAT(both[1], StartsWith("50-example/zh.md:"));
  CHECK_THAT(in_en("> O is written once.", "O is written once."),
             StartsWith("50-example/en.md:20: step lines lacks the line of its myth"));
}

TEST_CASE("a step of more than 80 words is found") {
  std::string words;
  for (int n = 0; n < 80; ++n) words += "word ";
  CHECK_THAT(in_en("Now write it.", words + words), Contains("step make has 160 words, at most 80"));
  std::string characters;
  for (int n = 0; n < 161; ++n) characters += "字";
  CHECK_THAT(in_zh("写出来。", characters), Contains("step make has 81 words, at most 80"));
}

TEST_CASE("missing parts that every lesson of the catalogue must have are found") {
  std::vector<std::string> all = findings({}, true);
  REQUIRE(all.size() == 10);
  CHECK(all[8] == "50-example/lesson.toml: has 3 steps, at least 8");
  CHECK(all[9] == "50-example/lesson.toml: has 1 retrieval questions, at least 2");
  CHECK_THAT(all[0], Contains("lesson.toml:") && Contains("step count shows no moment: add at = { ... }"));
  CHECK_THAT(all[1], Contains("en.md:5: step count: links 0 words to what is shown, at least 3"));
  CHECK_THAT(all[2], Contains("zh.md:5: step count: links 0 words to what is shown, at least 3"));
}

TEST_CASE("links to things that the step does not show or that differ between languages are found") {
  const auto linked = [](const std::string& place) {
    const std::string words = "[Now](" + place + ") write it.";
    const std::vector<std::string> all =
        findings({example::toml, with(example::en, "Now write it.", words), with(example::zh, "写出来。", words)});
    return all.empty() ? "" : all.front();
  };
  for (const char* const good : {"tensor:K", "tensor:m", "tensor:alpha", "row", "row:3", "column:0", "tile:3,2",
                                 "counter:work", "option:br", "kernel:flash1_forward", "matrix", "timeline"}) {
    INFO(good);
    CHECK(linked(good).empty());
  }
  CHECK_THAT(linked("tensor:dQ"), StartsWith("50-example/en.md:") && Contains("has no tensor dQ"));
  CHECK_THAT(linked("row:4"), Contains("there is no row 4: the matrix has 4 x 4 tiles"));
  CHECK_THAT(linked("tile:0"), Contains("there is no tile 0"));
  CHECK_THAT(linked("tile:1,4"), Contains("there is no tile 1,4"));
  CHECK_THAT(linked("counter:bytes"), Contains("counter \"bytes\""));
  CHECK_THAT(linked("option:none"), Contains("there is no option \"none\""));
  CHECK_THAT(linked("kernel:softmax"), Contains("kernel \"softmax\""));
  CHECK_THAT(linked("level:hbm"), Contains("shows no memory next to the matrix"));
  CHECK_THAT(linked("gpus:clock"), Contains("the step shows one GPU: look = \"center=gpus\""));
  CHECK_THAT(linked("margin"), Contains("place \"margin\""));
  CHECK_THAT(findings({example::toml, with(example::en, "Now write it.", "Now [write](row) it.")}).front(),
             Contains("zh.md:28: step make: links other places than en.md"));
}

TEST_CASE("an unexplained first CTA of a lesson is reported") {
  const auto error_message = [](const std::string& words, lessons::Language language) {
    const std::string markdown = "# Title\n\n## one: One\n\n" + words + "\n\n## two: Two\n\nA CTA again.\n";
    return lessons::unexplained_cta(lessons::read_words(markdown, language, "en.md"), language);
  };
  CHECK(error_message("One CTA (block of threads) does it.", lessons::Language::en).empty());
  CHECK(error_message("CTAs (blocks of threads) do it.", lessons::Language::en).empty());
  CHECK(error_message("每个 CTA（线程块）一个。", lessons::Language::zh).empty());
  CHECK_THAT(error_message("One CTA does it.", lessons::Language::en), Contains("CTA (block of threads)"));
  CHECK_THAT(error_message("No word of it.", lessons::Language::en), Contains("is not explained"));
}

TEST_CASE("a step that compares runs has a race as its link, and its words link to the runs") {
  const std::string race = "name = \"make\"\npoint = \"race\"\nothers = { all = \"bc=32&br=32\" }";
  const lessons::Lesson lesson = lessons::read_lesson(with(example::toml, "name = \"make\"", race), "lesson.toml");
  const lessons::Step& step = lesson.steps.back();
  CHECK(lessons::link_of({{"seqlen", "64"}}, step) == "seqlen=64&compare=bc:32+br:32&play=run");
  const lessons::Scene scene(lesson, step, sim::built_in_gpu);
  CHECK(lessons::place_error("run:1", step, scene).empty());
  CHECK(lessons::place_error("option:bc", step, scene).empty());
  CHECK_THAT(lessons::place_error("run:2", step, scene), Contains("there is no run 2"));
  CHECK_THAT(lessons::place_error("tensor:K", step, scene), Contains("whole runs"));
  CHECK_THAT(lessons::place_error("run:0", lesson.steps.front(), scene), Contains("shows one run"));
}

TEST_CASE("link targets do not count as words or numbers of a text") {
  CHECK(lessons::without_places("a [row block](row:3) of [K](tensor:K)") == "a [row block] of [K]");
  CHECK(lessons::words_in("a [row block](row:3) of [K](tensor:K)") == 5);
  CHECK(lessons::bare_number("a [row block](row:3)").empty());
  CHECK(lessons::bare_number("[3](row)") == "3");
}

TEST_CASE("missing prerequisites and cycles of lessons are found") {
  CHECK_THAT(in_toml("needs = [\"00-tour\"]", "needs = [\"99-none\"]"),
             Contains("needs 99-none, which does not exist"));
  const auto lesson = [](const std::string& id, std::vector<std::string> needs) {
    lessons::Lesson made;
    made.id = id;
    made.needs = std::move(needs);
    return made;
  };
  const lessons::Lesson a = lesson("01-a", {}), b = lesson("02-b", {"01-a"}), c = lesson("03-c", {"02-b", "01-a"});
  CHECK(lessons::check_needs({&c, &b, &a}).empty());
  const lessons::Lesson d = lesson("04-d", {"05-e"}), e = lesson("05-e", {"04-d"}), self = lesson("06-f", {"06-f"});
  const std::vector<std::string> circles = lessons::check_needs({&a, &d, &e, &self});
  CHECK(circles == std::vector<std::string>{"04-d/lesson.toml: needs go in a circle",
                                            "05-e/lesson.toml: needs go in a circle",
                                            "06-f/lesson.toml: needs go in a circle"});
}

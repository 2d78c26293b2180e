// en.md and zh.md: headings, keys, blocks, and content that is not allowed.
#include "lessons/page.h"

#include <catch2/catch.hpp>

#include "tests/lessons/example.h"

using Catch::Contains;
using Catch::StartsWith;
using lessons::BlockKind;
using lessons::Language;

namespace {

lessons::Words read(const std::string& markdown, Language language = Language::en) {
  return lessons::read_words(markdown, language, "en.md");
}
std::string error_of(const std::string& markdown) {
  return example::error_of([&] { read(markdown); });
}

const std::string start = "# Title\n\n## one: First\n";

}  // namespace

TEST_CASE("words have a title, an aim, and a page for each heading") {
  const lessons::Words words =
      read("# Does it fit?\r\n\r\nYou can tell.\r\n\r\n## one: First\r\n\r\ntext\n## two: Second: more\n");
  CHECK(words.title == "Does it fit?");
  REQUIRE(words.aim.size() == 1);
  CHECK(words.aim[0].text == "You can tell.");
  REQUIRE(words.pages.size() == 2);
  CHECK(words.pages[0].name == "one");
  CHECK(words.pages[0].line == 5);
  CHECK(words.pages[1].title == "Second: more");
  CHECK(words.page("two").line == 8);
  CHECK_THROWS_WITH(words.page("three"), Contains("no step is called \"three\""));
}

TEST_CASE("a page has blocks of each kind") {
  const lessons::Words words = read(start +
                                    "A paragraph\non two lines.\n\nAnother.\n\n"
                                    "    S = Q K^T\n    T_r = 4\n\n"
                                    "- item one\n  goes on\n- item two\n\n"
                                    "| a | b |\n|---|---|\n| 1 | x |\n\n"
                                    "> A myth\ngoes on.\n");
  const std::vector<lessons::Block>& blocks = words.page("one").blocks;
  REQUIRE(blocks.size() == 7);
  CHECK(blocks[0].text == "A paragraph on two lines.");
  CHECK(blocks[0].kind == BlockKind::paragraph);
  CHECK(blocks[1].text == "Another.");
  CHECK(blocks[2].kind == BlockKind::equations);
  CHECK(blocks[2].text == "S = Q K^T" + std::string(lessons::between_equations) + "T_r = 4");
  CHECK(blocks[3].kind == BlockKind::item);
  CHECK(blocks[3].text == "item one   goes on");  // the spaces of the indentation do not break the line
  CHECK(blocks[4].text == "item two");
  CHECK(blocks[5].kind == BlockKind::table);
  CHECK(blocks[5].text == "| a | b |\n|---|---|\n| 1 | x |");
  CHECK(blocks[6].kind == BlockKind::myth);
  CHECK(blocks[6].text == "A myth goes on.");
}

TEST_CASE("Chinese lines are joined without a space") {
  const lessons::Words words =
      read("# 题\n\n目标\n达到。\n\n## one: 一\n\n第一行，\n第二行。\n\n? q: 问\n题？\n", Language::zh);
  CHECK(words.aim[0].text == "目标达到。");
  CHECK(words.page("one").blocks[0].text == "第一行，第二行。");
  CHECK(words.page("one").questions.at("q").question == "问题？");
}

TEST_CASE("questions have hints, choices, reasons and why the right answer is right") {
  const lessons::Page page =
      read(start + "? q: How\nmany?\n?? q: first\n?? q: second\n+ a: label\n! wrong: because\nof that\n= q: right\n")
          .page("one");
  CHECK(page.questions.at("q").question == "How many?");
  CHECK(page.questions.at("q").hints == std::vector<std::string>{"first", "second"});
  CHECK(page.questions.at("q").because == "right");
  CHECK(page.choices.at("a") == "label");
  CHECK(page.reasons.at("wrong") == "because of that");
  CHECK(page.blocks.empty());
}

TEST_CASE("text after a question is shown once it is answered") {
  lessons::Page page = read(start + "Before.\n\n? q: How many?\n\nMore words.\n\n    S = QK^T\n").page("one");
  REQUIRE(page.blocks.size() == 1);
  CHECK(page.blocks[0].text == "Before.");
  REQUIRE(page.told.size() == 2);
  CHECK(page.told[0].text == "More words.");
  CHECK(page.told[1].kind == lessons::BlockKind::equations);
  CHECK(page.questions.at("q").question == "How many?");
  CHECK(lessons::texts_of(page).size() == 6);  // the title, three blocks, the question and the reason for its answer
}

TEST_CASE("repeated, undefined and empty keys are rejected with their line") {
  CHECK_THAT(error_of("# A\n# B\n"), StartsWith("en.md:2: ") && Contains("a second title"));
  CHECK_THAT(error_of(start + "## one: Again\n"), StartsWith("en.md:4: ") && Contains("step one is given twice"));
  CHECK_THAT(error_of(start + "? q: a\n? q: b\n"), StartsWith("en.md:5: \"q\" is given twice"));
  CHECK_THAT(error_of(start + "! q: a\n! q: b\n"), StartsWith("en.md:5: \"q\" is given twice"));
  CHECK_THAT(error_of(start + "+ q: a\n+ q: b\n"), StartsWith("en.md:5: \"q\" is given twice"));
  CHECK_THAT(error_of(start + "? q: a\n= q: b\n= q: c\n"), StartsWith("en.md:6: \"q\" is given twice"));
  CHECK_THAT(error_of(start + "?? q: hint\n"), StartsWith("en.md:4: ") && Contains("there is no \"? q:\" before it"));
  CHECK_THAT(error_of(start + "= q: right\n"), StartsWith("en.md:4: ") && Contains("there is no \"? q:\" before it"));
  CHECK_THAT(error_of(start + "? q:\n"), StartsWith("en.md:4: \"q\" has no words"));
  CHECK_THAT(error_of(start + "? words\n"), StartsWith("en.md:4: ") && Contains("has no key"));
  CHECK_THAT(error_of(start + "? : words\n"), StartsWith("en.md:4: ") && Contains("has no key"));
  CHECK_THAT(error_of("# A\n## step\n"), StartsWith("en.md:2: ") && Contains("has no key"));
  CHECK_THAT(error_of("# A\n? q: words\n"), StartsWith("en.md:2: precedes the first step"));
  CHECK_THAT(error_of("no title\n"), Contains("no title: begin with"));
  CHECK_THAT(error_of(""), Contains("no title"));
}

TEST_CASE("HTML and addresses of other machines are rejected in a lesson") {
  for (const std::string bad :
       {"<b>bold</b>", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<br>", "<br/>", "<!-- x -->",
        "[a](http://a.b)", "[a](https://a.b)", "[a](HTTPS://a.b)", "[a](//a.b)", "[a](javascript:alert(1))",
        "[a]( http://a.b)", "[a](data:text/html,x)", "[a](file:///etc)"}) {
    INFO(bad);
    CHECK_THAT(error_of(start + "\nwords " + bad + " words\n"),
               StartsWith("en.md:5: a lesson may contain neither HTML nor addresses"));
    CHECK_THAT(error_of(start + "? q: " + bad + "\n"),
               StartsWith("en.md:4: a lesson may contain neither HTML nor addresses"));
  }
  for (const std::string good :
       {"a < b", "m < n > k", "l < 1", "T_c<T_r", "[row block](matrix)", "[K](tensor:K)", "x_{ij} <= 2"}) {
    INFO(good);
    CHECK(error_of(start + "\nwords " + good + " words\n").empty());
  }
}

TEST_CASE("invisible characters, invalid UTF-8 and excessive lengths are rejected") {
  for (const std::string bad : {"\x1b[31m", "\xe2\x80\xae", "\xe2\x80\x8b", "\xff", "\x07", "\xc0\xaf"}) {
    CHECK_THAT(error_of(start + bad + "\n"), Contains("cannot be seen, or is not UTF-8"));
  }
  CHECK_THAT(error_of(start + std::string(256 * 1024, 'x')), Contains("words at most 262144"));
}

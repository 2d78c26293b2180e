// Packs of lessons for the web page: complete, damaged and malicious ones.
#include "lessons/packs.h"

#include <catch2/catch.hpp>

#include "lessons/catalogue.h"
#include "sim/base/check.h"
#include "sim/base/text.h"

namespace {

using Catch::Matchers::Contains;
using lessons::Language;

const std::string file = "lessons/00-tour.en.pack";

std::string head(std::string_view name, std::size_t toml, std::size_t words, std::size_t font) {
  return sim::text("flashscope-pack 1 ", name, " ", toml, " ", words, " ", font, "\n");
}

std::string tour(std::string_view part) { return lessons::built_in_file(sim::text("00-tour/", part)); }

std::string pack_of(const std::string& toml, const std::string& words, std::string_view name = "00-tour en") {
  return head(name, toml.size(), words.size(), 0) + toml + words;
}

void register_lesson(const std::string& bytes) { lessons::register_lesson(lessons::read_pack(bytes, file), file); }

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("a pack is split at the sizes in its first line") {
  const std::string bytes = head("07-by-hand zh", 3, 4, 2) + "abcdefghi";
  const lessons::Pack pack = lessons::read_pack(bytes, file);
  CHECK(pack.id == "07-by-hand");
  CHECK(pack.language == Language::zh);
  CHECK(pack.toml == "abc");
  CHECK(pack.words == "defg");
  CHECK(pack.font == "hi");
  CHECK(lessons::pack_name(pack.id, pack.language) == "07-by-hand.zh");
}

TEST_CASE("registering a pack of the tour leaves a built-in tour unchanged") {
  const lessons::WrittenLesson& before = lessons::built_in("00-tour");
  register_lesson(pack_of(tour("lesson.toml"), tour("en.md")));
  CHECK(&lessons::built_in("00-tour") == &before);
  CHECK(before.en.title == "Tour");
  CHECK(before.zh.title == lessons::summary_of("00-tour").zh);
}

TEST_CASE("bytes that are not a pack are rejected with the name of the file") {
  const std::string whole = pack_of(tour("lesson.toml"), tour("en.md"));
  const std::pair<std::string, std::string> bad[] = {
      {"", "is not a pack"},
      {"<html>not found</html>", "is not a pack"},
      {"flashscope-pack 2 00-tour en 0 0 0\n", "is not a pack"},
      {"flashscope-pack 1 " + std::string(1000, '7'), "is not a pack"},
      {"flashscope-pack 1 00-tour en 0 0\n", "first line"},
      {"flashscope-pack 1 00-tour fr 0 0 0\n", "first line"},
      {"flashscope-pack 1 00-tour en -1 0 0\n", "number of bytes"},
      {"flashscope-pack 1 00-tour en 99999999999999999999 0 0\n", "number of bytes"},
      {whole.substr(0, whole.size() - 1), "bytes follow its first line"},
      {whole + "x", "bytes follow its first line"},
      {std::string(lessons::longest_pack + 1, ' '), "at most"},
  };
  for (const auto& [bytes, said] : bad) {
    INFO(bytes.substr(0, 60));
    CHECK_THROWS_WITH(lessons::read_pack(bytes, file), Contains(file) && Contains(said));
  }
}

TEST_CASE("a lesson that differs from this program's is not registered") {
  const std::string toml = tour("lesson.toml"), words = tour("en.md");
  CHECK_THROWS_WITH(register_lesson(pack_of(toml, words, "01-two-memories en")),
                    Contains("names") && Contains("01-two"));
  CHECK_THROWS_WITH(register_lesson(pack_of(replaced(toml, "version = 2", "version = 3"), words)),
                    Contains("another one"));
  CHECK_THROWS_WITH(register_lesson(pack_of(replaced(toml, "00-tour", "99-else"), words, "99-else en")),
                    Contains("there is no lesson"));
  CHECK_THROWS_AS(register_lesson(pack_of(toml, replaced(words, "## wall", "## hill"))), sim::Error);
  CHECK_THROWS_AS(register_lesson(pack_of(toml + "[", words)), sim::Error);
}

TEST_CASE("summaries equal their lessons and know which are available") {
  REQUIRE(lessons::summaries().size() == lessons::built_in_ids().size());
  for (const lessons::Summary& summary : lessons::summaries()) {
    const std::string id(summary.id);
    if (!lessons::is_here(id, Language::zh)) continue;  // the build of the web page
    const lessons::WrittenLesson& written = lessons::built_in(id);
    CHECK(written.lesson.steps.size() == summary.steps);
    CHECK(written.lesson.minutes == summary.minutes);
    CHECK(written.words(Language::zh).title == summary.title(Language::zh));
    CHECK(written.words(Language::en).title == summary.title(Language::en));
  }
  CHECK(lessons::is_here("00-tour", Language::en));
  CHECK_FALSE(lessons::is_here("77-none", Language::en));
}

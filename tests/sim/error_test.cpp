// Errors keep a template and its values, so that they can be translated; what() is the filled text.
#include <catch2/catch.hpp>

#include "sim/base/check.h"
#include "sim/base/nearest.h"
#include "tests/support/says.h"

using namespace sim;

TEST_CASE("literals of a message are its template, all else are values") {
  const std::string name = "heads";
  const Error error(name, " is ", 3, ": allowed are ", std::string_view("1 to 2"));
  CHECK(error.what() == std::string("heads is 3: allowed are 1 to 2"));
  CHECK(error.sentence().words() == "{} is {}: allowed are {}");
  CHECK(texts(error.sentence().values()) == std::vector<std::string>{"heads", "3", "1 to 2"});
  CHECK(error.sentence().values()[0].is_name());
  CHECK(Error("alone").sentence().words() == "alone");
  CHECK(Error(name).sentence().words() == "heads");
}

TEST_CASE("an error within an error keeps its own template") {
  const Error inner("row ", 2, " is bad");
  const Error outer("link: ", inner, "; try ", Sentence("{} or {}", "a", "b"));
  CHECK(outer.what() == std::string("link: row 2 is bad; try a or b"));
  CHECK(outer.sentence().words() == "link: {}; try {}");
  CHECK(outer.sentence().values()[0].words() == "row {} is bad");
  CHECK(Error(inner).sentence().words() == "row {} is bad");
  CHECK(Error(inner.sentence()).sentence().words() == "row {} is bad");
  CHECK_THROWS_MATCHES(throw Error("file: ", outer), Error, Says("file: link: row {} is bad; try a or b", 2));
}

TEST_CASE("braces of a literal are not placeholders") {
  const Error error("when must be { true }, not ", 3);
  CHECK(error.what() == std::string("when must be { true }, not 3"));
  CHECK(error.sentence().words() == "{}{}");
}

TEST_CASE("a placeholder without a value remains") {
  CHECK(Sentence("{1} before {0}, {3}", "b", "a").text() == "a before b, {3}");
}

TEST_CASE("nearest names are sentences of their own") {
  const std::vector<std::string> allowed = {"time.sms", "time.sms_busy", "tile", "other"};
  CHECK(unknown_name_message("key", "tim", {"time"}).text() ==
        "unknown key \"tim\": did you mean \"time\"? known: time");
  CHECK(unknown_name_message("key", "zzz", {"time"}).text() == "unknown key \"zzz\": known: time");
  CHECK(unlisted_name_message("key", "zzz", {"time"}).text() == "unknown key \"zzz\".");
  CHECK(unlisted_name_message("key", "tile", {"tile"}).text() == "unknown key \"tile\": did you mean \"tile\"?");
  CHECK(unlisted_name_message("key", "sms", allowed).text() ==
        "unknown key \"sms\": did you mean \"time.sms\" or \"time.sms_busy\"?");
}

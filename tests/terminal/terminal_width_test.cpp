// Results on a terminal: sentences wrap at its width, and wide tables become lists.
#include "viz/terminal/terminal_width.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

#include "sim/base/text.h"
#include "sim/report/line_breaks.h"
#include "tests/support/program.h"
#include "viz/terminal/command.h"

using Catch::Contains;
using terminal::fitted;
using Words = std::vector<std::string>;

namespace {

const std::string table =
    "algorithm  tile traffic  bound by\n"
    "---------------------------------\n"
    "standard        4.2 MiB  HBM\n"
    "flash2          1.1 MiB  tensor cores\n"
    "\n"
    "A sentence below the table, which is longer than the terminal is wide.\n";

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::size_t width_of(std::string_view line) { return static_cast<std::size_t>(report::columns_of(line)); }

}  // namespace

TEST_CASE("a text that is no wider than the terminal stays as it is") {
  CHECK(fitted(table, 70) == table);
  CHECK(fitted("", 40).empty());
}

TEST_CASE("a sentence wraps between words and keeps its indentation") {
  CHECK(fitted("  one two three four\nfive\n", 11) == "  one two\n  three\n  four\nfive\n");
  const std::string code = "for (i = 0; i < n; ++i)  // a comment that is long";
  CHECK(fitted(code, 20) == code);
}

TEST_CASE("a table that is wider than the terminal becomes a list with the header's names") {
  CHECK(fitted(table, 30) ==
        "standard\n"
        "  tile traffic  4.2 MiB\n"
        "  bound by      HBM\n"
        "flash2\n"
        "  tile traffic  1.1 MiB\n"
        "  bound by      tensor cores\n"
        "\n"
        "A sentence below the table,\nwhich is longer than the\nterminal is wide.\n");
}

TEST_CASE("a sentence right below a table is not a row of it") {
  const std::string text =
      "name    first    second\n-----------------------\na           1         2\nTimes are at 1290 MHz, the clock.\n";
  CHECK(fitted(text, 20) == "a\n  first   1\n  second  2\nTimes are at 1290\nMHz, the clock.\n");
}

TEST_CASE("results fit into 60 columns and keep every number", "[repeats]") {
  const Words commands[] = {{"simulate", "--algorithm", "flash1", "--seqlen", "4096"},
                            {"compare", "--batch", "8", "--heads", "16"},
                            {"sweep", "--over", "seqlen=1k:8k:x2", "--format", "table"},
                            {"tune", "--seqlen", "512"},
                            {"validate"}};
  for (const Words& command : commands) {
    const std::string text = program::good(command).out, narrow = fitted(text, 60);
    INFO(sim::joined(command, " "));
    for (const std::string_view line : sim::split(narrow, "\n")) {
      const bool aligned = sim::trimmed(line).find("  ") != std::string_view::npos;
      INFO(line);
      CHECK((width_of(line) <= 60 || aligned || line.find(' ') == std::string_view::npos));
    }
    const std::vector<std::string> all = words_of(narrow);
    for (const std::string& word : words_of(text)) {
      const bool number = word[0] >= '0' && word[0] <= '9';
      INFO(word);
      CHECK((!number || std::find(all.begin(), all.end(), word) != all.end()));
    }
  }
}

TEST_CASE("formats for programs are not fitted, and neither are citations") {
  const auto people = [](const std::string& name, const Words& words) {
    for (const terminal::Command& command : terminal::commands()) {
      if (command.syntax().name == name)
        return is_for_people(command.syntax(), terminal::parse(command.syntax(), words));
    }
    return false;
  };
  CHECK(people("simulate", {}));
  CHECK(people("demo", {}));
  CHECK(people("sweep", {"--over", "seqlen=8", "--format", "table"}));
  CHECK_FALSE(people("sweep", {"--over", "seqlen=8"}));
  CHECK_FALSE(people("simulate", {"--format", "json"}));
  CHECK_FALSE(people("simulate", {"--cite"}));
  CHECK_FALSE(people("completion", {"bash"}));
}

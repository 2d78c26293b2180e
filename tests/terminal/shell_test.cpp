// Installed for shells and man: help of any width, completions, the manual page.
#include <catch2/catch.hpp>
#include <sstream>

#include "sim/base/text.h"
#include "tests/support/program.h"
#include "viz/terminal/command.h"
#include "viz/terminal/completion.h"
#include "viz/terminal/help.h"

using Catch::Contains;
using program::check_refused;
using program::Folder;
using program::good;
using program::read_file;
using program::write_file;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream lines(text);
  std::vector<std::string> all;
  for (std::string line; std::getline(lines, line);) all.push_back(line);
  return all;
}

/// The text without the characters that wrapping inserts between words.
std::string unwrapped(const std::string& text) {
  std::string words;
  for (const char c : text) {
    if (c != ' ' && c != '\n' && c != '\\') words += c;
  }
  return words;
}

template <class Take>
void for_each_row(const Take& take) {
  for (const terminal::Command& command : terminal::commands()) {
    const terminal::CommandSyntax syntax = command.syntax();
    for (const terminal::HelpSection& section : terminal::help_sections(syntax)) {
      for (const terminal::HelpRow& row : section.rows) take(syntax, row);
    }
  }
}

/// The completions that bash offers after these words, the last of which is unfinished.
std::vector<std::string> offered_by_bash(const Folder& folder, const std::vector<std::string>& words) {
  std::string line = "source ./completion; COMP_WORDS=(";
  for (const std::string& word : words) line += program::quoted(word) + " ";
  line += "); COMP_CWORD=" + std::to_string(words.size() - 1) + "; _flashscope; printf '%s\\n' \"${COMPREPLY[@]}\"";
  const program::Result result = program::shell(folder, "bash -c " + program::quoted(line));
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  return lines_of(result.out);
}

void write_completion(const Folder& folder, const std::string& shell) {
  write_file(folder / "completion", good({"completion", shell}).out);
}

bool there_is(const std::string& tool) { return program::possible("command -v " + tool, tool); }

}  // namespace

TEST_CASE("help fits into any terminal of 40 columns and more, with the same content", "[repeats]") {
  for (const terminal::Command& command : terminal::commands()) {
    const terminal::CommandSyntax syntax = command.syntax();
    const std::string widest = terminal::help_text(syntax, 1000);
    for (std::size_t columns = 40; columns <= 140; ++columns) {
      const std::string text = terminal::help_text(syntax, columns);
      REQUIRE(unwrapped(text) == unwrapped(widest));
      for (const std::string& line : lines_of(text)) {
        INFO(line);
        const bool one_word = sim::trimmed(line).find(' ') == std::string::npos || line.ends_with(" \\");
        if (line.size() > columns && !one_word) FAIL(syntax.name << ": wider than " << columns << " columns");
      }
    }
  }
}

TEST_CASE("into a pipe help has lines of at most 100 characters", "[repeats]") {
  for (const terminal::Command& command : terminal::commands()) {
    for (const std::string& line : lines_of(good({command.syntax().name, "--help"}).out)) {
      INFO(line);
      CHECK((line.size() <= 100 || line.find(FLASHSCOPE_PROGRAM) != std::string::npos));
    }
  }
}

TEST_CASE("the commands of the launcher are listed and have help") {
  CHECK_THAT(good({"--help"}).out, Contains("\n  build ") && Contains("\n  test "));
  CHECK_THAT(good({"build", "--help"}).out, Contains("PROGRAM ...") && Contains("apt-get"));
  CHECK_THAT(good({"test", "--help"}).out, Contains("--slow") && Contains("ctest"));
  CHECK(program::run({"build"}).exit_code == terminal::exit_missing_capability);
}

TEST_CASE("bash completes every command, option and listed value") {
  if (!there_is("bash")) return;
  const Folder folder;
  write_completion(folder, "bash");
  const auto offers = [&](const std::vector<std::string>& words, const std::string& word) {
    const std::vector<std::string> all = offered_by_bash(folder, words);
    return std::find(all.begin(), all.end(), word) != all.end();
  };
  for (const char* name : {"simulate", "build", "completion", "help", "--version"})
    CHECK(offers({"flashscope", ""}, name));
  CHECK(offers({"flashscope", "si"}, "simulate"));
  CHECK(!offers({"flashscope", "si"}, "sweep"));
  CHECK(offers({"flashscope", "help", "sw"}, "sweep"));
  for (const terminal::Command& command : terminal::commands()) {
    const terminal::CommandSyntax syntax = command.syntax();
    const std::vector<std::string> all = offered_by_bash(folder, {"flashscope", syntax.name, "--"});
    for (const terminal::CommandOption& option : syntax.own)
      CHECK(std::find(all.begin(), all.end(), "--" + option.name) != all.end());
    CHECK((std::find(all.begin(), all.end(), "--head-dim") != all.end()) == syntax.scenario);
  }
  CHECK(offers({"flashscope", "simulate", "--gpu", "h1"}, "h100-sxm"));
  CHECK(offers({"flashscope", "compare", "--format", ""}, "latex"));
  CHECK(!offers({"flashscope", "sweep", "--format", ""}, "npy"));
  CHECK(offers({"flashscope", "tour", "--color", ""}, "never"));
  CHECK(offered_by_bash(folder, {"flashscope", "sweep", "--batch", ""}) == std::vector<std::string>{""});
}

TEST_CASE("bash completes files if an option takes one, with blanks in their names") {
  if (!there_is("bash")) return;
  const Folder folder;
  write_completion(folder, "bash");
  write_file(folder / "my Q.npy", "");
  CHECK(offered_by_bash(folder, {"flashscope", "simulate", "--input-q", "my"}) == std::vector<std::string>{"my Q.npy"});
}

TEST_CASE("zsh and fish load their completions") {
  for (const std::string shell : {"zsh", "fish"}) {
    if (!there_is(shell)) continue;
    const Folder folder;
    write_completion(folder, shell);
    const program::Result read = program::shell(folder, shell + " -n ./completion");
    INFO(read.err);
    CHECK(read.exit_code == 0);
    CHECK(read.err.empty());
  }
}

TEST_CASE("fish offers options and their values") {
  if (!there_is("fish")) return;
  const Folder folder;
  write_completion(folder, "fish");
  const auto offered = [&](const std::string& line) {
    return program::shell(folder,
                          "HOME=$PWD fish -c " + program::quoted("source ./completion; complete -C '" + line + "'"))
        .out;
  };
  CHECK_THAT(offered("flashscope com"), Contains("compare"));
  CHECK_THAT(offered("flashscope simulate --gpu h1"), Contains("h100-sxm"));
  CHECK_THAT(offered("flashscope sweep --fo"), Contains("--formula") && Contains("--format"));
}

TEST_CASE("the manual page has every command and option") {
  const std::string page = good({"manual"}).out;
  const auto roff = [](const std::string& text) {
    std::string escaped;
    for (const char c : text) escaped += c == '-' ? std::string("\\-") : std::string(1, c);
    return escaped;
  };
  for_each_row([&](const terminal::CommandSyntax& syntax, const terminal::HelpRow& row) {
    CHECK_THAT(page, Contains(".SS " + roff(syntax.name)));
    if (row.name != terminal::help_option) CHECK_THAT(page, Contains(roff(row.name)));
  });
  CHECK_THAT(page, Contains(".SH EXIT STATUS"));
}

TEST_CASE("groff accepts the manual page without warnings") {
  if (!there_is("groff")) return;
  const Folder folder;
  write_file(folder / "page.1", good({"manual"}).out);
  const program::Result read = program::shell(folder, "groff -man -ww -z -Tutf8 page.1");
  CHECK(read.exit_code == 0);
  CHECK(read.err.empty());
}

TEST_CASE("completion without a known shell is refused with the known ones") {
  check_refused({"completion"}, {"for which shell?", "bash, zsh or fish"});
  check_refused({"completion", "csh"}, {"unknown shell \"csh\": did you mean \"zsh\"?", "known: bash, zsh, fish"});
}

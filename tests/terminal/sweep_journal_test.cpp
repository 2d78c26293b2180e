// The journal of a sweep in isolation: truncated at any byte, any bit flipped, rows of others, two at once.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/base/check.h"
#include "tests/support/program.h"
#include "viz/terminal/sweep/journal.h"

using Catch::Contains;
using program::Folder;
using terminal::SweepJournal;
using Json = nlohmann::ordered_json;

namespace {

const Json identity = {{"version", "1"}, {"axes", {"seqlen"}}};
const std::vector<std::string> three_rows = {"[64,1]", "[128,null]", "[256,\"no\"]"};

std::vector<std::string> rows_of(const SweepJournal& journal) {
  std::vector<std::string> rows;
  journal.read([&](const std::string& row) { rows.push_back(row); });
  return rows;
}

std::string journal_of_three(const std::string& path) {
  SweepJournal journal(path, identity, 3);
  for (const std::string& row : three_rows) journal.append(row);
  journal.flush();
  return program::read_file(path);
}

/// Opens the remaining journal, checks that its rows are the first ones, and completes it.
std::int64_t check_goes_on(const std::string& path) {
  SweepJournal journal(path, identity, 3);
  const std::int64_t kept = journal.rows();
  const auto begin = three_rows.begin();
  REQUIRE(rows_of(journal) == std::vector<std::string>(begin, begin + kept));
  for (auto row = begin + kept; row != three_rows.end(); ++row) journal.append(*row);
  journal.flush();
  REQUIRE(rows_of(journal) == three_rows);
  return kept;
}

std::string reason_not_to_open(const std::string& path, const Json& other = identity) {
  try {
    const SweepJournal journal(path, other, 3);
  } catch (const sim::Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a journal truncated at any byte keeps its complete rows") {
  const Folder folder;
  const std::string path = folder / "journal", whole = journal_of_three(path);
  const std::size_t header = whole.find('\n') + 1;
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    program::write_file(path, whole.substr(0, size));
    const std::string left = whole.substr(std::min(header, size), size - std::min(header, size));
    INFO("cut at " << size);
    REQUIRE(check_goes_on(path) == std::count(left.begin(), left.end(), '\n'));
    REQUIRE(program::read_file(path) == whole);
  }
}

TEST_CASE("a journal with any bit flipped keeps the rows before, or is refused unchanged") {
  const Folder folder;
  const std::string path = folder / "journal", whole = journal_of_three(path);
  const std::size_t header = whole.find('\n') + 1;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      program::write_file(path, damaged);
      INFO("bit " << bit << " of byte " << at);
      if (at < header) {
        REQUIRE_THAT(reason_not_to_open(path), Contains("is not the journal of a sweep"));
        REQUIRE(program::read_file(path) == damaged);
      } else {
        REQUIRE(check_goes_on(path) == std::count(whole.begin() + static_cast<std::ptrdiff_t>(header),
                                                  whole.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
        REQUIRE(program::read_file(path) == whole);
      }
    }
  }
}

TEST_CASE("rows in another order, of another journal or after the last are removed") {
  const Folder folder;
  const std::string path = folder / "journal", whole = journal_of_three(path);
  const std::size_t first = whole.find('\n') + 1, second = whole.find('\n', first) + 1,
                    third = whole.find('\n', second) + 1;
  const std::string header = whole.substr(0, first), row = whole.substr(first, second - first);
  program::write_file(path, header + whole.substr(second, third - second) + row);
  CHECK(check_goes_on(path) == 0);
  program::write_file(path, header + row + row);
  CHECK(check_goes_on(path) == 1);
  program::write_file(path, whole + "garbage without an end" + std::string(100, '\0'));
  CHECK(check_goes_on(path) == 3);
  CHECK(program::read_file(path) == whole);
  {
    SweepJournal other(folder / "other", {{"version", "2"}}, 3);
    other.append(three_rows[0]);
  }
  const std::string other = program::read_file(folder / "other");
  program::write_file(path, header + other.substr(other.find('\n') + 1));
  CHECK(check_goes_on(path) == 0);
}

TEST_CASE("a journal of other sources, or of an old version that did not record them, is refused unchanged") {
  const Folder folder;
  const std::string path = folder / "journal", old = journal_of_three(path);
  const auto of = [](const char* sources) {
    return Json{{"version", "1"}, {"sources", sources}, {"axes", {"seqlen"}}};
  };
  CHECK_THAT(reason_not_to_open(path, of("1111")),
             Contains("other sources, unknown there and 1111 here") && Contains("name another file to start again") &&
                 Contains("delete " + path) && Contains("the program that began it"));
  CHECK(program::read_file(path) == old);
  program::fs::remove(path);
  { const SweepJournal begun(path, of("1111"), 3); }
  const std::string begun = program::read_file(path);
  CHECK_THAT(reason_not_to_open(path, of("2222")), Contains("other sources, 1111 there and 2222 here"));
  CHECK_THAT(reason_not_to_open(path, {{"version", "1"}, {"sources", "2222"}, {"axes", {"gpu"}}}),
             Contains("is the journal of another sweep"));
  CHECK(program::read_file(path) == begun);
  CHECK(reason_not_to_open(path, of("1111")).empty());
}

TEST_CASE("a journal belongs to one sweep and one process") {
  const Folder folder;
  const std::string path = folder / "journal", whole = journal_of_three(path);
  CHECK_THAT(reason_not_to_open(path, {{"version", "2"}, {"axes", {"seqlen"}}}),
             Contains("is the journal of another sweep: version is \"1\" there and \"2\" here"));
  CHECK_THAT(reason_not_to_open(path, {{"version", "1"}, {"axes", {"seqlen", "gpu"}}}),
             Contains("axes/1 is not given there and \"gpu\" here"));
  CHECK_THAT(reason_not_to_open(path, {{"version", "1"}}), Contains("axes/0 is \"seqlen\" there and not given here"));
  CHECK(program::read_file(path) == whole);
  const int other = ::open(path.c_str(), O_RDWR | O_CLOEXEC);  // locks belong to open file descriptions
  REQUIRE(::flock(other, LOCK_EX) == 0);
  CHECK_THAT(reason_not_to_open(path), Contains("is in use by another sweep"));
  ::close(other);
}

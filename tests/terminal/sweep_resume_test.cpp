// The journal of a sweep: kills, damage, other sweeps, full disks. No row is lost or computed twice, and the result
// equals that of an uninterrupted sweep.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "tests/support/program.h"
#include "viz/terminal/sweep/journal.h"

using Catch::Contains;
using program::check_refused;
using program::Folder;
using Words = std::vector<std::string>;

namespace {

Words resuming(Words words) {
  words.insert(words.end(), {"--resume", "journal"});
  return words;
}

pid_t start(const Folder& folder, const Words& words) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  std::vector<char*> arguments;
  Words all = words;
  all.insert(all.begin(), "flashscope");
  for (std::string& word : all) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int out = ::open((folder / "out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int err = ::open((folder / "err").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (::chdir(folder.path().c_str()) != 0 || ::dup2(out, 1) < 0 || ::dup2(err, 2) < 0) ::_exit(126);
  ::execv(FLASHSCOPE_PROGRAM, arguments.data());
  ::_exit(127);
}

int status_of(pid_t child) {
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return status;
}

void wait(double milliseconds) { std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(milliseconds)); }

const Words small = {"sweep", "--over", "seqlen=64:1024:x2", "--over", "padding=0,100", "--formula", "N*d*e"};
const Words large = {"sweep",  "--over",    "algorithm=flash2,flash1", "--over", "seqlen=1000:1250:1",
                     "--over", "causal=0,1"};

/// Kills the sweep `large` repeatedly at random moments until it finishes; returns the number of kills. `patience`, in
/// milliseconds, adapts so that most runs are killed, whatever the speed of this machine.
int kill_until_done(std::mt19937& random, double& patience, const std::string& complete) {
  const Folder folder;
  for (int kills = 0;; ++kills) {
    const pid_t child = start(folder, resuming(large));
    wait(std::uniform_real_distribution<>(0, patience)(random));
    ::kill(child, SIGKILL);
    const int status = status_of(child);
    if (WIFEXITED(status)) {
      REQUIRE(WEXITSTATUS(status) == 0);
      CHECK((program::read_file(folder / "out") == complete));
      patience *= 0.6;
      return kills;
    }
    patience *= 1.1;
  }
}

void check_kills(int wanted) {
  const std::string complete = program::run(large).out;
  REQUIRE(std::count(complete.begin(), complete.end(), '\n') == 1005);
  std::mt19937 random(7);
  double patience = 60;
  for (int kills = 0; kills < wanted;) kills += kill_until_done(random, patience, complete);
}

}  // namespace

TEST_CASE("a resumed sweep prints the same as an uninterrupted one, in every format", "[workers]") {
  const std::string csv = program::run(small).out;
  const Folder folder;
  REQUIRE(program::run(folder, resuming(small)).out == csv);
  const std::string journal = program::read_file(folder / "journal");
  for (const char* format : {"csv", "json", "table"}) {
    Words words = small;
    words.insert(words.end(), {"--format", format, "--jobs", "2"});
    const program::Result whole = program::run(words);
    for (std::size_t size = 0; size <= journal.size(); size += journal.size() / 7) {
      program::write_file(folder / "journal", journal.substr(0, size));
      const program::Result result = program::run(folder, resuming(words));
      CHECK(result.exit_code == 0);
      CHECK(result.out == whole.out);
      CHECK_THAT(result.err, Catch::EndsWith(whole.err));
      CHECK(program::read_file(folder / "journal") == journal);
    }
  }
}

TEST_CASE("sweep reports how many rows were kept and how much was damaged") {
  const Folder folder;
  program::run(folder, resuming(large));
  const std::string journal = program::read_file(folder / "journal");
  program::write_file(folder / "journal", journal.substr(0, journal.size() - 10));
  CHECK_THAT(program::run(folder, resuming(large)).err,
             Contains("sweep: 1,003 rows kept from journal; ") && Contains(" damaged bytes after them cut off"));
  CHECK(program::run(folder, resuming(large)).err == "sweep: 1,004 rows kept from journal\n");
}

TEST_CASE("the journal of another sweep is refused unchanged") {
  const Folder folder;
  program::run(folder, resuming(small));
  const std::string journal = program::read_file(folder / "journal");
  const auto refused = [&](Words words, const std::string& says) {
    check_refused(folder, resuming(std::move(words)), {"resume journal: is the journal of another sweep: ", says});
  };
  Words other = small;
  other.insert(other.end(), {"--head-dim", "128"});
  refused(other, "scenario/head-dim is not given there and \"128\" here");
  other = small;
  other[2] = "seqlen=64:512:x2";
  refused(other, "axes/0/values/4 is \"1024\" there and not given here");
  other = small;
  std::swap(other[2], other[4]);
  refused(other, "axes/0/name is \"seqlen\" there and \"padding\" here");
  other = small;
  other.back() = "N*d";
  refused(other, "formula is \"N*d*e\" there and \"N*d\" here");
  other = small;
  other.insert(other.end(), {"--shard", "1/2"});
  refused(other, "shard is \"1/1\" there and \"1/2\" here");
  other = small;
  other.insert(other.end(), {"--gpu", "toy"});
  refused(other, "scenario/gpu is not given there and \"toy\" here");
  CHECK(program::read_file(folder / "journal") == journal);
  program::write_file(folder / "journal", "my diary");
  check_refused(folder, resuming(small), {"is not the journal of a sweep", "stays as it is"});
  CHECK(program::read_file(folder / "journal") == "my diary");
}

TEST_CASE("a journal records the sources of the simulator, and another build does not resume it") {
  const Folder folder;
  program::run(folder, resuming(small));
  const std::string journal = program::read_file(folder / "journal");
  const std::string name = "\"sources\":\"";
  const std::size_t at = journal.find(name);
  REQUIRE(at < journal.find('\n'));
  const std::string sources = journal.substr(at + name.size(), 16);
  CHECK(sources.find_first_not_of("0123456789abcdef") == std::string::npos);
  auto identity = nlohmann::ordered_json::parse(journal.substr(9, journal.find('\n') - 9)).at("sweep");
  identity["sources"] = "0123456789abcdef";
  program::fs::remove(folder / "journal");
  { const terminal::SweepJournal other(folder / "journal", identity, 1); }
  const std::string before = program::read_file(folder / "journal");
  check_refused(folder, resuming(small), {"resume journal: ", "0123456789abcdef there and " + sources + " here"});
  CHECK(program::read_file(folder / "journal") == before);
}

TEST_CASE("a program or a picture that has changed is named, and the journal stays unchanged") {
  const Folder folder;
  const auto check_changed = [&](const std::string& name, const std::string& content, const Words& words) {
    program::write_file(folder / name, content);
    const std::string complete = program::run(folder, resuming(words)).out;
    const std::string journal = program::read_file(folder / "journal");
    CHECK(program::run(folder, resuming(words)).out == complete);  // the same file
    program::write_file(folder / name, content + "\n");
    check_refused(folder, resuming(words),
                  {"resume journal: " + name + " has changed since this sweep began",
                   "restore it, name another file to start again, or delete journal"});
    CHECK(program::read_file(folder / "journal") == journal);
    program::fs::remove(folder / "journal");
  };
  const Words seqlens = {"sweep", "--over", "seqlen=256,512", "--algorithm"};
  const auto with = [&](const Words& more) {
    Words words = seqlens;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  check_changed("half.pbm", "P1\n4 4\n1010 0101 1111 0001\n", with({"block-sparse", "--pattern", "half.pbm"}));
  check_changed("half.pbm", "P1\n4 4\n1010 0101 1111 0001\n",
                with({"block-sparse", "--over", "pattern=causal,half.pbm"}));
  const std::string recorded = program::read_file(FLASHSCOPE_SOURCE "/tests/recorded/programs/my-flash2.fscope");
  check_changed("mine.fscope", recorded, {"sweep", "--over", "seqlen=256,512", "--program", "mine.fscope"});
}

TEST_CASE("a changed device file makes a different sweep") {
  const Folder folder;
  std::string toml = program::read_file(FLASHSCOPE_SOURCE "/sim/machine/devices/toy.toml");
  program::write_file(folder / "mine.toml", toml);
  const Words words = {"sweep", "--over", "gpu=mine.toml,toy", "--resume", "journal"};
  REQUIRE(program::run(folder, words).exit_code == 0);
  const std::size_t at = toml.find("sm_count");
  REQUIRE(at != std::string::npos);
  const std::size_t digit = toml.find_first_of("0123456789", at);
  toml[digit] = toml[digit] == '9' ? '8' : static_cast<char>(toml[digit] + 1);
  program::write_file(folder / "mine.toml", toml);
  check_refused(folder, words, {"devices/mine.toml/sm_count is"});
}

TEST_CASE("a journal that cannot be written is refused before any work") {
  check_refused({"sweep", "--over", "seqlen=64", "--resume", "."}, {"resume .", "Is a directory"});
  check_refused({"sweep", "--over", "seqlen=64", "--resume", "nowhere/j"}, {"resume nowhere/j", "No such file"});
  check_refused({"sweep", "--over", "seqlen=64", "--resume", "/dev/null"}, {"is not a regular file"});
  check_refused({"sweep", "--over", "seqlen=64", "--resume", ""}, {"resume "});
  const Folder folder;
  check_refused(folder, {"sweep", "--over", "seqlen=64", "--resume", "j", "--formula", "N-64"}, {"is not above 0"});
  CHECK(folder.files() == 0);
  program::fs::permissions(folder.path(), program::fs::perms::owner_read | program::fs::perms::owner_exec);
  if (::access(folder.path().c_str(), W_OK) == 0) {
    WARN("skipped: folders that may not be written are not possible here");
  } else {
    check_refused(folder, {"sweep", "--over", "seqlen=64", "--resume", "j"}, {"resume j", "Permission denied"});
  }
  program::fs::permissions(folder.path(), program::fs::perms::owner_all);
}

TEST_CASE("a disk that fills up is an error, and with more space the sweep resumes", "[workers]") {
  const std::string complete = program::run(large).out;
  const Folder folder;
  const std::string command =
      "trap '' XFSZ; ulimit -f 100; cd " + program::quoted(folder.path().string()) + " && " +
      program::quoted(FLASHSCOPE_PROGRAM) +
      " sweep --over algorithm=flash2,flash1 --over seqlen=1000:1250:1 --over causal=0,1 --resume journal" +
      " > out 2> err";
  const int status = std::system(command.c_str());
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 2);
  CHECK(program::read_file(folder / "out").empty());
  CHECK_THAT(program::read_file(folder / "err"), Contains("resume journal: cannot be written: File too large"));
  const program::Result result = program::run(folder, resuming(large));
  CHECK_THAT(result.err, Contains(" rows kept from journal"));
  CHECK((result.out == complete));
}

namespace {

/// Interrupts the sweep `large` while it runs; returns its status. Repeats if all rows were written before the signal.
int interrupt(const Folder& folder, const std::string& complete_journal) {
  for (;;) {
    program::fs::remove(folder / "journal");
    const pid_t child = start(folder, resuming(large));
    while (program::read_file(folder / "journal").size() < complete_journal.size() / 8) wait(0.1);
    ::kill(child, SIGINT);
    const int status = status_of(child);
    if (program::read_file(folder / "journal") != complete_journal) return status;
  }
}

}  // namespace

TEST_CASE("Ctrl-C ends a sweep with exit code 130, tells how to resume, and keeps the rows", "[workers]") {
  const Folder folder;
  const std::string complete = program::run(folder, resuming(large)).out;
  const int status = interrupt(folder, program::read_file(folder / "journal"));
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 130);
  CHECK(program::read_file(folder / "out").empty());
  CHECK_THAT(program::read_file(folder / "err"),
             Contains("sweep: interrupted after ") && Contains(" of 1,004 rows; the same command resumes"));
  CHECK((program::run(folder, resuming(large)).out == complete));
}

TEST_CASE("a sweep killed at random moments gives the result of an uninterrupted one", "[repeats]") { check_kills(6); }

TEST_CASE("many sweeps killed at random moments give the result of an uninterrupted one", "[slow]") { check_kills(80); }

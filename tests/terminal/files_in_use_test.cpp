// A command neither overwrites its inputs nor writes a file twice, whatever the files are called.
#include <catch2/catch.hpp>

#include "sim/base/npy.h"
#include "tests/support/program.h"

using program::check_refused;
using program::Folder;
using program::with;
using Words = std::vector<std::string>;

namespace {

void write_npy(const std::string& path) {
  const std::vector<float> values(8 * 16, 0.5f);
  const auto bytes = sim::format_npy(std::vector<std::int64_t>{8, 16}, values, "f4");
  program::write_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

/// Checks that the command is refused with these messages, and that no file in the folder is new or changed.
void check_untouched(const Folder& folder, const Words& words, const std::vector<std::string>& says) {
  INFO(words[0] << " " << words[1] << " " << words[2] << " " << words.back());
  const auto contents = [&] {
    std::vector<std::string> all;
    for (const auto& entry : program::fs::recursive_directory_iterator(folder.path()))
      all.push_back(entry.path().string() + (entry.is_regular_file() ? program::read_file(entry.path().string()) : ""));
    std::sort(all.begin(), all.end());
    return all;
  };
  const auto before = contents();
  check_refused(folder, words, says);
  CHECK(contents() == before);
}

const Words bench = {"bench", "--device", "emulated", "--runs", "3", "--seqlen", "40", "--head-dim", "32"};

}  // namespace

TEST_CASE("an output that is also an input is refused under any name: tensors, devices, lists") {
  const Folder folder;
  write_npy(folder / "q.npy");
  program::fs::create_symlink("q.npy", folder / "soft.npy");
  program::fs::create_hard_link(folder / "q.npy", folder / "hard.npy");
  program::fs::create_directory(folder / "d");
  program::fs::create_hard_link(folder / "q.npy", folder / "d/O.npy");
  program::fs::create_hard_link(folder / "q.npy", folder / "d/flash2-trace.txt");
  for (const char* name : {"q.npy", "./q.npy", "d/../q.npy", "soft.npy", "hard.npy"}) {
    check_untouched(folder, {"simulate", "--input-q", "q.npy", "--output", name},
                    {std::string("output ") + name, "is the file that input-q reads, q.npy", "another name"});
  }
  check_untouched(folder, {"simulate", "--input-k", "q.npy", "--output-dir", "d"}, {"d/O.npy", "input-k reads"});
  check_untouched(folder, {"demo", "--input-v", "q.npy", "--output-dir", "d"}, {"d/flash2-trace.txt", "input-v"});
  program::write_file(folder / "m.pbm", "P1\n1 1\n1\n");
  program::fs::create_hard_link(folder / "m.pbm", folder / "m.npy");
  program::fs::create_hard_link(folder / "m.pbm", folder / "m.csv");
  check_untouched(
      folder, {"simulate", "--algorithm", "block-sparse", "--seqlen", "64", "--pattern", "m.pbm", "--output", "m.npy"},
      {"output m.npy", "is the file that pattern reads, m.pbm"});
  check_untouched(
      folder,
      {"sweep", "--algorithm", "block-sparse", "--seqlen", "64", "--over", "pattern=m.pbm,causal", "--output", "m.csv"},
      {"pattern reads, m.pbm"});
  program::write_file(folder / "g.toml", program::read_file(FLASHSCOPE_SOURCE "/sim/machine/devices/toy.toml"));
  program::fs::create_hard_link(folder / "g.toml", folder / "g.png");
  program::fs::create_hard_link(folder / "g.toml", folder / "f-0002.png");
  program::fs::create_hard_link(folder / "g.toml", folder / "g.csv");
  const Words sweep = {"sweep", "--over", "seqlen=8,16"};
  check_untouched(folder, with(sweep, {"--gpu", "g.toml", "--output", "g.csv"}), {"gpu reads, g.toml"});
  check_untouched(folder, {"sweep", "--over", "gpu=toy,g.toml", "--output", "g.csv"}, {"gpu reads, g.toml"});
  check_untouched(folder, {"compare", "--gpu", "g.toml", "--output", "g.csv"}, {"output g.csv", "gpu reads"});
  check_untouched(folder, {"simulate", "--gpu", "g.toml", "--trace", "g.csv"}, {"output g.csv", "gpu reads"});
  check_untouched(folder, {"screenshot", "g.png", "--gpu", "g.toml"}, {"output g.png", "gpu reads"});
  check_untouched(folder, {"screenshot", "f.png", "--gpu", "g.toml", "--frames", "3"}, {"output f-0002.png"});
  program::write_file(folder / "list.csv", "--seqlen 40\n");
  check_untouched(folder, with(bench, {"--scenarios", "list.csv", "--output", "list.csv"}), {"scenarios reads"});
}

TEST_CASE("two outputs of a command to the same file are refused") {
  const Folder folder;
  program::fs::create_symlink(".", folder / "here");
  program::fs::create_symlink("gone.csv", folder / "dangling.csv");
  const auto both = [&](const std::string& output, const std::string& trace) {
    return Words{"simulate", "--seqlen", "8", "--output", output, "--trace", trace};
  };
  check_untouched(folder, both("x.csv", "x.csv"), {"output x.csv", "same file", "needs its own name"});
  check_untouched(folder, both("x.csv", "here/x.csv"), {"output here/x.csv", "same file as the output x.csv"});
  check_untouched(folder, both("gone.csv", "dangling.csv"), {"output dangling.csv", "same file"});
  program::write_file(folder / "old.csv", "old");
  program::fs::create_hard_link(folder / "old.csv", folder / "old.txt");
  check_untouched(folder, both("old.csv", "old.txt"), {"output old.txt", "same file"});
  check_untouched(folder, {"simulate", "--seqlen", "8", "--output", "L.npy", "--output-dir", "."}, {"L.npy"});
  check_untouched(folder, {"simulate", "--output-dir", ".", "--output", "complete.json"}, {"complete.json"});
  check_untouched(folder, with(bench, {"--inputs-dir", "d", "--output-dir", "d"}), {"same file"});
  program::fs::create_symlink("d/K.npy", folder / "k.csv");
  check_untouched(folder, with(bench, {"--inputs-dir", "d", "--output", "k.csv"}), {"output k.csv", "same file"});
}

TEST_CASE("O may be requested twice at one path, next to other files, and in a new folder") {
  const Folder folder;
  const auto run = [&](const std::string& output, const std::string& to) {
    return program::run(folder, {"simulate", "--seqlen", "8", "--output", output, "--output-dir", to}).exit_code;
  };
  CHECK(run("d1/O.npy", "d1") == 0);
  CHECK(run("./d1/O.npy", "d1") == 0);
  CHECK(run("d2/mine.npy", "d2") == 0);
  CHECK(program::read_file(folder / "d2/mine.npy") == program::read_file(folder / "d1/O.npy"));
  CHECK(program::read_file(folder / "d2/O.npy") == program::read_file(folder / "d1/O.npy"));
}

TEST_CASE("the target of redirected standard output is refused as input and as output") {
  const Folder folder;
  const auto refused = [&](const std::string& line, const std::string& says) {
    const program::Result result = program::shell(folder, line);
    CHECK(result.exit_code == 2);
    CHECK_THAT(result.err, Catch::Contains(says + ": is the file that standard output goes to"));
  };
  refused("\"$flashscope\" simulate --seqlen 8 --output o.npy > o.npy", "output o.npy");
  write_npy(folder / "q.npy");
  const std::string q = program::read_file(folder / "q.npy");
  refused("\"$flashscope\" simulate --input-q q.npy >> q.npy", "input-q: q.npy");
  CHECK(program::read_file(folder / "q.npy") == q);
}

TEST_CASE("two outputs may go to the same device") {
  const Folder folder;
  program::fs::create_symlink("/dev/null", folder / "a.csv");
  program::fs::create_symlink("/dev/null", folder / "b.csv");
  const Words words = {"simulate", "--seqlen", "8", "--output", "a.csv", "--trace", "b.csv"};
  CHECK(program::run(folder, words).exit_code == 0);
  CHECK(program::fs::is_symlink(folder / "a.csv"));
}

TEST_CASE("unreadable inputs and links to themselves are not reported as missing") {
  const Folder folder;
  program::fs::create_symlink("loop.toml", folder / "loop.toml");
  check_refused(folder, {"simulate", "--gpu", "loop.toml"}, {"gpu: loop.toml", "symbolic links", "name the file"});
  check_refused(folder, {"simulate", "--input-q", "loop.toml"}, {"input-q: loop.toml", "symbolic links"});
  check_refused(folder, {"simulate", "--gpu", "gone.toml"}, {"gone.toml: no such file"});
  program::write_file(folder / "locked.toml", "");
  program::fs::permissions(folder / "locked.toml", program::fs::perms::none);
  program::fs::permissions(folder.path(), program::fs::perms(0755));
  const std::string as_user = program::as_nobody();
  if (!program::possible(as_user + "\"$flashscope\" --help", "running the program as nobody (setpriv)")) return;
  const auto locked = program::shell(folder, as_user + "\"$flashscope\" simulate --gpu locked.toml");
  CHECK(locked.exit_code == 2);
  CHECK_THAT(locked.err, Catch::Contains("locked.toml: Permission denied: ask its owner"));
}

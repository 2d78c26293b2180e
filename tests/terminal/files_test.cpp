// Input and output files: shapes that must agree, paths that cannot be written, links, device files.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/base/npy.h"
#include "tests/support/program.h"

using Catch::Contains;
using Json = nlohmann::json;
using program::check_refused;
using program::Folder;
using Words = std::vector<std::string>;

namespace {

/// A file of the given shape, element n = start + step n.
void write_npy(const std::string& path, const std::vector<std::int64_t>& shape, float step = 0.01f) {
  std::int64_t size = 1;
  for (const std::int64_t n : shape) size *= n;
  std::vector<float> values(static_cast<std::size_t>(size));
  for (std::size_t n = 0; n < values.size(); ++n) values[n] = step * static_cast<float>(n % 97) - 0.5f;
  const auto bytes = sim::format_npy(shape, values, "f4");
  program::write_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

/// A version 1.0 file with this header dict and `bytes` bytes of values.
std::string raw_npy(const std::string& dict, std::size_t bytes) {
  const auto length = static_cast<char>(dict.size() + 1);
  return std::string("\x93NUMPY\x01\x00", 8) + length + '\0' + dict + "\n" + std::string(bytes, '\0');
}

std::string toy_device() {
  const Json device =
      Json::parse(program::run({"devices", "--gpu", "toy", "--format", "json"}).out).at("devices").at(0);
  std::string toml = "name = \"mine\"\ntitle = \"My GPU\"\narchitecture = \"toy\"\n";
  for (const auto& [field, entry] : device.at("fields").items()) {
    toml += field + " = { value = " + entry.at("value").dump() + ", unit = " + entry.at("unit").dump() +
            ", kind = \"estimated\", source = \"test\" }\n";
  }
  return toml;
}

const Words small = {"simulate", "--seqlen", "8", "--output"};

Words write_to(const std::string& path) {
  Words words = small;
  words.push_back(path);
  return words;
}

}  // namespace

TEST_CASE("a file of V with rows of another width sets --head-dim-v, and O has its columns") {
  const Folder folder;
  write_npy(folder / "k.npy", {2, 2, 30, 16});
  write_npy(folder / "v.npy", {2, 2, 30, 24});
  const Words words = {"simulate", "--input-k", "k.npy", "--input-v", "v.npy", "--output-dir", "out"};
  const program::Result result = program::run(folder, words);
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.err, Contains("head-dim-v: rows of V and O have 24 elements, those of Q and K 16"));
  CHECK_THAT(result.out, Contains("d 16/24"));
  CHECK(sim::read_npy(folder / "out/O.npy").shape == std::vector<std::int64_t>{2, 2, 30, 24});
  const Words only_v = {"simulate", "--input-v", "v.npy", "--format", "json"};
  CHECK_THAT(program::run(folder, only_v).out, Contains("\"head-dim\": 24"));
}

TEST_CASE("inputs whose shapes contradict each other are refused by option and size") {
  const Folder folder;
  write_npy(folder / "q.npy", {2, 4, 20, 16});
  write_npy(folder / "k.npy", {2, 2, 30, 16});
  write_npy(folder / "batch.npy", {3, 2, 30, 16});
  write_npy(folder / "heads.npy", {2, 3, 30, 16});
  write_npy(folder / "keys.npy", {2, 2, 31, 16});
  write_npy(folder / "d.npy", {2, 2, 30, 17});
  const auto with = [](const char* k, const char* v) {
    return Words{"simulate", "--input-q", "q.npy", "--input-k", k, "--input-v", v};
  };
  CHECK(program::run(folder, with("k.npy", "k.npy")).exit_code == 0);
  check_refused(folder, with("batch.npy", "k.npy"), {"input-k: has batch 3, but batch is 2"});
  check_refused(folder, with("k.npy", "heads.npy"), {"input-v: has kv-heads 3, but kv-heads is 2"});
  check_refused(folder, with("heads.npy", "heads.npy"), {"kv-heads is 3: must divide heads = 4", "1, 2, 4"});
  check_refused(folder, with("k.npy", "keys.npy"), {"input-v: has seqlen-k 31, but seqlen-k is 30"});
  check_refused(folder, with("d.npy", "k.npy"), {"input-k: has head-dim 17, but head-dim is 16"});
  for (const char* option : {"batch", "heads", "seqlen", "seqlen-q", "head-dim"}) {
    check_refused(folder, {"simulate", "--input-q", "q.npy", std::string("--") + option, "5"},
                  {"input-q: has ", " 5 "});
  }
}

TEST_CASE("npy headers with wrong sizes are refused before memory is allocated") {
  const Folder folder;
  const auto check_header = [&](const std::string& dict, const char* says) {
    program::write_file(folder / "x.npy", raw_npy(dict, 64));
    check_refused(folder, {"simulate", "--input-q", "x.npy"}, {"input-q: x.npy: ", says});
  };
  check_header("{'descr': '<i4', 'fortran_order': False, 'shape': (4, 4), }", "allowed are f2, f4 and f8");
  check_header("{'descr': '<c8', 'fortran_order': False, 'shape': (2, 4), }", "allowed are f2, f4 and f8");
  check_header("{'descr': '<f4', 'fortran_order': False, 'shape': (4000000000, 4000000000), }", "2^60");
  check_header("{'descr': '<f4', 'fortran_order': False, 'shape': (100000000, 1000), }", "64 are there");
  check_header("{'descr': '<f4', 'fortran_order': False, 'shape': (-4, 4), }", "dimension -4");
  check_header("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 4), }", "dimension 0");
  check_header("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 1, 4, 4), }", "more than 4 dimensions");
  check_header("{'descr': '<f4', 'fortran_order': False, 'shape': (4, 4), 'x': 1}", "unknown key");
  check_header("{'descr': '<f4', 'shape': (4, 4)}", "lacks one of the keys");
}

TEST_CASE("inputs that are not files, or larger than the memory for values, are refused unread") {
  const Folder folder;
  check_refused(folder, {"simulate", "--input-q", "/dev/zero"}, {"input-q: /dev/zero: is not a regular file"});
  check_refused(folder, {"simulate", "--input-k", "gone.npy"}, {"input-k: gone.npy: no such file"});
  program::write_file(folder / "sparse.npy", "");
  program::fs::resize_file(folder / "sparse.npy", std::uintmax_t{9} << 30);  // takes no space on disk
  check_refused(folder, {"simulate", "--input-q", "sparse.npy"}, {"sparse.npy: has 9663676416 bytes", "at most"});
}

TEST_CASE("a file without an end is refused by every option that reads a file") {
  const Folder folder;
  for (const char* name : {"l.toml", "l.json", "l.pbm", "l.npy"})
    program::fs::create_symlink("/proc/kmsg", folder / name);
  for (const std::vector<std::string>& words : {std::vector<std::string>{"simulate", "--seqlens", "/proc/kmsg"},
                                                {"simulate", "--program", "/proc/kmsg"},
                                                {"simulate", "--gpu", "l.toml"},
                                                {"simulate", "--model", "l.json"},
                                                {"simulate", "--pattern", "l.pbm"},
                                                {"simulate", "--input-q", "l.npy"},
                                                {"verify", "--import", "/proc/kmsg"},
                                                {"verify", "--scenarios", "/proc/kmsg"},
                                                {"validate", "--recorded", "/proc/kmsg"},
                                                {"grade", "/proc/kmsg"}}) {
    const program::Result result = program::run(folder, words);  // hangs if it waits for the kernel's next message
    INFO(words[0] << " " << words[1] << ": " << result.err);
    CHECK(result.exit_code == 2);
    CHECK(result.err_lines() == 1);
    CHECK(result.out.empty());
  }
}

TEST_CASE("a user's device file is simulated and named") {
  const Folder folder;
  program::write_file(folder / "mine.toml", toy_device());
  const program::Result result = program::run(folder, {"simulate", "--gpu", "mine.toml", "--format", "json"});
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  const Json mine = Json::parse(result.out),
             toy = Json::parse(program::run({"simulate", "--gpu", "toy", "--format", "json"}).out);
  CHECK(mine.at("scenario").at("gpu") == "mine");
  CHECK(mine.at("tile_traffic") == toy.at("tile_traffic"));
  CHECK(mine.at("time") == toy.at("time"));
  CHECK_THAT(program::run(folder, {"devices", "--gpu", "mine.toml"}).out, Contains("My GPU (mine)"));
  REQUIRE(program::run(folder, {"demo", "--gpu", "mine.toml"}).exit_code == 0);
  CHECK_THAT(program::read_file(folder / "flashscope-demo/tile-traffic.svg"), Contains("on mine."));
}

TEST_CASE("device files that are malformed or not files are refused") {
  const Folder folder;
  program::fs::create_symlink("/dev/zero", folder / "zero.toml");
  program::fs::create_directory(folder / "folder.toml");
  program::write_file(folder / "deep.toml", "a = " + std::string(9000, '['));
  program::write_file(folder / "large.toml", std::string(2 << 20, '#'));
  program::write_file(folder / "latin1.toml", "name = \"\xff\"\n");
  program::write_file(folder / "extra.toml", toy_device() + "zz = 1\n");
  for (const char* name : {"zero", "folder", "deep", "large", "latin1", "extra", "gone"}) {
    const std::string file = std::string(name) + ".toml";
    check_refused(folder, {"simulate", "--gpu", file}, {file});
    check_refused(folder, {"devices", "--gpu", file}, {file});
  }
}

TEST_CASE("paths that cannot be written are found, and nothing is left there") {
  const Folder folder;
  program::write_file(folder / "file", "old");
  program::fs::create_symlink("self.npy", folder / "self.npy");
  check_refused(folder, write_to("file/o.npy"), {"file/o.npy", "Not a directory"});
  check_refused(folder, write_to("new/"), {"new/", "not the name of a file"});
  check_refused(folder, write_to("/proc/o.npy"), {"/proc/o.npy"});
  check_refused(folder, write_to("self.npy"), {"self.npy", "symbolic links"});
  check_refused(folder, write_to(std::string(300, 'a') + ".npy"), {"File name too long"});
  check_refused(folder, {"simulate", "--output-dir", "file"}, {"output-dir file: is a file, not a folder"});
  check_refused(folder, {"simulate", "--output-dir", "file/x/y"}, {"output-dir file/x/y"});
  check_refused(folder, {"demo", "--output-dir", "file"}, {"output-dir file"});
  CHECK(program::read_file(folder / "file") == "old");
  CHECK(folder.files() == 2);
}

TEST_CASE("a refused run removes the folders it created, and only those") {
  const Folder folder;
  check_refused(folder, {"simulate", "--output-dir", "a/b/c", "--algorithm", "standard", "--seqlen", "40000"}, {"MiB"});
  check_refused(folder, {"demo", "--output-dir", "a/b", "--br", "4096"}, {"do not fit"});
  CHECK(folder.files() == 0);
  program::fs::create_directory(folder / "a");
  check_refused(folder, {"simulate", "--output-dir", "a/b/c", "--algorithm", "standard", "--seqlen", "40000"}, {"MiB"});
  CHECK(folder.files() == 1);
  CHECK(program::fs::is_empty(folder / "a"));
  REQUIRE(program::run(folder, {"simulate", "--output-dir", "a/b", "--seqlen", "8"}).exit_code == 0);
  CHECK(program::fs::exists(folder / "a/b/O.npy"));
  CHECK(program::fs::exists(folder / "a/b/L.npy"));
}

TEST_CASE("an output through a dangling link creates the target of the link") {
  const Folder folder;
  program::fs::create_directory(folder / "there");
  program::fs::create_symlink("there/o.npy", folder / "link.npy");
  REQUIRE(program::run(folder, write_to("link.npy")).exit_code == 0);
  CHECK(program::fs::is_symlink(folder / "link.npy"));
  CHECK(sim::read_npy(folder / "there/o.npy").shape == std::vector<std::int64_t>{1, 1, 8, 64});
}

TEST_CASE("names that are not UTF-8 are written and leave the JSON valid") {
  const Folder folder;
  Words words = write_to("\xff\n.npy");
  words.insert(words.end(), {"--format", "json"});
  const program::Result result = program::run(folder, words);
  REQUIRE(result.exit_code == 0);
  CHECK_NOTHROW(Json::parse(result.out));
  CHECK(program::fs::exists(folder / "\xff\n.npy"));
}

TEST_CASE("output may go to a device, and a full stdout is an error in every format") {
  const Folder folder;
  CHECK(program::run(folder, write_to("/dev/null")).exit_code == 0);
  CHECK(folder.files() == 0);
  for (const Words& words :
       {Words{"simulate", "--format", "json"}, Words{"compare"}, Words{"devices"}, Words{"--help"}, Words{"counters"},
        Words{"algorithms", "--algorithm", "flash2"}, Words{"demo", "--help"}}) {
    const program::Result result = program::run(folder, words, "/dev/full");
    CHECK(result.exit_code == 2);
    CHECK(result.err_lines() == 1);
    CHECK_THAT(result.err, Contains("stdout") && Contains("No space left"));
  }
}

TEST_CASE("demo reads K and V when Q is not given, and reports what it drew") {
  const Folder folder;
  std::vector<float> bad(8 * 16, std::numeric_limits<float>::quiet_NaN());
  const auto bytes = sim::format_npy(std::vector<std::int64_t>{8, 16}, bad, "f2");
  program::write_file(folder / "k.npy", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  const program::Result result = program::run(folder, {"demo", "--input-k", "k.npy"});
  CHECK(result.exit_code == 1);  // non-finite values never agree
  CHECK_THAT(result.err, Contains("input K: 128 of 128 values are NaN or infinite"));
  CHECK_THAT(result.err, Contains("input-q, input-v: not given, drawn"));
}

TEST_CASE("demo prints the same when repeated in one folder, and accepts wide heads") {
  const Folder folder;
  const std::string first = program::run(folder, {"demo", "--seqlen", "64"}).out;
  CHECK(program::run(folder, {"demo", "--seqlen", "64"}).out == first);
  CHECK_THAT(first, Contains("Chart of the traffic: flashscope-demo/tile-traffic.svg"));
  const program::Result wide = program::run(folder, {"demo", "--head-dim", "1000", "--seqlen", "256"});
  CHECK(wide.exit_code == 0);
  CHECK_THAT(wide.out, Contains("agree"));
}

TEST_CASE("demo refuses to check a head with too many scores, and counts it with the values off") {
  const Folder folder;
  check_refused(folder, {"demo", "--seqlen", "40000"}, {"40,000 x 40,000", "--numerics off"});
  CHECK(folder.files() == 0);
  const program::Result result = program::run(folder, {"demo", "--seqlen", "40000", "--numerics", "off"});
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Contains("N 40,000") && !Contains("error of O"));
}

TEST_CASE("without a terminal there is no progress: stderr of a computed run is empty") {
  CHECK(program::run({"simulate", "--seqlen", "300", "--numerics", "on"}).err.empty());
}

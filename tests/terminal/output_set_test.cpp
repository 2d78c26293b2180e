// Files that belong together: all new or all old, with a list of them for readers.
#include "viz/files/output_set.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/base/check.h"
#include "tests/support/program.h"

using Catch::Contains;
using files::OutputSet;
using program::check_refused;
using program::Folder;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

namespace {

/// CRC-32 by its definition, bit by bit.
std::string crc32(const std::string& bytes) {
  std::uint32_t crc = ~0u;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
  }
  char text[9];
  std::snprintf(text, sizeof text, "%08x", ~crc);
  return text;
}

void write_set(const Folder& folder, const std::string& text) {
  OutputSet set;
  set.use_folder(folder.path(), "flashscope " + text);
  set.add_in_folder("a").write(text + " a");
  set.add_in_folder("b").write(text + " b");
  set.commit();
}

std::vector<std::string> names_in(const Folder& folder) {
  std::vector<std::string> names;
  for (const auto& entry : program::fs::directory_iterator(folder.path())) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

/// The messages of simulate about an input that the other run of `made` wrote.
std::string said_of(const Folder& folder, const std::string& input) {
  const program::Result result = program::run(folder, {"simulate", "--input-q", input});
  CHECK(result.exit_code == 0);
  return result.err;
}

}  // namespace

TEST_CASE("complete.json lists what a command wrote, with sizes and checksums") {
  const Folder folder;
  const Words words = {"simulate", "--seqlen", "8", "--output-dir", "my d", "--pass", "forward+backward"};
  REQUIRE(program::run(folder, words).exit_code == 0);
  const Json json = Json::parse(program::read_file(folder / "my d/complete.json"));
  CHECK(json.at("flashscope-output") == 1);
  CHECK(json.at("command") == "flashscope simulate --seqlen 8 --output-dir 'my d' --pass forward+backward");
  CHECK(json.at("files").size() == 5);
  for (const Json& file : json.at("files")) {
    const std::string bytes = program::read_file(folder / ("my d/" + file.at("name").get<std::string>()));
    CHECK(file.at("bytes") == bytes.size());
    CHECK(file.at("crc32") == crc32(bytes));
  }
  REQUIRE(program::run(folder, {"demo", "--seqlen", "64", "--numerics", "off"}).exit_code == 0);
  CHECK(Json::parse(program::read_file(folder / "flashscope-demo/complete.json")).at("files").size() == 3);
}

TEST_CASE("a set replaces an older one as a whole") {
  const Folder folder;
  write_set(folder, "old");
  write_set(folder, "new");
  CHECK(names_in(folder) == Words{"a", "b", "complete.json"});
  CHECK(program::read_file(folder / "a") == "new a");
  CHECK(Json::parse(program::read_file(folder / "complete.json")).at("command") == "flashscope new");
}

TEST_CASE("if one file of a set cannot be replaced, those before it are unchanged") {
  const Folder folder;
  const auto fails = [&](const std::string& before) {
    OutputSet set;
    set.use_folder(folder.path(), "flashscope new");
    for (const char* name : {"a", "b", "c"}) set.add_in_folder(name).write("new");
    program::fs::create_directory(folder / "c");  // while the work is in progress
    program::write_file(folder / "c/d", "");
    CHECK_THROWS_WITH(set.commit(), Contains("c: cannot be replaced"));
    program::fs::remove_all(folder / "c");
    CHECK(program::read_file(folder / "a") == before);
    CHECK(program::read_file(folder / "b") == (before.empty() ? "" : "old b"));
  };
  fails("");
  CHECK(folder.files() == 0);
  write_set(folder, "old");
  const std::string list = program::read_file(folder / "complete.json");
  fails("old a");
  CHECK(names_in(folder) == Words{"a", "b", "complete.json"});
  CHECK(program::read_file(folder / "complete.json") == list);
}

TEST_CASE("simulate warns of an input that differs from complete.json next to it, or belongs to an incomplete set") {
  const Folder folder;
  REQUIRE(program::run(folder, {"simulate", "--seqlen", "8", "--output-dir", "d"}).exit_code == 0);
  program::fs::create_symlink("d/O.npy", folder / "link.npy");
  CHECK_THAT(said_of(folder, "d/O.npy"), !Contains("complete"));
  REQUIRE(program::run(folder, {"simulate", "--seqlen", "8", "--seed", "2", "--output", "d/O.npy"}).exit_code == 0);
  for (const std::string name : {"d/O.npy", "link.npy"}) {
    CHECK_THAT(said_of(folder, name),
               Contains("warning: input-q: " + name + ": is not the file that complete.json next to it lists") &&
                   Contains("run it again: ") &&
                   Contains(" simulate --seqlen 8 --output-dir d, or delete complete.json"));
  }
  program::fs::rename(folder / "d/complete.json", folder / "d/incomplete.json");
  CHECK_THAT(said_of(folder, "d/O.npy"),
             Contains("d/O.npy: is of a set that was not completed, according to incomplete.json next to it"));
  program::fs::remove(folder / "d/incomplete.json");
  CHECK_THAT(said_of(folder, "d/O.npy"), !Contains("complete"));
  program::write_file(folder / "d/complete.json", "[]");
  CHECK_THAT(said_of(folder, "d/O.npy"), !Contains("complete"));
}

TEST_CASE("a complete.json that FlashScope did not write is not replaced") {
  const Folder folder;
  program::write_file(folder / "complete.json", "{\"done\": true}\n");
  check_refused(folder, {"simulate", "--seqlen", "8", "--output-dir", "."},
                {"complete.json there is not FlashScope's"});
  CHECK(names_in(folder) == Words{"complete.json"});
  CHECK(program::read_file(folder / "complete.json") == "{\"done\": true}\n");
}

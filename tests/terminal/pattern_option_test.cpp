// --pattern on the command line: its effect, its printed form, and what is rejected.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/program.h"

using Catch::Contains;
using program::check_refused;
using program::Folder;
using program::good;

namespace {

using Words = std::vector<std::string>;

Words sparse(const Words& more) {
  Words words = {"simulate", "--algorithm", "block-sparse", "--seqlen", "256", "--br", "64", "--bc", "64"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

nlohmann::json json_of(const Folder& folder, Words words) {
  words.insert(words.end(), {"--format", "json"});
  const program::Result result = program::run(folder, words);
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  return nlohmann::json::parse(result.out);
}

}  // namespace

TEST_CASE("JSON has the pattern if there is one, and the bytes of its blocks") {
  const Folder folder;
  const auto dense = json_of(folder, sparse({})), sparse_run = json_of(folder, sparse({"--pattern", "window:0"}));
  CHECK(dense.at("scenario").count("pattern") == 0);
  CHECK(sparse_run.at("scenario").at("pattern") == "window:0");
  const auto read = [](const nlohmann::json& run, const char* tensor) {
    return run.at("tile_traffic").at("by_tensor").at(tensor).at("read_bytes").get<std::int64_t>();
  };
  CHECK(read(sparse_run, "mask_blocks") == 16);
  CHECK(read(sparse_run, "K") == read(dense, "K"));
  CHECK(4 * read(sparse_run, "Q") == read(dense, "Q"));
}

TEST_CASE("a picture is accepted as a pattern, as text and as bits") {
  const Folder folder;
  program::write_file(folder / "text.pbm", "P1\n4 4\n1000\n0100\n0010\n0001\n");
  program::write_file(folder / "bits.pbm", "P4\n4 4\n\x80\x40\x20\x10");
  auto diagonal = json_of(folder, sparse({"--pattern", "window:0"}));
  for (const char* file : {"text.pbm", "bits.pbm"}) {
    const auto run = json_of(folder, sparse({"--pattern", file, "--numerics", "on"}));
    CHECK(run.at("tile_traffic") == diagonal.at("tile_traffic"));
    CHECK(run.at("scenario").at("pattern") == file);
  }
}

TEST_CASE("compare applies a pattern to all algorithms that take one, in blocks of the first block-sparse one") {
  const std::string table = good({"compare", "--algorithms", "standard,flash2-block-sparse,block-sparse,flash2",
                                  "--pattern", "causal", "--seqlen", "512", "--numerics", "on"})
                                .out;
  CHECK_THAT(table, Contains("128 x 128"));
  check_refused({"compare", "--algorithms", "flash1-q-outer,flash-decoding", "--pattern", "causal"},
                {"pattern: none of the algorithms that are compared has this option"});
}

TEST_CASE("flash2 with a pattern equals flash2-block-sparse except for its name, and stays dense next to it") {
  const Folder folder;
  const Words pattern = {"--pattern",  "butterfly", "--seqlen", "256",
                         "--head-dim", "128",       "--pass",   "forward+backward"};
  const auto run = [&](Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return json_of(folder, words);
  };
  auto named = run({"simulate", "--algorithm", "flash2"}, pattern);
  auto alias = run({"simulate", "--algorithm", "flash2-block-sparse"}, pattern);
  CHECK(named.at("scenario").at("algorithm") == "flash2");
  CHECK(alias.at("scenario").at("algorithm") == "flash2-block-sparse");
  for (auto* one : {&named, &alias}) one->at("scenario").erase("algorithm");
  CHECK(named == alias);
  const Words dense(pattern.begin() + 2, pattern.end());
  const auto both = run({"compare", "--algorithms", "flash2,flash2-block-sparse"}, pattern).at("results");
  const auto alone = run({"compare", "--algorithms", "flash2,flash1"}, dense).at("results");
  CHECK(both.at(0) == alone.at(0));
  const Words over = {"sweep", "--over", "algorithm=flash2,flash2-block-sparse"};
  const auto rows = run(over, pattern).at("rows");
  CHECK(rows.at(0).at("br") == 128);
  CHECK(rows.at(1).at("br") == 64);
  const auto shared = run({"sweep", "--over", "algorithm=flash2,block-sparse"}, pattern).at("rows");
  CHECK(shared.at(0) != rows.at(0));
  CHECK(shared.at(0).at("br") == 64);
}

TEST_CASE("a pattern that cannot be used is refused") {
  const Folder folder;
  program::write_file(folder / "small.pbm", "P1 2 2 1111");
  program::write_file(folder / "cut.pbm", "P1 4 4 1111");
  program::write_file(folder / "bits.pbm", std::string("P4 4 4\n\x80", 8));
  program::write_file(folder / "gray.pbm", "P5 4 4 255 ");
  program::write_file(folder / "huge.pbm", "P4 100000 100000\n");
  program::write_file(folder / "empty.pbm", "");
  const auto refused = [&](const char* pattern, const std::vector<std::string>& why) {
    check_refused(folder, sparse({"--pattern", pattern}), why);
  };
  refused("small.pbm", {"small.pbm has 2 x 2 pixels, but there are 4 x 4 blocks"});
  refused("cut.pbm", {"cut.pbm: ends after 4 of 4 x 4 pixels"});
  refused("bits.pbm", {"bits.pbm: ends after 4 of 4 x 4 pixels"});
  refused("gray.pbm", {"gray.pbm: is not a portable bitmap"});
  refused("huge.pbm", {"huge.pbm: has 100000 x 100000 pixels", "16777216"});
  refused("empty.pbm", {"empty.pbm: is not a portable bitmap"});
  refused("missing.pbm", {"pattern: missing.pbm: no such file"});
  refused("windw:3", {"is none of causal|window:W"});
  refused("random:2", {"probability from 0 to 1"});
  for (const char* algorithm : {"flash1-q-outer", "memory-efficient", "rabe-staats", "flash-decoding"}) {
    check_refused({"simulate", "--algorithm", algorithm, "--pattern", "causal"},
                  {"pattern: is an option of standard, flash1, flash2, block-sparse, flash2-block-sparse", algorithm});
  }
}

TEST_CASE("options that flash1 and flash2 take only without a pattern are refused with one, under either name") {
  const auto refused = [](const char* algorithm, const Words& more, const std::string& why) {
    Words words = {"simulate", "--algorithm", algorithm, "--pattern", "causal"};
    words.insert(words.end(), more.begin(), more.end());
    check_refused(words, {why});
  };
  const Words down = {"--keys", "down"}, lengths = {"--seqlens", "2 512 512"};
  refused("flash2", down, "keys: flash2 has none with --pattern: leave out one of them");
  refused("flash2", lengths, "seqlens: a pattern has the blocks of one length: leave out --pattern");
  refused("flash2-block-sparse", down,
          "keys: is an option of flash2; flash2-block-sparse has none: add --algorithm flash2, or leave it out");
  refused("flash1", lengths, "seqlens: a pattern has the blocks of one length: leave out --pattern");
  refused("flash2-block-sparse", lengths, "seqlens: a pattern has the blocks of one length: leave out --pattern");
}

TEST_CASE("a pattern that shows nothing gives zeros, with a warning") {
  const program::Result run = program::run(sparse({"--pattern", "random:0", "--numerics", "on"}));
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.err, Contains("hides every key"));
}

// The option --seqlens in commands: packed rows in files, rows, measured times, and what is rejected.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/base/attention.h"
#include "sim/base/npy.h"
#include "tests/support/program.h"

using Catch::Contains;
using Json = nlohmann::json;
using program::check_refused;
using program::Folder;
using program::with;
using Words = std::vector<std::string>;
using Sizes = std::vector<std::int64_t>;

namespace {

const Words ragged = {"simulate", "--seqlens", "2 5 9, 1 3 4", "--br", "16", "--bc", "16"};

void write_npy(const std::string& path, const Sizes& shape, const std::vector<float>& values) {
  const auto bytes = sim::format_npy(shape, values, "f4");
  program::write_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

/// Rows [first, first + count) of packed rows as an array of one entry.
void write_entry(const std::string& path, const sim::NpyArray& packed, std::int64_t first, std::int64_t count) {
  const std::int64_t row = packed.shape[1] * packed.shape[2];
  const auto begin = packed.values.begin() + first * row;
  write_npy(path, {count, packed.shape[1], packed.shape[2]}, {begin, begin + count * row});
}

program::Result good(const Folder& folder, const Words& words) {
  program::Result result = program::run(folder, words);
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  return result;
}

void draw(const std::string& path, const Sizes& shape, std::uint64_t seed) {
  const std::int64_t elements = shape[0] * shape[1] * shape[2];
  write_npy(path, shape, sim::draw_elements({0, elements}, sim::Dtype::fp32, seed, sim::DrawnTensor::Q));
}

}  // namespace

TEST_CASE("packed rows in files give packed rows, each entry as if it were alone") {
  const Folder folder;
  draw(folder / "q.npy", {13, 4, 8}, 1);
  draw(folder / "k.npy", {22, 2, 8}, 2);
  draw(folder / "v.npy", {22, 2, 8}, 3);
  const Words files = {"--input-q", "q.npy", "--input-k", "k.npy", "--input-v", "v.npy", "--dtype", "fp32", "--causal"};
  const Json j = Json::parse(good(folder, with(with(ragged, files), {"--output-dir", "all", "--format", "json"})).out);
  CHECK(j.at("scenario").at("heads") == 4);
  CHECK(j.at("scenario").at("kv-heads") == 2);
  CHECK(j.at("check").at("max_abs_error") < 1e-5);
  const sim::NpyArray O = sim::read_npy(folder / "all/O.npy"), L = sim::read_npy(folder / "all/L.npy");
  CHECK(O.shape == Sizes{13, 4, 8});
  CHECK(L.shape == Sizes{13, 4});
  const struct { std::int64_t query, queries, key, keys; } entries[] = {{0, 5, 0, 9}, {5, 5, 9, 9}, {10, 3, 18, 4}};
  for (const auto& entry : entries) {
    write_entry(folder / "one-q.npy", sim::read_npy(folder / "q.npy"), entry.query, entry.queries);
    write_entry(folder / "one-k.npy", sim::read_npy(folder / "k.npy"), entry.key, entry.keys);
    write_entry(folder / "one-v.npy", sim::read_npy(folder / "v.npy"), entry.key, entry.keys);
    good(folder, {"simulate", "--layout", "bnhd", "--input-q", "one-q.npy", "--input-k", "one-k.npy", "--input-v",
                  "one-v.npy", "--dtype", "fp32", "--causal", "--br", "16", "--bc", "16", "--output", "one.npy"});
    const auto first = O.values.begin() + entry.query * 32;
    CHECK(sim::read_npy(folder / "one.npy").values == std::vector<float>(first, first + entry.queries * 32));
  }
}

TEST_CASE("arrays that do not fit the lengths are refused with both numbers") {
  const Folder folder;
  draw(folder / "q.npy", {12, 4, 8}, 1);
  const auto refused = [&](const Words& more, const Words& texts) {
    check_refused(folder, with(with(ragged, {"--input-q", "q.npy"}), more), texts);
  };
  refused({}, {"input-q: has 12 rows, and the entries of --seqlens have 13"});
  draw(folder / "q.npy", {13, 4, 8}, 1);
  refused({"--heads", "2"}, {"input-q: has heads 4, but heads is 2"});
  refused({"--layout", "bnhd"}, {"layout: rows of a ragged batch are packed", "leave out --layout"});
  write_npy(folder / "q.npy", {13, 8}, std::vector<float>(104));
  refused({}, {"input-q: an array of rank 2", "(total, H, d)"});
}

TEST_CASE("gradients and rows are those of the packed batch") {
  const Json j = Json::parse(program::good(with(ragged, {"--pass", "forward+backward", "--numerics", "on", "--dtype",
                                                         "fp32", "--format", "json"}))
                                 .out);
  for (const char* name : {"O", "dQ", "dK", "dV"})
    CHECK(j.at("check").at("by_tensor").at(name).at("max_abs_error") < 1e-5);
  const Json row = Json::parse(program::good(with(ragged, {"--row", "2", "--head", "2", "--format", "json"})).out);
  CHECK(row.at("head") == 2);
  CHECK(row.at("scenario").at("seqlens") == "2 5 9, 1 3 4");
  check_refused(with(ragged, {"--row", "3", "--head", "2"}), {"row: 3 is not a query from 0 to 2"});
}

TEST_CASE("a measured time is compared with the bytes of all entries") {
  const Words two = {"simulate", "--seqlens", "2 4096 4096", "--heads", "8", "--measured", "1us", "--format", "json"};
  const Words batch = {"simulate", "--batch",    "2",   "--seqlen", "4096", "--heads",
                       "8",        "--measured", "1us", "--format", "json"};
  CHECK(Json::parse(program::good(two).out).at("measured").at("says") ==
        Json::parse(program::good(batch).out).at("measured").at("says"));
}

TEST_CASE("verify runs the kernels of flash2 over a ragged batch, and counts the reads of its table") {
  for (const char* dtype : {"fp32", "fp16"}) {
    const Words words = {"verify",           "--device", "emulated", "--seqlens", "2 5 9, 1 3 4", "--pass",
                         "forward+backward", "--causal", "--dtype",  dtype,       "--format",     "json"};
    const Json j = Json::parse(program::good(words).out);
    CHECK(j.at("ok") == true);
    const auto of_table = [](const Json& row) {
      return row.at("quantity") == "tile_traffic.by_tensor.sequences.read_bytes";
    };
    const Json& rows = j.at("rows");
    const auto found = std::find_if(rows.begin(), rows.end(), of_table);
    REQUIRE(found != rows.end());
    CHECK(found->at("measured") == 3 * 4 * 16);  // three entries, four kernels of one CTA each
  }
}

TEST_CASE("options that do not support entries of different lengths are refused by name") {
  const Words lengths = {"--seqlens", "2 5 9, 1 3 4"};
  check_refused(with({"demo"}, lengths), {"seqlens"});
  check_refused(with({"verify", "--device", "emulated", "--algorithm", "flash1"}, lengths),
                {"seqlens: the kernels flash1 take batch entries of one length", "flash2, flash2_mma"});
  check_refused(with({"compare", "--algorithms", "standard,flash2"}, lengths), {"seqlens: is an option of flash1"});
}

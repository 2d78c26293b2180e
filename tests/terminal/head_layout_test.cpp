// Files with axes (batch, N, heads, d), the layout of the flash-attn library.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

#include "sim/base/npy.h"
#include "tests/support/program.h"
#include "viz/results/value_request.h"

using Catch::Contains;
using program::check_refused;
using program::Folder;
using Words = std::vector<std::string>;

namespace {

using Sizes = std::array<std::int64_t, 4>;  // batch, heads, rows, d

void write(const std::string& path, const std::vector<std::int64_t>& shape, const std::vector<float>& values) {
  const auto bytes = sim::format_npy(shape, values, "f4");
  program::write_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

/// Element (b, h, n, c), equal in both layouts.
float element(std::int64_t b, std::int64_t h, std::int64_t n, std::int64_t c) {
  return static_cast<float>(((b * 5 + h * 3 + n * 7 + c * 11) * 37) % 97) / 50 - 1;
}

std::vector<float> filled(const Sizes& s, bool heads_last) {
  std::vector<float> values;
  for (std::int64_t b = 0; b < s[0]; ++b)
    for (std::int64_t i = 0; i < (heads_last ? s[2] : s[1]); ++i)
      for (std::int64_t j = 0; j < (heads_last ? s[1] : s[2]); ++j)
        for (std::int64_t c = 0; c < s[3]; ++c)
          values.push_back(heads_last ? element(b, j, i, c) : element(b, i, j, c));
  return values;
}

/// Writes Q, K, V and dO in both layouts: q.npy and q-last.npy and so on. Rank 3 leaves out the batch.
void write_inputs(const Folder& folder, std::size_t rank) {
  const std::int64_t batch = rank == 4 ? 2 : 1;
  for (const auto& [name, s] : {std::pair{"q", Sizes{batch, 4, 40, 16}},
                                {"do", Sizes{batch, 4, 40, 16}},
                                {"k", Sizes{batch, 2, 24, 16}},
                                {"v", Sizes{batch, 2, 24, 16}}}) {
    std::vector<std::int64_t> first = {s[0], s[1], s[2], s[3]}, last = {s[0], s[2], s[1], s[3]};
    first.erase(first.begin(), first.end() - static_cast<std::ptrdiff_t>(rank));
    last.erase(last.begin(), last.end() - static_cast<std::ptrdiff_t>(rank));
    write(folder / (std::string(name) + ".npy"), first, filled(s, false));
    write(folder / (std::string(name) + "-last.npy"), last, filled(s, true));
  }
}

Words with_inputs(Words words, const std::string& suffix) {
  for (const char* name : {"q", "k", "v", "do"})
    words.insert(words.end(), {std::string("--input-") + name, name + suffix + ".npy"});
  return words;
}

/// (B, H, N, ...) -> (B, N, H, ...) of a result, by its own sizes.
sim::NpyArray swapped(const sim::NpyArray& array, std::size_t heads_axis) {
  const auto at = [&](std::size_t axis) { return array.shape[axis]; };
  const std::int64_t batch = heads_axis == 0 ? 1 : at(0), heads = at(heads_axis), rows = at(heads_axis + 1);
  const std::int64_t d = static_cast<std::int64_t>(array.values.size()) / (batch * heads * rows);
  sim::NpyArray result = array;
  std::swap(result.shape[heads_axis], result.shape[heads_axis + 1]);
  for (std::int64_t b = 0; b < batch; ++b)
    for (std::int64_t h = 0; h < heads; ++h)
      for (std::int64_t n = 0; n < rows; ++n)
        for (std::int64_t c = 0; c < d; ++c)
          result.values[static_cast<std::size_t>(((b * rows + n) * heads + h) * d + c)] =
              array.values[static_cast<std::size_t>(((b * heads + h) * rows + n) * d + c)];
  return result;
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

}  // namespace

TEST_CASE("permuted inputs with --layout bnhd give the permuted outputs, bit for bit") {
  for (const std::size_t rank : {std::size_t{3}, std::size_t{4}}) {
    const Folder folder;
    write_inputs(folder, rank);
    const Words simulate = {"simulate", "--pass", "forward+backward", "--causal", "--output-dir"};
    Words first = simulate, last = simulate;
    first.push_back("first");
    last.insert(last.end(), {"last", "--layout", "bnhd"});
    REQUIRE(program::run(folder, with_inputs(first, "")).exit_code == 0);
    const program::Result result = program::run(folder, with_inputs(last, "-last"));
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    for (const char* name : {"O", "L", "dQ", "dK", "dV"}) {
      INFO(name);
      const sim::NpyArray a = sim::read_npy(folder / (std::string("first/") + name + ".npy"));
      const sim::NpyArray b = sim::read_npy(folder / (std::string("last/") + name + ".npy"));
      const sim::NpyArray expected = swapped(a, rank - 3);
      CHECK(b.shape == expected.shape);
      CHECK(same_bits(b.values, expected.values));
      CHECK(!same_bits(a.values, b.values));
    }
  }
}

TEST_CASE("a single matrix is the same in both layouts, and outputs of drawn inputs have the requested layout") {
  const Folder folder;
  write(folder / "q.npy", {24, 16}, filled({1, 1, 24, 16}, false));
  REQUIRE(program::run(folder, {"simulate", "--input-q", "q.npy", "--output", "a.npy"}).exit_code == 0);
  REQUIRE(program::run(folder, {"simulate", "--input-q", "q.npy", "--output", "b.npy", "--layout", "bnhd"}).exit_code ==
          0);
  CHECK(program::read_file(folder / "a.npy") == program::read_file(folder / "b.npy"));
  REQUIRE(program::run(folder, {"simulate", "--heads", "3", "--seqlen", "8", "--output", "c.npy", "--layout", "bnhd"})
              .exit_code == 0);
  CHECK(sim::read_npy(folder / "c.npy").shape == std::vector<std::int64_t>{1, 8, 3, 64});
}

TEST_CASE("more heads than queries in all files cause a warning that names the other layout") {
  const Folder folder;
  write_inputs(folder, 4);
  const program::Result doubtful = program::run(folder, {"simulate", "--input-q", "q-last.npy"});
  CHECK(doubtful.exit_code == 0);
  CHECK_THAT(doubtful.err, Contains("warning: input-q: read as (batch, heads, N, d) it has 40 heads of 4 rows") &&
                               Contains("--layout bnhd"));
  CHECK_THAT(program::run(folder, {"simulate", "--input-q", "q-last.npy", "--layout", "bnhd"}).err,
             !Contains("--layout"));
  CHECK_THAT(program::run(folder, {"simulate", "--input-q", "q.npy"}).err, !Contains("--layout"));
  // Grouped heads and another length make the shapes impossible: the error names the likely cause.
  check_refused(folder, {"simulate", "--input-q", "q-last.npy", "--input-k", "k-last.npy"},
                {"kv-heads is 24", "--layout bnhd"});
}

TEST_CASE("one new query on long keys does not cause the layout warning") {
  const Folder folder;
  write(folder / "q.npy", {1, 4, 1, 16}, filled({1, 4, 1, 16}, false));
  write(folder / "k.npy", {1, 2, 24, 16}, filled({1, 2, 24, 16}, false));
  CHECK_THAT(program::run(folder, {"simulate", "--input-q", "q.npy", "--input-k", "k.npy"}).err, !Contains("--layout"));
}

TEST_CASE("an unknown layout is refused with the two known ones") {
  check_refused({"simulate", "--layout", "hbnd"}, {"unknown layout \"hbnd\"", "bhnd, bnhd"});
}

TEST_CASE("results of packed query heads have the axes of the inputs: one query, many keys") {
  const Folder folder;
  for (const char* layout : {"bhnd", "bnhd"}) {
    const bool last = std::string(layout) == "bnhd";
    const auto sizes = [&](std::int64_t heads, std::int64_t rows) {
      return last ? std::vector<std::int64_t>{2, rows, heads, 16} : std::vector<std::int64_t>{2, heads, rows, 16};
    };
    write(folder / "q.npy", sizes(8, 1), filled({2, 8, 1, 16}, last));
    write(folder / "k.npy", sizes(2, 300), filled({2, 2, 300, 16}, last));
    write(folder / "v.npy", sizes(2, 300), filled({2, 2, 300, 16}, last));
    const auto written = [&](const std::string& name, const Words& more) {
      Words words = {"simulate", "--algorithm", "flash-decoding", "--causal", "--layout", layout, "--output-dir", name};
      for (const char* input : {"q", "k", "v"})
        words.insert(words.end(), {std::string("--input-") + input, std::string(input) + ".npy"});
      words.insert(words.end(), more.begin(), more.end());
      const program::Result result = program::run(folder, words);
      INFO(result.err);
      REQUIRE(result.exit_code == 0);
      return std::pair{sim::read_npy(folder / (name + "/O.npy")), sim::read_npy(folder / (name + "/L.npy"))};
    };
    const auto [O, L] = written(std::string("packed-") + layout, {"--splits", "2"});
    CHECK(O.shape == sizes(8, 1));
    CHECK(L.shape == (last ? std::vector<std::int64_t>{2, 1, 8} : std::vector<std::int64_t>{2, 8, 1}));
    const auto [other, L_other] = written(std::string("apart-") + layout, {"--splits", "2", "--pack", "0"});
    CHECK(other.shape == O.shape);
    REQUIRE(other.values.size() == O.values.size());
    float apart = 0;
    for (std::size_t n = 0; n < O.values.size(); ++n) apart = std::max(apart, std::abs(O.values[n] - other.values[n]));
    CHECK(apart < 1e-3);  // below 2: an fp16 step; tiles of other rows sum products in another order
    CHECK(L_other.shape == L.shape);
  }
}

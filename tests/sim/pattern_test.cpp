// Patterns: the visible blocks of each kind, written here pair by pair, and what is rejected.
#include "sim/base/pattern.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "sim/base/block_mask.h"
#include "tests/support/bitmap.h"
#include "tests/support/random_scenario.h"

namespace sim {
namespace {

std::int64_t floor_of(std::int64_t a, std::int64_t b) {
  const std::int64_t quotient = a / b;
  return quotient * b > a ? quotient - 1 : quotient;
}

bool is_power_of_two(std::int64_t n) {
  for (std::int64_t power = 1; power <= n; power *= 2) {
    if (power == n) return true;
  }
  return false;
}

/// The definition of visibility, one block at a time.
bool shows(const Pattern& p, const BlockedMatrix& m, std::int64_t i, std::int64_t j) {
  const std::int64_t at = floor_of(i * m.br + m.keys - m.queries, m.bc);
  const bool near = at - j <= p.reach && j - at <= p.reach;
  switch (p.kind) {
    case PatternKind::causal:
      for (std::int64_t q = i * m.br; q < std::min(m.queries, (i + 1) * m.br); ++q) {
        if (j * m.bc <= q + m.keys - m.queries) return true;
      }
      return false;
    case PatternKind::window:
      return near;
    case PatternKind::local_global:
      return near || i < p.globals || j < p.globals;
    case PatternKind::strided:
      return (at - j) % p.reach == 0;
    case PatternKind::butterfly:
      return at == j || (at >= 0 && is_power_of_two(at ^ j));
    default:
      return true;
  }
}

BlockedMatrix random_matrix(Dice& dice) {
  return {dice.near_an_end(1, 200), dice.near_an_end(1, 200), dice.between(1, 30), dice.between(1, 30)};
}

std::string error_message(const std::string& typed) {
  try {
    read_pattern(typed);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string picture_error(const std::string& bytes) {
  try {
    read_bitmap(bytes);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

Picture picture_of(const std::string& bytes) { return read_bitmap(bytes); }

using Catch::Contains;

}  // namespace

TEST_CASE("a pattern shows the blocks of its definition, as intervals with gaps between them") {
  Dice dice(301);
  for (int n = 0; n < 3000; ++n) {
    Pattern pattern = random_pattern(dice, 8);
    if (pattern.kind == PatternKind::random) pattern.kind = PatternKind::causal;
    const BlockedMatrix matrix = random_matrix(dice);
    INFO(text_of(pattern) << " of " << matrix.queries << " x " << matrix.keys << " in " << matrix.br << " x "
                          << matrix.bc);
    const BlockMask mask(pattern, matrix, 0);
    std::int64_t visible = 0;
    for (std::int64_t i = 0; i < matrix.rows(); ++i) {
      std::int64_t end = -1;
      for (const Interval run : mask.keys_of(i)) {
        REQUIRE((run.begin > end && run.begin < run.end && run.end <= matrix.cols()));
        end = run.end;
      }
      for (std::int64_t j = 0; j < matrix.cols(); ++j) {
        REQUIRE(mask.visible(i, j) == shows(pattern, matrix, i, j));
        visible += mask.visible(i, j) ? 1 : 0;
      }
    }
    REQUIRE(mask.visible_blocks() == visible);
  }
}

TEST_CASE("the columns of a pattern are its rows transposed") {
  Dice dice(302);
  for (int n = 0; n < 2000; ++n) {
    const BlockedMatrix matrix = random_matrix(dice);
    const BlockMask mask(random_pattern(dice, 8), matrix, static_cast<std::uint64_t>(n));
    for (std::int64_t j = 0; j < matrix.cols(); ++j) {
      std::int64_t end = -1, seen = 0;
      for (const Interval run : mask.queries_of(j)) {
        REQUIRE((run.begin > end && run.begin < run.end && run.end <= matrix.rows()));
        end = run.end;
        seen += run.size();
        for (std::int64_t i = run.begin; i < run.end; ++i) REQUIRE(mask.visible(i, j));
      }
      std::int64_t expected = 0;
      for (std::int64_t i = 0; i < matrix.rows(); ++i) expected += mask.visible(i, j) ? 1 : 0;
      REQUIRE(seen == expected);
    }
  }
}

TEST_CASE("random blocks are as frequent as their probability, and depend on the seed alone") {
  Pattern pattern = read_pattern("random:0.3");
  const BlockedMatrix large{400, 300, 1, 1}, small{40, 30, 1, 1};
  const BlockMask mask(pattern, large, 5), again(pattern, small, 5), other(pattern, large, 6);
  CHECK(static_cast<double>(mask.visible_blocks()) / 120'000 == Approx(0.3).margin(0.01));
  for (std::int64_t i = 0; i < 40; ++i) {
    for (std::int64_t j = 0; j < 30; ++j) CHECK(mask.visible(i, j) == again.visible(i, j));
  }
  CHECK_FALSE(mask == other);
  CHECK(BlockMask(read_pattern("random:0"), large, 1).visible_blocks() == 0);
  CHECK(BlockMask(read_pattern("random:1"), large, 1).visible_blocks() == 120'000);
}

TEST_CASE("writing a parsed pattern gives the text that was read") {
  for (const std::string typed :
       {"causal", "window:0", "window:12", "local-global:3,4", "strided:7", "butterfly", "random:0.125", "random:1"})
    CHECK(text_of(read_pattern(typed)) == typed);
  CHECK(text_of(Pattern{}).empty());
}

TEST_CASE("a pattern that does not parse is refused with what is allowed") {
  CHECK_THAT(error_message("diagonal"), Contains("pattern: \"diagonal\" is none of causal|window:W|"));
  CHECK_THAT(error_message(""), Contains("is none of"));
  CHECK_THAT(error_message("window"), Contains("has 0 numbers, window takes 1"));
  CHECK_THAT(error_message("window:1,2"), Contains("has 2 numbers, window takes 1"));
  CHECK_THAT(error_message("causal:1"), Contains("causal takes 0"));
  CHECK_THAT(error_message("local-global:1"), Contains("local-global takes 2"));
  CHECK_THAT(error_message("window:-1"), Contains("\"-1\" is not a whole number of blocks from 0 to"));
  CHECK_THAT(error_message("window:x"), Contains("\"x\" is not a whole number"));
  CHECK_THAT(error_message("strided:0"), Contains("\"0\" is not a whole number of blocks from 1 to"));
  CHECK_THAT(error_message("window:99999999999999999999"), Contains("is not a whole number"));
  for (const char* share : {"random:1.5", "random:-0.1", "random:nan", "random:", "random:0.5x", "random:inf"})
    CHECK_THAT(error_message(share), Contains("is not a probability from 0 to 1"));
  CHECK_THAT(error_message("/nowhere/at/all.pbm"),
             Contains("pattern: /nowhere/at/all.pbm: cannot be read: no such file"));
}

TEST_CASE("a bitmap is read as text and as bits") {
  const Picture text_form = picture_of("P1\n# a comment\n3 2\n1 0 1\n011");
  CHECK(text_form.width == 3);
  CHECK(text_form.height == 2);
  CHECK(text_form.black == std::vector<bool>{true, false, true, false, true, true});
  CHECK(picture_of("P4 3 2\n\xa0\x60") == text_form);  // 101, 011
  CHECK(picture_of("P1 # width\n#height\n10 1 0000000011").black[9]);
  const Picture wide = picture_of(std::string("P4\n9 1\n") + char(0) + char(0x80));
  CHECK(wide.black == std::vector<bool>{false, false, false, false, false, false, false, false, true});
}

TEST_CASE("a malformed, short, long or large bitmap is refused") {
  CHECK_THAT(picture_error("P5 1 1 255 a"), Contains("x.pbm: is not a portable bitmap"));
  CHECK_THAT(picture_error(""), Contains("is not a portable bitmap"));
  CHECK_THAT(picture_error("P1 2"), Contains("the width of the picture is not a whole number"));
  CHECK_THAT(picture_error("P1 2 x"), Contains("the height of the picture is not a whole number"));
  CHECK_THAT(picture_error("P1 0 1 "), Contains("is not a whole number from 1 to"));
  CHECK_THAT(picture_error("P1 -3 1 "), Contains("is not a whole number from 1 to"));
  CHECK_THAT(picture_error("P1 99999999999999999999 1 "), Contains("is not a whole number from 1 to"));
  CHECK_THAT(picture_error("P1 2 2 101"), Contains("ends after 3 of 2 x 2 pixels"));
  CHECK_THAT(picture_error("P1 2 2 1012"), Contains("pixel 3 is neither 0, white, nor 1, black"));
  CHECK_THAT(picture_error("P1 2 1 101"), Contains("continues after its 2 x 1 pixels"));
  CHECK_THAT(picture_error("P4 9 2\nabc"), Contains("ends after 17 of 9 x 2 pixels") || Contains("ends after"));
  CHECK_THAT(picture_error("P4 8 1\nab"), Contains("continues after its 8 x 1 pixels"));
  CHECK_THAT(picture_error("P4 100000 100000\n"), Contains("has 100000 x 100000 pixels: allowed are at most 16777216"));
}

TEST_CASE("a pattern with more intervals or drawn blocks than the memory limit is refused") {
  const std::int64_t n = std::int64_t{1} << 21;
  CHECK_THROWS_WITH(BlockMask(read_pattern("strided:2"), BlockedMatrix{n, n, 1, 1}, 0),
                    Contains("rows have more than 8388608 intervals"));
  CHECK_THROWS_WITH(BlockMask(read_pattern("random:0.5"), BlockedMatrix{n, n, 1, 1}, 0), Contains("that are drawn"));
}

}  // namespace sim

// Painted patterns: the short text form of a small picture, and pictures of other sizes.
#include "sim/base/painted.h"

#include <catch2/catch.hpp>

#include "sim/base/block_mask.h"
#include "tests/support/bitmap.h"
#include "tests/support/random_scenario.h"

namespace sim {
namespace {

using Catch::Contains;

Picture random_pixels(Dice& dice, std::int64_t most) {
  Picture picture{dice.between(1, most), dice.between(1, most), {}};
  const std::int64_t one_in = dice.between(1, 5);
  for (std::int64_t n = 0; n < picture.width * picture.height; ++n) picture.black.push_back(dice.one_in(one_in));
  return picture;
}

/// The picture of a pattern's blocks.
Picture picture_of(const BlockMask& mask) {
  Picture picture{mask.matrix().cols(), mask.matrix().rows(), {}};
  for (std::int64_t i = 0; i < picture.height; ++i) {
    for (std::int64_t j = 0; j < picture.width; ++j) picture.black.push_back(mask.visible(i, j));
  }
  return picture;
}

std::string error_message(const std::string& typed) {
  try {
    read_pattern(typed);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a painted pattern shows the blocks of its digits, the highest bit first") {
  const Picture picture = read_painted("painted:5:8.f8..08");
  CHECK(picture.width == 5);
  CHECK(picture.height == 4);
  std::string pixels;
  for (const bool black : picture.black) pixels += black ? '1' : '0';
  CHECK(pixels ==
        "10000"
        "11111"
        "00000"
        "00001");
}

TEST_CASE("a painted picture is written in its shortest text form, and read again") {
  CHECK(painted_text(read_painted("painted:8:80.C0.e0.00")) == "painted:8:8.C.E.");
  Dice dice(311);
  for (int n = 0; n < 1000; ++n) {
    const Picture picture = random_pixels(dice, 40);
    const std::string word = painted_text(picture);
    REQUIRE(read_painted(word) == picture);
    REQUIRE(painted_text(read_painted(word)) == word);
    REQUIRE(text_of(read_pattern(word)) == word);
  }
}

TEST_CASE("a painted pattern shows the same as the named pattern whose blocks it has") {
  const BlockedMatrix matrix{512, 512, 64, 32};
  for (const char* typed : {"causal", "window:2", "local-global:1,2", "strided:3", "butterfly", "random:0.4"}) {
    INFO(typed);
    const BlockMask words(read_pattern(typed), matrix, 7),
        painted(read_pattern(painted_text(picture_of(words))), matrix, 0);
    for (std::int64_t i = 0; i < matrix.rows(); ++i) {
      const auto a = words.keys_of(i), b = painted.keys_of(i);
      REQUIRE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
    }
  }
}

TEST_CASE("a malformed painted pattern, or one of another size than the matrix, is refused with what is allowed") {
  CHECK_THAT(error_message("painted"), Contains("is not painted:COLUMNS:ROW.ROW..."));
  CHECK_THAT(error_message("painted:4"), Contains("is not painted:COLUMNS:ROW.ROW..."));
  CHECK_THAT(error_message("painted:4:8:8"), Contains("is not painted:COLUMNS:ROW.ROW..."));
  CHECK_THAT(error_message("painted:0:"), Contains("\"0\" is not a number of painted columns from 1 to 65536"));
  CHECK_THAT(error_message("painted:x:8"), Contains("\"x\" is not a number of painted columns"));
  CHECK_THAT(error_message("painted:-4:8"), Contains("is not a number of painted columns"));
  CHECK_THAT(error_message("painted:4:8.G"), Contains("row 1 of the painted blocks: \"G\" is not hexadecimal digits"));
  CHECK_THAT(error_message("painted:4:8.11"),
             Contains("row 1 of the painted blocks has 2 digits, 4 columns take at most 1"));
  CHECK_THAT(error_message("painted:3:1"),
             Contains("row 0 of the painted blocks shows column 3, allowed are those below 3"));
  CHECK_THAT(error_message("painted:40000:8.8"), Contains("40000 x 2 painted blocks are more than 65536"));
  const Pattern small = read_pattern("painted:2:8.C");
  CHECK_THROWS_WITH(BlockMask(small, BlockedMatrix{256, 256, 64, 64}, 0),
                    Contains("pattern: painted has 2 x 2 pixels, but there are 4 x 4 blocks"));
}

TEST_CASE("a picture is written as a bitmap that is read as the same picture") {
  Dice dice(312);
  for (int n = 0; n < 300; ++n) {
    const Picture picture = random_pixels(dice, 40);
    REQUIRE(read_bitmap(to_pbm(picture)) == picture);
  }
}

TEST_CASE("a resized picture samples each pixel at its relative position, and its own size changes nothing") {
  const Picture small = read_painted("painted:2:8.4");
  CHECK(painted_text(resized(small, 4, 4)) == "painted:4:C.C.3.3");
  CHECK(resized(resized(small, 6, 8), 2, 2) == small);
  CHECK(resized(small, 2, 2) == small);
  CHECK(painted_text(resized(small, 3, 1)) == "painted:3:C");
}

}  // namespace sim

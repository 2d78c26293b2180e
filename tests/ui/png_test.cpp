#include "viz/platform/png.h"

#include <png.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "sim/base/check.h"

using platform::Picture;

namespace {

Picture small() {
  Picture picture{3, 2, {}};
  for (int i = 0; i < 6; ++i) {
    const auto v = static_cast<std::uint8_t>(i * 40);
    picture.rgba.insert(picture.rgba.end(), {v, static_cast<std::uint8_t>(255 - v), 7, 255});
  }
  return picture;
}

Picture read(const std::string& bytes) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) != 0);
  image.format = PNG_FORMAT_RGBA;
  Picture picture{static_cast<int>(image.width), static_cast<int>(image.height), {}};
  picture.rgba.resize(PNG_IMAGE_SIZE(image));
  REQUIRE(png_image_finish_read(&image, nullptr, picture.rgba.data(), 0, nullptr) != 0);
  REQUIRE((image.warning_or_error & PNG_IMAGE_ERROR) == 0);
  return picture;
}

}  // namespace

TEST_CASE("a picture is restored from its PNG, with a text and without") {
  const std::string plain = platform::png_bytes(small());
  const std::string described = platform::png_bytes(small(), {"Description", "flash2, N 2048"});
  CHECK((read(plain) == small()));
  CHECK((read(described) == small()));
  CHECK(plain.find("tEXt") == std::string::npos);
  CHECK(described.size() == plain.size() + 12 + std::string("Description flash2, N 2048").size());
  CHECK(described.substr(37, 30) == std::string("tEXtDescription\0flash2, N 2048", 30));
}

TEST_CASE("the text of a PNG has a valid checksum") {
  const std::string described = platform::png_bytes(small(), {"Description", "flash2, N 2048"});
  // Computed with zlib.crc32 of Python over "tEXtDescription\0flash2, N 2048".
  CHECK(described.substr(67, 4) == "\x2a\xeb\xa5\xde");
}

TEST_CASE("keywords and pictures that PNG does not allow are refused") {
  CHECK_THROWS_WITH(platform::png_bytes(small(), {"", "text"}), Catch::Contains("1 to 79 printable ASCII characters"));
  CHECK_THROWS_AS(platform::png_bytes(small(), {"a\nb", "text"}), sim::Error);
  CHECK_THROWS_AS(platform::png_bytes({}), sim::Error);
  CHECK_THROWS_WITH(platform::png_bytes({2, 2, {1, 2, 3}}), "png: a picture of 2 x 2 with 3 bytes cannot be written");
}

TEST_CASE("a picture that cannot be written is reported with path and reason") {
  CHECK_THROWS_WITH(platform::write_png("/nowhere/picture.png", small()), Catch::Contains("/nowhere/picture.png"));
}

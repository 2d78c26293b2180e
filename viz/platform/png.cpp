#include "viz/platform/png.h"

#include <png.h>
#include <zlib.h>

#include <algorithm>

#include "sim/base/check.h"
#include "viz/files/output_file.h"

namespace platform {
namespace {

std::string big_endian(std::size_t number) {
  std::string bytes;
  for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(number >> shift & 255);
  return bytes;
}

/// The chunk tEXt: size, "tEXt", keyword, a zero, text, and the checksum of everything except the size.
std::string text_chunk(const PngText& text) {
  const auto printable = [](char c) { return c >= ' ' && c <= '~'; };
  sim::require(!text.keyword.empty() && text.keyword.size() <= 79 &&
                   std::all_of(text.keyword.begin(), text.keyword.end(), printable),
               "png: the keyword \"", text.keyword, "\" must have 1 to 79 printable ASCII characters");
  sim::require(text.text.find('\0') == std::string_view::npos, "png: the text of \"", text.keyword, "\" holds a zero");
  std::string body = "tEXt" + std::string(text.keyword) + '\0' + std::string(text.text);
  const auto* bytes = reinterpret_cast<const Bytef*>(body.data());
  const uLong checksum = crc32(0, bytes, static_cast<uInt>(body.size()));
  return big_endian(body.size() - 4) + body + big_endian(checksum);
}

std::vector<std::uint8_t> without_alpha(const Picture& picture) {
  std::vector<std::uint8_t> rgb;
  rgb.reserve(picture.rgba.size() / 4 * 3);
  for (std::size_t i = 0; i < picture.rgba.size(); i += 4) {
    rgb.insert(rgb.end(), picture.rgba.begin() + static_cast<std::ptrdiff_t>(i),
               picture.rgba.begin() + static_cast<std::ptrdiff_t>(i) + 3);
  }
  return rgb;
}

}  // namespace

std::string png_bytes(const Picture& picture, const PngText& text) {
  const auto pixels = static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height);
  sim::require(picture.width > 0 && picture.height > 0 && picture.rgba.size() == pixels * 4, "png: a picture of ",
               picture.width, " x ", picture.height, " with ", picture.rgba.size(), " bytes cannot be written");
  const std::string chunk = text.text.empty() ? std::string() : text_chunk(text);
  const std::vector<std::uint8_t> rgb = without_alpha(picture);

  // libpng's simple interface reports errors by its return value; the other one jumps over destructors.
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width);
  image.height = static_cast<png_uint_32>(picture.height);
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string bytes(size, '\0');
  const int written = png_image_write_to_memory(&image, bytes.data(), &size, 0, rgb.data(), 0, nullptr);
  sim::require(written != 0, "png: ", image.message);
  bytes.resize(size);
  constexpr std::size_t header = 8 + 25;  // the signature and the chunk IHDR, which must come first
  return bytes.insert(header, chunk);
}

void write_png(const std::filesystem::path& path, const Picture& picture, const PngText& text) {
  files::OutputFile file(path);
  file.write(png_bytes(picture, text));
  file.commit();
}

}  // namespace platform

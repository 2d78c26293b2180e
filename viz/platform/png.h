// Pictures as PNG files.
// Source: W3C, Portable Network Graphics specification, third edition, section 11.3.3 (text chunks).
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "viz/platform/picture.h"

namespace platform {

/// A text inside a PNG that viewers show as a property.
struct PngText {
  std::string_view keyword;  ///< 1 to 79 printable ASCII characters: "Software", "Description"
  std::string_view text;     ///< Latin-1 without zeros; empty if there is none
};

/// The bytes of a PNG file, eight bits per channel, without alpha. Throws sim::Error for a picture without pixels, and
/// for a keyword or text that a PNG cannot hold.
std::string png_bytes(const Picture& picture, const PngText& text = {});

/// Writes the PNG to a file, complete or unchanged. Throws sim::Error with the path and the system's reason.
void write_png(const std::filesystem::path& path, const Picture& picture, const PngText& text = {});

}  // namespace platform

// Pictures as PNG files.
// Source: W3C, Portable Network Graphics specification, third edition, section 11.3.3 (text chunks).
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "viz/platform/picture.h"

namespace platform {

/// A text inside of a PNG that viewers show as a property.
struct PngText {
  std::string_view keyword;  ///< 1 to 79 printable ASCII characters: "Software", "Description"
  std::string_view text;     ///< Latin-1 without zeros; empty: there is no text
};

/// The bytes of a PNG file, eight bits a channel, without alpha. Throws sim::Error for a picture without pixels and a
/// keyword or text that a PNG cannot hold.
std::string png_bytes(const Picture& picture, const PngText& text = {});

/// Writes it to a file that is complete or as it was before. Throws sim::Error with the path and the system's reason.
void write_png(const std::filesystem::path& path, const Picture& picture, const PngText& text = {});

}  // namespace platform

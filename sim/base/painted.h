// Small pictures encoded as one argument, for command lines and links: "painted:4:8.C.E.F".
#pragma once
#include <string>
#include <string_view>

#include "sim/base/picture.h"

namespace sim {

inline constexpr std::string_view painted_name = "painted";
/// Largest number of pixels; a larger picture must be a file: 256 x 256 take up to 16,640 characters.
inline constexpr std::int64_t most_painted = std::int64_t{1} << 16;

/// Reads "painted:COLUMNS:ROW.ROW...", rows from the top: each hexadecimal digit is four pixels, the first pixel is the
/// highest bit, 1 is black. Missing digits are white, so a row may be empty. Throws Error that states the fault and the
/// allowed values: no size, a character that is not a hexadecimal digit, a row that is too long, more than
/// most_painted.
Picture read_painted(std::string_view typed);

/// Returns the shortest text that read_painted() reads as this picture.
std::string painted_text(const Picture& picture);

/// Resamples a picture: each new pixel has the colour of the old one at its position. O(pixels).
Picture resized(const Picture& picture, std::int64_t width, std::int64_t height);

}  // namespace sim

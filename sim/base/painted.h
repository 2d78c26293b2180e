// Small pictures in one word, for command lines and links: "painted:4:8.C.E.F".
#pragma once
#include <string>
#include <string_view>

#include "sim/base/picture.h"

namespace sim {

inline constexpr std::string_view painted_name = "painted";
/// More pixels than this are a file of their own: 256 x 256 make up to 16,640 characters.
inline constexpr std::int64_t most_painted = std::int64_t{1} << 16;

/// "painted:COLUMNS:ROW.ROW...": a row from the top is hexadecimal digits, four pixels each, the first pixel the
/// highest bit, 1 is black; pixels that a row does not name are white, so that one may be empty. Throws Error with what
/// is wrong and what is allowed: no size, a sign that is no digit, a row that is too long, more than most_painted.
Picture read_painted(std::string_view typed);

/// The shortest word for a picture.
std::string painted_text(const Picture& picture);

/// The picture drawn with another number of pixels: each is that of the old one at the same place. O(pixels).
Picture resized(const Picture& picture, std::int64_t width, std::int64_t height);

}  // namespace sim

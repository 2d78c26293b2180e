// The checksum of what is written: CRC-32, as in .zip and .png files.
#pragma once
#include <zlib.h>

#include <cstdint>
#include <string_view>

namespace files {

/// Of the bytes whose checksum is `before`, followed by these; 0 is that of none.
inline std::uint32_t checksum(std::uint32_t before, std::string_view bytes) {
  return static_cast<std::uint32_t>(
      ::crc32_z(before, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

}  // namespace files

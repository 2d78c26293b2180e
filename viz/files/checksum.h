// Checksum of written files: CRC-32, as in .zip and .png files.
#pragma once
#include <zlib.h>

#include <cstdint>
#include <string_view>

namespace files {

/// Extends the checksum `before` by these bytes; 0 is that of no bytes.
inline std::uint32_t checksum(std::uint32_t before, std::string_view bytes) {
  return static_cast<std::uint32_t>(
      ::crc32_z(before, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

}  // namespace files

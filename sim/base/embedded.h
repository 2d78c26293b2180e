// Files that are compiled into the program byte for byte: device files, program listings.
#pragma once
#include <string_view>
#include <vector>

namespace sim {

/// Returns the bytes of an embedded file, named by its path below sim/: "machine/devices/toy.toml". Valid as long as
/// the program runs. Throws Error for an unknown path.
std::string_view embedded_text(std::string_view path);

/// Returns the paths of all embedded files, in the order of embed_text() in sim/CMakeLists.txt.
std::vector<std::string_view> embedded_paths();

}  // namespace sim

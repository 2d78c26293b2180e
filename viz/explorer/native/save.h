// Files that the window saves.
#pragma once
#include <string>
#include <string_view>

namespace explorer {

/// Writes a new file in the working directory, never over another: "name.csv", or "name-2.csv" and so on. Returns its
/// name. Throws sim::Error with the name and the system's reason, leaving no partial file.
std::string save_new(const std::string& name, std::string_view bytes);

}  // namespace explorer

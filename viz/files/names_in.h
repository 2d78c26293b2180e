// Lists the names in a folder.
#pragma once
#include <string>
#include <vector>

namespace files {

/// Returns the names in a folder, sorted, without "." and ".."; empty if it cannot be read. Uses opendir(), since
/// std::filesystem::directory_iterator of libstdc++ 14 crashes if memory for its path is short. Throws std::bad_alloc.
std::vector<std::string> names_in(const std::string& folder);

}  // namespace files

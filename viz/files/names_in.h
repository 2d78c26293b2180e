// What a folder holds.
#pragma once
#include <string>
#include <vector>

namespace files {

/// The names in a folder in their order, without "." and ".."; none where it cannot be read. By opendir(), since
/// std::filesystem::directory_iterator of libstdc++ 14 ends in a segmentation fault where memory for its path is short.
/// Throws std::bad_alloc.
std::vector<std::string> names_in(const std::string& folder);

}  // namespace files

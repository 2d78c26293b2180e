// Files that a command reads.
#pragma once
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "sim/catalogue/options.h"

namespace terminal {

/// A regular file of at most `limit` bytes that can be read, noted as an input of this command, or sim::Error that
/// begins with the option's name: what cannot be read, or would fill the memory, is refused here.
void check_input(const std::string& option, const std::string& path, std::int64_t limit);

/// The same of a pattern among options of a scenario that is a picture.
void check_pattern_file(const sim::OptionValues& values);

/// The text of such a file.
std::string read_text(const std::string& option, const std::string& path, std::int64_t limit);

/// A file opened for reading; one that cannot be opened is not good(). Throws std::bad_alloc if memory ran out.
std::ifstream open_input(const std::filesystem::path& path);

}  // namespace terminal

// Files that options name: a device, the picture of a pattern.
#pragma once
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>

#include "sim/catalogue/options.h"

namespace results {

/// Functions by which a caller reads files: one may note what it reads.
struct OptionFiles {
  sim::GpuLookup gpu;
  std::function<void(const sim::OptionValues&)> check;  ///< throws sim::Error for a picture that cannot be read
};

/// A regular file of at most `limit` bytes that can be read, or sim::Error that begins with the option's name: what
/// cannot be read, or would fill the memory, is refused here.
void check_input(const std::string& option, const std::string& path, std::int64_t limit);

/// Calls `check` for a pattern among options of a scenario that is a picture.
void check_pattern_file(const sim::OptionValues& values,
                        void (*check)(const std::string&, const std::string&, std::int64_t) = check_input);

/// The text of such a file.
std::string read_text(const std::string& option, const std::string& path, std::int64_t limit);

/// A file opened for reading; one that cannot be opened is not good(). Throws std::bad_alloc if memory ran out.
std::ifstream open_input(const std::filesystem::path& path);

/// True if the name of a device is that of a file.
bool names_device_file(const std::string& name);

/// Largest file of a device, in bytes.
inline constexpr std::int64_t longest_device = 1 << 20;

/// A built-in device by name, or a file ending in .toml.
std::shared_ptr<const sim::DeviceSpec> find_gpu(const std::string& name);

/// Reads both and notes nothing.
OptionFiles plain_files();

}  // namespace results

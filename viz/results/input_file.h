// Files named by options: a device, the picture of a pattern, a list of lengths.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/catalogue/options.h"

namespace results {

/// Functions with which a caller reads files, for example to record what it reads.
struct OptionFiles {
  sim::GpuLookup gpu;
  std::function<void(const sim::OptionValues&)> check;  ///< throws sim::Error for a picture that cannot be read
  /// Replaces the file of a model by its options: expand_model_file().
  std::function<void(sim::OptionValues&, std::vector<std::string>& notes)> model;
};

/// Throws sim::Error, starting with the option's name, unless `path` is a readable file of at most `limit` bytes.
void check_input(const std::string& option, const std::string& path, std::int64_t limit);

/// Calls `check` for the files among a scenario's options: the picture of a pattern, the list of seqlens.
void check_pattern_file(const sim::OptionValues& values,
                        void (*check)(const std::string&, const std::string&, std::int64_t) = check_input);

/// The text of a file that passes check_input().
std::string read_text(const std::string& option, const std::string& path, std::int64_t limit);

/// True if the name of a device is a file name.
bool names_device_file(const std::string& name);

/// Largest size of a device file, in bytes.
inline constexpr std::int64_t longest_device = 1 << 20;

/// A built-in device by name, or a file ending in .toml.
std::shared_ptr<const sim::DeviceSpec> find_gpu(const std::string& name);

/// Reads files without recording them.
OptionFiles plain_files();

}  // namespace results

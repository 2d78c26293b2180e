// Input files: their bytes, the limit, and files that cannot be read to an end.
#include "sim/base/read_file.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <random>

#include "sim/base/text.h"

namespace sim {
namespace {

using Catch::Contains;

/// A file with these bytes, removed with the object.
class Written {
 public:
  explicit Written(const std::string& bytes)
      : path_((std::filesystem::temp_directory_path() / text("flashscope_", std::random_device{}())).string()) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~Written() { std::filesystem::remove(path_); }
  Written(const Written&) = delete;
  Written& operator=(const Written&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

TEST_CASE("a file up to the limit is read whole, and one byte more is refused with both numbers") {
  for (const std::size_t size : {0U, 1U, 65535U, 65536U, 65537U, 200000U}) {
    std::string bytes(size, '\0');
    for (std::size_t n = 0; n < size; ++n) bytes[n] = static_cast<char>(n * 31 % 256);
    const Written file(bytes);
    const auto limit = static_cast<std::int64_t>(size);
    CHECK(read_file(file.path(), limit) == bytes);
    if (size == 0) continue;
    CHECK_THROWS_WITH(read_file(file.path(), limit - 1, "gpu: x"),
                      text("gpu: x: has ", size, " bytes, allowed are at most ", limit - 1));
  }
}

TEST_CASE("a missing file, a folder and a device are errors that differ from wrong contents") {
  const auto error_of = [](const std::string& path) {
    try {
      read_file(path, 100);
    } catch (const FileError& error) {
      return text(error.what(), error.is_missing() ? " (missing)" : "");
    }
    return std::string("read");
  };
  CHECK(error_of("/nowhere/at/all") == "/nowhere/at/all: cannot be read: no such file (missing)");
  const std::string folder = std::filesystem::temp_directory_path().string();
  CHECK(error_of(folder) == folder + ": is not a regular file");
  CHECK(error_of("/dev/zero") == "/dev/zero: is not a regular file");
}

TEST_CASE("a file whose size is unknown is read to its end, and one without an end is refused") {
  if (std::ifstream("/proc/self/status").good()) {
    CHECK_THAT(read_file("/proc/self/status", 1 << 20), Contains("Pid:"));
    CHECK_THROWS_WITH(read_file("/proc/self/status", 10), Contains("/proc/self/status: has more than 10 bytes"));
  }
  if (!std::ifstream("/proc/kmsg").good()) return;  // only root may read it
  CHECK_THROWS_WITH(read_file("/proc/kmsg", 1 << 28), Contains("/proc/kmsg: has no end") || Contains("Operation not"));
}

}  // namespace sim

#include "viz/explorer/native/save.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "sim/base/check.h"

namespace explorer {
namespace {

std::string numbered(const std::string& name, int number) {
  if (number == 1) return name;
  const std::filesystem::path path(name);
  return sim::text(path.stem().string(), "-", number, path.extension().string());
}

}  // namespace

std::string save_new(const std::string& name, std::string_view bytes) {
  constexpr int most = 1000;
  for (int number = 1; number <= most; ++number) {
    std::string free = numbered(name, number);
    std::FILE* file = std::fopen(free.c_str(), "wbx");  // x: fails if the file exists
    if (file == nullptr && errno == EEXIST) continue;
    sim::require(file != nullptr, "save: cannot write ", free, ": ", std::strerror(errno));
    const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    const int reason = errno;
    const bool complete = std::fclose(file) == 0 && written;
    if (complete) return free;
    std::remove(free.c_str());
    throw sim::Error(sim::text("save: cannot write ", free, ": ", std::strerror(written ? errno : reason)));
  }
  throw sim::Error(sim::text("save: there are ", most, " files like ", name, " already"));
}

}  // namespace explorer

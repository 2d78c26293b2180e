#include "viz/explorer/native/first_visit.h"

#include <cstdlib>
#include <fstream>

namespace explorer {

std::filesystem::path state_folder() {
  const auto folder = [](const char* variable) {
    const char* value = std::getenv(variable);
    const std::filesystem::path path = value == nullptr ? "" : value;
    return path.is_absolute() ? path : std::filesystem::path();  // others are to be ignored, says the XDG standard
  };
  if (const auto state = folder("XDG_STATE_HOME"); !state.empty()) return state / "flashscope";
  const auto home = folder("HOME");
  return home.empty() ? home : home / ".local/state/flashscope";
}

bool first_visit(const std::filesystem::path& folder) {
  if (folder.empty()) return false;
  std::error_code error;
  const std::filesystem::path mark = folder / "visited";
  if (std::filesystem::exists(mark, error) || error) return false;
  std::filesystem::create_directories(folder, error);
  std::ofstream file(mark);
  return file.is_open();
}

}  // namespace explorer

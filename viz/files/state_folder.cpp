#include "viz/files/state_folder.h"

#include <cstdlib>

namespace files {

std::filesystem::path state_folder() {
  const auto folder = [](const char* variable) {
    const char* value = std::getenv(variable);
    const std::filesystem::path path = value == nullptr ? "" : value;
    return path.is_absolute() ? path : std::filesystem::path();  // relative paths are ignored, as XDG requires
  };
  if (const auto state = folder("XDG_STATE_HOME"); !state.empty()) return state / "flashscope";
  const auto home = folder("HOME");
  return home.empty() ? home : home / ".local/state/flashscope";
}

}  // namespace files

#include "viz/explorer/native/first_visit.h"

#include <fstream>

namespace explorer {

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

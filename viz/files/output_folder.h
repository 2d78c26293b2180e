// A folder for results.
#pragma once
#include <filesystem>
#include <vector>

#include "viz/files/folder_lock.h"

namespace files {

/// Created with its parents before the work starts; what was created and is still empty at the end goes away again.
/// Temporaries that ended processes left there are removed. Throws sim::Error with the path and the system's reason, or
/// if another process writes into the folder.
class OutputFolder {
 public:
  explicit OutputFolder(std::filesystem::path path);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  void create();
  void remove_created();
  std::filesystem::path path_;
  std::vector<std::filesystem::path> created_;  ///< outermost first
  FolderLock lock_;
};

/// A new name lasts only when its folder knows of it. Best effort: the file is also there without.
void sync_folder_of(const std::filesystem::path& file) noexcept;

}  // namespace files

// A folder for results.
#pragma once
#include <filesystem>
#include <vector>

#include "viz/files/folder_lock.h"

namespace files {

/// Created with its parents before the work starts; created folders still empty at the end are removed. Leftover
/// temporaries of ended processes are removed. Throws sim::Error with the path and the system's reason, or if another
/// process writes into the folder.
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

/// Flushes a file's folder to disk, so that a new name survives a crash. Best effort: the file exists anyway.
void sync_folder_of(const std::filesystem::path& file) noexcept;

}  // namespace files

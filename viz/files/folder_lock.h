// A lock on a folder, so that two processes do not write into it at once. It needs no file and ends with its process.
#pragma once
#include <filesystem>
#include <memory>

namespace files {

/// Held while the object lives. Objects of one process share the lock. File systems without locks are not locked.
class FolderLock {
 public:
  enum class Result { held, busy, gone };  ///< busy: another process has it; gone: the folder is another, or none
  /// Waits for the process that holds it if `wait`.
  Result take(const std::filesystem::path& folder, bool wait);

 private:
  std::shared_ptr<const int> descriptor_;
};

}  // namespace files

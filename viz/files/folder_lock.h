// A lock on a folder that keeps two processes from writing into it at once. It needs no file and ends with its process.
#pragma once
#include <filesystem>
#include <memory>

namespace files {

/// Held during the object's lifetime. Objects of one process share the lock. File systems without locks are not locked.
class FolderLock {
 public:
  enum class Result { held, busy, gone };  ///< busy: another process has it; gone: the folder was replaced or removed
  /// Waits for the process that has the lock if `wait`.
  Result take(const std::filesystem::path& folder, bool wait);

 private:
  std::shared_ptr<const int> descriptor_;
};

}  // namespace files

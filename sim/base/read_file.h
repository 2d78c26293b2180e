// Input files, read whole: regular files with an end, up to a limit.
#pragma once
#include <cstdint>
#include <string>

#include "sim/base/check.h"

namespace sim {

/// A file that cannot be opened or read, as opposed to one with wrong contents.
class FileError : public Error {
 public:
  FileError(const Sentence& message, bool missing) : Error(message), missing_(missing) {}
  bool is_missing() const { return missing_; }  ///< there is no such file

 private:
  bool missing_;
};

/// Returns the bytes of a regular file of at most `limit` bytes. Errors begin with `name`. Throws FileError with the
/// system's reason if the file cannot be opened or read, or if a reader would have to wait for more (/proc/kmsg is a
/// regular file without an end); Error if it is larger; std::bad_alloc if memory runs out.
std::string read_file(const std::string& path, std::int64_t limit, const std::string& name);
inline std::string read_file(const std::string& path, std::int64_t limit) { return read_file(path, limit, path); }

}  // namespace sim

// Tracks the files this command reads and writes, by identity, not name: no input is overwritten, no file written
// twice. Symbolic and hard links count, and so does the target of redirected standard output.
#pragma once
#include <sys/types.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>

namespace files {

/// A name in a folder, and the file that has it, if there is one.
struct FilePlace {
  struct Inode {
    dev_t device;
    ino_t number;
    bool operator==(const Inode&) const = default;
  };
  std::filesystem::path target;  ///< the path, with symbolic links to the file followed
  std::optional<Inode> folder, file;
  bool same_name(const FilePlace& other) const;
  bool same_file(const FilePlace& other) const;  ///< existing or still to be created
};

/// Identity of a path. Devices, pipes and folders have none, and are equal to nothing.
FilePlace place_of(const std::filesystem::path& path);

/// Records a file that option `option` reads. Throws sim::Error if this command writes it.
void note_input(const std::string& option, const std::filesystem::path& path);

/// Registers a file as an output of this command during its lifetime. Throws sim::Error if the command reads it, or
/// writes it as another output.
class OutputClaim {
 public:
  /// `what`: "output" or the option, for errors.
  OutputClaim(std::string what, std::filesystem::path path);
  ~OutputClaim();
  OutputClaim(OutputClaim&& other) noexcept;
  OutputClaim& operator=(OutputClaim&&) = delete;
  const std::filesystem::path& path() const { return path_; }            ///< as given
  const std::filesystem::path& target() const { return place_.target; }  ///< the file that is replaced

  /// Name for errors: "output o.npy".
  std::string name() const { return what_ + " " + path_.string(); }
  const FilePlace& place() const { return place_; }
  /// Throws sim::Error: "output o.npy: cannot be written: No space left on device".
  [[noreturn]] void fail(const char* what, const char* reason = std::strerror(errno)) const;

 private:
  std::string what_;
  std::filesystem::path path_;
  FilePlace place_;
};

}  // namespace files

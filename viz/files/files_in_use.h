// Which files this command reads and which it writes, whatever they are called: what it reads is not overwritten, and
// nothing is written twice. Links count, hard ones as well, and so does a file that standard output goes to.
#pragma once
#include <sys/types.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>

namespace files {

/// A name in a folder, and the file that bears it, where there is one.
struct FilePlace {
  struct Inode {
    dev_t device;
    ino_t number;
    bool operator==(const Inode&) const = default;
  };
  std::filesystem::path target;  ///< the path, with symbolic links to the file followed
  std::optional<Inode> folder, file;
  bool same_name(const FilePlace& other) const;
  bool same_file(const FilePlace& other) const;  ///< or where it will be
};

/// Devices, pipes and folders are in no place: they are the same as nothing.
FilePlace place_of(const std::filesystem::path& path);

/// Notes a file that option `option` reads. Throws sim::Error when this command writes it.
void note_input(const std::string& option, const std::filesystem::path& path);

/// While it lives, the file is an output of this command. Throws sim::Error when the command reads it, or writes it as
/// another output.
class OutputClaim {
 public:
  /// `what`: "output" or the option, for errors.
  OutputClaim(std::string what, std::filesystem::path path);
  ~OutputClaim();
  OutputClaim(OutputClaim&& other) noexcept;
  OutputClaim& operator=(OutputClaim&&) = delete;
  const std::filesystem::path& path() const { return path_; }            ///< as given
  const std::filesystem::path& target() const { return place_.target; }  ///< the file that is replaced

  /// "output o.npy"
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

// Files that are either complete or as they were before.
#pragma once
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "viz/files/files_in_use.h"
#include "viz/files/temporaries.h"

namespace files {

/// Opened before the work starts, so that an unwritable path, an input of this command or another output of it is found
/// early; an existing file is replaced only by commit(), when the new one is complete, and its owner and permissions
/// stay. Without commit() nothing is left behind. Throws sim::Error with the path and the system's reason.
class OutputFile {
 public:
  explicit OutputFile(std::filesystem::path target);
  ~OutputFile();
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  void commit();
  const std::filesystem::path& path() const { return claim_.path(); }  ///< as given
  const FilePlace& place() const { return claim_.place(); }
  std::uint64_t size() const { return size_; }          ///< of what was written
  std::uint32_t checksum() const { return checksum_; }  ///< its CRC-32

  /// For another program that writes in our place. A device or a pipe, which is not replaced, cannot be lent: -1.
  int lend() const { return direct_ ? -1 : descriptor_; }

  // What commit() does, in steps, for files that belong together.
  void prepare();             ///< complete, on the disk, beside the target
  void replace();             ///< is there now, and the old one beside it
  void take_back() noexcept;  ///< undoes replace(), where the file system can
  void settle() noexcept;     ///< the old one goes

 private:
  void open_temporary();
  void keep_alive();
  void keep_owner_and_mode() const;
  bool link_as(const std::filesystem::path& name) const;
  std::filesystem::path folder() const;

  enum class Replaced { no, new_name, exchanged, lost };
  OutputClaim claim_;
  TemporaryName temporary_;  ///< none while the file has no name
  int descriptor_ = -1;
  int alive_ = -1;       ///< holds the lock of the temporary that says whose it is
  bool direct_ = false;  ///< devices and pipes (/dev/stdout) are written in place
  Replaced replaced_ = Replaced::no;
  std::uint64_t size_ = 0;
  std::uint32_t checksum_ = 0;
};

}  // namespace files

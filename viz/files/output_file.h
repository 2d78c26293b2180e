// Output files that are either complete or unchanged.
#pragma once
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "viz/files/files_in_use.h"
#include "viz/files/temporaries.h"

namespace files {

/// Opened before the work starts, so that an unwritable path, or one that this command reads or also writes, is found
/// early. commit() replaces an existing file once the new one is complete, and keeps its owner and permissions. Without
/// commit() nothing is left. Throws sim::Error with the path and the system's reason.
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
  std::uint64_t size() const { return size_; }          ///< bytes written
  std::uint32_t checksum() const { return checksum_; }  ///< its CRC-32

  // Steps of commit(), for files that belong together.
  void prepare();             ///< completes the new file on disk, next to the target
  void replace();             ///< puts it at the target, and the old file next to it
  void take_back() noexcept;  ///< undoes replace(), if the file system can
  void settle() noexcept;     ///< removes the old file

 private:
  void open_temporary();
  void keep_alive();
  void keep_owner_and_mode() const;
  bool link_as(const std::filesystem::path& name) const;
  std::filesystem::path folder() const;

  enum class Replaced { no, new_name, exchanged, lost };
  OutputClaim claim_;
  TemporaryName temporary_;  ///< empty while the file has no name
  int descriptor_ = -1;
  int alive_ = -1;       ///< lock of the temporary, which marks it as in use
  bool direct_ = false;  ///< devices and pipes (/dev/stdout) are written in place
  Replaced replaced_ = Replaced::no;
  std::uint64_t size_ = 0;
  std::uint32_t checksum_ = 0;
};

}  // namespace files

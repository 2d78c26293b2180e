// Files that are either complete or as they were before.
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace terminal {

/// Opened before the work starts, so that an unwritable path is found early; an existing file is replaced only by
/// commit(), when the new one is complete. Without commit() nothing is left behind. Throws sim::Error with the path and
/// the system's reason.
class OutputFile {
 public:
  explicit OutputFile(std::filesystem::path target);
  ~OutputFile();
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  void commit();
  const std::filesystem::path& path() const { return asked_; }  ///< as given

 private:
  std::string temporary_name() const;         ///< beside the target, ending in XXXXXX
  void give_name();                           ///< links the nameless file in
  std::filesystem::path asked_, target_;      ///< target_: through links, the file that is replaced
  std::filesystem::path temporary_;           ///< empty while the file has no name
  int descriptor_ = -1;
  bool direct_ = false;  ///< devices and pipes (/dev/stdout) are written in place
};

}  // namespace terminal

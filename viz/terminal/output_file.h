// Files that are either complete or as they were before.
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
  std::string temporary_name() const;  ///< beside the target, ending in XXXXXX
  bool link_as(const std::filesystem::path& name) const;
  void give_name();                       ///< links the nameless file in: as the target, or beside one that exists
  std::filesystem::path asked_, target_;  ///< target_: through links, the file that is replaced
  std::filesystem::path temporary_;       ///< empty while the file has no name
  int descriptor_ = -1;
  bool direct_ = false;  ///< devices and pipes (/dev/stdout) are written in place
};

/// A folder for results, created with its parents before the work starts; what was created and is still empty at the
/// end goes away again. Throws sim::Error with the path and the system's reason.
class OutputFolder {
 public:
  explicit OutputFolder(std::filesystem::path path);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  void remove_created();
  std::filesystem::path path_;
  std::vector<std::filesystem::path> created_;  ///< outermost first
};

}  // namespace terminal

// Files that one command writes: all are replaced, or all are unchanged.
#pragma once
#include <list>
#include <optional>
#include <string>

#include "viz/files/complete_mark.h"
#include "viz/files/output_file.h"
#include "viz/files/output_folder.h"

namespace files {

/// Opens files before the work starts. commit() puts all of them on disk before it replaces the first; if one cannot be
/// replaced, the earlier ones are restored. A kill during the replacement leaves an incomplete set, which the folder
/// records: see CompleteMark.
class OutputSet {
 public:
  OutputSet() = default;
  /// Sets the folder for add_in_folder(), created if missing. `command`: the command line recorded in complete.json.
  void use_folder(std::filesystem::path folder, std::string command);
  /// Adds a file. The reference is valid as long as the set.
  OutputFile& add(std::filesystem::path path);
  OutputFile& add_in_folder(const std::string& name);
  void leave_out(const OutputFile& file);  ///< keeps the old file
  void commit();

 private:
  void replace_all();
  std::string command_;
  std::optional<OutputFolder> folder_;  // destroyed last: removed if no file was completed in it
  std::optional<CompleteMark> mark_;
  std::list<OutputFile> files_;
};

}  // namespace files

// The files that one command writes: all are new at the end, or all are as they were.
#pragma once
#include <list>
#include <optional>
#include <string>

#include "viz/files/complete_mark.h"
#include "viz/files/output_file.h"
#include "viz/files/output_folder.h"

namespace files {

/// Files are opened before the work starts. commit() puts all of them on the disk before it replaces the first; where
/// one cannot be replaced, those before it are taken back. A kill in the instant of replacing leaves a set that is not
/// complete, which the folder says: see CompleteMark.
class OutputSet {
 public:
  OutputSet() = default;
  /// The folder for add_in_folder(), made where there is none. `command`: what complete.json says was run.
  void use_folder(std::filesystem::path folder, std::string command);
  /// What is returned lives as long as the set.
  OutputFile& add(std::filesystem::path path);
  OutputFile& add_in_folder(const std::string& name);
  void leave_out(const OutputFile& file);  ///< it stays as it was
  void commit();

 private:
  void replace_all();
  std::string command_;
  std::optional<OutputFolder> folder_;  // first in, last out: it goes away when no file was completed in it
  std::optional<CompleteMark> mark_;
  std::list<OutputFile> files_;
};

}  // namespace files

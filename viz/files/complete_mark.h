// complete.json in an output folder: which files one command wrote there, so that who reads one of them knows that all
// belong together.
#pragma once
#include <filesystem>
#include <list>
#include <string>

#include "viz/files/output_file.h"

namespace files {

/// While the files are being replaced the list is called incomplete.json, and there is no complete.json.
class CompleteMark {
 public:
  /// Throws sim::Error where the folder holds a file of that name that is not FlashScope's.
  CompleteMark(const std::filesystem::path& folder, std::string command);

  // The steps of OutputSet::commit().
  void prepare(const std::list<OutputFile>& files);  ///< lists those of the folder
  void begin();
  void end();
  void take_back() noexcept;
  void settle() noexcept;

 private:
  std::string command_;
  OutputFile incomplete_;
  OutputClaim complete_;
  TemporaryName old_;  ///< what complete.json was
  bool moved_ = false;
};

/// Why a file may be another than its folder's complete.json says, or of a set that is not complete, and what to do; ""
/// where nothing speaks against it. Reads the file where its size is right.
std::string doubt_of_set(const std::filesystem::path& file);

}  // namespace files

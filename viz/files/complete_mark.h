// complete.json in an output folder: the files that one command wrote there, so that readers can detect mixed runs.
#pragma once
#include <filesystem>
#include <list>
#include <string>

#include "viz/files/output_file.h"

namespace files {

/// While the files are being replaced, the list is named incomplete.json, and there is no complete.json.
class CompleteMark {
 public:
  /// Throws sim::Error if the folder holds a file of that name that FlashScope did not write.
  CompleteMark(const std::filesystem::path& folder, std::string command);

  // Steps of OutputSet::commit().
  void prepare(const std::list<OutputFile>& files);  ///< lists those in the folder
  void begin();
  void end();
  void take_back() noexcept;
  void settle() noexcept;

 private:
  std::string command_;
  OutputFile incomplete_;
  OutputClaim complete_;
  TemporaryName old_;  ///< the previous complete.json
  bool moved_ = false;
};

/// Warning that a file differs from its entry in the folder's complete.json, or belongs to an incomplete set, with what
/// to do; "" if there is no such sign. Reads the file if its size is right.
std::string doubt_of_set(const std::filesystem::path& file);

}  // namespace files

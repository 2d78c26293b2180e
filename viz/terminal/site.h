// The files of a folder as answers to requests of browsers on this machine.
#pragma once
#include <ctime>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace terminal {

inline constexpr const char* one_file = "flashscope.html";  ///< the page in a folder without an index.html

class Site {
 public:
  explicit Site(std::filesystem::path folder);

  /// The answer, as it is sent, to the head of a request: GET or HEAD, of this machine by its own name, of a file below
  /// the folder or an index.html. A file that the browser has is 304, a range of bytes 206. Texts and the program are
  /// compressed for browsers that take gzip.
  std::string answer(std::string_view head);

 private:
  struct File {
    std::filesystem::file_time_type changed;
    std::string bytes, zipped, tag;  ///< zipped: empty if the file is not compressed
  };
  const File& file(const std::filesystem::path& path);

  std::filesystem::path folder_;
  std::map<std::filesystem::path, File> files_;  ///< those that were asked for
};

/// An answer that refuses: "405 Method Not Allowed" and a reason in words.
std::string refusal(unsigned status, const std::string& reason);

}  // namespace terminal

// Lines of a file, without the profiler's own messages.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace profile {

/// Converts the file to UTF-8 without a byte order mark: PowerShell writes UTF-16.
std::string in_utf8(std::string_view text);

/// Iterates over the lines of a text. Skips those that begin with "==PROF==", "==WARNING==" and the like, also inside a
/// cell of several lines.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  bool next();
  std::string_view line() const { return line_; }  ///< without its end
  std::int64_t number() const { return number_; }  ///< from 1

 private:
  std::string_view rest_, line_;
  std::int64_t number_ = 0;
};

}  // namespace profile

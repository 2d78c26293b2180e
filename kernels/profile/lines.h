// The lines of a file, without those in which the profiler speaks of itself.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace profile {

/// The file as UTF-8 without a byte order mark: PowerShell writes UTF-16.
std::string in_utf8(std::string_view text);

/// Walks the lines of a text. Those that begin with "==PROF==", "==WARNING==" and the like are left out, also within a
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

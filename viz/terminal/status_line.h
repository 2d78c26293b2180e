// The line that says what is going on; on a terminal only.
#pragma once
#include <unistd.h>

#include <cstdio>
#include <string>

namespace terminal {

/// Shown on stderr in place of the one before, and cleared at the end.
class StatusLine {
 public:
  StatusLine() = default;
  ~StatusLine() {
    if (terminal_) std::fputs("\r\033[K", stderr);
  }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  void show(const std::string& text) const {
    if (terminal_) std::fprintf(stderr, "\r%s\033[K", text.c_str());
  }

 private:
  bool terminal_ = ::isatty(STDERR_FILENO) != 0;
};

}  // namespace terminal

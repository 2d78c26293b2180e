#include "viz/terminal/status_line.h"

#include <unistd.h>

#include <cstdio>

#include "sim/base/check.h"
#include "sim/base/printable.h"
#include "sim/report/numbers.h"
#include "viz/terminal/colour_rule.h"

namespace terminal {

StatusLine::~StatusLine() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

void StatusLine::show(std::int64_t done, std::int64_t all) {
  show(sim::text(report::thousands(done), " of ", report::thousands(all), " ", unit_));
}

void StatusLine::show(const std::string& text) {
  if (Clock::now() - last_ >= std::chrono::milliseconds(100)) say(text);
}

void StatusLine::say(const std::string& text) {
  if (!takes_escapes(STDERR_FILENO)) return;
  last_ = Clock::now();
  shown_ = true;
  std::fprintf(stderr, "\r%s\033[K", sim::printable(what_ + ": " + text).c_str());
}

}  // namespace terminal

// Checks of a fuzzer on each input: a broken invariant aborts, and the input is kept.
#pragma once
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace fuzz {

inline void check(bool holds, const char* sentence) {
  if (holds) return;
  ::dprintf(STDERR_FILENO, "broken: %s\n", sentence);  // stderr itself may be redirected
  std::abort();
}

/// Checks every error message: one line, of limited length, no control characters.
inline void check_message(std::string_view message) {
  check(!message.empty() && message.size() < 2000, "a message is not empty and not long");
  for (const char c : message) check(static_cast<unsigned char>(c) >= ' ' && c != '\x7f', "a message is one line");
}

}  // namespace fuzz

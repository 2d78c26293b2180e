// Exact numbers as decimals, appended to a string.
#pragma once
#include <charconv>
#include <string>

#include "sim/base/units.h"

namespace sim {

inline void append_number(std::string& out, std::int64_t value) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

/// Appends n / 1000 with three decimals: 12345 -> "12.345". For n >= 0.
inline void append_thousandths(std::string& out, std::int64_t n) {
  append_number(out, n / 1000);
  const std::int64_t rest = n % 1000;
  const char decimals[] = {'.', static_cast<char>('0' + rest / 100), static_cast<char>('0' + rest / 10 % 10),
                           static_cast<char>('0' + rest % 10)};
  out.append(decimals, sizeof decimals);
}

/// Appends a time in cycles with the decimals it needs, at most eight: 1/256 -> "0.00390625". For times >= 0.
inline void append_cycles(std::string& out, Cycles time) {
  append_number(out, time.count() / ticks_per_cycle);
  std::int64_t rest = time.count() % ticks_per_cycle;
  if (rest > 0) out += '.';
  for (; rest > 0; rest = rest * 10 % ticks_per_cycle) out += static_cast<char>('0' + rest * 10 / ticks_per_cycle);
}

}  // namespace sim

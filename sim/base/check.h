// Errors of the simulator: wrong use and impossible configurations throw sim::Error with what, where and the numbers.
#pragma once
#include <cstdio>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace sim {

/// Wrong use or an impossible configuration. what() is one line: what is wrong, where, which values are allowed.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A tile that does not fit where a program puts it.
class TileOverflow : public Error {
 public:
  using Error::Error;
};

/// Joins text that is whole or an exception: without memory a std::ostringstream would go on, and lose what follows.
class TextStream : public std::ostringstream {
 public:
  TextStream() { exceptions(std::ios::badbit); }
};

/// The same for reading.
class WordStream : public std::istringstream {
 public:
  explicit WordStream(const std::string& text) : std::istringstream(text) { exceptions(std::ios::badbit); }
};

/// Adds a number with six digits, as a stream writes it.
inline void append_six_digits(std::string& out, double number) {
  char digits[32];  // "-1.23457e-308"
  const int size = std::snprintf(digits, sizeof digits, "%g", number);
  out.append(digits, static_cast<std::size_t>(size));
}

/// Adds what a stream writes. Streams bring all of the locales into a program, which a page would have to load: only
/// what has its own operator<< goes through one.
template <class Part>
void append_part(std::string& out, const Part& part) {
  if constexpr (std::is_convertible_v<const Part&, std::string_view>) {
    out += std::string_view(part);
  } else if constexpr (std::is_integral_v<Part> && sizeof(Part) == 1 && !std::is_same_v<Part, bool>) {
    out += static_cast<char>(part);
  } else if constexpr (std::is_integral_v<Part>) {
    out += std::to_string(part);
  } else if constexpr (std::is_floating_point_v<Part>) {
    append_six_digits(out, static_cast<double>(part));
  } else {
    TextStream stream;
    stream << part;
    out += stream.str();
  }
}

/// Joins its arguments as text: text("needs ", 3, " KiB") == "needs 3 KiB".
template <class... Part>
std::string text(const Part&... part) {
  std::string out;
  (append_part(out, part), ...);
  return out;
}

/// Throws Error with the joined message parts unless the condition holds. The parts are only joined on failure.
template <class... Part>
void require(bool condition, const Part&... message) {
  if (!condition) throw Error(text(message...));
}

}  // namespace sim

// Errors of the simulator: wrong use and impossible configurations throw sim::Error with what, where and the numbers.
#pragma once
#include <sstream>
#include <stdexcept>
#include <string>

namespace sim {

/// Wrong use or an impossible configuration. what() is one line: what is wrong, where, which values are allowed.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A tile that does not fit into the memory in which a program allocates it.
class TileOverflow : public Error {
 public:
  using Error::Error;
};

/// Output string stream that throws on failure: a plain std::ostringstream that runs out of memory silently drops text.
class TextStream : public std::ostringstream {
 public:
  TextStream() { exceptions(std::ios::badbit); }
};

/// Input string stream that throws on failure.
class WordStream : public std::istringstream {
 public:
  explicit WordStream(const std::string& text) : std::istringstream(text) { exceptions(std::ios::badbit); }
};

/// Joins its arguments as text: text("needs ", 3, " KiB") == "needs 3 KiB".
template <class... Part>
std::string text(const Part&... part) {
  TextStream out;
  (out << ... << part);
  return out.str();
}

/// Throws Error with the joined message parts unless the condition holds. The parts are only joined on failure.
template <class... Part>
void require(bool condition, const Part&... message) {
  if (!condition) throw Error(text(message...));
}

}  // namespace sim

// Errors of the simulator: wrong use and impossible configurations throw sim::Error with what, where and the numbers.
#pragma once
#include <memory>
#include <stdexcept>

#include "sim/base/sentence.h"

namespace sim {

/// Wrong use or an impossible configuration. what() is one line: what is wrong, where, which values are allowed.
/// sentence() is the same as a template with values, which can be translated.
class Error : public std::runtime_error {
 public:
  explicit Error(const Sentence& sentence)
      : std::runtime_error(sentence.text()), sentence_(std::make_shared<const Sentence>(sentence)) {}
  /// Joins message parts: see Sentence::of().
  template <class First, class... Rest>
  explicit Error(const First& first, const Rest&... rest) : Error(Sentence::of(first, rest...)) {}

  const Sentence& sentence() const { return *sentence_; }

 private:
  std::shared_ptr<const Sentence> sentence_;  // shared, since copies of an exception must not throw
};

/// A tile that does not fit into the memory in which a program allocates it.
class TileOverflow : public Error {
 public:
  using Error::Error;
};

/// Throws Error with the joined message parts unless the condition holds. The parts are only joined on failure.
template <class... Part>
void require(bool condition, const Part&... message) {
  if (!condition) throw Error(message...);
}

}  // namespace sim

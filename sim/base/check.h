// Errors of the simulator: wrong use and impossible configurations throw sim::Error with what, where and the numbers.
#pragma once
#include <stdexcept>

#include "sim/base/text.h"

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

/// Throws Error with the joined message parts unless the condition holds. The parts are only joined on failure.
template <class... Part>
void require(bool condition, const Part&... message) {
  if (!condition) throw Error(text(message...));
}

}  // namespace sim

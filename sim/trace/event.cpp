#include "sim/trace/event.h"

namespace sim {
namespace {

template <class Enum, std::size_t n>
std::string_view lookup(const std::array<std::string_view, n>& names, Enum value) {
  return names.at(static_cast<std::size_t>(value));
}

}  // namespace

std::string_view name_of(Verb verb) {
  static constexpr std::array<std::string_view, 26> names = {
      "load",     "store",   "fill",   "gemm",   "mask",   "scale", "max",      "exp",      "sum",
      "rescale",  "add",     "divide", "log",    "wait",   "dot",   "jacobian", "dropout",  "atomic_add",
      "multiply", "compare", "all",    "select", "arrive", "move",  "modify",   "transpose"};
  return lookup(names, verb);
}

std::string_view name_of(Engine engine) {
  static constexpr std::array<std::string_view, engine_count> names = {"copy_in", "copy_out", "tensor",
                                                                       "fp32",    "exp",      "barrier"};
  return lookup(names, engine);
}

std::string_view name_of(Bucket bucket) {
  static constexpr std::array<std::string_view, 3> names = {"matrix", "statistics", "initialisation"};
  return lookup(names, bucket);
}

std::string_view name_of(Direction direction) {
  static constexpr std::array<std::string_view, 4> names = {"-", "read", "write", "read+write"};
  return lookup(names, direction);
}

std::string_view name_of(Origin origin) {
  static constexpr std::array<std::string_view, 5> names = {"whole", "cta", "loop0", "loop1", "loop2"};
  return lookup(names, origin);
}

}  // namespace sim

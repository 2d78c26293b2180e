// parse_npy: any bytes are an array whose shape fits its values and that survives being written, or an Error.
#include <cmath>
#include <cstdint>

#include "sim/base/check.h"
#include "sim/base/npy.h"
#include "tests/fuzz/invariant.h"

namespace {

bool same_value(float a, float b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

void check_array(const sim::NpyArray& array) {
  fuzz::check(!array.shape.empty() && array.shape.size() <= 4, "rank 1 to 4");
  std::uint64_t count = 1;
  for (const std::int64_t size : array.shape) {
    fuzz::check(size >= 1, "dimensions are positive");
    count *= static_cast<std::uint64_t>(size);
  }
  fuzz::check(count == array.values.size(), "the shape is that of the values");

  const std::string dtype = array.dtype == "f8" ? "f4" : array.dtype;  // f8 is narrowed
  const auto bytes = sim::format_npy(array.shape, array.values, dtype);
  const sim::NpyArray again = sim::parse_npy(bytes, "again.npy");
  fuzz::check(again.shape == array.shape && again.dtype == dtype, "shape and dtype survive writing");
  for (std::size_t n = 0; n < array.values.size(); ++n)
    fuzz::check(same_value(array.values[n], again.values[n]), "values survive writing");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  try {
    check_array(sim::parse_npy(std::as_bytes(std::span(input, size)), "fuzz.npy"));
  } catch (const sim::Error& error) {
    fuzz::check_message(error.what());
  }
  return 0;
}

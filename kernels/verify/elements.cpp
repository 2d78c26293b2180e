#include "kernels/verify/elements.h"

#include <cstring>

#include "kernels/dev/element.h"

namespace kernels {
namespace {

template <class T>
std::vector<unsigned char> written(std::span<const float> values) {
  std::vector<unsigned char> bytes(values.size() * sizeof(T));
  for (std::size_t n = 0; n < values.size(); ++n) {
    const T element = dev::from_float<T>(values[n]);
    std::memcpy(bytes.data() + n * sizeof(T), &element, sizeof(T));
  }
  return bytes;
}

template <class T>
std::vector<float> read(std::span<const unsigned char> bytes) {
  std::vector<float> values(bytes.size() / sizeof(T));
  for (std::size_t n = 0; n < values.size(); ++n) {
    T element;
    std::memcpy(&element, bytes.data() + n * sizeof(T), sizeof(T));
    values[n] = dev::to_float(element);
  }
  return values;
}

}  // namespace

std::vector<unsigned char> to_bytes(sim::Dtype dtype, std::span<const float> values) {
  if (dtype == sim::Dtype::fp16) return written<dev::fp16>(values);
  if (dtype == sim::Dtype::bf16) return written<dev::bf16>(values);
  return written<float>(values);
}

std::vector<float> to_floats(sim::Dtype dtype, std::span<const unsigned char> bytes) {
  if (dtype == sim::Dtype::fp16) return read<dev::fp16>(bytes);
  if (dtype == sim::Dtype::bf16) return read<dev::bf16>(bytes);
  return read<float>(bytes);
}

}  // namespace kernels

#include "kernels/bench/drawn_inputs.h"

#include <algorithm>
#include <future>

#include "kernels/verify/elements.h"

namespace bench {
namespace {

using sim::Tensor;

sim::DrawnTensor number_of(Tensor tensor) {
  const auto found = std::find(drawn_tensors().begin(), drawn_tensors().end(), tensor);
  sim::require(found != drawn_tensors().end(), "bench: ", name_of(tensor), " is not an input");
  return static_cast<sim::DrawnTensor>(found - drawn_tensors().begin());
}

/// Appends in parts, since fp32 as an intermediate takes twice the space.
void append(std::vector<unsigned char>& bytes, sim::Interval elements, sim::Dtype dtype, std::uint64_t seed,
            Tensor tensor) {
  constexpr std::int64_t part = std::int64_t{1} << 20;
  for (std::int64_t from = elements.begin; from < elements.end; from += part) {
    const sim::Interval some = {from, std::min(from + part, elements.end)};
    const auto more = kernels::to_bytes(dtype, sim::draw_elements(some, dtype, seed, number_of(tensor)));
    bytes.insert(bytes.end(), more.begin(), more.end());
  }
}

}  // namespace

const std::vector<Tensor>& drawn_tensors() {
  static const std::vector<Tensor> tensors = {Tensor::Q, Tensor::K, Tensor::V, Tensor::dO};
  return tensors;
}

void DrawnInputs::draw(std::int64_t elements) {
  std::vector<std::future<void>> drawing;
  for (const Tensor tensor : drawn_tensors()) {
    std::vector<unsigned char>& bytes = drawn_[tensor];
    const std::int64_t there = std::ssize(bytes) / size_of(dtype_);
    if (there >= elements) continue;
    drawing.push_back(std::async([&bytes, there, elements, tensor, this] {
      append(bytes, {there, elements}, dtype_, seed_, tensor);
    }));
  }
  // get() draws if no thread could be started.
  for (std::future<void>& each : drawing) each.get();
}

std::span<const unsigned char> DrawnInputs::bytes(Tensor tensor, std::int64_t elements) {
  number_of(tensor);  // rejects tensors that are not inputs
  draw(elements);
  return std::span(drawn_.at(tensor)).first(static_cast<std::size_t>(elements * size_of(dtype_)));
}

std::vector<float> DrawnInputs::floats(Tensor tensor, sim::Interval elements) {
  const auto first = static_cast<std::size_t>(elements.begin * size_of(dtype_));
  return kernels::to_floats(dtype_, bytes(tensor, elements.end).subspan(first));
}

}  // namespace bench

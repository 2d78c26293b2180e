#include "sim/trace/tensors.h"

#include <algorithm>
#include <array>

#include "sim/base/check.h"

namespace sim {
namespace {

/// Facts of every tensor by number, and the tensors in HBM and on chip. Initialised at compile time, so that
/// declarations work whenever they run before main().
struct Registry {
  std::array<TensorFacts, tensor_capacity> facts;
  std::array<Tensor, tensor_capacity> in_hbm{}, all{};
  std::size_t count = 0, hbm_count = 0, all_count = 0;

  constexpr Tensor add(const TensorFacts& of) {
    const auto tensor = static_cast<Tensor>(count);
    facts[count++] = of;
    all[all_count++] = tensor;
    return tensor;
  }
  constexpr void add_to_hbm(const TensorFacts& of) { in_hbm[hbm_count++] = add(of); }
};

constexpr Registry shared_tensors() {
  using enum Owner;
  using enum Dtype;
  using namespace extents;
  constexpr std::nullopt_t asked = std::nullopt;  // the dtype of the scenario
  constexpr bool one_copy = false, of_parts = true, matrix = false, statistic = true, no = false, gradient = true,
                 caller = true, program = false;
  Registry tensors;
#define FLASHSCOPE_ROW(name, owner, rows, cols, copies, dtype, kind, family, of_gradient, whose) \
  {#name, owner, rows, cols, copies, dtype, kind, Tensor::family, of_gradient, whose}
#define FLASHSCOPE_IN_HBM(...) tensors.add_to_hbm(FLASHSCOPE_ROW(__VA_ARGS__));
#define FLASHSCOPE_ON_CHIP(...) tensors.add(FLASHSCOPE_ROW(__VA_ARGS__));
  FLASHSCOPE_HBM_TENSORS(FLASHSCOPE_IN_HBM)
  FLASHSCOPE_CHIP_TENSORS(FLASHSCOPE_ON_CHIP)
#undef FLASHSCOPE_ON_CHIP
#undef FLASHSCOPE_IN_HBM
#undef FLASHSCOPE_ROW
  tensors.facts[tensors.count++] = {.name = "-", .rows = one, .cols = one};  // Tensor::none
  return tensors;
}

constinit Registry registry = shared_tensors();

}  // namespace

Tensor declare_tensor(const TensorFacts& facts) {
  for (std::size_t n = 0; n < registry.count; ++n)
    require(registry.facts[n].name != facts.name, "tensor ", facts.name, " is declared twice: rename one of them");
  require(registry.count < tensor_capacity, "tensor ", facts.name, ": there are ", tensor_capacity,
          " already: raise tensor_capacity in sim/trace/event.h");
  registry.add_to_hbm(facts);
  return registry.all[registry.all_count - 1];
}

std::span<const Tensor> hbm_tensors() { return {registry.in_hbm.data(), registry.hbm_count}; }
std::span<const Tensor> all_tensors() { return {registry.all.data(), registry.all_count}; }

const TensorFacts& facts_of(Tensor tensor) { return registry.facts.at(static_cast<std::size_t>(tensor)); }

std::string_view name_of(Tensor tensor) { return facts_of(tensor).name; }

bool is_statistic(Tensor tensor) { return facts_of(tensor).statistic; }

std::string_view stem_of(Tensor tensor) {
  const std::string_view name = name_of(tensor);
  return name.substr(0, name.find('_'));
}

std::string_view stage_of(Tensor tensor) {
  const std::string_view name = name_of(tensor), stem = stem_of(tensor);
  return name.substr(std::min(stem.size() + 1, name.size()));
}

}  // namespace sim

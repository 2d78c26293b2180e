#include "kernels/verify/tensors.h"

#include "kernels/verify/elements.h"
#include "kernels/verify/pages.h"
#include "kernels/verify/ragged.h"
#include "sim/base/score.h"
#include "sim/programs/paged_attention/tensors.h"

namespace kernels {
namespace {

using sim::Tensor;

/// Member with the tensor's name; those of paged-attention's parts have other names.
void*& pointer(Arguments& a, Tensor tensor) {
  using enum Tensor;
  const std::pair<Tensor, void**> members[] = {{Q, &a.Q},
                                               {K, &a.K},
                                               {V, &a.V},
                                               {O, &a.O},
                                               {dO, &a.dO},
                                               {dQ, &a.dQ},
                                               {dK, &a.dK},
                                               {dV, &a.dV},
                                               {S, &a.S},
                                               {P, &a.P},
                                               {dS, &a.dS},
                                               {dP, &a.dP},
                                               {L, &a.L},
                                               {m, &a.m},
                                               {l, &a.l},
                                               {D, &a.D},
                                               {dQ_acc, &a.dQ_acc},
                                               {mask, &a.mask},
                                               {O_part, &a.O_part},
                                               {L_part, &a.L_part},
                                               {sim::O_part16, &a.O_part},
                                               {m_part, &a.m},
                                               {l_part, &a.l},
                                               {mask_blocks, &a.mask_blocks},
                                               {slopes, &a.slopes},
                                               {sinks, &a.sinks},
                                               {S_masked, &a.S_masked},
                                               {P_dropped, &a.P_dropped},
                                               {dP_dropped, &a.dP_dropped}};
  for (const auto& [name, member] : members) {
    if (name == tensor) return *member;
  }
  throw sim::Error("kernels have no tensor ", name_of(tensor));
}

}  // namespace

Tensors::~Tensors() {
  for (const auto& [tensor, memory] : memory_) device_.release(memory);
}

std::vector<Tensor> Tensors::held() const {
  std::vector<Tensor> tensors;
  for (const auto& [tensor, memory] : memory_) tensors.push_back(tensor);
  return tensors;
}

std::int64_t Tensors::bytes(Tensor tensor) const { return sim::total_bytes(plan_, tensor).count(); }

std::int64_t Tensors::elements(Tensor tensor) const {
  std::int64_t all = 0;
  for (const sim::Plan& c : sim::classes_of(plan_)) {
    const sim::HbmTensor& own = c.problem.hbm[tensor];
    all += own.owner_count(c.problem.shape) * own.elements();
  }
  return all;
}

void Tensors::allocate(Tensor tensor) { memory_[tensor] = device_.allocate(name_of(tensor), bytes(tensor)); }

void Tensors::release(Tensor tensor) {
  device_.release(memory_.at(tensor));
  memory_.erase(tensor);
}

void Tensors::upload(Tensor tensor, const std::vector<float>& values) {
  const bool in_pages = is_paged(plan_, tensor);
  upload_bytes(tensor, to_bytes(dtype(tensor), in_pages ? pool(plan_, tensor, values) : packed(plan_, tensor, values)));
}

void Tensors::upload_bytes(Tensor tensor, std::span<const unsigned char> data) {
  sim::require(std::ssize(data) == bytes(tensor), "tensor ", name_of(tensor), " has ", bytes(tensor), " bytes, ",
               data.size(), " are given");
  device_.upload(memory_.at(tensor), data.data(), bytes(tensor));
}

void Tensors::upload_pattern() {
  const sim::HbmTensor& map = plan_.problem.hbm.mask_blocks;
  std::vector<unsigned char> all;
  for (std::int64_t head = 0; head < map.owner_count(plan_.problem.shape); ++head) {
    for (std::int64_t i = 0; i < map.rows; ++i) {
      const float* row = map.source->row(i);
      for (std::int64_t j = 0; j < map.cols; ++j) all.push_back(row[j] != 0 ? 1 : 0);
    }
  }
  upload_bytes(Tensor::mask_blocks, all);
}

void Tensors::upload_numbers(Tensor tensor, const std::vector<std::int32_t>& numbers) {
  upload_bytes(tensor, {reinterpret_cast<const unsigned char*>(numbers.data()), numbers.size() * sizeof(numbers[0])});
}

void Tensors::upload_sequences() { upload_numbers(Tensor::sequences, sequence_table(plan_)); }

void Tensors::upload_block_table() { upload_numbers(Tensor::block_table, block_table(plan_)); }

void Tensors::upload_lengths() { upload_numbers(sim::seq_lens, sequence_lengths(plan_)); }

void Tensors::upload_slopes() {
  const std::int64_t heads = plan_.scenario.shape.heads;
  std::vector<float> slopes;
  for (std::int64_t n = 0; n < heads; ++n) slopes.push_back(static_cast<float>(sim::alibi_slope(n, heads)));
  upload_of_heads(Tensor::slopes, slopes);
}

void Tensors::upload_sinks() { upload_of_heads(Tensor::sinks, *plan_.scenario.sinks); }

void Tensors::upload_of_heads(Tensor tensor, const std::vector<float>& numbers) {
  std::vector<float> all(static_cast<std::size_t>(bytes(tensor) / size_of(dtype(tensor))));
  for (std::size_t n = 0; n < all.size(); ++n) all[n] = numbers[n % numbers.size()];
  upload_bytes(tensor, to_bytes(dtype(tensor), all));
}

std::vector<float> Tensors::download(Tensor tensor) const {
  if (!has(tensor)) return {};
  return unpacked(plan_, tensor, to_floats(dtype(tensor), download_bytes(tensor)));
}

std::vector<unsigned char> Tensors::download_bytes(Tensor tensor) const {
  std::vector<unsigned char> data(static_cast<std::size_t>(bytes(tensor)));
  device_.download(data.data(), memory_.at(tensor), bytes(tensor));
  return data;
}

void Tensors::copy(Tensor tensor, const Tensors& from) {
  device_.copy(memory_.at(tensor), from.memory_.at(tensor), bytes(tensor));
}

void Tensors::point(Arguments& a) const {
  for (const auto& [tensor, memory] : memory_) {
    if (tensor != Tensor::sequences && tensor != Tensor::block_table && tensor != sim::seq_lens)
      pointer(a, tensor) = memory;
  }
}

}  // namespace kernels

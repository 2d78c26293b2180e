#include "kernels/bench/buffers.h"

#include <algorithm>

#include "kernels/verify/pages.h"
#include "kernels/verify/run.h"
#include "sim/model/memory.h"
#include "sim/programs/paged_attention/tensors.h"

namespace bench {
namespace {

using sim::Tensor;
using List = std::vector<Tensor>;

constexpr std::size_t most_sets = 4096;  // for a scenario so small that launch overhead dominates

void add_once(List& list, const List& more) {
  for (const Tensor tensor : more) {
    if (std::find(list.begin(), list.end(), tensor) == list.end()) list.push_back(tensor);
  }
}

/// Results of the forward pass that a backward pass alone reads.
List results_before(const sim::Plan& plan) {
  List results;
  for (const sim::Launch& launch : plan.before) add_once(results, launch.outputs);
  return results;
}

List all_tensors(const sim::Plan& plan) {
  List all = {Tensor::Q, Tensor::K, Tensor::V, Tensor::O};
  add_once(all, results_before(plan));
  for (const sim::Launch& launch : plan.before) add_once(all, launch.scratch);
  for (const sim::LiveTensors& live : sim::memory_over_time(plan)) add_once(all, live.tensors);
  return all;
}

}  // namespace

Buffers::Buffers(dev::Device& device, const sim::Plan& plan, std::string kernel, DrawnInputs& inputs)
    : device_(device), plan_(plan), kernel_(std::move(kernel)), tensors_(all_tensors(plan)), given_(drawn_tensors()) {
  std::unique_ptr<kernels::Tensors> first = allocated();
  for (const Tensor tensor : tensors_) bytes_ += first->bytes(tensor);
  std::erase_if(given_, [&](Tensor tensor) { return !first->has(tensor); });
  for (const Tensor tensor : given_) {
    const std::int64_t elements = first->elements(tensor);
    const bool in_order = plan.classes == nullptr && !kernels::is_paged(plan, tensor);
    if (in_order) first->upload_bytes(tensor, inputs.bytes(tensor, elements));
    if (!in_order) first->upload(tensor, inputs.floats(tensor, {0, elements}));  // packs them, or puts them into pages
  }
  const auto give = [&](Tensor tensor, void (kernels::Tensors::*upload)()) {
    if (!first->has(tensor)) return;
    (*first.*upload)();
    given_.push_back(tensor);
  };
  give(Tensor::mask_blocks, &kernels::Tensors::upload_pattern);
  give(Tensor::sequences, &kernels::Tensors::upload_sequences);
  give(Tensor::block_table, &kernels::Tensors::upload_block_table);
  give(sim::seq_lens, &kernels::Tensors::upload_lengths);
  give(Tensor::slopes, &kernels::Tensors::upload_slopes);
  give(Tensor::sinks, &kernels::Tensors::upload_sinks);
  for (const sim::Launch& launch : plan.before) run_launch(device, plan, launch, kernel_, *first);
  device.synchronize();
  add_once(given_, results_before(plan));
  sets_.push_back(std::move(first));
}

std::unique_ptr<kernels::Tensors> Buffers::allocated() const {
  auto set = std::make_unique<kernels::Tensors>(device_, plan_);
  for (const Tensor tensor : tensors_) set->allocate(tensor);
  return set;
}

void Buffers::add() {
  std::unique_ptr<kernels::Tensors> set = allocated();
  for (const Tensor tensor : given_) set->copy(tensor, *sets_.front());
  sets_.push_back(std::move(set));
}

bool Buffers::grow(std::int64_t bytes) {
  const auto enough = [&] {
    return bytes_ >= bytes || (sets_.size() > 1 && std::ssize(sets_) * bytes_ >= bytes) || sets_.size() == most_sets;
  };
  try {
    while (!enough()) add();
  } catch (const dev::DeviceError& error) {
    if (error.kind != dev::DeviceError::Kind::out_of_memory) throw;
    return false;
  }
  device_.synchronize();
  return true;
}

void Buffers::run(std::size_t set, const counters::AroundLaunch& around) {
  for (const sim::Launch& launch : plan_.launches) {
    run_launch_alone(device_, plan_, launch, kernel_, *sets_.at(set), around);
  }
}

}  // namespace bench

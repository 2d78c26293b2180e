#include "kernels/verify/run.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdlib>

#include "kernels/verify/pages.h"
#include "kernels/verify/ragged.h"
#include "sim/model/memory.h"
#include "sim/programs/paged_attention/tensors.h"

namespace kernels {
namespace {

using sim::Tensor;

/// The caller's input for a tensor, or null.
const std::vector<float>* input(Tensor tensor, const sim::AttentionInputs& inputs) {
  if (tensor == Tensor::Q) return &inputs.q;
  if (tensor == Tensor::K) return &inputs.k;
  if (tensor == Tensor::V) return &inputs.v;
  return tensor == Tensor::dO ? &inputs.d_o : nullptr;
}

/// Allocates wanted tensors that are missing, and releases those no longer wanted.
void keep(Tensors& tensors, const std::vector<Tensor>& wanted, const sim::AttentionInputs& inputs) {
  for (const Tensor tensor : tensors.held()) {
    if (std::find(wanted.begin(), wanted.end(), tensor) == wanted.end()) tensors.release(tensor);
  }
  for (const Tensor tensor : wanted) {
    if (tensors.has(tensor)) continue;
    tensors.allocate(tensor);
    if (const std::vector<float>* given = input(tensor, inputs)) tensors.upload(tensor, *given);
    if (tensor == Tensor::mask_blocks) tensors.upload_pattern();
    if (tensor == Tensor::sequences) tensors.upload_sequences();
    if (tensor == Tensor::block_table) tensors.upload_block_table();
    if (tensor == sim::seq_lens) tensors.upload_lengths();
    if (tensor == Tensor::slopes) tensors.upload_slopes();
    if (tensor == Tensor::sinks) tensors.upload_sinks();
  }
}

std::vector<float> log_sum_exp(const Tensors& tensors) {
  if (tensors.has(Tensor::L)) return tensors.download(Tensor::L);
  std::vector<float> m = tensors.download(Tensor::m);
  const std::vector<float> l = tensors.download(Tensor::l);
  for (std::size_t r = 0; r < m.size(); ++r) m[r] = sim::log_sum_exp(m[r], l[r]);
  return m;
}

const MatchingKernel& matching_kernel_of(dev::Flavour flavour, std::string_view kernel, std::string_view launch) {
  const MatchingKernel* matching = find_kernel(flavour, kernel, launch);
  sim::require(matching != nullptr, "kernel ", kernel, " has no kernel for ", launch);
  return *matching;
}

/// Runs the forward pass whose results a backward pass alone reads.
void run_before(dev::Device& device, const sim::Plan& plan, std::string_view kernel, Tensors& tensors,
                const sim::AttentionInputs& inputs) {
  std::vector<Tensor> wanted = {Tensor::Q, Tensor::K, Tensor::V, Tensor::O};
  for (const sim::Launch& launch : plan.before) {
    wanted.insert(wanted.end(), launch.inputs.begin(), launch.inputs.end());
    wanted.insert(wanted.end(), launch.outputs.begin(), launch.outputs.end());
    wanted.insert(wanted.end(), launch.scratch.begin(), launch.scratch.end());
  }
  keep(tensors, wanted, inputs);
  for (const sim::Launch& launch : plan.before) run_launch(device, plan, launch, kernel, tensors);
  device.synchronize();
  device.take_reports();
}

void set_dropout(Arguments& a, const sim::Dropout& dropout) {
  constexpr std::uint32_t step_low = 0x9E3779B9u, step_high = 0xBB67AE85u;  // golden ratio and sqrt(3) - 1
  a.keep_from = dropout.keep_from();
  a.dropout = a.keep_from > 0;
  a.carry_from = static_cast<std::uint32_t>(-a.keep_from);
  a.keep_factor = dropout.factor();
  std::uint32_t low = static_cast<std::uint32_t>(dropout.seed), high = static_cast<std::uint32_t>(dropout.seed >> 32);
  for (auto& [key_low, key_high] : a.round_keys) {
    key_low = low, key_high = high;
    low += step_low, high += step_high;
  }
}

}  // namespace

const MatchingKernel* find_kernel(dev::Flavour flavour, std::string_view kernel, std::string_view launch) {
  for (const MatchingKernel& matching : matching_kernels(flavour)) {
    if (matching.kernel == kernel && matching.launch == launch) return &matching;
  }
  return nullptr;
}

void run_launch(dev::Device& device, const sim::Plan& plan, const sim::Launch& launch, std::string_view kernel,
                const Tensors& tensors) {
  Arguments a = arguments_of(plan, launch, device.smem_bytes_per_cta());
  tensors.point(a);
  const MatchingKernel& matching = matching_kernel_of(device.flavour(), kernel, launch.name);
  sim::require(matching.modifies || !(a.modified() || a.adds_sinks), "kernel ", kernel,
               " has neither softcap nor ALiBi nor sinks");
  if (plan.problem.paged() && matching.run_paged != nullptr)
    return matching.run_paged(device.stream(), a, paged_batch(plan, tensors));
  if (!a.ragged) return matching.run(device.stream(), a);
  sim::require(matching.run_ragged != nullptr, "kernel ", kernel, " has no kernel for ", launch.name,
               " for a ragged batch");
  RaggedBatch batch = ragged_batch(plan, launch);
  batch.sequences = static_cast<const std::int32_t*>(tensors.at(Tensor::sequences));
  matching.run_ragged(device.stream(), a, batch);
}

void run_launch_alone(dev::Device& device, const sim::Plan& plan, const sim::Launch& launch, std::string_view kernel,
                      const Tensors& tensors, const counters::AroundLaunch& around) {
  const auto start = [&] { run_launch(device, plan, launch, kernel, tensors); };
  if (!around) return start();
  device.synchronize();
  around([&] {
    start();
    device.synchronize();
  });
}

namespace {

/// Throws Error that names a mask that no kernel has: documents, a diagonal from the top left.
void check_masks(const sim::Plan& plan) {
  const auto refuse = [](bool given, std::string_view option, const sim::Sentence& instead) {
    sim::require(!given, option, ": no kernel has this mask: ", instead);
  };
  for (const sim::Plan& c : sim::classes_of(plan)) {
    const sim::Shape& shape = c.problem.shape;
    const sim::Mask& mask = shape.mask;
    refuse(mask.documents != nullptr, "documents", /*say*/ "give them as --seqlens, or leave it out");
    const bool moved = mask.diagonal != sim::DiagonalFrom::bottom_right && shape.seqlen_q != shape.seqlen_k;
    const bool aligned = mask.after() || mask.window || plan.scenario.score_steps.count("alibi") > 0;
    refuse(moved && aligned, "causal-from", /*say*/ "kernels align the diagonal bottom-right");
  }
}

/// Sets what a launch that computes scores does with them. Throws Error that names a step that no kernel has.
void set_score_steps(Arguments& a, const sim::Plan& plan, const sim::Launch& launch) {
  for (const auto& [step, value] : plan.scenario.score_steps) {
    const bool capped = step == "softcap";
    sim::require(capped || step == "alibi", step,
                 ": kernels have softcap and alibi, and no other formula: leave it out");
    const double cap = capped ? std::strtod(value.c_str(), nullptr) : 1;
    sim::require(cap >= FLT_MIN && cap <= FLT_MAX, "softcap: ", value,
                 " is not in the range of fp32, as kernels need it");
    if (!launch.reads(Tensor::K)) continue;
    if (capped) a.softcap = static_cast<float>(cap);
    if (!capped) a.alibi = true;
  }
}

/// Throws Error for sinks beyond fp32 as exponents of 2, which tensor-core kernels compute with.
void check_sinks(const sim::Plan& plan) {
  if (!plan.problem.has_sinks()) return;
  for (const float sink : *plan.scenario.sinks)
    sim::require(sink == -INFINITY || std::abs(sink) <= 1e38f, "sink: ", sink,
                 " is not between -1e+38 and 1e+38, as kernels need it");
}

void set_mask(Arguments& a, const sim::Mask& mask) {
  const auto within_limit = [](std::optional<std::int64_t> keys) {
    return static_cast<std::int32_t>(std::min<std::int64_t>(keys.value_or(no_limit), no_limit));
  };
  a.padding = static_cast<std::int32_t>(mask.padding);
  a.prefix = static_cast<std::int32_t>(mask.prefix);
  if (mask.window) a.window = within_limit(mask.window);
  a.window_right = within_limit(mask.after());
  a.causal = a.window_right == 0;
}

}  // namespace

Arguments arguments_of(const sim::Plan& plan, const sim::Launch& launch, std::int64_t smem_of_card) {
  const sim::Problem& p = plan.problem;
  const auto small = [](std::int64_t size) { return static_cast<std::int32_t>(size); };
  Arguments a;
  a.element = p.dtype == sim::Dtype::fp16 ? Element::fp16 : p.dtype == sim::Dtype::bf16 ? Element::bf16 : Element::fp32;
  a.batch = small(p.shape.batch), a.heads = small(p.shape.heads), a.kv_heads = small(p.shape.kv_heads);
  a.seqlen_q = small(p.shape.seqlen_q), a.seqlen_k = small(p.shape.seqlen_k), a.head_dim = small(p.shape.head_dim);
  a.scale = p.scale;
  check_masks(plan);
  set_mask(a, p.shape.mask);
  set_score_steps(a, plan, launch);
  check_sinks(plan);
  a.adds_sinks = launch.reads(Tensor::sinks);
  a.heads_in_rows = small(p.heads_in_rows);
  set_dropout(a, p.dropout);
  a.br = small(launch.tiling.br), a.bc = small(launch.tiling.bc), a.slice = small(launch.tiling.slice);
  a.cta_rows = small(launch.grid.br);
  a.parts = small(p.parts), a.part_blocks = small(launch.grid.key_blocks());
  a.smem = std::min(plan.capacity.smem.count(), smem_of_card);
  a.row_in_smem = launch.grid.bc == p.shape.seqlen_k;
  a.ragged = plan.classes != nullptr;
  return a;
}

KernelRun run(dev::Device& device, const sim::Plan& plan, std::string_view kernel, const sim::AttentionInputs& inputs,
              const counters::AroundLaunch& around) {
  KernelRun result;
  Tensors tensors(device, plan);
  if (!plan.before.empty()) run_before(device, plan, kernel, tensors, inputs);
  const std::vector<sim::LiveTensors> live = sim::memory_over_time(plan);
  for (std::size_t k = 0; k < plan.launches.size(); ++k) {
    keep(tensors, live[k].tensors, inputs);
    result.peak_bytes = std::max(result.peak_bytes, device.bytes_in_use());
    run_launch_alone(device, plan, plan.launches[k], kernel, tensors, around);
  }
  device.synchronize();
  result.reports = device.take_reports();
  using enum Tensor;
  result.outputs = {tensors.download(O), log_sum_exp(tensors), tensors.download(dQ), tensors.download(dK),
                    tensors.download(dV)};
  return result;
}

}  // namespace kernels

#include "kernels/run.h"

#include <algorithm>
#include <map>

#include "kernels/elements.h"
#include "sim/model/memory.h"

namespace kernels {
namespace {

using sim::Tensor;

/// The member of the same name.
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
                                               {S_masked, &a.S_masked},
                                               {P_dropped, &a.P_dropped},
                                               {dP_dropped, &a.dP_dropped}};
  for (const auto& [name, member] : members) {
    if (name == tensor) return *member;
  }
  throw sim::Error(sim::text("kernels have no tensor ", name_of(tensor)));
}

/// The tensors of a run in device memory.
class Tensors {
 public:
  Tensors(dev::Device& device, const sim::Plan& plan) : device_(device), plan_(plan) {}
  ~Tensors() {
    for (const auto& [tensor, memory] : memory_) device_.release(memory);
  }
  Tensors(const Tensors&) = delete;
  Tensors& operator=(const Tensors&) = delete;

  bool has(Tensor tensor) const { return memory_.count(tensor) > 0; }
  void allocate(Tensor tensor) { memory_[tensor] = device_.allocate(name_of(tensor), bytes(tensor)); }
  void release(Tensor tensor) {
    device_.release(memory_.at(tensor));
    memory_.erase(tensor);
  }
  void upload(Tensor tensor, const std::vector<float>& values) {
    const auto data = to_bytes(dtype(tensor), values);
    device_.upload(memory_.at(tensor), data.data(), bytes(tensor));
  }
  std::vector<float> download(Tensor tensor) const {
    if (!has(tensor)) return {};
    std::vector<unsigned char> data(static_cast<std::size_t>(bytes(tensor)));
    device_.download(data.data(), memory_.at(tensor), bytes(tensor));
    return to_floats(dtype(tensor), data);
  }
  void point(Arguments& a) const {
    for (const auto& [tensor, memory] : memory_) pointer(a, tensor) = memory;
  }
  /// Allocates what is wanted and missing, and releases what is no longer wanted.
  void keep(const std::vector<Tensor>& wanted, const sim::AttentionInputs& inputs) {
    std::vector<Tensor> dead;
    for (const auto& [tensor, memory] : memory_) {
      if (std::find(wanted.begin(), wanted.end(), tensor) == wanted.end()) dead.push_back(tensor);
    }
    for (const Tensor tensor : dead) release(tensor);
    for (const Tensor tensor : wanted) {
      if (has(tensor)) continue;
      allocate(tensor);
      if (const std::vector<float>* given = input(tensor, inputs)) upload(tensor, *given);
    }
  }

 private:
  static const std::vector<float>* input(Tensor tensor, const sim::AttentionInputs& inputs) {
    if (tensor == Tensor::Q) return &inputs.q;
    if (tensor == Tensor::K) return &inputs.k;
    if (tensor == Tensor::V) return &inputs.v;
    return tensor == Tensor::dO ? &inputs.d_o : nullptr;
  }
  std::int64_t bytes(Tensor tensor) const { return plan_.problem.hbm[tensor].total_bytes(plan_.problem.shape).count(); }
  sim::Dtype dtype(Tensor tensor) const { return plan_.problem.hbm[tensor].dtype; }

  dev::Device& device_;
  const sim::Plan& plan_;
  std::map<Tensor, void*> memory_;
};

std::vector<float> log_sum_exp(const Tensors& tensors) {
  if (tensors.has(Tensor::L)) return tensors.download(Tensor::L);
  std::vector<float> m = tensors.download(Tensor::m);
  const std::vector<float> l = tensors.download(Tensor::l);
  for (std::size_t r = 0; r < m.size(); ++r) m[r] = sim::log_sum_exp(m[r], l[r]);
  return m;
}

const Twin& twin_of(dev::Flavour flavour, std::string_view kernel, std::string_view launch) {
  const Twin* twin = find_twin(flavour, kernel, launch);
  sim::require(twin != nullptr, "kernel ", kernel, " has no twin of ", launch);
  return *twin;
}

void run_launch(dev::Device& device, const sim::Plan& plan, const sim::Launch& launch, std::string_view kernel,
                const Tensors& tensors) {
  Arguments a = arguments_of(plan, launch);
  tensors.point(a);
  twin_of(device.flavour(), kernel, launch.name).run(device.stream(), a);
}

/// The forward pass that a backward pass alone reads from.
void run_before(dev::Device& device, const sim::Plan& plan, std::string_view kernel, Tensors& tensors,
                const sim::AttentionInputs& inputs) {
  std::vector<Tensor> wanted = {Tensor::Q, Tensor::K, Tensor::V, Tensor::O};
  for (const sim::Launch& launch : plan.before) {
    wanted.insert(wanted.end(), launch.outputs.begin(), launch.outputs.end());
    wanted.insert(wanted.end(), launch.scratch.begin(), launch.scratch.end());
  }
  tensors.keep(wanted, inputs);
  for (const sim::Launch& launch : plan.before) run_launch(device, plan, launch, kernel, tensors);
  device.synchronize();
  device.take_reports();
}

/// Nothing else of the device's stream runs while `around` does.
void run_alone(dev::Device& device, const std::function<void()>& launch, const counters::AroundLaunch& around) {
  device.synchronize();
  around([&] {
    launch();
    device.synchronize();
  });
}

}  // namespace

const Twin* find_twin(dev::Flavour flavour, std::string_view kernel, std::string_view launch) {
  for (const Twin& twin : twins(flavour)) {
    if (twin.kernel == kernel && twin.launch == launch) return &twin;
  }
  return nullptr;
}

Arguments arguments_of(const sim::Plan& plan, const sim::Launch& launch) {
  const sim::Problem& p = plan.problem;
  const auto small = [](std::int64_t size) { return static_cast<std::int32_t>(size); };
  Arguments a;
  a.element = p.dtype == sim::Dtype::fp16 ? Element::fp16 : p.dtype == sim::Dtype::bf16 ? Element::bf16 : Element::fp32;
  a.batch = small(p.shape.batch), a.heads = small(p.shape.heads), a.kv_heads = small(p.shape.kv_heads);
  a.seqlen_q = small(p.shape.seqlen_q), a.seqlen_k = small(p.shape.seqlen_k), a.head_dim = small(p.shape.head_dim);
  a.scale = p.scale;
  a.causal = p.shape.mask.causal;
  a.padding = small(p.shape.mask.padding);
  const std::int64_t all = p.shape.seqlen_q + p.shape.seqlen_k;  // a window of more hides nothing and may pass 31 bits
  a.window = p.shape.mask.window ? small(std::min(*p.shape.mask.window, all)) : -1;
  a.dropout = p.dropout.any();
  a.keep_from = p.dropout.keep_from();
  a.seed_low = static_cast<std::uint32_t>(p.dropout.seed);
  a.seed_high = static_cast<std::uint32_t>(p.dropout.seed >> 32);
  a.keep_factor = p.dropout.factor();
  a.br = small(launch.tiling.br), a.bc = small(launch.tiling.bc), a.slice = small(launch.tiling.slice);
  a.smem = plan.capacity.smem.count();
  a.row_in_smem = launch.grid.bc == p.shape.seqlen_k;
  return a;
}

KernelRun run(dev::Device& device, const sim::Plan& plan, std::string_view kernel, const sim::AttentionInputs& inputs,
              const counters::AroundLaunch& around) {
  KernelRun result;
  Tensors tensors(device, plan);
  if (!plan.before.empty()) run_before(device, plan, kernel, tensors, inputs);
  const std::vector<sim::LiveTensors> live = sim::memory_over_time(plan);
  for (std::size_t k = 0; k < plan.launches.size(); ++k) {
    tensors.keep(live[k].tensors, inputs);
    result.peak_bytes = std::max(result.peak_bytes, device.bytes_in_use());
    const auto launch = [&] { run_launch(device, plan, plan.launches[k], kernel, tensors); };
    around ? run_alone(device, launch, around) : launch();
  }
  device.synchronize();
  result.reports = device.take_reports();
  using enum Tensor;
  result.outputs = {tensors.download(O), log_sum_exp(tensors), tensors.download(dQ), tensors.download(dK),
                    tensors.download(dV)};
  return result;
}

}  // namespace kernels

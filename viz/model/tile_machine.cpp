#include "viz/model/tile_machine.h"

#include "sim/programs/launch_cta.h"

namespace explorer {
namespace {

sim::Capacity without_limit(sim::Capacity capacity) {
  constexpr std::int64_t enough = std::int64_t{1} << 60;
  capacity.smem = capacity.registers = sim::Bytes(enough);
  return capacity;
}

sim::CtaSetup setup(const sim::Plan& plan, const sim::Launch& launch, std::int64_t head, bool kept) {
  sim::CtaSetup setup = sim::replay_setup(plan, launch, {}, {});
  setup.keep_events = setup.keep_values = kept;
  setup.values = true;
  setup.head = head;
  return setup;
}

}  // namespace

std::vector<float> drawn(const sim::Plan& plan, std::int64_t head, sim::DrawnTensor tensor, sim::Interval rows) {
  const sim::Shape& s = plan.problem.shape;
  const bool of_queries = tensor == sim::DrawnTensor::Q || tensor == sim::DrawnTensor::dO;
  const std::int64_t kv_head = head / s.heads * s.kv_heads + s.kv_head_of(head % s.heads);
  const std::int64_t first = of_queries ? head * s.seqlen_q : kv_head * s.seqlen_k;
  return sim::draw_elements({(first + rows.begin) * s.head_dim, (first + rows.end) * s.head_dim}, plan.problem.dtype,
                            plan.scenario.seed, tensor);
}

TileMachine::TileMachine(const sim::Plan& plan, const sim::Launch& launch, std::int64_t head, Layers layers)
    : whole_{0, 0, plan.problem.shape.head_dim, sim::Origin::whole, plan.problem.shape.head_dim},
      space_(without_limit(plan.capacity)),
      cta_(setup(plan, launch, head, layers == Layers::kept), space_, trace_) {}

}  // namespace explorer

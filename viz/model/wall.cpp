#include "viz/model/wall.h"

namespace explorer {

WallRun wall_of(const sim::Simulation& simulation) {
  const sim::Plan& plan = simulation.plan;
  WallRun wall;
  wall.capacity = plan.scenario.gpu->hbm_bytes;
  wall.peak = simulation.memory.peak_hbm.count();
  for (const sim::Tensor tensor : sim::memory_peak(plan).tensors)
    wall.tensors.push_back({tensor, plan.problem.hbm[tensor].total_bytes(plan.problem.shape).count()});
  return wall;
}

NeverMoved never_moved(const sim::Simulation& by, const sim::Simulation& of) {
  NeverMoved never;
  for (const auto& [tensor, traffic] : of.hbm_by_tensor) {
    const auto other = by.hbm_by_tensor.find(tensor);
    const bool moved = other != by.hbm_by_tensor.end() && other->second.total() > sim::Bytes();
    if (moved || traffic.total() == sim::Bytes()) continue;
    never.tensors.push_back(tensor);
    never.written += traffic.written.count();
    never.read += traffic.read.count();
  }
  return never;
}

std::int64_t bytes_of_head(const sim::Simulation& simulation, sim::Tensor tensor) {
  const sim::Shape& shape = simulation.plan.problem.shape;
  const std::int64_t bytes = simulation.plan.problem.hbm[tensor].total_bytes(shape).count();
  return bytes / std::max<std::int64_t>(1, sim::product(shape.batch, shape.heads));
}

}  // namespace explorer

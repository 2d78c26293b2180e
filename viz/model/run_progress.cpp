#include "viz/model/run_progress.h"

#include "viz/model/grid_timeline.h"

namespace explorer {

double RunProgress::of(const sim::Simulation& simulation, double (*quantity)(const sim::KernelMeters&)) const {
  double sum = 0;
  for (std::size_t k = 0; k < kernel; ++k) sum += quantity(simulation.kernels[k]);
  return sum + share * quantity(simulation.kernels[kernel]);
}

RunProgress run_progress(const Subject& subject, double part) {
  const std::size_t kernel = subject.replay->kernel;
  const sim::CtaPlace size = grid_of(subject.simulation(), kernel);
  const auto ctas = static_cast<double>(size.batch * size.head * size.row * size.col);
  const auto before = static_cast<double>(cta_of_place(subject.simulation(), kernel, subject.replay->place));
  return {kernel, (before + part) / ctas};
}

}  // namespace explorer

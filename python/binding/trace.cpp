#include <pybind11/stl.h>

#include "python/binding/long_work.h"
#include "python/binding/module.h"
#include "python/binding/run.h"
#include "sim/model/replayed_timeline.h"
#include "sim/trace/trace_format.h"

namespace binding {
namespace {

using Place = std::array<std::int64_t, 4>;

py::bytes trace(const Run& run, const std::string& suffix, const std::optional<Place>& cta) {
  const std::shared_ptr<const sim::Simulation> simulation = run.simulation;
  const sim::TraceFormat format = sim::trace_format(suffix, suffix);
  std::optional<sim::CtaPlace> place;
  if (cta) place = {(*cta)[0], (*cta)[1], (*cta)[2], (*cta)[3]};
  std::string written;
  {
    const WithoutGil without_gil;
    format(sim::replay_timeline(simulation->plan, place), [&](std::string_view piece) { written += piece; });
  }
  return written;
}

}  // namespace

void add_trace(py::module_& module) {
  module.def("trace", &trace, py::arg("run"), py::arg("suffix"), py::arg("cta") = std::nullopt,
             "A trace of one CTA (batch, head, row block, column block) of each kernel in the format of this suffix.");
}

}  // namespace binding

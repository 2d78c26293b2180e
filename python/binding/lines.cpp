#include "python/binding/lines.h"

#include <map>

#include "python/binding/run.h"
#include "sim/programs/program.h"

namespace binding {
namespace {

/// Events of one line, over the whole grid.
struct LineWork {
  const sim::Event* first = nullptr;
  std::int64_t times = 0;
  sim::Traffic moved;
};

std::map<int, LineWork> work_by_line(const sim::Trace& trace) {
  std::map<int, LineWork> lines;
  for (const sim::Event& event : trace.events) {
    LineWork& line = lines[event.line];
    if (line.first == nullptr) line.first = &event;
    line.times += event.times;
    line.moved += sim::traffic_of(event);
  }
  return lines;
}

py::dict line_as_python(int number, const LineWork& line) {
  py::dict result;
  result["line"] = number;
  result["loop"] = line.first->loop;
  result["verb"] = std::string(sim::name_of(line.first->verb));
  result["engine"] = std::string(sim::name_of(line.first->engine));
  result["tensor"] = std::string(sim::name_of(line.first->tensor));
  result["times"] = line.times;
  result["bytes"] = line.moved.total().count();
  return result;
}

py::list lines_of(const Run& run) {
  const std::shared_ptr<const sim::Simulation> simulation = run.simulation;
  py::list kernels;
  for (const sim::Trace& trace : simulation->traces) {
    py::list lines;
    for (const auto& [number, line] : work_by_line(trace)) lines.append(line_as_python(number, line));
    py::dict kernel;
    kernel["name"] = trace.kernel;
    kernel["source"] = std::string(sim::listing_text(trace.listing));
    kernel["lines"] = lines;
    kernels.append(kernel);
  }
  return kernels;
}

}  // namespace

void add_lines(py::module_& module) {
  module.def("lines", &lines_of, py::arg("run"),
             "Kernels with their source and what its lines do: engine, executions in the whole grid, bytes.");
}

}  // namespace binding

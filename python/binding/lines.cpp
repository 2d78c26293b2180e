#include <pybind11/stl.h>

#include <algorithm>
#include <map>

#include "python/binding/module.h"
#include "python/binding/run.h"
#include "sim/machine/sm_work.h"
#include "sim/programs/program.h"

namespace binding {
namespace {

/// Events of one line, over the whole grid.
struct LineWork {
  const sim::Event *first = nullptr, *largest = nullptr;  ///< some tiles are cut short by the end of an axis
  std::int64_t times = 0;
  sim::Traffic moved;
};

std::int64_t elements(const sim::Event& event) { return event.rows.size * event.cols.size; }

std::map<int, LineWork> work_by_line(const sim::Trace& trace) {
  std::map<int, LineWork> lines;
  for (const sim::Event& event : trace.events) {
    LineWork& line = lines[event.line];
    if (line.first == nullptr) line.first = &event;
    if (line.largest == nullptr || elements(event) > elements(*line.largest)) line.largest = &event;
    line.times += event.times;
    line.moved += sim::traffic_of(event);
  }
  return lines;
}

/// Tensors of the events that produced an event's operands, each once.
std::vector<std::string> operands_of(const sim::Trace& trace, const sim::Event& event) {
  std::vector<std::string> names;
  for (const std::int32_t operand : event.operands) {
    if (operand == sim::no_event) continue;
    std::string name(sim::name_of(trace.events[static_cast<std::size_t>(operand)].tensor));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

py::dict line_as_python(const sim::Trace& trace, int number, const LineWork& line) {
  const sim::Event& first = *line.first;
  py::dict result;
  result["operands"] = operands_of(trace, first);
  result["direction"] = std::string(sim::name_of(first.direction));
  result["on_chip"] = first.level == sim::Level::smem        ? "shared memory"
                      : first.level == sim::Level::registers ? "registers"
                                                             : "";
  result["rows"] = line.largest->rows.size;
  result["cols"] = line.largest->cols.size;
  result["bytes_each"] = line.largest->bytes;
  result["matmul_flops"] = line.largest->matmul_flops;
  result["other_flops"] = line.largest->other_flops;
  result["exps"] = line.largest->exps;
  result["instructions"] = sim::instructions_of(*line.largest);
  result["line"] = number;
  result["loop"] = first.loop;
  result["verb"] = std::string(sim::name_of(first.verb));
  result["engine"] = std::string(sim::name_of(first.engine));
  result["tensor"] = std::string(sim::name_of(first.tensor));
  result["times"] = line.times;
  result["bytes"] = line.moved.total().count();
  return result;
}

py::list lines_of(const Run& run) {
  const std::shared_ptr<const sim::Simulation> simulation = run.simulation;
  py::list kernels;
  for (const sim::Trace& trace : simulation->traces) {
    py::list lines;
    for (const auto& [number, line] : work_by_line(trace)) lines.append(line_as_python(trace, number, line));
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
  module.def(
      "lines", &lines_of, py::arg("run"),
      "Kernels with their source and what its lines do: engine, executions in the whole grid, bytes; the tile is that "
      "of the largest block.");
}

}  // namespace binding

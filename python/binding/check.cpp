#include "sim/base/check.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "python/binding/arrays.h"
#include "python/binding/long_work.h"
#include "python/binding/module.h"
#include "python/binding/run.h"
#include "sim/model/numerics_rule.h"
#include "sim/model/value_check.h"
#include "viz/results/input_file.h"
#include "viz/results/value_request.h"

namespace binding {
namespace {

/// Values computed by a check; with softmax as the reference, what they are judged by.
struct Checked {
  sim::AttentionInputs inputs;
  std::vector<float> o;
  std::optional<sim::JudgedOutput> judged;
};

sim::Simulation simulate(results::ValueRequest& request, const sim::OptionValues& values) {
  results::make_scenario(request, values, results::find_gpu);
  sim::require(request.scenario.pass == sim::Pass::forward, "check: supports only the forward pass");
  sim::Simulation simulation = sim::simulate(request.scenario);
  results::check_value_effort({&simulation, 1});
  return simulation;
}

Checked compute(results::ValueRequest& request, const sim::Plan& plan, bool softmax) {
  Checked checked;
  checked.inputs = results::make_inputs(request);
  checked.o = sim::compute(plan, checked.inputs, show_progress).o;
  if (softmax) checked.judged = std::move(sim::judge_outputs(plan, checked.inputs, nullptr).outputs.front());
  return checked;
}

template <class Number>
py::array_t<Number> array_of(const std::vector<Number>& values, const std::vector<py::ssize_t>& sizes) {
  return py::array_t<Number>(sizes, values.data());
}

py::dict as_python(const Checked& checked, const sim::Shape& shape) {
  const std::vector<py::ssize_t> rows = {shape.batch, shape.heads, shape.seqlen_q, shape.head_dim},
                                 results = {shape.batch, shape.heads, shape.seqlen_q, shape.value_dim()},
                                 keys = {shape.batch, shape.kv_heads, shape.seqlen_k, shape.head_dim},
                                 values = {shape.batch, shape.kv_heads, shape.seqlen_k, shape.value_dim()},
                                 heads = {shape.batch, shape.heads};
  py::dict result;
  result["q"] = array_of(checked.inputs.q, rows);
  result["k"] = array_of(checked.inputs.k, keys);
  result["v"] = array_of(checked.inputs.v, values);
  result["o"] = array_of(checked.o, results);
  if (checked.judged) {
    result["exact"] = array_of(checked.judged->exact, results);
    result["allowed"] = array_of(checked.judged->allowed, heads);
  }
  return result;
}

py::tuple check(const py::dict& options, const std::array<py::object, 3>& arrays, const std::string& layout,
                const py::object& progress, bool softmax) {
  Run run;
  const sim::OptionValues values = options_from(options, run.notes);
  results::ValueRequest request = request_in(layout);
  for (std::size_t n = 0; n < arrays.size(); ++n) request.given[n] = read_array(results::input_names[n], arrays[n]);
  auto simulation = std::make_shared<sim::Simulation>();
  Checked checked;
  run_long(progress, [&](Watch&) {
    *simulation = simulate(request, values);
    checked = compute(request, simulation->plan, softmax);
  });
  const sim::Plan& plan = simulation->plan;
  const py::dict result =
      as_python(checked, softmax ? plan.problem.shape : plan.scenario.shape);  // packed, or as given
  run.simulation = std::move(simulation);
  return py::make_tuple(run, result);
}

/// Largest error of a head of O that the numerics rule lets pass, for its exact values and the error of a plain
/// formula.
double allowed_error(const Run& run, const py::array_t<double, py::array::c_style | py::array::forcecast>& exact,
                     double plain_error) {
  const std::span<const double> values(exact.data(), static_cast<std::size_t>(exact.size()));
  return sim::numerics::bound(2, plain_error, values, run.simulation->plan.problem.dtype);
}

}  // namespace

void add_check(py::module_& module) {
  module.def(
      "check", &check, py::arg("options"), py::arg("arrays"), py::arg("layout"), py::arg("progress"),
      py::arg("softmax"),
      "A run on q, k and v, with q, k and v as the program reads them and O; if softmax is the reference, also O in "
      "double, and the largest error of each head that the numerics rule lets pass.");
  module.def("allowed_error", &allowed_error, py::arg("run"), py::arg("exact"), py::arg("plain_error"),
             "The largest error of a head that the numerics rule lets pass.");
}

}  // namespace binding

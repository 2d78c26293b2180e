#include <pybind11/stl.h>

#include <map>
#include <nlohmann/json.hpp>

#include "python/binding/arrays.h"
#include "python/binding/long_work.h"
#include "python/binding/module.h"
#include "python/binding/run.h"
#include "viz/results/compared.h"
#include "viz/results/input_file.h"
#include "viz/results/npy_tensor.h"
#include "viz/results/value_request.h"

namespace binding {
namespace {

using Json = nlohmann::ordered_json;

/// An output in fp32, read by numpy through its buffer.
struct Tensor {
  std::vector<std::int64_t> sizes;
  std::vector<float> values;
  std::string dtype;  ///< dtype of the run: "float16" for fp16
};

py::buffer_info buffer_of(Tensor& tensor) {
  std::vector<py::ssize_t> sizes(tensor.sizes.begin(), tensor.sizes.end()), strides(sizes.size());
  py::ssize_t stride = sizeof(float);
  for (std::size_t axis = sizes.size(); axis-- > 0; stride *= sizes[axis]) strides[axis] = stride;
  return {tensor.values.data(), sizeof(float), "f", static_cast<py::ssize_t>(sizes.size()), sizes, strides};
}

using Tensors = std::map<std::string, Tensor>;

Tensor tensor_of(const results::ValueRequest& request, const sim::Plan& plan, sim::Tensor name,
                 std::vector<float> values) {
  const sim::Dtype dtype = plan.problem.hbm[name].dtype;
  results::NpyTensor tensor = results::npy_tensor(request, plan, name, std::move(values));
  return {std::move(tensor.axes), std::move(tensor.values), dtype == sim::Dtype::fp16 ? "float16" : "float32"};
}

Tensors tensors_of(const results::ValueRequest& request, const sim::Plan& plan, sim::AttentionOutputs outputs) {
  using sim::Tensor::L;
  Tensors tensors;
  const auto add = [&](sim::Tensor name, std::vector<float>& values) {
    if (values.empty()) return;
    tensors.emplace(sim::name_of(name), tensor_of(request, plan, name, std::move(values)));
  };
  add(sim::Tensor::O, outputs.o);
  add(L, outputs.log_sum_exp);
  if (!plan.has_backward()) return tensors;
  add(sim::Tensor::dQ, outputs.d_q);
  add(sim::Tensor::dK, outputs.d_k);
  add(sim::Tensor::dV, outputs.d_v);
  return tensors;
}

void compute(const results::ValueRequest& request, const sim::AttentionInputs& inputs, sim::Simulation& s,
             Tensors& tensors) {
  results::Values values = results::compute_values(s.plan, inputs, show_progress);
  s.check = values.check;
  s.warnings.insert(s.warnings.end(), values.warnings.begin(), values.warnings.end());
  tensors = tensors_of(request, s.plan, std::move(values.outputs));
}

/// Reads the arrays that are not None.
results::ValueRequest read_arrays(const std::vector<py::object>& arrays, const std::string& layout) {
  results::ValueRequest request = request_in(layout);
  for (std::size_t n = 0; n < arrays.size(); ++n) {
    if (!arrays[n].is_none()) request.given[n] = read_array(results::input_names[n], arrays[n]);
  }
  return request;
}

void add_warnings(const results::ValueRequest& request, sim::Simulation& s) {
  s.warnings.insert(s.warnings.end(), request.warnings.begin(), request.warnings.end());
}

py::tuple simulate_values(const py::dict& options, const std::vector<py::object>& arrays, const std::string& layout,
                          const py::object& progress) {
  Run run;
  const sim::OptionValues values = options_from(options, run.notes);
  results::ValueRequest request = read_arrays(arrays, layout);
  auto simulation = std::make_shared<sim::Simulation>();
  Tensors tensors;
  run_long(progress, [&](Watch&) {
    results::make_scenario(request, values, results::find_gpu);
    *simulation = sim::simulate(request.scenario);
    add_warnings(request, *simulation);
    results::check_value_effort({simulation.get(), 1});
    compute(request, results::make_inputs(request), *simulation, tensors);
  });
  run.notes.insert(run.notes.end(), request.notes.begin(), request.notes.end());
  run.simulation = std::move(simulation);
  return py::make_tuple(run, std::move(tensors));
}

py::tuple compare_values(const std::string& algorithms, const py::dict& options, const std::vector<py::object>& arrays,
                         const std::string& layout, const py::object& progress) {
  std::vector<std::string> notes;
  const sim::OptionValues values = options_from(options, notes);
  const std::vector<std::string> names = results::algorithm_list(algorithms, notes);
  results::ValueRequest request = read_arrays(arrays, layout);
  auto runs = std::make_shared<std::vector<sim::Simulation>>();
  std::vector<Tensors> tensors(names.size());
  Json json;
  run_long(progress, [&](Watch&) {
    results::make_scenario(request, values, results::find_gpu);
    *runs = results::simulate_each(request.scenario, names);
    results::check_value_effort(*runs);
    const sim::AttentionInputs inputs = results::make_inputs(request);
    for (std::size_t n = 0; n < names.size(); ++n) {
      add_warnings(request, (*runs)[n]);
      compute(request, inputs, (*runs)[n], tensors[n]);
    }
    json = results::comparison_json(*runs);
  });
  notes.insert(notes.end(), request.notes.begin(), request.notes.end());
  py::list each;
  for (std::size_t n = 0; n < names.size(); ++n)
    each.append(py::make_tuple(Run{{runs, &(*runs)[n]}, notes}, std::move(tensors[n])));
  return py::make_tuple(each, to_python(json));
}

}  // namespace

void add_values(py::module_& module) {
  py::class_<Tensor>(module, "Tensor", py::buffer_protocol(), "An output of a run in fp32.")
      .def_buffer(&buffer_of)
      .def_readonly("dtype", &Tensor::dtype);
  module.def("simulate_values", &simulate_values, py::arg("options"), py::arg("arrays"), py::arg("layout"),
             py::arg("progress"), "Like simulate(), with values: of Q, K, V and dO, or drawn where one is None.");
  module.def("compare_values", &compare_values, py::arg("algorithms"), py::arg("options"), py::arg("arrays"),
             py::arg("layout"), py::arg("progress"),
             "Like compare(), with values of each algorithm on the same inputs.");
}

}  // namespace binding

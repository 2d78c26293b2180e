#include "python/binding/check.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "python/binding/run.h"
#include "sim/base/check.h"
#include "sim/model/value_check.h"

namespace binding {
namespace {

using Floats = py::array_t<float, py::array::c_style | py::array::forcecast>;

/// Values of a tensor of (batch, heads, rows, head_dim), rounded to the dtype. Throws sim::Error for another size.
std::vector<float> values_in(const Floats& array, const sim::Plan& plan, std::int64_t heads, std::int64_t rows,
                             const char* name) {
  const sim::Shape& shape = plan.scenario.shape;
  const std::int64_t size = sim::product(shape.batch, heads, rows, shape.head_dim);
  sim::require(array.size() == size, name, ": ", array.size(), " values in place of ", size);
  std::vector<float> values(array.data(), array.data() + array.size());
  sim::round_all(plan.problem.dtype, values);
  return values;
}

py::dict check(const Run& run, const Floats& q, const Floats& k, const Floats& v) {
  const std::shared_ptr<const sim::Simulation> simulation = run.simulation;
  const sim::Plan& plan = simulation->plan;
  const sim::Shape& shape = plan.scenario.shape;
  sim::require(!plan.has_backward(), "check: has the forward pass alone");
  const sim::AttentionInputs inputs{values_in(q, plan, shape.heads, shape.seqlen_q, "q"),
                                    values_in(k, plan, shape.kv_heads, shape.seqlen_k, "k"),
                                    values_in(v, plan, shape.kv_heads, shape.seqlen_k, "v")};
  std::vector<float> o;
  sim::Judged judged;
  {
    const py::gil_scoped_release release;
    o = sim::compute(plan, inputs).o;
    judged = sim::judge_outputs(plan, inputs, nullptr);
  }
  const sim::JudgedOutput& output = judged.outputs.front();
  py::dict result;
  result["o"] = py::array_t<float>(static_cast<py::ssize_t>(o.size()), o.data());
  result["exact"] = py::array_t<double>(static_cast<py::ssize_t>(output.exact.size()), output.exact.data());
  result["allowed"] = output.allowed;
  return result;
}

}  // namespace

void add_check(py::module_& module) {
  module.def(
      "check", &check, py::arg("run"), py::arg("q"), py::arg("k"), py::arg("v"),
      "O of the run's program on these tensors (batch, heads, rows, head_dim), O in double, and the largest error "
      "of each head that the numerics rule lets pass.");
}

}  // namespace binding

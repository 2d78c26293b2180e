#include <pybind11/stl.h>

#include <map>

#include "python/binding/long_work.h"
#include "python/binding/module.h"
#include "viz/model/model.h"
#include "viz/results/model_config.h"

namespace binding {
namespace {

using Texts = std::map<std::string, std::string>;

/// Texts of options, with the name of a config.json replaced by its options.
Texts written_out(const Texts& options) {
  sim::OptionValues values(options.begin(), options.end());
  std::vector<std::string> notes;
  results::expand_model_file(values, notes);
  return {values.begin(), values.end()};
}

/// Errors of a link, as the explorer shows them: keys and values of a link, and options that contradict each other.
std::vector<std::string> link_errors(const std::string& link) {
  const WithoutGil without_gil;
  explorer::Model model(sim::built_in_gpu);
  model.follow(link);
  std::vector<std::string> errors = sim::texts(model.link_errors);
  if (!model.world.error().empty()) errors.push_back(sim::text("link: ", model.world.error()));
  return errors;
}

}  // namespace

void add_links(py::module_& module) {
  module.def("written_out", &written_out, py::arg("options"),
             "Option texts with those of a model's config.json instead of its name.");
  module.def("link_errors", &link_errors, py::arg("link"),
             "What the explorer does not follow in a link, a line each; the rest counts.");
}

}  // namespace binding

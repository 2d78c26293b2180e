#include <pybind11/stl.h>

#include <nlohmann/json.hpp>

#include "python/binding/module.h"
#include "sim/catalogue/quantities.h"
#include "sim/report/catalogue_json.h"
#include "sim/report/quantities.h"
#include "sim/report/verdict.h"

namespace binding {
namespace {

using Json = nlohmann::ordered_json;

Json quantities_json() {
  Json list = Json::array();
  for (const sim::RunQuantity& quantity : sim::quantities())
    list.push_back({{"path", quantity.path},
                    {"unit", quantity.unit},
                    {"level", quantity.level},
                    {"meaning", quantity.meaning},
                    {"written", quantity.written}});
  return list;
}

Json causes_json() {
  Json list = Json::array();
  for (const sim::Cause cause : sim::all_causes)
    list.push_back({{"key", sim::key_of(cause)},
                    {"name", sim::name_of(cause)},
                    {"meaning", sim::meaning_of(cause)},
                    {"work", sim::is_work(cause)}});
  return list;
}

Json devices_json() {
  Json list = Json::array();
  for (const std::string& name : sim::device_names()) list.push_back(report::device_json(sim::device(name)));
  return {{"schema", 1}, {"devices", list}};
}

/// Returns the header and the rows of the table that `flashscope verify` prints, from the rows of its JSON as text.
std::vector<std::vector<std::string>> verdict_table(const std::string& rows) {
  auto table = report::verdict_table(report::verdict_rows(Json::parse(rows))).rows();
  std::erase_if(table, [](const auto& row) { return row.empty(); });  // rules
  return table;
}

}  // namespace

void add_lists(py::module_& module) {
  module.def(
      "devices", [] { return to_python(devices_json()); }, "The built-in devices with the source of each field.");
  module.def(
      "algorithms", [] { return to_python(report::algorithms_json()); }, "The programs, as `flashscope algorithms`.");
  module.def(
      "options", [] { return to_python(report::options_json()); },
      "The options of a scenario, as `flashscope options`.");
  module.def(
      "quantities", [] { return to_python(quantities_json()); }, "The quantities of a run, with units and meanings.");
  module.def(
      "causes", [] { return to_python(causes_json()); }, "What time goes to: work first.");
  module.def("columns", &report::exact_quantities, "The columns of `compare` and `sweep`, as paths.");
  module.def("text_in", &report::text_in, py::arg("unit"), py::arg("value"),
             "A number in a unit as people read it: 33.5 MB, 62.3 us.");
  module.def("verdict_table", &verdict_table, py::arg("rows"), "The table of a verdict, from its rows in JSON.");
}

}  // namespace binding

#include "viz/terminal/comparison.h"

#include "sim/base/nearest.h"
#include "viz/terminal/numbers.h"
#include "viz/terminal/request.h"

namespace terminal {
namespace {

double as_double(std::int64_t n) { return static_cast<double>(n); }

std::string with_unit(double value, Unit unit) {
  switch (unit) {
    case Unit::bytes:
      return bytes(static_cast<std::int64_t>(value));
    case Unit::flops:
      return flops(static_cast<std::int64_t>(value));
    case Unit::count:
      return count(static_cast<std::int64_t>(value));
    case Unit::microseconds:
      return microseconds(value);
  }
  return "";
}

}  // namespace

const std::vector<ComparedQuantity>& compared_quantities() {
  using S = sim::Simulation;
  static const std::vector<ComparedQuantity> all = {
      {"tile traffic", Unit::bytes, [](const S& s) { return as_double(s.totals.total.total().count()); }},
      {"  read", Unit::bytes, [](const S& s) { return as_double(s.totals.total.read.count()); }},
      {"  written", Unit::bytes, [](const S& s) { return as_double(s.totals.total.written.count()); }},
      {"HBM traffic after L2", Unit::bytes, [](const S& s) { return as_double(s.hbm.total().count()); }},
      {"compulsory traffic", Unit::bytes, [](const S& s) { return as_double(s.compulsory.total().count()); }},
      {"peak HBM memory", Unit::bytes, [](const S& s) { return as_double(s.memory.peak_hbm.count()); }},
      {"  beyond Q, K, V, O", Unit::bytes, [](const S& s) { return as_double(s.memory.extra_hbm.count()); }},
      {"matrix FLOPs", Unit::flops, [](const S& s) { return as_double(s.totals.matmul_flops.count()); }},
      {"other FLOPs", Unit::flops, [](const S& s) { return as_double(s.totals.other_flops.count()); }},
      {"exponentials", Unit::count, [](const S& s) { return as_double(s.totals.exps.count()); }},
      {"time at least", Unit::microseconds, [](const S& s) { return s.microseconds; }},
  };
  return all;
}

std::vector<std::string> algorithm_list(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    names.emplace_back(sim::find_program(text.substr(at, end - at)).name);
    at = end + 1;
  }
  return names;
}

std::vector<sim::Simulation> simulate_each(const sim::Scenario& scenario, const std::vector<std::string>& algorithms) {
  std::vector<sim::Simulation> runs;
  for (const std::string& algorithm : algorithms) {
    sim::Scenario one = scenario;
    one.algorithm = algorithm;
    runs.push_back(sim::simulate(one));
  }
  return runs;
}

std::string comparison_table(const std::vector<sim::Simulation>& runs) {
  const sim::Simulation& first = runs.front();
  std::vector<std::string> header = {""};
  for (const sim::Simulation& s : runs) {
    header.push_back(s.plan.scenario.algorithm);
    if (&s != &first) header.push_back("");
  }
  Table table(header);
  const auto row = [&](std::string title, auto cell, auto cell_ratio) {
    std::vector<std::string> cells = {std::move(title)};
    for (const sim::Simulation& s : runs) {
      cells.push_back(cell(s));
      if (&s != &first) cells.push_back(cell_ratio(s));
    }
    table.row(cells);
  };
  const auto nothing = [](const sim::Simulation&) { return std::string(); };
  row(
      "tiles", [](const sim::Simulation& s) { return tile_text(s.plan); }, nothing);
  row(
      "kernels", [](const sim::Simulation& s) { return std::to_string(s.traces.size()); }, nothing);
  for (const ComparedQuantity& q : compared_quantities()) {
    row(
        std::string(q.title), [&](const sim::Simulation& s) { return with_unit(q.value(s), q.unit); },
        [&](const sim::Simulation& s) {
          return q.value(first) > 0 ? ratio(q.value(s) / q.value(first)) : std::string();
        });
  }
  row(
      "bound by", [](const sim::Simulation& s) { return s.bound_by; }, nothing);
  if (first.check) {
    row(
        first.check->by_tensor.size() == 1 ? "error of O" : "largest error",
        [](const sim::Simulation& s) { return s.check ? scientific(s.check->worst().max_abs_error) : "-"; }, nothing);
  }
  return sim::text(sim::name_of(first.plan.scenario.pass), ": ", shape_text(first.plan.scenario), "; ",
                   first.plan.scenario.gpu->title, "\n\n", table.text(), "\n\"x\": ratio to ",
                   first.plan.scenario.algorithm, ". Times are roofline lower bounds, not validated.\n");
}

}  // namespace terminal

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/csv.h"
#include "sim/base/printable.h"
#include "sim/model/busy_sms.h"
#include "sim/model/hbm_traffic.h"
#include "sim/model/published_memory.h"
#include "sim/model/roofline.h"
#include "viz/terminal/report.h"

namespace terminal {
namespace {

using Json = nlohmann::ordered_json;

Json directions(const sim::Traffic& traffic) {
  return {{"read_bytes", traffic.read.count()}, {"write_bytes", traffic.written.count()}};
}

Json by_tensor(const std::map<sim::Tensor, sim::Traffic>& tensors) {
  Json json = Json::object();
  for (const auto& [name, traffic] : tensors) json[std::string(sim::name_of(name))] = directions(traffic);
  return json;
}

Json by_line(const sim::Simulation& s) {
  Json lines = Json::array();
  for (const sim::LineTraffic& l : s.lines) {
    Json line = {{"kernel", l.kernel}, {"line", l.line}, {"text", l.text}};
    line.update(directions(l.traffic));
    lines.push_back(line);
  }
  return lines;
}

Json kernels(const sim::Simulation& s) {
  Json list = Json::array();
  for (std::size_t k = 0; k < s.traces.size(); ++k) {
    const sim::Launch& launch = s.plan.launches[k];
    const sim::RooflinePoint point = sim::roofline_point(s.kernels[k]);
    list.push_back({{"name", launch.name},
                    {"br", launch.grid.br},
                    {"bc", launch.grid.bc},
                    {"ctas", s.kernels[k].ctas},
                    {"threads", launch.threads},
                    {"smem_bytes", s.traces[k].peak_smem.count()},
                    {"intensity", {{"tile", point.tile_intensity()}, {"hbm", point.hbm_intensity()}}}});
  }
  return list;
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// Microseconds by cause, every cause; they add up to the time.
Json budget(const sim::Budget& budget) {
  Json json = Json::object();
  for (const sim::Cause cause : sim::all_causes) {
    json[sim::key_of(cause)] = budget[cause];
  }
  return json;
}

Json time(const sim::Simulation& s) {
  Json list = Json::array();
  for (const sim::KernelMeters& kernel : s.kernels) {
    list.push_back({{"name", kernel.name},
                    {"microseconds", kernel.time.microseconds},
                    {"waves", kernel.waves},
                    {"bound_by", kernel.time.bound_by},
                    {"sms_busy", kernel.time.sms_busy},
                    {"budget", budget(kernel.time.budget)}});
  }
  return {{"microseconds", s.microseconds},
          {"cycles", s.microseconds * 1e-6 * static_cast<double>(s.plan.scenario.gpu->clock_hz)},
          {"bound_by", s.bound_by},
          {"sms_busy", sim::busy_sms(s).busy},
          {"sms", sim::busy_sms(s).all},
          {"error_percent", or_null(s.accuracy.error_percent)},
          {"validated", s.accuracy.validated},
          {"validated_on", s.accuracy.validated ? Json(s.accuracy.where) : Json(nullptr)},
          {"budget", budget(s.budget)},
          {"kernels", list}};
}

Json published(const sim::Plan& plan) {
  const auto memory = sim::published_memory(plan);
  if (!memory) return nullptr;
  return {{"bytes", memory->bytes.count()},
          {"equation", memory->equation},
          {"source", memory->source},
          {"differences", memory->differences}};
}

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json errors(const sim::ValueCheck& check) {
  return {{"max_abs_error", finite_or_null(check.max_abs_error)},
          {"max_rel_error", finite_or_null(check.max_rel_error)}};
}

Json check(const sim::ValueChecks& checks) {
  Json json = errors(checks.worst());
  for (const auto& [name, one] : checks.by_tensor) json["by_tensor"][std::string(sim::name_of(name))] = errors(one);
  return json;
}

}  // namespace

Json value_json(const sim::OptionValue& value) {
  return std::visit(
      [](const auto& one) {
        if constexpr (std::is_same_v<std::decay_t<decltype(one)>, std::monostate>)
          return Json(nullptr);
        else
          return Json(one);
      },
      value);
}

Json scenario_json(const sim::Plan& plan) {
  Json json = Json::object();
  for (const sim::ScenarioOption& option : sim::scenario_options()) {
    if (option.resolved) json[std::string(option.name)] = value_json(option.resolved(plan));
  }
  return json;
}

Json to_json(const sim::Simulation& s) {
  Json tile = Json::object();
  for (const sim::Bucket bucket : {sim::Bucket::matrix, sim::Bucket::statistics, sim::Bucket::initialisation}) {
    tile[std::string(sim::name_of(bucket))] = directions(s.totals.bucket(bucket));
  }
  tile["total"] = directions(s.totals.total);
  tile["by_tensor"] = by_tensor(s.totals.by_tensor);
  tile["by_line"] = by_line(s);
  tile["atomic_bytes"] = s.totals.atomic.count();
  Json hbm = directions(s.hbm);
  hbm["by_tensor"] = by_tensor(s.hbm_by_tensor);
  for (const auto& [name, left] : s.hbm_by_tensor) {
    hbm["by_tensor"][std::string(sim::name_of(name))]["l2_hit_rate"] = sim::l2_hit_rate(s.totals.tensor(name), left);
  }
  hbm["compulsory_bytes"] = s.compulsory.total().count();
  Json scenario = scenario_json(s.plan);
  scenario["numerics"] = s.check ? "on" : "off";
  return {{"schema", 1},
          {"scenario", scenario},
          {"kernels", kernels(s)},
          {"warnings", s.warnings},
          {"tile_traffic", tile},
          {"hbm_traffic", hbm},
          {"memory",
           {{"peak_hbm_bytes", s.memory.peak_hbm.count()},
            {"extra_hbm_bytes", s.memory.extra_hbm.count()},
            {"peak_sram_bytes", s.memory.peak_sram.count()},
            {"sram_capacity_bytes", s.memory.sram_capacity.count()},
            {"published", published(s.plan)}}},
          {"work",
           {{"matmul_flops", s.totals.matmul_flops.count()},
            {"other_flops", s.totals.other_flops.count()},
            {"exp_count", s.totals.exps.count()}}},
          {"time", time(s)},
          {"check", s.check ? check(*s.check) : Json(nullptr)}};
}

namespace {

/// Spreadsheets take text that begins so for a formula, and run it; an apostrophe before it says that it is text.
bool looks_like_formula(const std::string& text) {
  return !text.empty() && std::string_view("=+-@").find(text[0]) != std::string_view::npos;
}

/// Text as one CSV field.
std::string field(const std::string& text) {
  return sim::csv_field((looks_like_formula(text) ? "'" : "") + sim::printable(text));
}

void add_leaves(const Json& json, const std::string& path, std::string& out) {
  if (json.is_structured()) {
    for (const auto& [key, value] : json.items()) add_leaves(value, path.empty() ? key : path + "." + key, out);
    return;
  }
  out += field(path) + "," + csv_cell(json) + "\n";
}

}  // namespace

std::string csv_cell(const Json& value) {
  return value.is_string() ? field(value.get<std::string>()) : value.is_null() ? "" : sim::csv_field(value.dump());
}

std::string to_csv(const Json& json) {
  std::string out = "quantity,value\n";
  add_leaves(json, "", out);
  return out;
}

std::string to_line(const Json& json) {
  return sim::printable_json(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string to_text(const Json& json) {
  return sim::printable_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace terminal

#include "viz/model/verification.h"

#include <algorithm>
#include <cmath>

#include "sim/catalogue/quantities.h"
#include "sim/machine/device_fields.h"

namespace explorer {
namespace {

/// Adds a simulated number. `path`: of that number in the JSON of a run, which gives the unit.
void add_row(std::vector<ComparedRow>& rows, std::string quantity, std::string_view path, double simulated) {
  ComparedRow row;
  row.unit = sim::unit_of_quantity(path);
  row.quantity = std::move(quantity);
  row.simulated = simulated;
  rows.push_back(std::move(row));
}

void add_bytes(std::vector<ComparedRow>& rows, const std::string& quantity, sim::Bytes bytes) {
  if (bytes.count() > 0) add_row(rows, quantity, quantity, static_cast<double>(bytes.count()));
}

void add_traffic(std::vector<ComparedRow>& rows, const std::string& of, const sim::Traffic& traffic) {
  add_bytes(rows, of + ".read_bytes", traffic.read);
  add_bytes(rows, of + ".write_bytes", traffic.written);
}

/// Writes a verdict into one column. A missing row is inserted after the previous one.
void take(std::vector<ComparedRow>& rows, const DeviceVerdict& verdict, std::optional<double> ComparedRow::*column) {
  std::size_t place = 0;
  for (const report::VerdictRow& measured : verdict.rows) {
    ComparedRow* row = find_row(rows, measured.quantity);
    if (row == nullptr) {
      ComparedRow fresh;
      fresh.quantity = measured.quantity;
      fresh.unit = measured.unit;
      row = &*rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(place), std::move(fresh));
    }
    place = static_cast<std::size_t>(row - rows.data()) + 1;
    if (row->simulated.value_or(measured.simulated) != measured.simulated) continue;
    row->simulated = measured.simulated;
    if (!measured.missing) row->*column = measured.measured;
    row->tolerance = measured.tolerance;
    if (!measured.ok || row->cause.empty()) row->cause = measured.cause;
    row->ok = row->ok && measured.ok;
  }
}

}  // namespace

ComparedRow* find_row(std::vector<ComparedRow>& rows, std::string_view quantity) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const ComparedRow& row) { return row.quantity == quantity; });
  return found == rows.end() ? nullptr : &*found;
}

std::vector<ComparedRow> simulated_rows(const sim::Simulation& s) {
  std::vector<ComparedRow> rows;
  for (const auto& [tensor, traffic] : s.totals.by_tensor) {
    add_traffic(rows, sim::text("tile_traffic.by_tensor.", sim::name_of(tensor)), traffic);
  }
  add_traffic(rows, "tile_traffic.total", s.totals.total);
  add_bytes(rows, "tile_traffic.atomic_bytes", s.totals.atomic);
  if (counts_hbm_traffic(*s.plan.scenario.gpu)) add_traffic(rows, "hbm_traffic", s.hbm);
  add_row(rows, "memory.peak", "memory.peak_hbm_bytes", static_cast<double>(s.memory.peak_hbm.count()));
  if (!std::isnan(s.microseconds)) add_row(rows, "time", "time.microseconds", s.microseconds);
  return rows;
}

std::vector<ComparedRow> compared_rows(const sim::Simulation& simulation, const DeviceVerdict& emulated,
                                       const DeviceVerdict& gpu) {
  std::vector<ComparedRow> rows = simulated_rows(simulation);
  take(rows, gpu, &ComparedRow::gpu);
  take(rows, emulated, &ComparedRow::emulated);  // last: its exact tolerance wins where both differ
  return rows;
}

std::string verify_command(const sim::OptionValues& options) {
  std::string command = "flashscope verify";
  for (const sim::ScenarioOption& option : sim::scenario_options()) {
    const auto found = options.find(option.name);
    if (found == options.end()) continue;
    if (option.kind != sim::OptionKind::flag)
      command += sim::text(" --", option.name, " ", found->second);
    else if (found->second == "1")
      command += sim::text(" --", option.name);
  }
  return command;
}

FeasibleSize::FeasibleSize(const std::shared_ptr<const Verifier>& verifier, const sim::OptionValues& options,
                           const std::shared_ptr<const sim::DeviceSpec>& gpu)
    : verifier_(verifier), options_(options), gpu_(gpu), done_(verifier == nullptr) {}

bool FeasibleSize::advance() {
  if (done_) return false;
  try {
    scenario_ = sim::scenario_from(options_, [this](const std::string&) { return gpu_; });
    seconds_ = verifier_->seconds(sim::simulate(scenario_));
    if (!smaller_) seconds_of_all_ = seconds_;
    done_ = seconds_ <= longest || !shrink();
  } catch (const sim::Error& error) {
    refusal_ = error.sentence();
    done_ = true;
  }
  return !done_;
}

/// Halves the scenario once. False if nothing is left to reduce.
bool FeasibleSize::shrink() {
  const sim::Shape& shape = scenario_.shape;
  smaller_ = true;
  if (shape.batch > 1) return set("batch", 1), true;
  if (shape.kv_heads > 1) {
    set("heads", shape.heads / shape.kv_heads);  // heads of one group
    set("kv-heads", 1);
    options_.try_emplace("head-dim", std::to_string(shape.head_dim));
    if (shape.head_dim_v) options_.try_emplace("head-dim-v", std::to_string(*shape.head_dim_v));
    options_.erase("model");
    return true;
  }
  if (shape.seqlen_q <= 1 && shape.seqlen_k <= 1) return false;
  const auto half = [](std::int64_t n) { return (n + 1) / 2; };
  options_ = sim::expanded(std::move(options_));
  set("seqlen-q", half(shape.seqlen_q));
  set("seqlen-k", half(shape.seqlen_k));
  if (shape.mask.padding > 0) set("padding", shape.mask.padding / 2);
  if (shape.mask.window) set("window", half(*shape.mask.window));
  if (const auto splits = sim::own_option(scenario_, "splits")) set("splits", half(*splits));  // for half the keys
  return true;
}

Verification::Verification(const std::shared_ptr<const Verifier>& verifier, const sim::Scenario& scenario)
    : verifier_(verifier), simulation_(sim::simulate(scenario)), rows_(simulated_rows(simulation_)) {}

bool Verification::advance() {
  if (done_) return false;
  try {
    if (run_ == nullptr) {
      run_ = verifier_->begin(simulation_.plan.scenario);
      return true;
    }
    done_ = !run_->advance();
    if (done_) rows_ = compared_rows(simulation_, run_->emulated(), run_->gpu());
  } catch (const sim::Error& error) {
    error_ = error.sentence();
    done_ = true;
  }
  return !done_;
}

}  // namespace explorer

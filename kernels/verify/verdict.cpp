#include "kernels/verify/verdict.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "kernels/measurements/recorded.h"
#include "kernels/verify/counter_rows.h"
#include "sim/catalogue/quantities.h"

namespace kernels {

std::int64_t passes_apart([[maybe_unused]] std::int64_t ideal) {
#ifdef __clang__
  return ideal / 400;
#else
  return 0;
#endif
}

namespace {

constexpr std::int64_t sector_bytes = 32;

/// Traffic of a tensor over all launches.
struct Moved {
  std::string tensor;
  std::int64_t element_bytes;
  bool whole_sectors;
  sim::Traffic program;
  dev::Traffic kernel;
};

std::string times_text(double factor) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2fx", factor);
  return text;
}

/// True if every block of the tensor begins and ends with a sector, in every row. Neighbouring lanes, which access
/// neighbouring elements, then share no sector with another instruction. A tile of statistics is one row.
bool in_whole_sectors(const sim::Plan& plan, const sim::HbmTensor& tensor) {
  const auto whole = [&](std::int64_t elements) { return elements * size_of(tensor.dtype) % sector_bytes == 0; };
  if (tensor.name == sim::Tensor::mask_blocks) return false;  // columns are read as well
  if (tensor.name == sim::Tensor::block_table) return false;  // one entry at a time
  const bool row_by_row =
      plan.problem.parts > 0 && sim::is_statistic(tensor.name);  // by the kernel that combines parts
  if (row_by_row) return false;
  const bool by_head = sim::is_statistic(tensor.name) || tensor.name == sim::Tensor::dQ_acc;
  if (plan.classes != nullptr && by_head) return false;                // an entry may begin anywhere in a head's rows
  if (tensor.part_cols < tensor.cols) return whole(tensor.part_cols);  // each part has its own block
  const bool scores = tensor.cols == plan.problem.shape.seqlen_k, statistic = tensor.cols == 1;
  const auto blocks_whole = [&](const sim::Launch& launch) {
    const std::int64_t rows = launch.grid.cuts_rows() ? launch.grid.br : launch.tiling.br;
    return scores ? whole(launch.tiling.bc) : !statistic || whole(rows);
  };
  if (!std::all_of(plan.launches.begin(), plan.launches.end(), blocks_whole)) return false;
  if (tensor.name == sim::Tensor::dQ_acc && tensor.rows % 8 != 0) return false;  // the last rows are in another order
  return whole(statistic ? tensor.rows : tensor.cols);
}

/// Tensors in the program's order; those that only the kernels touched follow.
std::vector<Moved> by_tensor(const sim::Simulation& program, const Measurement& kernel) {
  std::vector<Moved> all;
  const auto add = [&](const sim::HbmTensor& tensor, const sim::Traffic& traffic) {
    all.push_back({std::string(sim::name_of(tensor.name)),
                   size_of(tensor.dtype),
                   in_whole_sectors(program.plan, tensor),
                   traffic,
                   {}});
  };
  for (const auto& [tensor, traffic] : program.totals.by_tensor) add(program.plan.problem.hbm[tensor], traffic);
  for (const dev::LaunchReport& report : kernel.reports) {
    for (const auto& [name, traffic] : report.tensors) {
      auto found =
          std::find_if(all.begin(), all.end(), [&tensor = name](const Moved& moved) { return moved.tensor == tensor; });
      if (found == all.end()) found = all.insert(all.end(), {name, 1, false, {}, {}});
      found->kernel += traffic;
    }
  }
  return all;
}

/// Names the first launch with different bytes, if launches and reports correspond: " in softmax_forward".
std::string where_differs(const sim::Simulation& program, const Measurement& kernel, const std::string& tensor,
                          bool writes) {
  if (kernel.reports.size() < 2 || kernel.reports.size() != program.kernels.size()) return "";
  for (std::size_t n = 0; n < program.kernels.size(); ++n) {
    std::int64_t simulated = 0;
    for (const auto& [name, moved] : program.kernels[n].totals.by_tensor) {
      if (sim::name_of(name) == tensor) simulated = (writes ? moved.written : moved.read).count();
    }
    const auto found = kernel.reports[n].tensors.find(tensor);
    const dev::Traffic measured = found == kernel.reports[n].tensors.end() ? dev::Traffic{} : found->second;
    if ((writes ? measured.write_bytes : measured.read_bytes) != simulated) return " in " + program.kernels[n].name;
  }
  return "";
}

VerdictRow exact(std::string quantity, std::string_view unit, std::int64_t simulated, std::int64_t measured) {
  return {std::move(quantity),  std::string(unit), static_cast<double>(simulated), static_cast<double>(measured), 0,
          simulated == measured};
}

/// Row of a path, whose unit the catalogue gives.
VerdictRow exact(std::string path, std::int64_t simulated, std::int64_t measured) {
  const std::string_view unit = sim::unit_of_quantity(path);
  return exact(std::move(path), unit, simulated, measured);
}

/// Cause: "the kernel reads 4096 bytes more of K than the program, 1.50x"; `of`: " of K", or empty for the sum.
std::string bytes_cause(std::int64_t simulated, std::int64_t measured, const char* verb, const std::string& of) {
  if (simulated == measured) return "";
  const char* more = measured > simulated ? " bytes more" : " bytes less";
  std::string cause =
      sim::text("the kernel ", verb, " ", std::abs(measured - simulated), more, of, " than the program");
  if (simulated > 0) cause += ", " + times_text(static_cast<double>(measured) / static_cast<double>(simulated));
  return cause;
}

void add_error_rows(Verdict& verdict, const std::vector<ValueErrors>& errors) {
  for (const ValueErrors& e : errors) {
    VerdictRow row{"error." + e.tensor, "max abs error", e.program, e.kernel, e.allowed};
    row.ok = std::isfinite(e.allowed) && e.kernel <= e.allowed && e.program <= e.allowed;  // a NaN fails
    row.ok = row.ok && e.nonfinite.empty();
    row.cause = row.ok ? e.note : e.nonfinite;
    if (!row.ok && e.nonfinite.empty()) {
      const bool kernel = !(e.kernel <= e.allowed), program = !(e.program <= e.allowed);
      row.cause = sim::text("max |", e.tensor, " - reference| ", kernel ? "of the kernel" : "",
                            kernel && program ? " and " : "", program ? "of the program" : "", " is more than the ",
                            e.allowed, " of the numerics rule");
      if (kernel && program) row.cause += ": the algorithm rounds more often than the plain formula";
    }
    verdict.rows.push_back(row);
  }
}

void add_tensor_rows(Verdict& verdict, const sim::Simulation& program, const Measurement& kernel) {
  const auto add_row = [&](const std::string& name, bool writes, std::int64_t simulated, std::int64_t measured) {
    if (simulated == 0 && measured == 0) return;
    const char* direction = writes ? ".write_bytes" : ".read_bytes";
    VerdictRow row = exact("tile_traffic.by_tensor." + name + direction, simulated, measured);
    row.cause = bytes_cause(simulated, measured, writes ? "writes" : "reads", " of " + name);
    if (!row.ok) row.cause += where_differs(program, kernel, name, writes);
    verdict.rows.push_back(row);
  };
  for (const Moved& moved : by_tensor(program, kernel)) {
    add_row(moved.tensor, false, moved.program.read.count(), moved.kernel.read_bytes);
    add_row(moved.tensor, true, moved.program.written.count(), moved.kernel.write_bytes);
  }
}

void add_total_rows(Verdict& verdict, const sim::Simulation& program, const Measurement& kernel) {
  dev::Traffic sum;
  for (const Moved& moved : by_tensor(program, kernel)) sum += moved.kernel;
  const auto add_row = [&](const char* what, const char* verb, sim::Bytes simulated, std::int64_t measured) {
    VerdictRow row = exact(std::string("tile_traffic.") + what, simulated.count(), measured);
    row.cause = bytes_cause(simulated.count(), measured, verb, "");
    verdict.rows.push_back(row);
  };
  add_row("total.read_bytes", "reads", program.totals.total.read, sum.read_bytes);
  add_row("total.write_bytes", "writes", program.totals.total.written, sum.write_bytes);
  add_row("atomic_bytes", "adds by atomics", program.totals.atomic, sum.atomic_bytes);
}

/// Compares sectors: at least those that hold the program's bytes; no more if blocks are `whole` sectors, else at most
/// one per element: if blocks begin or end inside a sector, two instructions request it.
VerdictRow sector_row(const std::string& quantity, const Moved& moved, std::int64_t bytes, std::int64_t measured) {
  const std::int64_t least = (bytes + sector_bytes - 1) / sector_bytes;
  const std::int64_t most = moved.whole_sectors ? least : std::max(least, bytes / moved.element_bytes);
  VerdictRow row = exact(quantity, "sectors", least, measured);
  row.tolerance = static_cast<double>(most - least);
  row.ok = measured >= least && measured <= most;
  if (measured < least) row.cause = "fewer than hold the program's bytes";
  if (measured > least) {
    row.cause = times_text(static_cast<double>(measured) / static_cast<double>(least)) +
                " the least: an instruction uses only a part of its sectors";
  }
  return row;
}

void add_sector_rows(Verdict& verdict, const sim::Simulation& program, const Measurement& kernel) {
  for (const Moved& moved : by_tensor(program, kernel)) {
    const std::int64_t read = moved.program.read.count(), written = moved.program.written.count();
    const std::string name = "sectors." + moved.tensor;
    if (read > 0) verdict.rows.push_back(sector_row(name + ".read", moved, read, moved.kernel.read_sectors));
    if (written > 0) verdict.rows.push_back(sector_row(name + ".write", moved, written, moved.kernel.write_sectors));
  }
}

void add_wavefront_row(Verdict& verdict, const Measurement& kernel) {
  std::int64_t ideal = 0, measured = 0;
  for (const dev::LaunchReport& report : kernel.reports) {
    ideal += report.ideal_wavefronts;
    measured += report.wavefronts;
  }
  if (ideal == 0 && measured == 0) return;
  VerdictRow row = exact("wavefronts", "wavefronts", ideal, measured);
  row.tolerance = static_cast<double>((kernel.most_passes - 1) * ideal + passes_apart(ideal));
  row.ok = measured >= ideal && row.difference() <= row.tolerance;
  if (measured != ideal) {
    row.cause = "bank conflicts: " + times_text(static_cast<double>(measured) / static_cast<double>(ideal)) +
                " the passes through shared memory";
  }
  verdict.rows.push_back(row);
}

void add_race_row(Verdict& verdict, const Measurement& kernel) {
  std::int64_t races = 0;
  std::string first;
  for (const dev::LaunchReport& report : kernel.reports) {
    if (!report.races.empty() && first.empty()) first = report.kernel + ": " + report.races.front();
    races += static_cast<std::int64_t>(report.races.size());
  }
  VerdictRow row = exact("races", "races", 0, races);
  row.cause = first;
  verdict.rows.push_back(row);
}

void add_memory_row(Verdict& verdict, const sim::Simulation& program, const Measurement& kernel) {
  const std::string_view unit = sim::unit_of_quantity("memory.peak_hbm_bytes");
  VerdictRow row = exact("memory.peak", unit, program.memory.peak_hbm.count(), kernel.peak_bytes);
  if (!row.ok) row.cause = "the host code keeps other tensors alive than the program";
  verdict.rows.push_back(row);
}

const measurements::Metric& time_metric() { return *measurements::metric_beside("time.microseconds"); }

/// Time between marks in the stream, else by the hardware's own clock.
std::optional<double> time_of(const Measurement& kernel) {
  if (kernel.microseconds || !kernel.counters) return kernel.microseconds;
  return counted(*kernel.counters, time_metric());
}

void add_time_row(Verdict& verdict, const sim::Simulation& program, const Measurement& kernel) {
  if (std::isnan(program.microseconds)) return;  // the device has no time: the run's warnings give the reason
  const std::optional<double> measured = time_of(kernel);
  if (!measured && !kernel.counters) return;
  VerdictRow row = time_row(program, measured.value_or(0), kernel.kernel);
  row.missing = !measured;
  if (row.missing) row.cause = why_not_counted(*kernel.counters, time_metric());
  verdict.rows.push_back(row);
}

}  // namespace

Verdict compare(const sim::Simulation& program, const Measurement& kernel) {
  Verdict verdict;
  add_error_rows(verdict, kernel.errors);
  if (kernel.traced) {
    add_tensor_rows(verdict, program, kernel);
    add_total_rows(verdict, program, kernel);
    add_sector_rows(verdict, program, kernel);
    add_wavefront_row(verdict, kernel);
  }
  add_memory_row(verdict, program, kernel);
  if (kernel.traced) add_race_row(verdict, kernel);
  if (kernel.counters) add_counter_rows(verdict, program, kernel.kernel, *kernel.counters);
  add_time_row(verdict, program, kernel);
  return verdict;
}

VerdictRow time_row(const sim::Simulation& program, double measured, std::string_view kernel) {
  const double predicted = program.microseconds;
  const double part = program.accuracy.error_percent.value_or(100) / 100;
  VerdictRow row{"time", std::string(sim::unit_of_quantity("time.microseconds")), predicted, measured,
                 predicted * part};
  row.cause = "predicted for " + program.plan.scenario.gpu->name + "; measured / predicted is " +
              times_text(measured / predicted);
  if (measurements::is_plain(program.plan.scenario, kernel))
    row.cause += sim::text("; ", measurements::plain_time_note);
  return row;
}

void keep_worst(Verdict& verdict, const Verdict& other, const std::string& label) {
  for (VerdictRow row : other.rows) {
    const auto kept = std::find_if(verdict.rows.begin(), verdict.rows.end(),
                                   [&](const VerdictRow& each) { return each.quantity == row.quantity; });
    const bool worse = kept == verdict.rows.end() || (kept->ok && (!row.ok || row.measured > kept->measured));
    if (!worse) continue;
    if (!row.ok) row.cause = label + ": " + row.cause;
    if (kept == verdict.rows.end())
      verdict.rows.push_back(row);
    else
      *kept = row;
  }
}

}  // namespace kernels

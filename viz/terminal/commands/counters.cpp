// flashscope counters: every number that simulate prints, its unit and level, and the GPU counter it should match.
#include <nlohmann/json.hpp>

#include "kernels/counters/metrics.h"
#include "kernels/profile/metric.h"
#include "viz/terminal/command.h"
#include "viz/terminal/numbers.h"
#include "viz/terminal/report.h"

namespace terminal {
namespace {

struct Counter {
  const char *path, *unit, *level, *meaning;
};

constexpr Counter counted[] = {
    {"tile_traffic.total.read_bytes", "bytes", "SRAM",
     "into SMEM and registers, every tile load; what the papers call HBM accesses"},
    {"tile_traffic.total.write_bytes", "bytes", "SRAM", "out of the SM, every tile store"},
    {"tile_traffic.matrix.read_bytes", "bytes", "SRAM",
     "the part that moves Q, K, V, O, S, P, their gradients and masks"},
    {"tile_traffic.statistics.read_bytes", "bytes", "SRAM", "the part that moves m, l, L, D (fp32, one per query row)"},
    {"tile_traffic.initialisation.write_bytes", "bytes", "SRAM", "zeroing of O, l, m, dQ, dK, dV, dQ_acc"},
    {"tile_traffic.by_tensor.T.read_bytes", "bytes", "SRAM", "the part of tensor T, as Q"},
    {"tile_traffic.by_line.N.read_bytes", "bytes", "SRAM", "the part of one listing line, the Nth from 0"},
    {"tile_traffic.atomic_bytes", "bytes", "SRAM",
     "added to HBM by reductions; the total counts them as read and written, a GPU's SM gets nothing back"},
    {"hbm_traffic.read_bytes", "bytes", "HBM", "what L2 does not serve"},
    {"hbm_traffic.write_bytes", "bytes", "HBM", "what reaches device memory"},
    {"hbm_traffic.by_tensor.T.l2_hit_rate", "1", "L2", "the part of tensor T's tile traffic that L2 serves"},
    {"hbm_traffic.compulsory_bytes", "bytes", "HBM", "per kernel, inputs read once and outputs written once"},
    {"memory.peak_hbm_bytes", "bytes", "HBM", "most bytes of live tensors"},
    {"memory.extra_hbm_bytes", "bytes", "HBM", "at the peak, beyond Q, K, V, O and their gradients"},
    {"memory.peak_sram_bytes", "bytes", "SMEM", "most bytes of tiles of one CTA"},
    {"work.matmul_flops", "FLOP", "SM", "matrix products, 2 per multiply-add, masked elements of live tiles included"},
    {"work.other_flops", "FLOP", "SM", "scale, max, subtract, sum, rescale, divide: per element of a tile"},
    {"work.exp_count", "exponentials", "SM", "exp per element of a tile"},
    {"time.microseconds", "us", "GPU", "predicted, sum over kernels"},
    {"time.sms_busy", "SMs", "GPU",
     "that get a CTA of the longest kernel, min(CTAs, SMs); time.sms is how many there are"},
    {"time.budget.C", "us", "GPU", "the part of the predicted time that goes to cause C, as issue"},
    {"check.max_abs_error", "1", "-",
     "largest |value - reference| of O and the gradients, reference in double precision"},
};

/// Null where the hardware has no counter of that.
nlohmann::ordered_json metric_json(const Counter& counter) {
  const std::string metric = counters::metric_text(counter.path);
  return metric.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(metric);
}

std::string metric_cell(const Counter& counter) {
  const std::string metric = counters::metric_text(counter.path);
  return metric.empty() ? "-" : metric;
}

/// What a GPU counts that the program has nothing beside.
std::string unpaired_metrics() {
  std::string lines;
  for (const counters::Metric& metric : counters::metrics()) {
    if (!*metric.quantity) lines += sim::text("  ", metric.name, ": ", metric.meaning, "\n");
  }
  return lines;
}

nlohmann::ordered_json metrics_json() {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const counters::Metric& m : counters::metrics()) {
    nlohmann::ordered_json entry = {{"name", m.name}, {"unit", m.unit}, {"meaning", m.meaning}};
    entry["counter"] = *m.quantity ? nlohmann::ordered_json(m.quantity) : nlohmann::ordered_json(nullptr);
    entry["factor"] = m.factor;
    entry["counter_unit"] = m.our_unit;
    list.push_back(entry);
  }
  return list;
}

std::string counter_table() {
  Table table({"counter", "unit", "level", "GPU metric it should match"});
  std::string meanings;
  for (const Counter& c : counted) {
    table.row({c.path, c.unit, c.level, metric_cell(c)});
    meanings += sim::text("  ", c.path, ": ", c.meaning, "\n");
  }
  std::string causes;
  for (const sim::Cause cause : sim::all_causes) {
    causes += sim::text("  ", sim::key_of(cause), ": ", sim::meaning_of(cause), "\n");
  }
  return table.text() + "\n" + meanings + "\nRead on a GPU as well:\n" + unpaired_metrics() + "\nCauses of time:\n" +
         causes +
         "\nEach .read_bytes has its .write_bytes. flashscope simulate --why COUNTER derives any of them.\n"
         "SRAM: shared memory and registers of an SM.\n";
}

std::string counters_json() {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Counter& c : counted) {
    nlohmann::ordered_json entry = {{"name", c.path}, {"unit", c.unit}, {"level", c.level}, {"meaning", c.meaning}};
    entry["gpu_metric"] = metric_json(c);
    list.push_back(entry);
  }
  nlohmann::ordered_json causes = nlohmann::ordered_json::object();
  for (const sim::Cause cause : sim::all_causes) {
    causes[sim::key_of(cause)] = sim::meaning_of(cause);
  }
  return to_text({{"schema", 1}, {"counters", list}, {"causes", causes}, {"gpu_metrics", metrics_json()}});
}

}  // namespace

CommandSyntax counters_syntax() {
  return {"counters",
          "What is counted: unit, level, and the GPU metric it should match",
          false,
          {{"format", "table|json", "what to print [table]", {"table", "json"}},
           {"ncu", "", "only the command that records these metrics of your program for verify --import", {}}},
          "flashscope counters --format json"};
}

int run_counters(const Arguments& arguments) {
  if (arguments.find("ncu")) {
    sim::require(!arguments.find("format"), "ncu: prints a command line, --format is refused beside it");
    print(profile::ncu_command() + "\n");
    return exit_done;
  }
  print(arguments.value("format", "table") == "json" ? counters_json() : as_typed(counter_table()));
  return exit_done;
}

}  // namespace terminal

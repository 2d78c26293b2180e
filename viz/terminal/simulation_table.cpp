#include "viz/terminal/simulation_table.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/catalogue/run_values.h"
#include "sim/machine/device_fields.h"
#include "sim/model/compiled_kernels.h"
#include "sim/model/hbm_traffic.h"
#include "sim/model/kv_cache.h"
#include "sim/model/published_memory.h"
#include "sim/report/numbers.h"
#include "viz/results/table_numbers.h"
#include "viz/terminal/legend.h"
#include "viz/terminal/request.h"
#include "viz/terminal/validation_report.h"

namespace terminal {
namespace {

bool counts_hbm(const sim::Simulation& s) { return counts_hbm_traffic(*s.plan.scenario.gpu); }

std::string dash_or_bytes(sim::Bytes n) { return n.count() == 0 ? "-" : report::bytes(n.count()); }

std::vector<std::string> traffic_row(std::string name, const sim::Traffic& t) {
  return {std::move(name), dash_or_bytes(t.read), dash_or_bytes(t.written), report::bytes(t.total().count()),
          report::thousands(t.total().count())};
}

report::Table kernels_table(const sim::Simulation& s) {
  report::Table table({"kernel", "tile", "CTAs", "waves", "threads", "SMEM", "predicted time", "bound by"});
  for (std::size_t k = 0; k < s.kernels.size(); ++k) {
    const sim::Launch& launch = s.plan.launches[k];
    const sim::KernelMeters& meters = s.kernels[k];
    const std::string tile = launch.grid.by_entry() ? "-" : sim::text(launch.grid.br, " x ", launch.grid.bc);
    table.row({launch.name, tile, report::thousands(meters.ctas), fmt::format("{:.2f}", meters.waves),
               report::thousands(launch.threads), report::kibibytes(s.traces[k].peak_smem.count()),
               report::microseconds(meters.time.microseconds),
               meters.time.bound_by.empty() ? "-" : meters.time.bound_by});
  }
  return table;
}

report::Table tile_table(const sim::Simulation& s) {
  report::Table table({"tile traffic", "read", "written", "total", "bytes", "L2 hits"});
  const auto hits = [](const sim::Traffic& tile, const sim::Traffic& hbm) {
    if (tile.read.count() == 0) return std::string("-");  // writes neither hit nor miss
    return fmt::format("{:.1f} %", 100 * sim::l2_hit_rate(tile, hbm));
  };
  for (const auto& [name, traffic] : s.totals.by_tensor) {
    std::vector<std::string> row = traffic_row("  " + std::string(name_of(name)), traffic);
    if (s.hbm_by_tensor.count(name) > 0) row.push_back(hits(traffic, s.hbm_by_tensor.at(name)));
    table.row(row);
  }
  table.rule();
  for (const sim::Bucket bucket : {sim::Bucket::matrix, sim::Bucket::statistics, sim::Bucket::initialisation}) {
    if (s.totals.bucket(bucket).total().count() > 0) {
      table.row(traffic_row("  " + std::string(name_of(bucket)), s.totals.bucket(bucket)));
    }
  }
  std::vector<std::string> total = traffic_row("total", s.totals.total);
  if (counts_hbm(s)) total.push_back(hits(s.totals.total, s.hbm));
  table.row(total);
  return table;
}

report::Table lines_table(const sim::Simulation& s) {
  report::Table table({"line", "read", "written", "total", "share"});
  const double all = static_cast<double>(s.totals.total.total().count());
  std::string kernel;
  for (const sim::LineTraffic& l : s.lines) {
    if (l.kernel != kernel) table.row({l.kernel});
    kernel = l.kernel;
    table.row({fmt::format("{:>4}  {}", l.line, l.code), dash_or_bytes(l.traffic.read),
               dash_or_bytes(l.traffic.written), report::bytes(l.traffic.total().count()),
               fmt::format("{:.1f} %", 100 * static_cast<double>(l.traffic.total().count()) / all)});
  }
  return table;
}

report::Table steps_table(const sim::Simulation& s) {
  report::Table table({"step", "keys", "predicted time", "tile traffic", "HBM traffic"});
  const auto row = [&](std::int64_t number, const sim::StepMeters& step) {
    table.row({report::thousands(number), report::thousands(step.keys), report::microseconds(step.microseconds),
               report::bytes(step.tile.count()), counts_hbm(s) ? report::bytes(step.hbm.count()) : "-"});
  };
  row(1, s.steps->first);
  if (s.steps->count > 1) row(s.steps->count, s.steps->last);
  table.rule();
  table.row({"all", "", report::microseconds(s.microseconds), report::bytes(s.totals.total.total().count()),
             counts_hbm(s) ? report::bytes(s.hbm.total().count()) : "-"});
  return table;
}

/// A row for each problem that the slowest GPU computes, then the numbers of a run on several GPUs.
report::Table gpus_table(const sim::Simulation& s) {
  const sim::GpuMeters& m = *s.gpus;
  report::Table table(
      {sim::text(m.run.gpus, " GPUs, ", name_of(m.run.parallel)), "queries", "keys", "mask", "steps", "time of one"});
  for (std::size_t n = 0; n < m.kinds.size(); ++n) {
    if (m.times[n] == 0) continue;
    const sim::Shape& shape = m.kinds[n].plan.scenario.shape;
    table.row({"the slowest computes", report::thousands(shape.seqlen_q), report::thousands(shape.seqlen_k),
               shape.mask.causal ? "causal" : "-", report::thousands(m.times[n]),
               report::microseconds(m.kinds[n].microseconds)});
  }
  table.rule();
  const auto row = [&](const char* name, std::string value) { table.row({name, std::move(value)}); };
  row("balance", report::percent(m.balance()));
  row("pairs of the slowest", report::thousands(m.pairs));
  row("elements of its tiles", report::thousands(m.elements));
  row("sent by a GPU", report::bytes(m.run.sent().count()));
  row("K and V held", report::bytes(m.run.held.count()));
  row("merged O and L", report::bytes(m.merged.count()));
  row("exposed transfers", report::microseconds(m.exposed_microseconds));
  return table;
}

report::Table meters_table(const sim::Simulation& s) {
  report::Table table({"meter", "value", "exact"});
  const auto row = [&](const char* name, sim::Bytes n) {
    table.row({name, report::bytes(n.count()), report::thousands(n.count()) + " B"});
  };
  const auto number = [&table, values = sim::values_of(s)](const char* name) {
    const results::TableNumber one = results::chosen_numbers(name).front();
    const auto n = results::number_in(values, one.path).get<std::int64_t>();
    table.row(
        {one.title, one.text(static_cast<double>(n)), report::thousands(n) + (one.unit() == "bytes" ? " B" : "")});
  };
  if (counts_hbm(s)) {
    row("HBM traffic after L2, read", s.hbm.read);
    row("HBM traffic after L2, written", s.hbm.written);
  } else {
    table.row({"HBM traffic after L2", "-"});
  }
  number("compulsory");
  number("peak-memory");
  row(s.plan.has_backward() ? "  beyond Q, K, V, O, gradients" : "  beyond Q, K, V, O", s.memory.extra_hbm);
  const auto published = sim::published_memory(s.plan);
  if (published) row("  published, measured", published->bytes);
  if (const auto cache = sim::kv_cache_of(s.plan.scenario)) {
    row("KV cache of a token, all layers", sim::Bytes(cache->bytes_per_token));
    row("KV cache of the batch", sim::Bytes(cache->bytes));
  }
  table.row({"peak SRAM of one CTA", report::kibibytes(s.memory.peak_sram.count()),
             "of " + report::kibibytes(s.memory.sram_capacity.count())});
  for (const char* name : {"matrix-flops", "other-flops", "exponentials"}) number(name);
  if (s.plan.problem.modified()) number("tanh");
  return table;
}

std::string published_words(const sim::PublishedMemory& published) {
  std::string words = sim::text("Published memory: ", published.equation, " (", published.source, "). What differs:\n");
  for (const std::string& difference : published.differences) words += "  " + difference + "\n";
  return words;
}

std::string kv_cache_words(const sim::KvCache& cache) {
  return sim::text("KV cache of ", cache.layers.all(), " layer", cache.layers.all() == 1 ? "" : "s",
                   "; HBM has space for ", report::thousands(cache.sequences_that_fit),
                   " such sequences without weights and activations. All else is of one layer.\n");
}

/// Says between which bounds HBM traffic and time are; nothing if the model decides.
std::string range_words(const sim::Simulation& s) {
  if (!s.range) return "";
  const auto bytes = [](sim::Bytes n) { return report::bytes(n.count()); };
  const auto time = [](double microseconds) { return report::microseconds(microseconds); };
  return sim::text("HBM traffic ", bytes(s.hbm.total()), ": ", bytes(s.range->low), " to ", bytes(s.range->high),
                   " as CTAs drift apart, ", bytes(s.range->in_step), " if they kept in step; predicted time ",
                   time(s.range->least_microseconds), " to ", time(s.range->most_microseconds), "\n");
}

std::string time_words(const sim::Simulation& s, bool sizes_from_files) {
  const sim::DeviceSpec& gpu = *s.plan.scenario.gpu;
  const std::string no_traffic = counts_hbm(s) ? "" : sim::why_no_hbm_traffic(gpu) + "\n";
  if (!has_time(gpu)) return no_traffic + sim::why_no_time(gpu) + "\n" + few_sms_line({s}, sizes_from_files);
  const std::string estimated = sim::why_estimated(s.plan);
  return sim::text(range_words(s), "predicted time ", report::microseconds(s.microseconds), " at ",
                   sim::megahertz(s.longest_kernel().time.clock_hz), ", bound by ", s.bound_by, " (",
                   bound_meaning(s.bound_by), ")\ntime of: ", sim::timed_kernel(s.plan),
                   "\nerror of time: ", accuracy_text(s.accuracy), "\n", framework_line({s}),
                   estimated.empty() ? "" : estimated + "\n", few_sms_line({s}, sizes_from_files));
}

std::string words_against(const sim::Simulation& s, const sim::Simulation& standard) {
  const auto against = [&](std::int64_t mine, std::int64_t other) {
    return report::ratio(static_cast<double>(mine) / static_cast<double>(other));
  };
  return sim::text(
      "against standard attention: ", against(s.totals.total.total().count(), standard.totals.total.total().count()),
      " the tile traffic, ",
      counts_hbm(s) ? against(s.hbm.total().count(), standard.hbm.total().count()) + " the HBM traffic, " : "",
      against(s.memory.peak_hbm.count(), standard.memory.peak_hbm.count()), " the memory\n");
}

std::string check_words(const sim::ValueChecks& all) {
  std::string words = "values, largest error against double precision:";
  for (const auto& [name, check] : all.by_tensor) {
    words += sim::text(name == all.by_tensor.front().first ? " " : ", ", sim::name_of(name), " ",
                       report::error(check.max_abs_error));
    if (std::isfinite(check.max_rel_error))
      words += sim::text(" (", report::scientific(check.max_rel_error), " of its largest value)");
  }
  if (all.of_unquantised)
    words += sim::text("\nroot mean square error of O against the inputs before e4m3: ",
                       report::scientific(all.of_unquantised->root_mean()));
  return words + "\n";
}

}  // namespace

Document simulation_document(const sim::Simulation& s, const sim::Simulation* standard, bool sizes_from_files) {
  Document document = {
      {sim::text(s.plan.program->title, ", ", sim::name_of(s.plan.scenario.pass), ": ", shape_text(s.plan.scenario),
                 "; ", s.plan.scenario.gpu->title, ", tiles ", tile_text(s.plan), "\n")},
      {"", kernels_table(s)},
      {"", tile_table(s)},
      {"", lines_table(s)},
      {"", meters_table(s)}};
  if (s.steps) document.push_back({"", steps_table(s)});
  if (s.gpus) document.push_back({"", gpus_table(s)});
  if (const auto cache = sim::kv_cache_of(s.plan.scenario)) document.push_back({kv_cache_words(*cache)});
  if (const auto published = sim::published_memory(s.plan)) document.push_back({published_words(*published)});
  if (has_time(*s.plan.scenario.gpu)) document.push_back({"", budget_table(s)});
  document.push_back({time_words(s, sizes_from_files) + (standard != nullptr ? words_against(s, *standard) : "") +
                      (s.check ? check_words(*s.check) : "")});
  return document;
}

namespace {

struct Column {
  std::string name;
  const sim::Budget* budget;
};

std::vector<Column> columns_of(const sim::Simulation& s) {
  constexpr std::size_t most_kernels = 4;
  std::vector<Column> columns;
  for (const sim::KernelMeters& kernel : s.kernels) {
    const bool shown = s.kernels.size() <= most_kernels || &kernel == &s.longest_kernel();
    if (shown && s.kernels.size() > 1) columns.push_back({kernel.name, &kernel.time.budget});
  }
  columns.push_back({s.kernels.size() == 1 ? s.kernels[0].name : "all kernels", &s.budget});
  return columns;
}

/// A row that adds up some causes; the share refers to the last column.
template <class Counts>
std::vector<std::string> row_of(std::string title, const std::vector<Column>& columns, Counts counts) {
  std::vector<std::string> row = {std::move(title)};
  double part = 0;
  for (const Column& column : columns) {
    part = 0;
    for (const sim::Cause cause : sim::all_causes) {
      if (counts(cause)) part += (*column.budget)[cause];
    }
    row.push_back(part > 1e-9 * column.budget->total() ? report::microseconds(part) : "-");
  }
  row.push_back(fmt::format("{:.1f} %", 100 * part / columns.back().budget->total()));
  return row;
}

}  // namespace

report::Table budget_table(const sim::Simulation& s) {
  const std::vector<Column> columns = columns_of(s);
  std::vector<std::string> header = {"time budget"};
  for (const Column& column : columns) header.push_back(column.name);
  header.emplace_back("share");
  report::Table table(header);
  const double rounding = 1e-9 * s.microseconds;
  for (const bool work : {true, false}) {
    table.row(row_of(work ? "work" : "waits", columns, [&](sim::Cause cause) { return is_work(cause) == work; }));
    for (const sim::Cause one : sim::all_causes) {
      if (is_work(one) != work || s.budget[one] < rounding) continue;
      table.row(row_of(sim::text("  ", name_of(one)), columns, [&](sim::Cause cause) { return cause == one; }));
    }
  }
  table.rule();
  table.row(row_of("predicted time", columns, [](sim::Cause) { return true; }));
  return table;
}

}  // namespace terminal

#include "kernels/profile/metric.h"

#include <map>
#include <utility>

#include "sim/base/check.h"
#include "sim/catalogue/quantities.h"

namespace profile {
namespace {

constexpr double sector = 32;     // bytes
constexpr double warp = 32;       // threads
constexpr double percent = 0.01;  // as a fraction
constexpr double tile_expectation = 0.01, hbm_expectation = 0.05, time_expectation = 0.10;

Term sectors(const char* metric, bool optional = false) { return {metric, Unit::sector, sector, optional}; }
Term bytes(const char* metric, bool optional = false) { return {metric, Unit::byte, 1, optional}; }

std::vector<Source> tile_read_sources() {
  return {{bytes("l1tex__m_xbar2l1tex_read_bytes.sum")},
          {sectors("l1tex__m_xbar2l1tex_read_sectors.sum")},
          {sectors("lts__t_sectors_srcunit_tex_op_read.sum")},
          {sectors("lts__t_sectors_op_read.sum")}};
}

/// L2 does not count reductions as writes, but the program does.
std::vector<Source> tile_write_sources() {
  return {{sectors("lts__t_sectors_srcunit_tex_op_write.sum"), sectors("lts__t_sectors_srcunit_tex_op_red.sum", true),
           sectors("lts__t_sectors_srcunit_tex_op_atom.sum", true)},
          {sectors("lts__t_sectors_op_write.sum"), sectors("lts__t_sectors_op_red.sum", true),
           sectors("lts__t_sectors_op_atom.sum", true)},
          {bytes("l1tex__m_l1tex2xbar_write_bytes.sum")},
          {sectors("l1tex__m_l1tex2xbar_write_sectors.sum")}};
}

/// A hit rate is a share of all reads; as a percentage it is valid for a single launch only.
std::vector<Source> hit_sources() {
  return {
      {sectors("lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum"), sectors("lts__t_sectors_srcunit_tex_op_read.sum")},
      {sectors("lts__t_sectors_op_read_lookup_hit.sum"), sectors("lts__t_sectors_op_read.sum")},
      {{"lts__t_sector_op_read_hit_rate.pct", Unit::percent, percent}}};
}

/// Labels of the details page serve as metrics as well: it prints them unless --print-metric-name name is given.
std::vector<Source> shared_memory_sources() {
  return {{bytes("launch__shared_mem_per_block_dynamic"), bytes("launch__shared_mem_per_block_static", true)},
          {bytes("Dynamic Shared Memory Per Block"), bytes("Static Shared Memory Per Block", true)},
          {bytes("launch__shared_mem_per_block")}};
}

std::vector<Source> tensor_core_sources() {
  return {{{"sm__ops_path_tensor_src_fp16_dst_fp32.sum", Unit::operation}},
          {{"sm__ops_path_tensor_src_fp16.sum", Unit::operation}},
          {{"sm__ops_path_tensor_src_bf16_dst_fp32.sum", Unit::operation}}};
}

std::vector<Source> time_sources() {
  return {{{"gpu__time_duration.sum", Unit::microsecond}},
          {{"gpu__time_duration.max", Unit::microsecond}},
          {{"gpu__time_duration.avg", Unit::microsecond}},
          {{"Duration", Unit::microsecond}}};
}

/// Cycles per microsecond are MHz. Metric names differ between versions of Nsight Compute.
std::vector<Source> clock_sources() {
  constexpr double mega = 1e-6;
  std::vector<Source> sources;
  for (const char* metric : {"sm__cycles_elapsed.avg.per_second", "smsp__cycles_elapsed.avg.per_second",
                             "gpc__cycles_elapsed.avg.per_second", "SM Frequency"})
    sources.push_back({{metric, Unit::hertz, mega}});
  for (const char* cycles : {cycles_metric, "gpc__cycles_elapsed.max", "sm__cycles_elapsed.avg"})
    sources.push_back({{cycles, Unit::cycle}, {"gpu__time_duration.sum", Unit::microsecond}});
  sources.push_back({{"Elapsed Cycles", Unit::cycle}, {"Duration", Unit::microsecond}});
  return sources;
}

std::vector<Source> hbm_rate_sources() {
  const auto rate = [](const char* metric) { return Term{metric, Unit::byte_per_second}; };
  return {{rate("dram__bytes.sum.per_second")}, {rate("Memory Throughput")}};
}

std::vector<Source> hbm_share_sources() {
  std::vector<Source> sources;
  for (const char* metric : {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
                             "dram__throughput.avg.pct_of_peak_sustained_elapsed", "DRAM Throughput", "SOL DRAM"})
    sources.push_back({{metric, Unit::percent, percent}});
  return sources;
}

/// Further quantities of the details page, and those that tools record instead of reads and writes.
std::vector<Quantity> quantities_beside() {
  return {{path::hbm_bytes, "bytes", hbm_expectation, Grouping::sum, {{bytes("dram__bytes.sum")}}, true},
          {path::hbm_rate, "bytes/s", std::nullopt, Grouping::quotient, hbm_rate_sources(), true},
          {path::hbm_share, "1", std::nullopt, Grouping::share, hbm_share_sources(), true},
          {path::clock, "MHz", std::nullopt, Grouping::quotient, clock_sources(), true}};
}

/// Takes the unit from the catalogue, which has no row for the hit rate of reads alone.
Quantity in_its_unit(std::string_view path, std::optional<double> expectation, Grouping grouping,
                     std::vector<Source> sources) {
  const sim::RunQuantity* row = sim::find_quantity(path);
  return {path, row == nullptr ? "1" : sim::short_unit(row->unit), expectation, grouping, std::move(sources)};
}

std::vector<Quantity> quantities_of_programs() {
  return {in_its_unit(path::tile_reads, tile_expectation, Grouping::sum, tile_read_sources()),
          in_its_unit(path::tile_writes, tile_expectation, Grouping::sum, tile_write_sources()),
          in_its_unit(path::hbm_reads, hbm_expectation, Grouping::sum,
                      {{bytes("dram__bytes_read.sum")},
                       {bytes("dram__bytes_op_read.sum")},
                       {sectors("dram__sectors_read.sum")},
                       {sectors("dram__sectors_op_read.sum")}}),
          in_its_unit(path::hbm_writes, hbm_expectation, Grouping::sum,
                      {{bytes("dram__bytes_write.sum")},
                       {bytes("dram__bytes_op_write.sum")},
                       {sectors("dram__sectors_write.sum")},
                       {sectors("dram__sectors_op_write.sum")}}),
          in_its_unit(path::l2_hits, std::nullopt, Grouping::share, hit_sources()),
          in_its_unit(path::shared_memory, std::nullopt, Grouping::largest, shared_memory_sources()),
          in_its_unit(path::matmul, std::nullopt, Grouping::sum, tensor_core_sources()),
          in_its_unit(path::exponentials, std::nullopt, Grouping::sum,
                      {{{"smsp__inst_executed_pipe_xu.sum", Unit::instruction, warp}},
                       {{"sm__inst_executed_pipe_xu.sum", Unit::instruction, warp}}}),
          in_its_unit(path::time, time_expectation, Grouping::sum, time_sources())};
}

}  // namespace

const std::vector<Quantity>& quantities() {
  static const std::vector<Quantity> all = [] {
    std::vector<Quantity> list = quantities_of_programs();
    for (Quantity& quantity : quantities_beside()) list.push_back(std::move(quantity));
    return list;
  }();
  return all;
}

std::optional<Unit> unit_of(std::string_view metric) {
  static const std::map<std::string_view, Unit> units = [] {
    std::map<std::string_view, Unit> all;
    for (const Quantity& quantity : quantities()) {
      for (const Source& source : quantity.sources) {
        for (const Term& term : source) all.emplace(term.metric, term.unit);
      }
    }
    return all;
  }();
  const auto found = units.find(metric);
  return found == units.end() ? std::nullopt : std::optional(found->second);
}

bool is_share_of_peak(std::string_view metric, std::string_view unit_text) {
  return metric == "Memory Throughput" && unit_text == "%";
}

std::string name_of(const Source& source, Grouping grouping) {
  const bool divided = grouping == Grouping::share || grouping == Grouping::quotient;
  std::string name;
  for (const Term& term : source) {
    if (!name.empty()) name += divided ? " / " : " + ";
    name += term.metric;
    if (term.unit == Unit::sector && !divided) name += " x 32 B";
    if (term.unit == Unit::instruction) name += " x 32";
  }
  return name;
}

}  // namespace profile

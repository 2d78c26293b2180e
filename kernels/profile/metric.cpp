#include "kernels/profile/metric.h"

#include <map>
#include <set>

#include "sim/base/check.h"
#include "sim/catalogue/quantities.h"

namespace profile {
namespace {

constexpr double sector = 32;     // bytes
constexpr double warp = 32;       // threads
constexpr double percent = 0.01;  // of 1
constexpr double tile_expectation = 0.01, hbm_expectation = 0.05, time_expectation = 0.10;

Term sectors(const char* metric, bool optional = false) { return {metric, Unit::sector, sector, optional}; }
Term bytes(const char* metric) { return {metric, Unit::byte}; }

std::vector<Source> tile_read_sources() {
  return {{bytes("l1tex__m_xbar2l1tex_read_bytes.sum")},
          {sectors("l1tex__m_xbar2l1tex_read_sectors.sum")},
          {sectors("lts__t_sectors_srcunit_tex_op_read.sum")},
          {sectors("lts__t_sectors_op_read.sum")}};
}

/// Reductions are no writes of L2, but the program counts them as written.
std::vector<Source> tile_write_sources() {
  return {{sectors("lts__t_sectors_srcunit_tex_op_write.sum"), sectors("lts__t_sectors_srcunit_tex_op_red.sum", true),
           sectors("lts__t_sectors_srcunit_tex_op_atom.sum", true)},
          {sectors("lts__t_sectors_op_write.sum"), sectors("lts__t_sectors_op_red.sum", true),
           sectors("lts__t_sectors_op_atom.sum", true)},
          {bytes("l1tex__m_l1tex2xbar_write_bytes.sum")},
          {sectors("l1tex__m_l1tex2xbar_write_sectors.sum")}};
}

/// A rate is a share of all reads; as a percentage it holds for a single launch only.
std::vector<Source> hit_sources() {
  return {
      {sectors("lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum"), sectors("lts__t_sectors_srcunit_tex_op_read.sum")},
      {sectors("lts__t_sectors_op_read_lookup_hit.sum"), sectors("lts__t_sectors_op_read.sum")},
      {{"lts__t_sector_op_read_hit_rate.pct", Unit::percent, percent}}};
}

/// Labels of the details page stand for metrics as well: it prints them unless --print-metric-name name is given.
std::vector<Source> shared_memory_sources() {
  return {{bytes("launch__shared_mem_per_block_dynamic"), bytes("launch__shared_mem_per_block_static")},
          {bytes("Dynamic Shared Memory Per Block"), bytes("Static Shared Memory Per Block")},
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

/// The unit is that of the catalogue; the hit rate of reads alone is in no row of it.
Quantity in_its_unit(std::string_view path, std::optional<double> expectation, Grouping grouping,
                     std::vector<Source> sources) {
  const sim::RunQuantity* row = sim::find_quantity(path);
  return {path, row == nullptr ? "1" : sim::short_unit(row->unit), expectation, grouping, std::move(sources)};
}

}  // namespace

const std::vector<Quantity>& quantities() {
  static const std::vector<Quantity> all = {
      in_its_unit(path::tile_reads, tile_expectation, Grouping::sum, tile_read_sources()),
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
  return all;
}

std::optional<Unit> unit_of(std::string_view metric) {
  static const std::map<std::string_view, Unit> units = [] {
    std::map<std::string_view, Unit> all = {{cycles_metric, Unit::cycle}};
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

std::string name_of(const Source& source, Grouping grouping) {
  std::string name;
  for (const Term& term : source) {
    if (!name.empty()) name += grouping == Grouping::share ? " / " : " + ";
    name += term.metric;
    if (term.unit == Unit::sector && grouping != Grouping::share) name += " x 32 B";
    if (term.unit == Unit::instruction) name += " x 32";
  }
  return name;
}

std::string ncu_command() {
  std::string list;
  std::set<std::string_view> listed;
  const auto add = [&](std::string_view metric) {
    if (listed.insert(metric).second) list += (list.empty() ? "" : ",") + std::string(metric);
  };
  for (const Quantity& quantity : quantities()) {
    if (quantity.path == path::matmul) continue;
    for (const Term& term : quantity.sources.front()) add(term.metric);
  }
  add(cycles_metric);
  return "ncu --csv --page raw --print-units base --metrics " + list + " --log-file profile.csv ./your_program";
}

}  // namespace profile

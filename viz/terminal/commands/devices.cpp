// flashscope devices: what GPUs there are, and where each number comes from.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/machine/device_fields.h"
#include "sim/report/catalogue_json.h"
#include "sim/report/numbers.h"
#include "sim/report/run_json.h"
#include "viz/terminal/command.h"
#include "viz/terminal/request.h"

namespace terminal {
namespace {

std::string device_table() {
  report::Table table({"device", "SMs", "clock", "HBM", "bandwidth", "L2", "SMEM/CTA", "tensor fp16", "name"});
  for (const std::string& name : sim::device_names()) {
    const sim::DeviceSpec& d = sim::device(name);
    const double tensor = static_cast<double>(d.tensor_flops_per_clock_fp16) * static_cast<double>(d.sm_count) *
                          static_cast<double>(d.clock_hz) * 1e-12;
    table.row({d.name, std::to_string(d.sm_count), fmt::format("{} MHz", d.clock_hz / 1000000),
               report::capacity(d.hbm_bytes), report::bytes(d.hbm_bytes_per_second) + "/s",
               d.l2_bytes == 0 ? "-" : report::capacity(d.l2_bytes), fmt::format("{} KiB", d.smem_bytes_per_cta / 1024),
               fmt::format("{:.1f} TFLOP/s", tensor), d.title});
  }
  return table.text() +
         "\nflashscope devices --gpu NAME shows every field with its source; --gpu FILE.toml checks your own.\n";
}

std::string details(const sim::DeviceSpec& device) {
  std::string out = fmt::format("{} ({}), {}\n\n", device.title, device.name, device.architecture);
  report::Table table({"field", "value", "unit", "kind"});
  for (const sim::Provenance& p : device.provenance) {
    const bool is_text = p.field == sim::unmodelled_caches_field;
    table.row({p.field, is_text ? "see below" : report::thousands(std::stoll(p.value)), p.unit, p.kind});
  }
  out += table.text();
  const bool has_wgmma = device.architecture == "sm_90" || device.architecture == "sm_100";
  const auto is_clock = [](const sim::Provenance& p) { return p.field == "wgmma_clock_hz"; };
  if (has_wgmma && std::none_of(device.provenance.begin(), device.provenance.end(), is_clock))
    out += "\nNo wgmma_clock_hz: kernels of wgmma run at clock_hz.\n";
  if (!sim::counts_hbm_traffic(device)) out += "\n" + sim::why_no_hbm_traffic(device) + "\n";
  if (!sim::has_time(device)) out += "\n" + sim::why_no_time(device) + "\n";
  out += "\nSources\n";
  for (const sim::Provenance& p : device.provenance) out += fmt::format("  {}: {}\n", p.field, p.source);
  return out;
}

std::string all_json(const std::vector<std::string>& names) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const std::string& name : names) list.push_back(report::device_json(*sim::gpu_from(name, find_gpu)));
  return report::to_text({{"schema", 1}, {"devices", list}});
}

}  // namespace

CommandSyntax devices_syntax() {
  return {"devices",
          "GPUs that can be modelled, every field with its source",
          false,
          {{"gpu", "NAME|FILE.toml[:FIELD=VALUE...]", "show one device with the source of each field", {}},
           {"format", "table|json", "what to print [table]", {"table", "json"}}},
          "flashscope devices --gpu h100-sxm"};
}

int run_devices(const Arguments& arguments) {
  const auto one = arguments.find("gpu");
  if (arguments.value("format", "table") == "json") {
    print(all_json(one ? std::vector{*one} : sim::device_names()));
  } else {
    print(one ? details(*sim::gpu_from(*one, find_gpu)) : as_typed(device_table()));
  }
  return exit_done;
}

}  // namespace terminal

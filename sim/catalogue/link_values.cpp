// Values of the links between levels of memory: their bytes, and how much of their bandwidth a run uses.
#include "sim/catalogue/run_values.h"

namespace sim {
namespace {

struct Link {
  std::string_view key;
  Bytes (*bytes)(const KernelMeters&);
  std::int64_t DeviceSpec::*bytes_per_second;
};

constexpr Link links[] = {
    {"l2", [](const KernelMeters& kernel) { return kernel.totals.total.total(); }, &DeviceSpec::l2_bytes_per_second},
    {"hbm", [](const KernelMeters& kernel) { return kernel.hbm_total(); }, &DeviceSpec::hbm_bytes_per_second}};

/// 100 bytes / (bandwidth x time).
void add_percent(RunValues& values, const std::string& path, Bytes bytes, std::int64_t per_second, double us) {
  const double peak = static_cast<double>(per_second) * us * 1e-6;
  values.number(path + ".percent_of_peak", 100 * static_cast<double>(bytes.count()) / peak, [=] {
    return Explanation{{{/*say*/ "{} bytes in {} us, of {} bytes a second", bytes.count(), us, per_second}}};
  });
}

Bytes bytes_of_all(const Simulation& s, const Link& link) {
  Bytes sum;
  for (const KernelMeters& kernel : s.kernels) sum += link.bytes(kernel);
  return sum;
}

}  // namespace

void add_links(const Simulation& s, RunValues& values) {
  const DeviceSpec& gpu = *s.plan.scenario.gpu;
  for (const Link& link : links) {
    const std::string path = text("links.", link.key);
    const Bytes bytes = bytes_of_all(s, link);
    values.number(path + ".bytes", bytes.count(), [&s, &link] {
      Explanation e{{/*say*/ "what all kernels read and write there"}};
      for (const KernelMeters& kernel : s.kernels)
        e.terms.push_back({kernel.name, std::string(link.key), link.bytes(kernel).count(), 1});
      return e;
    });
    add_percent(values, path, bytes, gpu.*link.bytes_per_second, s.microseconds);
  }
  for (std::size_t k = 0; k < s.kernels.size(); ++k) {
    const KernelMeters& kernel = s.kernels[k];
    values.text(text("links.kernels.", k, ".name"), kernel.name);
    for (const Link& link : links)
      add_percent(values, text("links.kernels.", k, ".", link.key), link.bytes(kernel), gpu.*link.bytes_per_second,
                  kernel.time.microseconds);
  }
}

}  // namespace sim

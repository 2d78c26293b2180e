// Values of the links between levels of memory: their bytes, and how much of their bandwidth a run uses.
#include "sim/catalogue/run_values.h"
#include "sim/model/roofline.h"

namespace sim {
namespace {

struct Link {
  std::string_view key;
  Bytes RooflinePoint::*bytes;
  std::int64_t DeviceSpec::*bytes_per_second;
};

constexpr Link links[] = {{"l2", &RooflinePoint::tile, &DeviceSpec::l2_bytes_per_second},
                          {"hbm", &RooflinePoint::hbm, &DeviceSpec::hbm_bytes_per_second}};

/// 100 bytes / (bandwidth x time).
void add_percent(RunValues& values, const std::string& path, Bytes bytes, std::int64_t per_second, double us) {
  const double peak = static_cast<double>(per_second) * us * 1e-6;
  values.number(path + ".percent_of_peak", 100 * static_cast<double>(bytes.count()) / peak, [=] {
    return Explanation{{{/*say*/ "{} bytes in {} us, of {} bytes a second", bytes.count(), us, per_second}}};
  });
}

Explanation explain_bytes(const Simulation& s, const Link& link) {
  Explanation e{{/*say*/ "what all kernels read and write there"}};
  for (const KernelMeters& kernel : s.kernels)
    e.terms.push_back({kernel.name, std::string(link.key), (roofline_point(kernel).*link.bytes).count(), 1});
  return e;
}

}  // namespace

void add_links(const Simulation& s, RunValues& values) {
  const DeviceSpec& gpu = *s.plan.scenario.gpu;
  const std::vector<RooflinePoint> points = roofline(s);
  const RooflinePoint& run = points.back();
  for (const Link& link : links) {
    const std::string path = text("links.", link.key);
    values.number(path + ".bytes", (run.*link.bytes).count(), [&s, &link] { return explain_bytes(s, link); });
    add_percent(values, path, run.*link.bytes, gpu.*link.bytes_per_second, run.microseconds);
  }
  for (std::size_t k = 0; k < s.kernels.size(); ++k) {
    const std::string path = text("links.kernels.", k, ".");
    values.text(path + "name", points[k].name);
    for (const Link& link : links)
      add_percent(values, path + std::string(link.key), points[k].*link.bytes, gpu.*link.bytes_per_second,
                  points[k].microseconds);
  }
}

}  // namespace sim

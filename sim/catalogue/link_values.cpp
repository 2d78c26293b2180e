// Values of the links between memory levels: their bytes, and the share of their bandwidth that a run uses.
#include "sim/catalogue/run_values.h"
#include "sim/model/links.h"

namespace sim {
namespace {

void add_percent(RunValues& values, const std::string& path, const LinkUse& link) {
  values.number(path + ".percent_of_peak", link.percent_of_peak(), [link] {
    return Explanation{{{/*say*/ "{} bytes in {} us, of {} bytes a second", link.bytes.count(), link.microseconds,
                         link.bytes_per_second}}};
  });
}

Explanation explain_bytes(const Simulation& s, std::size_t link) {
  Explanation e{{/*say*/ "what all kernels read and write there"}};
  for (std::size_t k = 0; k < s.kernels.size(); ++k) {
    const LinkUse use = links_of(s, k)[link];
    e.terms.push_back({s.kernels[k].name, std::string(use.key), use.bytes.count(), 1});
  }
  return e;
}

}  // namespace

void add_links(const Simulation& s, RunValues& values) {
  const LinkUses run = links_of(s);
  for (std::size_t n = 0; n < run.size(); ++n) {
    const std::string path = text("links.", run[n].key);
    values.number(path + ".bytes", run[n].bytes.count(), [&s, n] { return explain_bytes(s, n); });
    add_percent(values, path, run[n]);
  }
  for (std::size_t k = 0; k < s.kernels.size(); ++k) {
    const std::string path = text("links.kernels.", k, ".");
    values.text(path + "name", s.kernels[k].name);
    for (const LinkUse& link : links_of(s, k)) add_percent(values, path + std::string(link.key), link);
  }
}

}  // namespace sim

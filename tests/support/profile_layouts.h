// Files of Nsight Compute in every layout that its versions and locales write, drawn at random, with the numbers that a
// reader must find in them. Only the layouts are those of real files; the contents are synthetic.
#pragma once
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/support/profile_text.h"

namespace profile_layouts {

/// The decimal point and thousands separator of a locale; "" if it does not group digits.
struct Locale {
  const char *name, *decimal, *thousands;
};

inline const std::vector<Locale>& locales() {
  static const std::vector<Locale> all = {{"C", ".", ""},
                                          {"en_US", ".", ","},
                                          {"de_DE", ",", "."},
                                          {"fr_FR", ",", "\xE2\x80\xAF"},
                                          {"pl_PL", ",", "\xC2\xA0"},
                                          {"sv_SE", ",", " "},
                                          {"de_CH", ".", "\xE2\x80\x99"},
                                          {"it_CH", ".", "'"},
                                          {"comma", ",", ""}};
  return all;
}

inline std::string whole(const Locale& locale, std::int64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, locale.thousands);
  return digits;
}

/// Formats a number given in thousandths: 1234567 with 2 decimals is "1,234.56".
inline std::string written(const Locale& locale, std::int64_t thousandths, int decimals) {
  std::string fraction = std::to_string(1000 + thousandths % 1000).substr(1, static_cast<std::size_t>(decimals));
  return whole(locale, thousandths / 1000) + (decimals == 0 ? "" : locale.decimal + fraction);
}

/// Measured figures of a launch: bytes, nanoseconds and Hz.
struct Launch {
  std::string id, process, kernel, grid, block;
  std::int64_t read, duration, dynamic, hertz;
};

struct Layout {
  Locale locale;
  bool details, labels, rules, windows_ends, mark, profiler_lines, program_lines, old_units, scaled, shape_columns,
      trailing;
};

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}
  std::int64_t between(std::int64_t low, std::int64_t high) {  // std:: distributions differ between libraries
    return low + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool coin() { return between(0, 1) == 1; }

  Layout layout(const Locale& locale) {
    Layout drawn{locale, coin(), coin(), coin(), coin(), coin(), coin(), coin(), coin(), coin(), coin(), coin()};
    drawn.labels = drawn.labels && drawn.details;
    drawn.rules = drawn.rules && drawn.details;
    return drawn;
  }
  Launch launch(int n) {
    return {std::to_string(n),
            "77",
            n % 2 == 0 ? "void flash<64, true>(Params)" : "triton_poi_\"\"x\"\"",
            "(128, " + std::to_string(between(1, 9)) + ", 1)",
            "(256, 1, 1)",
            between(1, 4'000'000'000),
            between(1000, 900'000'000),
            between(0, 227) * 1024,
            between(500'000'000, 1'980'000'000)};
  }

 private:
  std::mt19937_64 random_;
};

/// A number in its unit, or, if scaled, with two decimals in a unit a thousand times larger.
inline profile_text::Cell cell(const Layout& layout, const std::string& metric, std::int64_t number, const char* unit,
                               const char* larger) {
  if (layout.scaled && number >= 1000) return {metric, larger, written(layout.locale, number, 2)};
  return {metric, unit, whole(layout.locale, number)};
}

inline std::vector<profile_text::Cell> cells(const Layout& layout, const Launch& launch) {
  const char *ns = layout.old_units ? "nsecond" : "ns", *us = layout.old_units ? "usecond" : "us",
             *hz = layout.old_units ? "cycle/second" : "hz";
  const auto name = [&](const char* label, const char* metric) { return std::string(layout.labels ? label : metric); };
  return {
      cell(layout, "dram__bytes_read.sum", launch.read, "byte", "Kbyte"),
      cell(layout, name("Duration", "gpu__time_duration.sum"), launch.duration, ns, us),
      {name("SM Frequency", "sm__cycles_elapsed.avg.per_second"), hz, written(layout.locale, launch.hertz * 1000, 2)},
      cell(layout, name("Dynamic Shared Memory Per Block", "launch__shared_mem_per_block_dynamic"), launch.dynamic,
           "byte/block", "Kbyte/block"),
      {name("Compute (SM) Throughput", "sm__throughput.avg.pct_of_peak_sustained_elapsed"), "%",
       written(layout.locale, launch.read % 100'000, 2)},
      // a count shows the meaning of the separators if all other numbers are scaled
      {name("Registers Per Thread", "smsp__inst_executed.sum"), layout.labels ? "register/thread" : "inst",
       whole(layout.locale, layout.labels ? 168 : launch.read + 1000)},
      {name("Driver Shared Memory Per Block", "dram__bytes_write.sum"), layout.labels ? "byte/block" : "byte", "n/a"}};
}

inline std::vector<std::string> columns(const Layout& layout) {
  std::vector<std::string> names = {"ID", "Process ID", "Process Name", "Host Name"};
  if (layout.old_units) names.insert(names.end(), {"thread Domain:Push/Pop_Range", "thread Domain:Push/Pop_Range"});
  names.push_back("Kernel Name");
  if (layout.old_units) names.push_back("Kernel Time");
  names.insert(names.end(), {"Context", "Stream"});
  if (layout.shape_columns) names.insert(names.end(), {"Block Size", "Grid Size", "Device", "CC"});
  return names;
}

inline std::vector<std::string> identity(const Layout& layout, const Launch& launch) {
  std::vector<std::string> values = {launch.id, launch.process, "python3.11", "127.0.0.1"};
  if (layout.old_units) values.insert(values.end(), {"", ""});
  values.push_back(launch.kernel);
  if (layout.old_units) values.push_back("2020-May-29 12:02:46");
  values.insert(values.end(), {"1", "7"});
  if (layout.shape_columns) values.insert(values.end(), {launch.block, launch.grid, "0", "9.0"});
  return values;
}

/// Returns a CSV row without its line end.
inline std::string row(const std::vector<std::string>& cells) {
  std::string text = profile_text::line(cells);
  text.pop_back();
  return text;
}

/// Adds the rows of metrics, each of which ends with an empty unquoted cell if rules have columns.
inline void add_details(std::string& text, const Layout& layout, const std::vector<Launch>& launches) {
  std::vector<std::string> header =
      profile_text::with(columns(layout), {"Section Name", "Metric Name", "Metric Unit", "Metric Value"});
  if (layout.rules)
    header = profile_text::with(
        header, {"Rule Name", "Rule Type", "Rule Description", "Estimated Speedup Type", "Estimated Speedup"});
  text += row(header) + "\n";
  for (const Launch& launch : launches) {
    for (const profile_text::Cell& cell : cells(layout, launch)) {
      text += row(profile_text::with(identity(layout, launch), {"A Section", cell.metric, cell.unit, cell.value}));
      text += layout.rules && layout.trailing ? ",\n" : "\n";
      if (layout.profiler_lines) text += "==PROF== Profiling \"k\" - 3: 0%....50%....100% - 8 passes\n";
    }
    if (layout.rules)
      text +=
          row(profile_text::with(identity(layout, launch), {"SpeedOfLight", "", "", "", "SOLBottleneck", "OPT",
                                                            "Low throughput, \"\"60.0%\"\" of\n==WARNING== a \"line\n"
                                                            "the peak.\n\n\tLook, at 1.2x",
                                                            "global", "12.5"})) +
          "\n";
  }
}

inline void add_raw(std::string& text, const Layout& layout, const std::vector<Launch>& launches) {
  const std::vector<std::string> names = columns(layout);
  std::vector<std::string> header = names, units(names.size());
  for (const profile_text::Cell& cell : cells(layout, launches.front())) {
    header.push_back(cell.metric);
    units.push_back(cell.unit);
  }
  text += row(header) + "\n" + row(units) + "\n";
  for (const Launch& launch : launches) {
    std::vector<std::string> values = identity(layout, launch);
    for (const profile_text::Cell& cell : cells(layout, launch)) values.push_back(cell.value);
    text += row(values) + (layout.trailing ? ",\n" : "\n");
    if (layout.profiler_lines) text += "==WARNING== Launching the workload is taking more time than expected.\n";
  }
}

inline std::string file(const Layout& layout, const std::vector<Launch>& launches) {
  std::string text;
  if (layout.profiler_lines) text += "==PROF== Connected to process 77 (/usr/bin/python3.11)\n";
  if (layout.program_lines) text += "max error 1e-3, \"ok\"\n\n\"quoted\" words\n12, 13, 14\n";
  layout.details ? add_details(text, layout, launches) : add_raw(text, layout, launches);
  if (layout.program_lines) text += "done, \"0\" errors\n\"a\": 5\n{\"b\": [1, 2]}\n\n";
  if (layout.profiler_lines) text += "==PROF== Disconnected from process 77\n";
  if (layout.windows_ends) {
    std::string windows;
    for (const char c : text) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
    text = windows;
  }
  return (layout.mark ? "\xEF\xBB\xBF" : "") + text;
}

}  // namespace profile_layouts

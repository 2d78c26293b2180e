#include "kernels/profile/command.h"

#include <set>

#include "kernels/profile/metric.h"
#include "sim/base/check.h"
#include "sim/base/text.h"

namespace profile {
namespace {

std::string metric_list() {
  std::string list;
  std::set<std::string_view> listed;
  const auto add = [&](std::string_view metric) {
    if (listed.insert(metric).second) list += (list.empty() ? "" : ",") + std::string(metric);
  };
  for (const Quantity& quantity : quantities()) {
    if (quantity.path == path::matmul || quantity.beside) continue;
    for (const Term& term : quantity.sources.front()) add(term.metric);
  }
  add(cycles_metric);
  return list;
}

}  // namespace

std::string ncu_command(const Recorded& recorded) {
  std::string command = "ncu --csv --page raw --print-units base --metrics " + metric_list();
  if (!recorded.kernel.empty())
    command += sim::text(" --kernel-name ", sim::shell_word("regex:" + recorded.kernel), " --launch-skip ",
                         recorded.skip, " --launch-count ", recorded.count);
  if (!recorded.from_start) command += " --profile-from-start off";
  command += " --log-file profile.csv";
  if (recorded.program.empty()) return command + " ./your_program";
  for (const std::string& word : recorded.program) command += " " + sim::shell_word(word);
  return command;
}

std::string export_command(const std::string& report) {
  const std::string suffix = ".ncu-rep";
  std::string name = report;
  if (name.ends_with(suffix)) name.erase(name.size() - suffix.size());
  return "ncu --import " + sim::shell_word(report) + " --csv --page raw --print-units base > " +
         sim::shell_word(name + ".csv");
}

void refuse_report(const std::string& path) {
  for (const char* suffix : {".ncu-rep", ".nsight-cuprof-report", ".nsight-cuprof"})
    sim::require(!path.ends_with(suffix), path, ": is a report of Nsight Compute, not text: write its CSV with ",
                 export_command(path));
  for (const char* suffix : {".nsys-rep", ".qdrep", ".qdstrm"})
    sim::require(!path.ends_with(suffix), path, times_of_systems);
}

}  // namespace profile

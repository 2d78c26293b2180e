#include "viz/terminal/bench/device.h"

#include <chrono>
#include <ctime>

#include "kernels/dev/gpu_name.h"
#include "kernels/emulator/device.h"
#include "kernels/verify/devices.h"
#include "sim/base/printable.h"
#include "sim/report/numbers.h"
#include "viz/terminal/command.h"
#include "viz/terminal/request.h"

namespace terminal {
namespace {

std::unique_ptr<dev::Device> open_device(const std::string& name) {
  std::string note;
  if (auto gpu = kernels::open_gpu(name, note)) return gpu;
  if (!note.empty()) print_warnings({note});
  return std::make_unique<emulator::EmulatedDevice>();
}

/// Name of the GPU to predict for; "" for the emulated device, which is not a GPU whatever the value of --gpu.
std::string gpu_of(const Arguments& arguments, const dev::Device& device) {
  if (device.flavour() != dev::Flavour::cuda) return "";
  const auto asked = arguments.scenario.find("gpu");
  return asked != arguments.scenario.end() ? sim::gpu_from(asked->second, find_gpu)->name
                                           : kernels::gpu_called(device.card().name);
}

std::string now_in_utc() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace

BenchDevice open_bench_device(const Arguments& arguments) {
  BenchDevice bench{open_device(arguments.value("device", "cuda")), nullptr, nullptr, ""};
  bench.gpu = gpu_of(arguments, *bench.device);
  bench.sensors = bench::open_sensors(bench.device->card().bus);
  if (arguments.find("counters")) bench.counters = counters::open();
  return bench;
}

void warn_of(const BenchDevice& bench) {
  if (bench.emulated()) {
    print_warnings({"the emulated device: its times are this CPU's and tell nothing about a GPU"});
    return;
  }
  if (bench.gpu.empty())
    print_warnings({sim::text("there is no device table of ", bench.device->card().name,
                              ": nothing is predicted unless --gpu names one")});
  if (!bench.sensors->why_none().empty()) print_warnings({bench.sensors->why_none()});
}

measurements::Recording recording_head(const Arguments& arguments, const BenchDevice& bench, std::string_view commit) {
  const dev::Card card = bench.device->card();
  measurements::Recording head;
  head.device = card.name;
  head.gpu = bench.gpu;
  head.driver = bench.sensors->driver();
  head.software = card.software;
  head.date = now_in_utc();
  head.command = sim::printable(command_text(bench_syntax(), arguments));
  head.commit = arguments.value("commit", std::string(commit));
  return head;
}

}  // namespace terminal

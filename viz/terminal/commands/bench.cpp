// flashscope bench: speed of the kernels on a GPU, next to the card's ceilings and predictions.
#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "kernels/bench/drawn_inputs.h"
#include "kernels/bench/sensors.h"
#include "kernels/counters/counters.h"
#include "kernels/dev/device.h"
#include "kernels/dev/gpu_name.h"
#include "kernels/emulator/device.h"
#include "kernels/measurements/recording.h"
#include "kernels/threads/threads.h"
#include "kernels/verify/choice.h"
#include "kernels/verify/devices.h"
#include "kernels/verify/effort.h"
#include "kernels/verify/tensors.h"
#include "sim/base/csv.h"
#include "sim/base/npy.h"
#include "sim/base/printable.h"
#include "sim/catalogue/typed_values.h"
#include "sim/model/busy_sms.h"
#include "sim/report/numbers.h"
#include "sim/report/run_json.h"
#include "viz/files/output_set.h"
#include "viz/results/npy_tensor.h"
#include "viz/terminal/arguments.h"
#include "viz/terminal/bench/report.h"
#include "viz/terminal/bench/scenarios.h"
#include "viz/terminal/command.h"
#include "viz/terminal/input_file.h"
#include "viz/terminal/legend.h"
#include "viz/terminal/output_format.h"
#include "viz/terminal/request.h"
#include "viz/terminal/status_line.h"
#include "viz/terminal/verify/on_device.h"
#include "viz/terminal/verify/scenario_list.h"

namespace kernel_commands {
std::string_view commit();  // generated, cmake/Commit.cmake
}

namespace terminal {
namespace {

using sim::Tensor;

// The card that `bench` runs on.

struct BenchDevice {
  std::unique_ptr<dev::Device> device;
  std::unique_ptr<bench::Sensors> sensors;
  std::unique_ptr<counters::Counters> counters;  ///< null if they were not requested
  std::string gpu;  ///< the device table of the card, or the one that --gpu names; "" if there is none
  bool emulated() const { return device->flavour() != dev::Flavour::cuda; }
};

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

/// Opens the device that --device names. Throws dev::DeviceError of kind missing.
BenchDevice open_bench_device(const Arguments& arguments) {
  BenchDevice bench{open_device(arguments.value("device", "cuda")), nullptr, nullptr, ""};
  bench.gpu = gpu_of(arguments, *bench.device);
  bench.sensors = bench::open_sensors(bench.device->card().bus);
  if (arguments.find("counters")) bench.counters = counters::open();
  return bench;
}

/// Warnings of what the device lacks, on stderr.
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

/// The head of a recording that begins now. `commit`: of the source tree.
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

// Output files of `bench`: its recording, and optionally inputs and results, so that other programs can run equal
// inputs and compare results. All are opened before the first kernel runs.

/// Recording file, replaced by a longer one after each scenario.
class RecordingFile {
 public:
  explicit RecordingFile(std::filesystem::path path) : path_(std::move(path)), file_(path_) {}
  void write(const std::string& recording);

 private:
  std::filesystem::path path_;
  std::optional<files::OutputFile> file_;
};

/// Q.npy, K.npy, V.npy and dO.npy in a folder, one dimension each: a scenario's tensor is a prefix.
class InputFiles {
 public:
  explicit InputFiles(const std::filesystem::path& folder);
  /// `elements`: number for the largest scenario.
  void write(bench::DrawnInputs& inputs, std::int64_t elements);

 private:
  files::OutputSet outputs_;
  std::map<sim::Tensor, files::OutputFile*> files_;
};

/// A scenario's inputs and outputs as .npy files, (batch, heads, N, d) and L (batch, heads, N), packed rows for a
/// ragged batch, and the scenario as a link in scenario.txt. Writes all of them or none.
class ScenarioFiles {
 public:
  ScenarioFiles(const std::filesystem::path& folder, const sim::Plan& plan);
  void write(const sim::Plan& plan, const kernels::Tensors& ran);

 private:
  files::OutputSet outputs_;
  files::OutputFile* scenario_;
  std::map<sim::Tensor, files::OutputFile*> files_;
};

std::string file_name(Tensor tensor) { return std::string(name_of(tensor)) + ".npy"; }

std::vector<Tensor> tensors_of(const sim::Plan& plan) {
  std::vector<Tensor> tensors = {Tensor::Q, Tensor::K, Tensor::V, Tensor::O, Tensor::L};
  if (plan.has_backward()) tensors.insert(tensors.end(), {Tensor::dO, Tensor::dQ, Tensor::dK, Tensor::dV});
  return tensors;
}

std::string link_of(const sim::Scenario& scenario) {
  std::string link;
  for (const auto& [name, value] : measurements::options_of(scenario)) {
    link += (link.empty() ? "" : "&") + name + "=" + value;
  }
  return link + "\n";
}

void RecordingFile::write(const std::string& recording) {
  file_->write(recording);
  file_->commit();
  file_.reset();
  file_.emplace(path_);  // for the next write
}

InputFiles::InputFiles(const std::filesystem::path& folder) {
  outputs_.use_folder(folder, command_line());
  for (const Tensor tensor : bench::drawn_tensors()) files_[tensor] = &outputs_.add_in_folder(file_name(tensor));
}

void InputFiles::write(bench::DrawnInputs& inputs, std::int64_t elements) {
  for (const auto& [tensor, file] : files_) {
    const std::vector<float> values = inputs.floats(tensor, {0, elements});
    file->write(sim::format_npy({{elements}}, values, results::npy_dtype(inputs.dtype())));
  }
  outputs_.commit();
}

ScenarioFiles::ScenarioFiles(const std::filesystem::path& folder, const sim::Plan& plan) {
  outputs_.use_folder(folder, command_line());
  scenario_ = &outputs_.add_in_folder("scenario.txt");
  for (const Tensor tensor : tensors_of(plan)) files_[tensor] = &outputs_.add_in_folder(file_name(tensor));
}

void ScenarioFiles::write(const sim::Plan& plan, const kernels::Tensors& ran) {
  scenario_->write(link_of(plan.scenario));
  for (const auto& [tensor, file] : files_) {
    if (!ran.has(tensor)) {
      outputs_.leave_out(*file);
      continue;
    }
    const results::NpyTensor array = results::npy_tensor({}, plan, tensor, ran.download(tensor));
    file->write(sim::format_npy(array.axes, array.values, results::npy_dtype(ran.dtype(tensor))));
  }
  outputs_.commit();
}

// The measurement.

constexpr std::int64_t longest_list = 1 << 20;  // bytes

/// A scenario that can run.
struct Planned {
  sim::Simulation program;
  std::string kernel;
  std::int64_t elements() const {  ///< number in its largest input
    std::int64_t all = 0;
    for (const sim::Plan& c : sim::classes_of(program.plan)) {
      const sim::Shape& s = c.problem.shape;
      all = sim::checked_add(all,
                             sim::product(s.batch, s.heads, std::max(s.seqlen_q, s.seqlen_k), s.head_dims().widest()));
    }
    return all;
  }
};

/// Rejects options that recordings have no column for: figures with and without them would be indistinguishable.
void check_columns(const sim::Scenario& s) {
  const std::vector<std::string>& columns = measurements::scenario_columns();
  for (const auto& [name, value] : s.own) {
    sim::require(std::find(columns.begin(), columns.end(), name) != columns.end(), name,
                 ": a recording has no column for it: leave it out");
  }
  const std::string pattern = sim::text_of(s.pattern);
  const std::string lengths = s.sequences ? sim::text_of(*s.sequences) : "";
  sim::require(!sim::names_picture(pattern),
               "pattern: a recording cannot hold a picture: ", "painted:N:ROWS describes the same blocks as text");
  sim::require(s.pattern.kind != sim::PatternKind::random || s.seed == 0,
               "seed: a recording has no column for it, and it draws the pattern: leave it out");
  for (const auto& [name, text] : {std::pair("pattern", pattern), std::pair("seqlens", lengths)}) {
    sim::require(text.size() <= sim::longest_csv_cell, name, ": takes ", text.size(),
                 " bytes in a recording, whose cells have at most ", sim::longest_csv_cell);
  }
}

Planned plan(const ListedScenario& listed, const BenchDevice& bench) {
  try {
    sim::Simulation program = sim::simulate(sim::scenario_from(listed.options, find_gpu));
    check_columns(program.plan.scenario);
    std::string kernel = kernels::choose_kernel(program.plan, listed.kernel, bench.device->flavour(),
                                                bench.device->smem_bytes_per_cta());
    kernels::check_sizes(program.plan);
    constexpr int emulated_runs = 4 * bench::least_runs;  // warm-up and timed runs, warm and cold
    if (bench.emulated()) kernels::check_effort(program, kernel, emulated_runs, threads::all_cores());
    return {std::move(program), std::move(kernel)};
  } catch (const sim::Error& error) {
    throw sim::Error(listed.where.empty() ? "" : listed.where + ": ", error);
  }
}

/// The scenarios of the list, or the one of the options. Reports all errors before the first one runs.
std::vector<Planned> plan_all(const Arguments& arguments, const BenchDevice& bench) {
  sim::OptionValues base = arguments.scenario;
  plan_for_card(base, bench.gpu, bench.device->smem_bytes_per_cta());
  const auto list = arguments.find("scenarios");
  std::vector<ListedScenario> listed = {{"", "", base, arguments.find("kernel")}};
  if (list) {
    const std::string built_in = bench_list(*list);
    listed = parse_scenarios(built_in.empty() ? read_text("scenarios", *list, longest_list) : built_in, *list, base,
                             arguments.find("kernel"));
  }
  std::vector<Planned> planned;
  for (const ListedScenario& each : listed) planned.push_back(plan(each, bench));
  return planned;
}

/// Inputs by dtype and seed, shared by all scenarios that have them.
class AllInputs {
 public:
  bench::DrawnInputs& of(const sim::Scenario& s) {
    for (const auto& each : drawn_) {
      if (each->dtype() == s.dtype && each->seed() == s.seed) return *each;
    }
    return *drawn_.emplace_back(std::make_unique<bench::DrawnInputs>(s.dtype, s.seed));
  }

 private:
  std::vector<std::unique_ptr<bench::DrawnInputs>> drawn_;
};

double parse_seconds(const std::string& text) {
  char* end = nullptr;
  const bool unit = text.ends_with('s');  // 500ms
  const std::string number = unit ? sim::text(sim::parse_time("seconds", text) * 1e-6) : text;
  const double seconds = std::strtod(number.c_str(), &end);
  sim::require(!number.empty() && *end == '\0' && seconds >= 0.001 && seconds <= 3600, "seconds: \"",
               text.substr(0, 100), "\" is not a number from 0.001 to 3600");
  return seconds;
}

bench::Wanted make_wanted(const Arguments& arguments, const BenchDevice& bench) {
  bench::Wanted wanted;
  const std::string caches = arguments.value("caches", "both");
  wanted.cold = caches != "warm", wanted.warm = caches != "cold";
  wanted.effort.runs =
      sim::typed_whole_number("runs", arguments.value("runs", "50"), bench::least_runs, bench::most_runs);
  wanted.effort.seconds = parse_seconds(arguments.value("seconds", "0.5"));
  wanted.counters = bench.counters.get();
  return wanted;
}

/// Measures a scenario; if it does not fit in memory, or its kernels fail, the row reports so. Throws DeviceError if
/// the device itself is missing, or a resource of the emulated one: every other row would fail as well.
BenchRow measure(Planned& planned, const BenchDevice& bench, AllInputs& inputs, const bench::Wanted& wanted) {
  BenchRow row{std::move(planned.program), std::move(planned.kernel), {}};
  const sim::Plan& plan = row.program.plan;
  try {
    row.measured = bench::measure(*bench.device, plan, row.kernel, inputs.of(plan.scenario), wanted, *bench.sensors);
  } catch (const dev::DeviceError& error) {
    if (error.kind == dev::DeviceError::Kind::missing) throw;
    row.gone = error.what();
    row.failed = error.kind != dev::DeviceError::Kind::out_of_memory;
  }
  return row;
}

void measure_ceilings(BenchReport& report, const BenchDevice& bench, bench::DrawnInputs& inputs) {
  report.matmul = bench::matmul_ceiling(*bench.device, inputs, *bench.sensors);
  report.copy = bench::copy_ceiling(*bench.device, *bench.sensors);
}

/// Output files, if any.
struct Files {
  std::optional<RecordingFile> recording;
  std::optional<InputFiles> inputs;
  std::optional<ScenarioFiles> results;
};

/// Opens the files. The inputs of all scenarios must have one dtype and seed; results are of a single scenario.
void open_files(Files& files, const Arguments& arguments, const std::vector<Planned>& planned) {
  const sim::Plan& first = planned.front().program.plan;
  const auto recording = arguments.find("output"), inputs = arguments.find("inputs-dir"),
             results = arguments.find("output-dir");
  sim::require(!results || planned.size() == 1, "output-dir: takes the results of one scenario, here are ",
               planned.size());
  const bool alike = std::all_of(planned.begin(), planned.end(), [&](const Planned& each) {
    const sim::Scenario& s = each.program.plan.scenario;
    return s.dtype == first.scenario.dtype && s.seed == first.scenario.seed;
  });
  sim::require(!inputs || alike, "inputs-dir: takes scenarios of one dtype and seed, here are several");
  if (inputs) files.inputs.emplace(*inputs);
  if (results) files.results.emplace(*results, first);
  if (recording) files.recording.emplace(*recording);  // last: it may be in one of their folders
}

std::int64_t most_elements(const std::vector<Planned>& planned) {
  std::int64_t most = 0;
  for (const Planned& each : planned) most = std::max(most, each.elements());
  return most;
}

/// Rewrites the recording after each scenario, so that measurements survive if the rest does not finish.
BenchReport measure_all(const Arguments& arguments, const BenchDevice& bench, bench::Wanted wanted,
                        std::vector<Planned>& planned, Files& files) {
  BenchReport report{recording_head(arguments, bench, kernel_commands::commit()), {}, {}, {}, !bench.gpu.empty()};
  AllInputs inputs;
  if (files.inputs) files.inputs->write(inputs.of(planned.front().program.plan.scenario), most_elements(planned));
  measure_ceilings(report, bench, inputs.of(planned.front().program.plan.scenario));
  StatusLine status("bench", "scenarios");
  for (Planned& each : planned) {
    status.say(sim::text(report.rows.size() + 1, " of ", planned.size(), ": ", each.kernel, ", ",
                         shape_text(each.program.plan.scenario)));
    if (files.results) wanted.look = [&](const auto& plan, const auto& ran) { files.results->write(plan, ran); };
    report.rows.push_back(measure(each, bench, inputs, wanted));
    if (files.recording) files.recording->write(measurements::to_text(recording_of(report)));
    if (report.rows.back().failed) break;
  }
  return report;
}

/// Notes that times of a single head tell little about a card, measured or predicted.
void note_idle(const std::vector<BenchRow>& rows) {
  const auto idle =
      std::count_if(rows.begin(), rows.end(), [](const auto& row) { return busy_sms(row.program).few(); });
  if (idle == 0) return;
  print_notes(
      {sim::text("in ", idle, " of ", rows.size(), " scenarios fewer than half of the SMs get work: more --batch ",
                 "or --heads would fill the card")});
}

void note_plain(const std::vector<Planned>& planned) {
  const auto plain = [](const Planned& each) { return !kernels::on_tensor_cores(each.kernel); };
  if (std::any_of(planned.begin(), planned.end(), plain)) print_notes({plain_kernels_note});
}

int run(const Arguments& arguments) {
  const auto recording = arguments.find("output");
  if (recording && !names_no_file(*recording)) format_by_suffix(*recording, {"csv"});
  const BenchDevice bench = open_bench_device(arguments);
  std::vector<Planned> planned = plan_all(arguments, bench);
  const bench::Wanted wanted = make_wanted(arguments, bench);
  Files files;
  open_files(files, arguments, planned);
  warn_of(bench);
  note_plain(planned);
  const BenchReport report = measure_all(arguments, bench, wanted, planned, files);
  if (!bench.emulated()) note_idle(report.rows);  // it has no SMs
  const std::string format = arguments.value("format", "table");
  print(format == "json"  ? report::to_text(bench_json(report))
        : format == "csv" ? measurements::to_text(recording_of(report))
                          : bench_table(report));
  return std::all_of(report.rows.begin(), report.rows.end(), [](const BenchRow& row) { return row.ok(); })
             ? exit_done
             : exit_check_failed;
}

}  // namespace

int run_bench(const Arguments& arguments) { return on_device(run, arguments); }

}  // namespace terminal

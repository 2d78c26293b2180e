#include "sim/model/compiled_kernels.h"

#include <algorithm>
#include <cmath>

#include "sim/base/csv.h"
#include "sim/base/embedded.h"
#include "sim/base/text.h"
#include "sim/catalogue/options.h"
#include "sim/machine/blocks.h"
#include "sim/machine/device_fields.h"

namespace sim {
namespace {

constexpr const char* table_path = "../kernels/attention/compiled.csv";
const std::vector<std::string> column_names = {
    "kernel", "pass", "head_dim", "br",   "bc",  "dropout", "architecture", "threads", "registers", "smem",
    "HMMA",   "all",  "MOV",      "LDSM", "LDS", "STS",     "MUFU",         "LDGSTS",  "RED",       "BAR"};
constexpr std::int64_t register_step = 8, register_bytes_each = 4;

/// Instructions per HMMA of an unmasked main loop of FlashAttention-2's library, all included: flash-attention 2.x,
/// disassembled for sm_90 (nvcc 13.0), forward with tiles 128 x 128 (d 64) and 128 x 64 (d 128), backward with 128 x
/// 128 and 64 x 128.
struct LibraryLoop {
  std::string_view pass;
  std::int64_t head_dim, br, bc;
  double instructions_per_hmma;
};
constexpr LibraryLoop library_loops[] = {{"forward", 64, 128, 128, 4.63},
                                         {"forward", 128, 128, 64, 3.67},
                                         {"backward", 64, 128, 128, 3.52},
                                         {"backward", 128, 64, 128, 2.78}};
constexpr std::string_view own_family = "flash2_mma", library_family = "flash-attention-2";

CompiledKernel read_row(const CsvTable& table, const CsvTable::Row& row) {
  const auto cell = [&](std::string_view name) -> const std::string& {
    return row.cells[static_cast<std::size_t>(std::find(column_names.begin(), column_names.end(), name) -
                                              column_names.begin())];
  };
  const auto whole = [&](std::string_view name, std::int64_t least) {
    return parse_whole_number(text(table.origin, ":", row.line + 1, ": ", name), cell(name), least, 1 << 30);
  };
  return {.kernel = cell("kernel"),
          .pass = cell("pass"),
          .head_dim = whole("head_dim", 1),
          .br = whole("br", 1),
          .bc = whole("bc", 1),
          .dropout = whole("dropout", 0) != 0,
          .architecture = cell("architecture"),
          .threads = whole("threads", 1),
          .registers = whole("registers", 1),
          .smem = whole("smem", 0),
          .products = whole("HMMA", 1),
          .instructions = whole("all", 1),
          .smem_accesses = whole("LDSM", 0) + whole("LDGSTS", 0)};
}

/// True if a GPU runs machine code: that of its own kind, or of an earlier one of the same generation.
bool runs(std::string_view gpu, std::string_view code) {
  const auto generation = [](std::string_view name) { return name.substr(0, name.size() - 1); };
  return !gpu.empty() && !code.empty() && generation(gpu) == generation(code) && code.back() <= gpu.back();
}

/// The library's loop of a row's pass and head dimension; null where it was not counted.
const LibraryLoop* library_loop(const CompiledKernel& row) {
  const auto is_of = [&](const LibraryLoop& loop) { return loop.pass == row.pass && loop.head_dim == row.head_dim; };
  const LibraryLoop* const found = std::find_if(std::begin(library_loops), std::end(library_loops), is_of);
  return found == std::end(library_loops) || row.dropout ? nullptr : found;
}

/// Instructions of the library for one of flash2_mma, in the tiles that were counted. Other tiles and architectures
/// have this factor, too: their loops differ from flash2_mma's by the same instructions for an HMMA.
double library_factor(const LibraryLoop& loop) {
  const auto& kernels = compiled_table().kernels;
  const auto row = std::find_if(kernels.begin(), kernels.end(), [&](const CompiledKernel& k) {
    return k.kernel == own_family && k.pass == loop.pass && k.head_dim == loop.head_dim && k.br == loop.br &&
           k.bc == loop.bc && !k.dropout && k.architecture == "sm_90";
  });
  return loop.instructions_per_hmma * static_cast<double>(row->products) / static_cast<double>(row->instructions);
}

/// The rows of a family of kernels.
const std::vector<CompiledKernel>& rows_of(std::string_view family) {
  return family == library_family ? library_kernels() : compiled_table().kernels;
}

/// True if a kernel is of the family and pass of a launch, and runs on the GPU of its plan.
bool is_code_of(const CompiledKernel& kernel, const Plan& plan, const Launch& launch) {
  if (plan.problem.dtype == Dtype::fp32 || !launch.reads(Tensor::K)) return false;  // others prepare and finish
  const std::string_view pass = name_of(launch.writes(Tensor::dK) ? Pass::backward : Pass::forward);
  return kernel.kernel == plan.code->main_loop && kernel.pass == pass &&
         runs(plan.scenario.gpu->architecture, kernel.architecture);
}

/// The kernels that a launch of the plan may be: those of its code for its head dimension.
std::vector<const CompiledKernel*> candidates(const Plan& plan, const Launch& launch) {
  std::vector<const CompiledKernel*> found;
  for (const CompiledKernel& kernel : rows_of(plan.code->main_loop)) {
    if (HeadDims{kernel.head_dim, kernel.head_dim} == plan.problem.kernel_dims && is_code_of(kernel, plan, launch))
      found.push_back(&kernel);
  }
  return found;
}

/// Registers of a CTA: those that its roles have, else those of its tiles.
Bytes registers_of(const Trace& trace) {
  Bytes registers;
  for (const TraceRole& role : trace.roles) registers += role.register_bytes();
  return trace.roles.empty() ? trace.peak_registers : registers;
}

/// Work of the verbs of main loops, without masks, since an ordinary visit has none.
struct LoopWork {
  double products = 0, instructions = 0, smem_bytes = 0;
};

/// Verbs that a counted main loop leaves out: a mask is of few tiles, and no kernel was compiled with score steps.
bool is_beyond(Verb verb) { return verb == Verb::mask || verb == Verb::modify || verb == Verb::multiply; }

LoopWork loop_work(const Trace& trace) {
  LoopWork loop;
  for (const Event& event : trace.events) {
    if (event.loop == 0 || event.direction != Direction::none || is_beyond(event.verb)) continue;
    loop.products += padded_matmul_flops(event) / flops_of_mma;
    loop.instructions += instructions_of(event);
    loop.smem_bytes += static_cast<double>(event.smem_bytes);
  }
  return loop;
}

}  // namespace

Bytes CompiledKernel::register_bytes() const {
  return Bytes(product(threads, ceil_div(registers, register_step) * register_step, register_bytes_each));
}

double CompiledKernel::instructions_per_product() const {
  return static_cast<double>(instructions - products) / static_cast<double>(products);
}

CompiledTable parse_compiled(std::string_view text_of_table, const std::string& origin) {
  const std::size_t end = std::min(text_of_table.find('\n'), text_of_table.size());
  const std::string_view first = text_of_table.substr(0, end), sign = "# ";
  require(first.starts_with("# nvcc "), origin, ":1: is \"", first.substr(0, 100),
          "\": expected the compiler, as \"# nvcc 13.0\"");
  const CsvTable table = parse_csv(text_of_table.substr(std::min(end + 1, text_of_table.size())), origin);
  table.expect_columns(column_names);
  CompiledTable compiled{std::string(first.substr(sign.size())), {}};
  for (const CsvTable::Row& row : table.rows) compiled.kernels.push_back(read_row(table, row));
  return compiled;
}

const CompiledTable& compiled_table() {
  static const CompiledTable table = parse_compiled(embedded_text(table_path), "kernels/attention/compiled.csv");
  return table;
}

const std::vector<CompiledKernel>& library_kernels() {
  static const std::vector<CompiledKernel> rows = [] {
    std::vector<CompiledKernel> library;
    for (CompiledKernel row : compiled_table().kernels) {
      if (row.kernel != own_family) continue;
      const LibraryLoop* const loop = library_loop(row);
      row.kernel = library_family;
      row.counted = loop != nullptr;
      if (row.counted) row.instructions = std::llround(static_cast<double>(row.instructions) * library_factor(*loop));
      library.push_back(std::move(row));
    }
    return library;
  }();
  return rows;
}

const CompiledKernel* compiled_kernel(const Plan& plan, const Launch& launch) {
  for (const CompiledKernel* kernel : candidates(plan, launch)) {
    if (kernel->br == launch.tiling.br && kernel->bc == launch.tiling.bc &&
        kernel->dropout == plan.problem.dropout.any() && kernel->smem <= plan.capacity.smem.count())
      return kernel;
  }
  return nullptr;
}

std::optional<bool> is_compiled(const Plan& plan) {
  std::optional<bool> compiled;
  for (const Launch& launch : plan.launches) {
    if (candidates(plan, launch).empty()) continue;
    compiled = compiled.value_or(true) && compiled_kernel(plan, launch) != nullptr;
  }
  return compiled;
}

namespace {

/// True if score steps are added to a kernel that was compiled without.
bool adds_steps(const Plan& plan) {
  const auto compiled = [&](const Launch& launch) { return compiled_kernel(plan, launch) != nullptr; };
  return plan.problem.modified() && std::any_of(plan.launches.begin(), plan.launches.end(), compiled);
}

}  // namespace

bool is_estimated(const Plan& plan) {
  if (adds_steps(plan)) return true;
  const std::span<const std::int64_t> known = plan.code->head_dims;
  if (!known.empty() && plan.problem.kernel_dims.widest() > known.back()) return true;
  return std::any_of(plan.launches.begin(), plan.launches.end(), [&](const Launch& launch) {
    const CompiledKernel* const row = compiled_kernel(plan, launch);
    if (row != nullptr) return !row->counted;
    const auto& kernels = rows_of(plan.code->main_loop);
    return std::any_of(kernels.begin(), kernels.end(),
                       [&](const CompiledKernel& kernel) { return is_code_of(kernel, plan, launch); });
  });
}

std::string why_estimated(const Plan& plan) {
  if (adds_steps(plan))
    return "instructions are estimated: those of the score steps are added to a kernel that has none";
  const std::string_view family = plan.code->main_loop;
  const std::span<const std::int64_t> dims = plan.code->head_dims;
  if (!dims.empty() && plan.problem.kernel_dims.widest() > dims.back())
    return text("instructions are estimated: no kernel of ", plan.code->name, " has a d above ", dims.back(),
                ": it is timed as one of d ", text_of(plan.problem.kernel_dims));
  const std::vector<CompiledKernel>& rows = rows_of(family);
  const bool known =
      std::any_of(rows.begin(), rows.end(), [&](const CompiledKernel& kernel) { return kernel.kernel == family; });
  if (!known || plan.problem.dtype == Dtype::fp32) return "";
  for (const Launch& launch : plan.launches) {
    if (!launch.reads(Tensor::K)) continue;
    const CompiledKernel* const row = compiled_kernel(plan, launch);
    if (row != nullptr && row->counted) continue;
    if (row != nullptr)
      return text("instructions are estimated: those of ", own_family, ", since ", family,
                  " was counted without dropout at d 64 and 128 alone");
    return text("instructions are estimated: ", family, " is not compiled for tiles ", launch.tiling.br, " x ",
                launch.tiling.bc, " at d ", text_of(plan.problem.kernel_dims), " on ", plan.scenario.gpu->architecture);
  }
  return "";
}

std::string timed_kernel(const Plan& plan) {
  const Program& code = *plan.code;
  const bool compiled = is_compiled(plan).value_or(false) && (adds_steps(plan) || !is_estimated(plan));
  const char* const rule = compiled ? "instructions as compiled" : "instructions by a general rule";
  if (!code.variant_of.empty()) return text("the released code, ", rule);
  if (code.recording != nullptr) return text("your program as written, ", rule);
  if (compiled) return text("FlashScope's ", code.main_loop, ", ", rule);
  return text("the program as its authors describe it, ", rule);
}

namespace {

/// Row of a launch whose main loop is that of the trace; null for warpgroups with roles, which no row describes.
const CompiledKernel* compiled_main_loop(const Plan& plan, const Launch& launch, const Trace& trace) {
  return trace.roles.empty() ? compiled_kernel(plan, launch) : nullptr;
}

}  // namespace

Bytes registers_of(const Plan& plan, const Launch& launch, const Trace& trace) {
  const CompiledKernel* kernel = compiled_main_loop(plan, launch, trace);
  return kernel != nullptr ? kernel->register_bytes() : registers_of(trace);
}

/// Instructions of a multiply-add of half-precision values: q and a key are converted to fp32 before, three in all;
/// weights and values are multiplied in pairs and added, about one. Source: vLLM, csrc/attention/dtype_float16.cuh.
constexpr double instructions_of_half_fma = 2;

SmRates rates_of(const Plan& plan, const Launch& launch, const Trace& trace) {
  const DeviceSpec& gpu = *plan.scenario.gpu;
  const TimingConstants& constants = plan.scenario.constants;
  if (!trace.roles.empty()) return role_rates(gpu, plan.problem.dtype, constants);
  SmRates rates = sm_rates(gpu, product_dtype(plan, launch), constants);
  if (launch.products == Products::fma) {  // while a warp waits between phases of its tile, the others work
    if (plan.problem.dtype != Dtype::fp32) {
      rates.per_matmul_flop *= instructions_of_half_fma;
      rates.per_matmul_issue *= instructions_of_half_fma;
    }
    const double warps = static_cast<double>(launch.threads) / 32;
    rates.product_latency /= warps;
    rates.result_latency /= warps;
  }
  if (launch.unfused) rates.per_mask = rates.per_broadcast;  // frameworks add a mask that all heads share
  const CompiledKernel* kernel = compiled_main_loop(plan, launch, trace);
  const LoopWork loop = kernel != nullptr ? loop_work(trace) : LoopWork{};
  if (loop.products == 0) return rates;
  const double slots = replay_number(gpu, &DeviceSpec::instructions_per_clock);
  const double weight = kernel->instructions_per_product() / (loop.instructions / loop.products);
  rates.per_instruction = weight * constants.instruction_cycles / slots;
  rates.per_matmul_issue = constants.product_cycles / flops_of_mma / slots;
  rates.product_latency += constants.compiled_phase_cycles - constants.phase_cycles;
  rates.result_latency += constants.compiled_phase_cycles - constants.phase_cycles;
  if (kernel->pass == name_of(Pass::forward)) {
    const double accesses = static_cast<double>(kernel->smem_accesses) / static_cast<double>(kernel->products);
    rates.per_smem_byte *= accesses * bytes_of_ldmatrix / (loop.smem_bytes / loop.products);
  }
  return rates;
}

}  // namespace sim

// Machine code of the tensor-core kernels, tile by tile: the table kernels/attention/compiled.csv. The time model
// takes registers and the instructions of main loops from it. A kernel without a row keeps the general rule: registers
// of its tiles, and TimingConstants::instruction_overhead instructions for one that computes.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/machine/sm_work.h"
#include "sim/programs/plan.h"
#include "sim/trace/trace.h"

namespace sim {

/// A row of the table: a kernel as it was compiled for one architecture.
struct CompiledKernel {
  std::string kernel, pass;  ///< the family, as "flash2_mma"; "forward" or "backward"
  std::int64_t head_dim = 0, br = 0, bc = 0;
  bool dropout = false;
  std::string architecture;  ///< "sm_90"
  std::int64_t threads = 0;
  std::int64_t registers = 0;  ///< per thread
  std::int64_t smem = 0;       ///< bytes that a CTA is launched with
  // A warp's instructions in an ordinary visit of the main loop:
  std::int64_t products = 0;                ///< HMMA m16n8k16
  std::int64_t instructions = 0;            ///< all, products included
  std::int64_t smem_accesses = 0;           ///< LDSM and LDGSTS: 512 bytes of shared memory each, read or filled
  Bytes register_bytes() const;             ///< per CTA: registers are allocated in eights
  double instructions_per_product() const;  ///< instructions other than products
  bool counted = true;  ///< false: taken from another kernel with the same tiles, whose instructions may differ
};

struct CompiledTable {
  std::string compiler;  ///< "nvcc 13.0"
  std::vector<CompiledKernel> kernels;
};

/// Reads a table: a line "# nvcc 13.0", then CSV. Throws Error with origin, line and column for a table without its
/// compiler, without a column, or with a cell that is not a number.
CompiledTable parse_compiled(std::string_view text, const std::string& origin);

/// The embedded table, read once.
const CompiledTable& compiled_table();

/// Kernels of FlashAttention-2's library, a row for each row of flash2_mma: its tiles, registers and accesses to shared
/// memory, with the library's instructions where they were counted (d 64 and 128 without dropout).
const std::vector<CompiledKernel>& library_kernels();

/// The row of a launch on the plan's GPU, null where there is none. Code for sm_80 also runs on sm_86 and sm_89. Where
/// tiles were compiled twice, the row with the most shared memory that fits. A ragged batch has the row of the same
/// tiles: its main loop is the same.
const CompiledKernel* compiled_kernel(const Plan& plan, const Launch& launch);

/// True if every kernel of a plan that reads keys is compiled for its tiles. Empty if the table has no row of such
/// kernels for the GPU: of another algorithm or dtype, or for another architecture.
std::optional<bool> is_compiled(const Plan& plan);

/// True if a kernel of a plan is timed by the general rule though others of its family are compiled for the GPU, or if
/// no kernel has so large a d: its time has no known error.
bool is_estimated(const Plan& plan);

/// Why the instructions of a plan are estimated, where kernels of its family are in the table: a sentence that names
/// the tiles or the GPU; "" where they are compiled, and for all other kernels.
std::string why_estimated(const Plan& plan);

/// Whose kernel the time of a plan is of, and where its instructions come from: "FlashScope's flash2_mma, instructions
/// as compiled".
std::string timed_kernel(const Plan& plan);

/// Registers of a CTA: of the compiled kernel, else those of its roles, else the most that its tiles took.
Bytes registers_of(const Plan& plan, const Launch& launch, const Trace& trace);

/// Rates of a launch whose replay is `trace`. Of a compiled kernel all instructions of its main loop count, spread over
/// the verbs of the loop as the general rule weighs them, and forward all that it reads and fills of shared memory.
SmRates rates_of(const Plan& plan, const Launch& launch, const Trace& trace);

}  // namespace sim

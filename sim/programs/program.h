// A program = a sequence of kernels over one attention problem; a kernel = a body that one CTA runs, and its grid.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/dropout.h"
#include "sim/machine/grid.h"
#include "sim/machine/hbm.h"
#include "sim/programs/tilings.h"

namespace sim {

class Cta;

/// The problem that kernel bodies see: shapes, tensors in HBM, scale, dropout and the tiles of the pass.
struct Problem {
  Shape shape;
  Dtype dtype = Dtype::fp16;
  float scale = 1;
  Dropout dropout;
  Hbm hbm;
  Tiling tiling;
  Bytes row_capacity;  ///< SMEM that a kernel may fill with one row of scores (softmax of `standard`)
};

/// One kernel launch.
struct Launch {
  std::string name;
  void (*body)(Cta&, const Problem&) = nullptr;
  GridShape grid;
  std::int64_t threads = 128;
  bool round_p = false;              ///< tensor cores take P in the dtype
  std::vector<Tensor> inputs;        ///< existed before the launch and are read
  std::vector<Tensor> outputs;       ///< written and used after it
  std::vector<Tensor> scratch = {};  ///< written and read by the launch alone
  bool prefetches = true;            ///< copies run ahead as far as their place in SMEM allows; else each at its turn
  bool of_framework = false;         ///< as frameworks run it: streams reach less of the HBM's bandwidth
  std::string_view listing;          ///< the embedded source of the body; set by the plan, as are the tiles
  Tiling tiling;

  bool reads(Tensor tensor) const { return std::find(inputs.begin(), inputs.end(), tensor) != inputs.end(); }
  bool writes(Tensor tensor) const {
    return std::find(outputs.begin(), outputs.end(), tensor) != outputs.end() ||
           std::find(scratch.begin(), scratch.end(), tensor) != scratch.end();
  }
};

/// One pass of an algorithm.
struct ProgramPass {
  std::string_view listing;  ///< its embedded source: "programs/flash2.cpp"
  std::string_view source;   ///< the paper
  Tiling (*tiling)(std::int64_t element_bytes, std::int64_t d, OnChip chip);  ///< null in released code
  std::vector<Launch> (*launches)(const Problem&);
};

/// The published code of an algorithm where it does not follow the paper (`--tiling released`).
struct ReleasedCode {
  ProgramPass forward, backward;
};

/// An algorithm of the catalog.
struct Program {
  std::string_view name;     ///< of the command line: "flash2"
  std::string_view title;    ///< "FlashAttention-2"
  std::string_view summary;  ///< one sentence
  bool row_at_a_time;        ///< the papers' tiling does not change its Br = 1
  ProgramPass forward, backward;
  const ReleasedCode* released = nullptr;  ///< null: none is told apart
};

/// Every program, in the order of the command line.
const std::vector<Program>& catalog();
std::vector<std::string> program_names();

/// Throws Error with the known names and the nearest one.
const Program& find_program(std::string_view name);

/// Which passes of an algorithm a plan runs, in this order.
enum class Pass { forward, backward, forward_backward };
std::string_view name_of(Pass pass);  ///< "forward", "backward", "forward+backward"

/// Line `number` of an embedded listing without indentation; "" past its end.
std::string listing_line(std::string_view listing, int number);

/// The same without its comment: "SmemTile K = cta.load(block(hbm.K, j));"
std::string listing_code(std::string_view listing, int number);

}  // namespace sim

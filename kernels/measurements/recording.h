// Recordings: what was measured on a GPU, as a file. Lines "# key: value" say where, when and how; a table of figures
// follows. `flashscope bench` and sdpa.py write them, `verify`, `validate` and the explorer read them.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/catalogue/options.h"

namespace measurements {

/// The state of the L2 before each run: `cold`: buffers take turns that together are larger than it; `warm`: the same
/// buffers as the run before; `any`: where that has no meaning.
enum class Caches { cold, warm, any };
std::string_view name_of(Caches caches);

/// One figure: the median of some runs and the quartiles around it.
struct Figure {
  std::int64_t line = 0;                  ///< of its file, for messages
  std::string kernel;                     ///< a family of our kernels, "pytorch-flash" and the like, or a ceiling
  sim::OptionValues options;              ///< the scenario by option names, without gpu; empty for a ceiling
  std::optional<sim::Scenario> scenario;  ///< the same, resolved for the GPU of the recording
  Caches caches = Caches::any;
  std::string quantity, unit;  ///< "time" in us, "matmul" in TFLOP/s, "copy" in GB/s, or a counter and its unit
  double value = 0, low = 0, high = 0;
  std::int64_t runs = 0;
  std::optional<double> sm_mhz, watts;  ///< medians while the runs went on, where the driver said
};

/// All figures of one GPU on one day.
struct Recording {
  std::string origin;    ///< its file
  std::string device;    ///< as the driver calls it: "NVIDIA H200"
  std::string gpu;       ///< the device table that it is, "h200", or "" where there is none
  std::string driver;    ///< version
  std::string software;  ///< what else matters: "CUDA 13.0", "PyTorch 2.11"
  std::string date;      ///< UTC, as 2026-11-22T10:30:00Z
  std::string command;   ///< that wrote it
  std::string commit;    ///< of FlashScope
  std::vector<Figure> figures;
};

/// The quantities of figures that are not counters.
inline constexpr std::string_view time_quantity = "time", matmul_quantity = "matmul", copy_quantity = "copy";

/// The scenario options that a table has a column for, in its order.
const std::vector<std::string>& scenario_columns();

/// A scenario under those options, as a figure has it.
sim::OptionValues options_of(const sim::Scenario& scenario);

/// Reads a recording; figures of an unknown GPU have no resolved scenario. Throws Error with file, line, column and
/// what is allowed.
Recording parse_recording(std::string_view text, const std::string& origin);

/// The recording as its file. Values have six significant digits.
std::string to_text(const Recording& recording);

}  // namespace measurements

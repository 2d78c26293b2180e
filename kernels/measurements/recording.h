// Recordings: files of GPU measurements. Lines "# key: value" give the device, date and method; a table of figures
// follows. `flashscope bench` and sdpa.py write them; `verify`, `validate` and the explorer read them.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/catalogue/options.h"

namespace measurements {

/// State of the L2 before each run: `cold`: rotating buffers that together are larger than it; `warm`: the buffers of
/// the previous run; `any`: not applicable.
enum class Caches { cold, warm, any };
std::string_view name_of(Caches caches);

/// One figure: the median of some runs and the quartiles around it.
struct Figure {
  std::int64_t line = 0;                  ///< in its file, for messages
  std::string kernel;                     ///< a family of our kernels, "pytorch-flash" and the like, or a ceiling
  sim::OptionValues options;              ///< the scenario by option names, without gpu; empty for a ceiling
  std::optional<sim::Scenario> scenario;  ///< `options` resolved for the GPU of the recording
  Caches caches = Caches::any;
  std::string quantity, unit;  ///< "time" in us, "matmul" in TFLOP/s, "copy" in GB/s, or a counter and its unit
  double value = 0, low = 0, high = 0;
  std::int64_t runs = 0;
  std::optional<double> sm_mhz, watts;  ///< medians during the runs, if the driver reports them
};

/// All figures of one GPU on one day.
struct Recording {
  std::string origin;    ///< its file
  std::string device;    ///< as the driver names it: "NVIDIA H200"
  std::string gpu;       ///< matching device table, "h200", or "" if there is none
  std::string driver;    ///< version
  std::string software;  ///< other relevant versions: "CUDA 13.0", "PyTorch 2.11"
  std::string date;      ///< UTC, as 2026-11-22T10:30:00Z
  std::string command;   ///< command line that wrote it
  std::string commit;    ///< commit of FlashScope
  std::vector<Figure> figures;
};

/// Quantities of figures that are not counters.
inline constexpr std::string_view time_quantity = "time", matmul_quantity = "matmul", copy_quantity = "copy";

/// Scenario options that have a column in the table, in its order.
const std::vector<std::string>& scenario_columns();

/// Option values of a scenario for those columns.
sim::OptionValues options_of(const sim::Scenario& scenario);

/// Reads a recording; figures of an unknown GPU have no resolved scenario. Throws Error with file, line, column and the
/// allowed values.
Recording parse_recording(std::string_view text, const std::string& origin);

/// Formats a recording as its file. Values have six significant digits.
std::string to_text(const Recording& recording);

}  // namespace measurements

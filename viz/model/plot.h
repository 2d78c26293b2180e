// One quantity of a run plotted over one of its options, with the numbers of `flashscope sweep`.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/catalogue/options.h"
#include "sim/model/approximate.h"
#include "sim/model/flat_gemm.h"
#include "sim/model/simulation.h"
#include "viz/model/plotted_options.h"
#include "viz/model/task.h"

namespace explorer {

/// Quantities that can be plotted, in the order of PlotPoint::values.
enum class PlotQuantity { tile_traffic, hbm_traffic, time, peak_memory, intensity, waves, flops };
inline constexpr std::size_t plot_quantities = 7;

/// The value of a quantity, in: bytes, bytes, microseconds, bytes, FLOPs per byte of HBM traffic, waves of the slowest
/// kernel, FLOPs of products.
double quantity_of(const sim::Simulation& simulation, PlotQuantity quantity);

/// An option that is varied; links use the options' own names.
struct PlotAxis {
  std::string_view option, letter;  ///< "head-dim", "d"
};
const std::vector<PlotAxis>& plot_axes();  ///< N, batch, d, Br, Bc, SRAM, splits
/// The axes that the scenario's program has.
std::vector<PlotAxis> plot_axes_of(const sim::Scenario& scenario);
const PlotAxis& find_plot_axis(std::string_view option);

/// The value of a simulated scenario on an axis; for N the length of the queries.
std::int64_t value_on(const PlotAxis& axis, const sim::Plan& plan);

/// The axes over which there are formulas.
inline bool has_formulas(std::string_view option) { return option == plotted_first || option == "batch"; }

/// Options for a value on an axis. On the axis N queries and keys are equally long: differing options are reset ("").
sim::OptionValues options_at(const PlotAxis& axis, std::int64_t value);

struct PlotPoint {
  std::int64_t at = 0;
  std::optional<std::array<double, plot_quantities>> values;  ///< empty if the scenario is impossible
  sim::Sentence reason;                                       ///< reason if impossible
};

struct PlotLine {
  std::shared_ptr<const sim::Program> program;
  std::size_t place = 0;  ///< index of another program among the current ones: keeps its dash pattern in every plot
  // Instead of a program a formula, evaluated without counting: of approximate attention, or of a linear layer.
  const sim::ApproximateFamily* family = nullptr;
  std::optional<sim::FlatRows> projection = {};
  bool current = false;  ///< the scenario's algorithm, with its tiles; the others have their kernels' own tiles
  std::vector<PlotPoint> points;
  bool is_formula() const { return family != nullptr || projection; }
  std::string_view name() const {
    return projection ? sim::name_of(*projection) : family == nullptr ? program->name : family->name;
  }
};

class Plot : public Task {
 public:
  /// `options`: a possible scenario. `gpu`: its device. `formulas`: includes those of approximate attention, over N, or
  /// of a projection H d x H d, over the batch. Computes nothing yet.
  Plot(const sim::OptionValues& options, const std::shared_ptr<const sim::DeviceSpec>& gpu, const std::string& option,
       bool formulas = false);

  /// Simulates one point, of the current algorithm first.
  bool advance() override;

  const PlotAxis& axis() const { return *axis_; }
  const std::vector<std::int64_t>& values() const { return values_; }  ///< values to simulate, ascending
  const std::vector<PlotLine>& lines() const { return lines_; }        ///< the current algorithm is first
  bool done() const { return next_ == lines_.size() * values_.size(); }
  std::size_t simulated() const { return next_; }
  /// The two adjacent values between which a formula first falls below that of dense attention; empty if it does not.
  std::optional<std::pair<std::int64_t, std::int64_t>> crossover(const PlotLine& formula, std::size_t quantity) const;

  /// The options of a point. Other algorithms take no tiles from the scenario, except on the axis of that side.
  static sim::OptionValues point_options(const sim::OptionValues& options, const PlotAxis& axis, std::int64_t value,
                                         const sim::Program& program);

  /// Limit of single rows, over all kernels: a point with more would take longer than a slice, and is left out with
  /// this as its reason.
  static constexpr std::int64_t most_single_rows = 1 << 15;

 private:
  PlotPoint simulate(const PlotLine& line, std::int64_t value) const;
  PlotPoint evaluate(const PlotLine& line, std::int64_t value) const;
  sim::Scenario scenario_at(const PlotLine& line, std::int64_t value) const;

  sim::OptionValues options_;
  std::shared_ptr<const sim::DeviceSpec> gpu_;
  const PlotAxis* axis_;
  std::vector<std::int64_t> values_;
  std::vector<PlotLine> lines_;
  std::size_t next_ = 0;
};

}  // namespace explorer

// One quantity of a run over one of its options: what the plots show, and the same numbers as `flashscope sweep`.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/catalogue/options.h"
#include "sim/model/approximate.h"
#include "sim/model/simulation.h"
#include "viz/model/task.h"

namespace explorer {

/// What can be drawn. The order is that of PlotPoint::values.
enum class PlotQuantity { tile_traffic, hbm_traffic, time, peak_memory, intensity, waves, flops };
inline constexpr std::size_t plot_quantities = 7;

/// bytes, bytes, microseconds, bytes, FLOPs per byte of HBM traffic, waves of the kernel that takes longest, FLOPs of
/// products.
double quantity_of(const sim::Simulation& simulation, PlotQuantity quantity);

/// An option that is varied. Words of the link: the options' own names.
struct PlotAxis {
  std::string_view option, letter;  ///< "head-dim", "d"
};
const std::vector<PlotAxis>& plot_axes();  ///< N, d, Br, Bc, SRAM, splits
/// Those that the scenario's program has.
std::vector<PlotAxis> plot_axes_of(const sim::Scenario& scenario);
const PlotAxis& find_plot_axis(std::string_view option);

/// The value that a simulated scenario has on an axis; of N the queries' length.
std::int64_t value_on(const PlotAxis& axis, const sim::Plan& plan);

/// What to set for a value on an axis. Queries and keys are equally long on the axis N: an option that says otherwise
/// is taken back, which an empty value means.
sim::OptionValues options_at(const PlotAxis& axis, std::int64_t value);

struct PlotPoint {
  std::int64_t at = 0;
  std::optional<std::array<double, plot_quantities>> values;  ///< none where the scenario is impossible
  std::string reason;                                         ///< why it is
};

struct PlotLine {
  std::shared_ptr<const sim::Program> program;
  std::size_t place = 0;  ///< of another program among those of now: it has the same dashes in every plot
  const sim::ApproximateFamily* family = nullptr;  ///< in the place of a program: a formula, which nothing counts
  bool current = false;  ///< the algorithm of the scenario, with its tiles; the others have their kernels' own tiles
  std::vector<PlotPoint> points;
  std::string_view name() const { return family == nullptr ? program->name : family->name; }
};

class Plot : public Task {
 public:
  /// `options`: a possible scenario. `gpu`: its device. `formulas`: with those of approximate attention, over N. Costs
  /// nothing yet.
  Plot(const sim::OptionValues& options, const std::shared_ptr<const sim::DeviceSpec>& gpu, const std::string& option,
       bool formulas = false);

  /// One point, of the current algorithm first: a simulation.
  bool advance() override;

  const PlotAxis& axis() const { return *axis_; }
  const std::vector<std::int64_t>& values() const { return values_; }  ///< that are simulated, ascending
  const std::vector<PlotLine>& lines() const { return lines_; }        ///< the current algorithm is the first
  bool done() const { return next_ == lines_.size() * values_.size(); }
  std::size_t simulated() const { return next_; }
  /// Between which two of the values a formula first falls below that of dense attention; none where it does not.
  std::optional<std::pair<std::int64_t, std::int64_t>> crossover(const PlotLine& formula, std::size_t quantity) const;

  /// The options of a point. The other algorithms take no tiles from the scenario, except on the axis of that side.
  static sim::OptionValues point_options(const sim::OptionValues& options, const PlotAxis& axis, std::int64_t value,
                                         const sim::Program& program);

  /// Counting more rows one at a time, over all kernels, takes longer than a slice may: such a point is left out, and
  /// this is its reason.
  static constexpr std::int64_t most_single_rows = 1 << 15;

 private:
  PlotPoint simulate(const PlotLine& line, std::int64_t value) const;
  PlotPoint evaluate(const sim::ApproximateFamily& family, std::int64_t value) const;
  sim::Scenario scenario_at(const PlotLine& line, std::int64_t value) const;

  sim::OptionValues options_;
  std::shared_ptr<const sim::DeviceSpec> gpu_;
  const PlotAxis* axis_;
  std::vector<std::int64_t> values_;
  std::vector<PlotLine> lines_;
  std::size_t next_ = 0;
};

}  // namespace explorer

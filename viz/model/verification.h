// The simulation beside what its kernels do: the rows that the verification panel shows, and what can run kernels. This
// file knows no kernels; the native front end gives a Verifier, the browser has none. Recordings of GPUs both have.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/measurements/recorded.h"
#include "sim/catalogue/options.h"
#include "sim/model/simulation.h"
#include "viz/model/task.h"

namespace explorer {

/// One quantity that a run of the kernels showed. `quantity` is its path in the JSON of simulate, or error.X,
/// sectors.X.read, wavefronts, memory.peak, races and the like.
struct VerifiedRow {
  std::string quantity, unit;
  double simulated = 0;
  std::optional<double> measured;  ///< nothing where it could not be, for the cause
  double tolerance = 0;            ///< of the difference
  bool ok = true;
  std::string cause;  ///< of the difference in words
};

/// A run of the kernels on one device; no device: there is none, and `missing` says why.
struct DeviceVerdict {
  std::string device, missing;
  std::vector<VerifiedRow> rows;
};

/// Kernels that run beside the window.
class VerifierRun {
 public:
  virtual ~VerifierRun() = default;
  /// Waits for some 2 ms; false when all devices are done. Throws sim::Error where the kernels could not run at all.
  virtual bool advance() = 0;
  virtual std::string step() const = 0;  ///< what goes on: "reference in double"
  virtual const DeviceVerdict& emulated() const = 0;
  virtual const DeviceVerdict& gpu() const = 0;
};

/// What can run kernels.
class Verifier {
 public:
  virtual ~Verifier() = default;
  /// Seconds that the emulated device takes, within a factor of 3. Throws sim::Error where no kernel is the twin of the
  /// program, or where it does not take these sizes.
  virtual double seconds(const sim::Simulation& program) const = 0;
  virtual std::unique_ptr<VerifierRun> begin(const sim::Scenario& scenario) const = 0;
};

/// A quantity of all that is compared.
struct ComparedRow {
  std::string quantity, unit;
  std::optional<double> simulated, emulated, recorded, gpu;
  double tolerance = 0;
  bool ok = true;
  std::string cause;
};

/// The simulated quantities that kernels are held to: bytes by tensor and in all, HBM traffic, memory, time. The other
/// columns are empty.
std::vector<ComparedRow> simulated_rows(const sim::Simulation& simulation);

/// The same with what devices showed; quantities that only they have come at their place in the verdict. Left out is
/// what a device counts in another way than the program: a GPU's totals of tiles where the program adds by atomics.
std::vector<ComparedRow> compared_rows(const sim::Simulation& simulation, const DeviceVerdict& emulated,
                                       const DeviceVerdict& gpu);

/// The figures of a scenario that stand beside its program: of the kernel that runs it unless another one is asked for.
std::vector<measurements::Beside> recorded_beside(const std::vector<measurements::Recording>& recordings,
                                                  const sim::Scenario& scenario);

/// Writes them into the column `recorded`. Where the program adds by atomics the totals of tiles have none: the
/// hardware counts reductions apart. Tolerances are those of `verify`, and a row never fails for what was recorded.
void add_recorded(std::vector<ComparedRow>& rows, const sim::Simulation& simulation,
                  const std::vector<measurements::Beside>& recorded);

/// "flashscope verify --seqlen 2048 --causal": the command line that verifies these options.
std::string verify_command(const sim::OptionValues& options);

/// The largest scenario with the same tiles that the emulated device verifies in about a second: the same scenario, or
/// batch 1, then one KV head, then halved sequences, with padding and window halved alike. One halving a slice.
class FeasibleSize : public Task {
 public:
  static constexpr double longest = 1;  ///< seconds, by the verifier's estimate

  /// `verifier` is none where nothing runs kernels. `gpu`: the device of the options.
  FeasibleSize(const std::shared_ptr<const Verifier>& verifier, const sim::OptionValues& options,
               const std::shared_ptr<const sim::DeviceSpec>& gpu);
  bool advance() override;

  bool done() const { return done_; }
  const std::string& refusal() const { return refusal_; }  ///< why nothing can be verified; empty when it can
  const sim::OptionValues& options() const { return options_; }
  const sim::Scenario& scenario() const { return scenario_; }
  bool smaller() const { return smaller_; }  ///< than what was asked for
  double seconds() const { return seconds_; }
  double seconds_of_all() const { return seconds_of_all_; }  ///< of what was asked for

 private:
  bool shrink();
  void set(const char* option, std::int64_t value) { options_[option] = std::to_string(value); }

  std::shared_ptr<const Verifier> verifier_;
  sim::OptionValues options_;
  std::shared_ptr<const sim::DeviceSpec> gpu_;
  sim::Scenario scenario_;
  std::string refusal_;
  bool done_ = false, smaller_ = false;
  double seconds_ = 0, seconds_of_all_ = 0;
};

/// A verification that was asked for.
class Verification : public Task {
 public:
  Verification(const std::shared_ptr<const Verifier>& verifier, const sim::Scenario& scenario);
  bool advance() override;

  bool done() const { return done_; }
  const std::string& error() const { return error_; }  ///< why it could not be; empty when all is well
  const VerifierRun* run() const { return run_.get(); }
  const sim::Simulation& simulation() const { return simulation_; }  ///< of what is verified
  /// What is known so far.
  const std::vector<ComparedRow>& rows() const { return rows_; }

 private:
  std::shared_ptr<const Verifier> verifier_;
  sim::Simulation simulation_;
  std::unique_ptr<VerifierRun> run_;
  std::vector<ComparedRow> rows_;
  std::string error_;
  bool done_ = false;
};

}  // namespace explorer

// Comparison of the simulation with its kernels: rows of the verification panel, and the interface that runs kernels.
// This file knows no kernels; the native front end provides a Verifier, the browser has none.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/catalogue/options.h"
#include "sim/model/simulation.h"
#include "sim/report/verdict.h"
#include "viz/model/task.h"

namespace explorer {

/// A run of the kernels on one device. Without a device, `missing` is the reason.
struct DeviceVerdict {
  std::string device, missing;
  std::vector<report::VerdictRow> rows;
};

/// A run of the kernels in parallel with the window.
class VerifierRun {
 public:
  virtual ~VerifierRun() = default;
  /// Waits for about 2 ms; false when all devices are done. Throws sim::Error if the kernels could not run at all.
  virtual bool advance() = 0;
  virtual std::string step() const = 0;  ///< current step: "reference in double"
  virtual const DeviceVerdict& emulated() const = 0;
  virtual const DeviceVerdict& gpu() const = 0;
};

/// Runs kernels.
class Verifier {
 public:
  virtual ~Verifier() = default;
  /// Estimated seconds on the emulated device, within a factor of 3. Throws sim::Error if the program has no matching
  /// kernel, or the kernel does not take these sizes.
  virtual double seconds(const sim::Simulation& program) const = 0;
  virtual std::unique_ptr<VerifierRun> begin(const sim::Scenario& scenario) const = 0;
};

/// One compared quantity, with its value in each column.
struct ComparedRow {
  std::string quantity, unit;
  std::optional<double> simulated, emulated, recorded, gpu;
  double tolerance = 0;
  bool ok = true;
  std::string cause;
};

/// The simulated quantities that kernels are checked against: bytes by tensor and in total, HBM traffic, memory, time.
/// The other columns are empty.
std::vector<ComparedRow> simulated_rows(const sim::Simulation& simulation);

/// Like simulated_rows(), with the devices' results; quantities that only they have are inserted in the order of the
/// verdict. Omits results that a device counts differently from the program: a GPU's tile totals if the program adds by
/// atomics.
std::vector<ComparedRow> compared_rows(const sim::Simulation& simulation, const DeviceVerdict& emulated,
                                       const DeviceVerdict& gpu);

/// The row of a quantity; null if there is none.
ComparedRow* find_row(std::vector<ComparedRow>& rows, std::string_view quantity);

/// The command line that verifies these options: "flashscope verify --seqlen 2048 --causal".
std::string verify_command(const sim::OptionValues& options);

/// The largest scenario with the same tiles that the emulated device verifies in about a second: the given scenario, or
/// batch 1, then one KV head, then halved sequences, with padding and window halved too. One halving per slice.
class FeasibleSize : public Task {
 public:
  static constexpr double longest = 1;  ///< seconds, by the verifier's estimate

  /// `verifier` is null if nothing runs kernels. `gpu`: the device of the options.
  FeasibleSize(const std::shared_ptr<const Verifier>& verifier, const sim::OptionValues& options,
               const std::shared_ptr<const sim::DeviceSpec>& gpu);
  bool advance() override;

  bool done() const { return done_; }
  const sim::Sentence& refusal() const { return refusal_; }  ///< why nothing can be verified; empty if it can
  const sim::OptionValues& options() const { return options_; }
  const sim::Scenario& scenario() const { return scenario_; }
  bool smaller() const { return smaller_; }  ///< than the requested scenario
  double seconds() const { return seconds_; }
  double seconds_of_all() const { return seconds_of_all_; }  ///< for the requested scenario

 private:
  bool shrink();
  void set(const char* option, std::int64_t value) { options_[option] = std::to_string(value); }

  std::shared_ptr<const Verifier> verifier_;
  sim::OptionValues options_;
  std::shared_ptr<const sim::DeviceSpec> gpu_;
  sim::Scenario scenario_;
  sim::Sentence refusal_;
  bool done_ = false, smaller_ = false;
  double seconds_ = 0, seconds_of_all_ = 0;
};

/// A requested verification.
class Verification : public Task {
 public:
  Verification(const std::shared_ptr<const Verifier>& verifier, const sim::Scenario& scenario);
  bool advance() override;

  bool done() const { return done_; }
  const sim::Sentence& error() const { return error_; }  ///< why it could not run; otherwise empty
  const VerifierRun* run() const { return run_.get(); }
  const sim::Simulation& simulation() const { return simulation_; }  ///< the verified scenario
  /// Rows known so far.
  const std::vector<ComparedRow>& rows() const { return rows_; }

 private:
  std::shared_ptr<const Verifier> verifier_;
  sim::Simulation simulation_;
  std::unique_ptr<VerifierRun> run_;
  std::vector<ComparedRow> rows_;
  sim::Sentence error_;
  bool done_ = false;
};

}  // namespace explorer

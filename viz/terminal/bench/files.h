// Output files of `bench`: its recording, and optionally inputs and results, so that other programs can run equal
// inputs and compare results. All are opened before the first kernel runs.
#pragma once
#include <map>
#include <optional>
#include <string>

#include "kernels/bench/drawn_inputs.h"
#include "kernels/verify/tensors.h"
#include "viz/files/output_set.h"

namespace terminal {

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

}  // namespace terminal

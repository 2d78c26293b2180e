#include "viz/terminal/bench/files.h"

#include "kernels/measurements/recording.h"
#include "sim/base/npy.h"
#include "viz/results/npy_tensor.h"
#include "viz/terminal/command.h"

namespace terminal {
namespace {

using sim::Tensor;

std::string file_name(Tensor tensor) { return std::string(name_of(tensor)) + ".npy"; }

std::vector<Tensor> tensors_of(const sim::Plan& plan) {
  std::vector<Tensor> tensors = {Tensor::Q, Tensor::K, Tensor::V, Tensor::O, Tensor::L};
  if (plan.has_backward()) tensors.insert(tensors.end(), {Tensor::dO, Tensor::dQ, Tensor::dK, Tensor::dV});
  return tensors;
}

std::string link_of(const sim::Scenario& scenario) {
  std::string link;
  for (const auto& [name, value] : measurements::options_of(scenario)) {
    link += (link.empty() ? "" : "&") + name + "=" + value;
  }
  return link + "\n";
}

}  // namespace

void RecordingFile::write(const std::string& recording) {
  file_->write(recording);
  file_->commit();
  file_.reset();
  file_.emplace(path_);  // for the next write
}

InputFiles::InputFiles(const std::filesystem::path& folder) {
  outputs_.use_folder(folder, command_line());
  for (const Tensor tensor : bench::drawn_tensors()) files_[tensor] = &outputs_.add_in_folder(file_name(tensor));
}

void InputFiles::write(bench::DrawnInputs& inputs, std::int64_t elements) {
  for (const auto& [tensor, file] : files_) {
    const std::vector<float> values = inputs.floats(tensor, {0, elements});
    file->write(sim::format_npy({{elements}}, values, results::npy_dtype(inputs.dtype())));
  }
  outputs_.commit();
}

ScenarioFiles::ScenarioFiles(const std::filesystem::path& folder, const sim::Plan& plan) {
  outputs_.use_folder(folder, command_line());
  scenario_ = &outputs_.add_in_folder("scenario.txt");
  for (const Tensor tensor : tensors_of(plan)) files_[tensor] = &outputs_.add_in_folder(file_name(tensor));
}

void ScenarioFiles::write(const sim::Plan& plan, const kernels::Tensors& ran) {
  scenario_->write(link_of(plan.scenario));
  for (const auto& [tensor, file] : files_) {
    if (!ran.has(tensor)) {
      outputs_.leave_out(*file);
      continue;
    }
    const results::NpyTensor array = results::npy_tensor({}, plan, tensor, ran.download(tensor));
    file->write(sim::format_npy(array.axes, array.values, results::npy_dtype(ran.dtype(tensor))));
  }
  outputs_.commit();
}

}  // namespace terminal

#include "viz/terminal/bench/files.h"

#include "kernels/measurements/recording.h"
#include "sim/base/npy.h"
#include "viz/terminal/npy_tensor.h"

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

void write_inputs(const std::filesystem::path& path, bench::DrawnInputs& inputs, std::int64_t elements) {
  const OutputFolder folder(path);
  std::vector<OutputFile> files;
  for (const Tensor tensor : bench::drawn_tensors()) {
    files.emplace_back(folder / file_name(tensor).c_str());
    const std::vector<float> values = inputs.floats(tensor, {0, elements});
    files.back().write(sim::format_npy({{elements}}, values, npy_dtype(inputs.dtype())));
  }
  for (OutputFile& file : files) file.commit();
}

void write_results(const std::filesystem::path& path, const sim::Plan& plan, const kernels::Tensors& ran) {
  const OutputFolder folder(path);
  std::vector<OutputFile> files;
  files.emplace_back(folder / "scenario.txt");
  files.back().write(link_of(plan.scenario));
  for (const Tensor tensor : tensors_of(plan)) {
    if (!ran.has(tensor)) continue;
    files.emplace_back(folder / file_name(tensor).c_str());
    files.back().write(
        sim::format_npy(npy_axes(plan.problem, tensor), ran.download(tensor), npy_dtype(ran.dtype(tensor))));
  }
  for (OutputFile& file : files) file.commit();
}

}  // namespace terminal

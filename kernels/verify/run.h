// Runs the kernels of a plan on a device: tensors come and go as the program's do.
#pragma once
#include "kernels/attention/catalog.h"
#include "kernels/counters/counters.h"
#include "kernels/verify/tensors.h"
#include "sim/programs/run.h"

namespace kernels {

/// The twin of a program's kernel in a family, or null.
const Twin* find_twin(dev::Flavour flavour, std::string_view kernel, std::string_view launch);

/// What a launch of the plan is given on a card with so much shared memory for a CTA, without the tensors.
Arguments arguments_of(const sim::Plan& plan, const sim::Launch& launch, std::int64_t smem_of_card = dev::any_smem);

/// Launches the twin of one kernel of the plan on tensors that are there; does not wait for it. Throws sim::Error when
/// the family lacks a twin.
void run_launch(dev::Device& device, const sim::Plan& plan, const sim::Launch& launch, std::string_view kernel,
                const Tensors& tensors);

/// The same within `around`, between two waits for the device, so that nothing else of its stream runs meanwhile;
/// without `around` just the same.
void run_launch_alone(dev::Device& device, const sim::Plan& plan, const sim::Launch& launch, std::string_view kernel,
                      const Tensors& tensors, const counters::AroundLaunch& around);

struct KernelRun {
  sim::AttentionOutputs outputs;
  std::int64_t peak_bytes = 0;             ///< of device memory
  std::vector<dev::LaunchReport> reports;  ///< one per launch of the plan, from a traced device
};

/// Runs every launch of the plan with its twin of the family `kernel`; a backward pass alone runs the forward pass
/// first, which is not counted. Inputs must be rounded to the dtype. Throws dev::DeviceError, or sim::Error when the
/// family lacks a twin. Where `around` is given, it runs each launch of the plan, between two waits for the device.
KernelRun run(dev::Device& device, const sim::Plan& plan, std::string_view kernel, const sim::AttentionInputs& inputs,
              const counters::AroundLaunch& around = nullptr);

}  // namespace kernels

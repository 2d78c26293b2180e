// Runs the kernels of a plan on a device: tensors are allocated and freed as in the program.
#pragma once
#include "kernels/attention/kernel_list.h"
#include "kernels/counters/counters.h"
#include "kernels/verify/tensors.h"
#include "sim/programs/run.h"

namespace kernels {

/// The kernel of a family that matches a program's launch, or null.
const MatchingKernel* find_kernel(dev::Flavour flavour, std::string_view kernel, std::string_view launch);

/// Arguments of a launch of the plan, without the tensors, on a card with this shared memory per CTA. Throws Error that
/// names a mask or a score step that no kernel has.
Arguments arguments_of(const sim::Plan& plan, const sim::Launch& launch, std::int64_t smem_of_card = dev::any_smem);

/// Launches the matching kernel of one launch on allocated tensors; does not wait. Throws sim::Error if there is none.
void run_launch(dev::Device& device, const sim::Plan& plan, const sim::Launch& launch, std::string_view kernel,
                const Tensors& tensors);

/// As run_launch(), inside `around` and between two waits for the device, so that nothing else runs in its stream;
/// equal to run_launch() if `around` is empty.
void run_launch_alone(dev::Device& device, const sim::Plan& plan, const sim::Launch& launch, std::string_view kernel,
                      const Tensors& tensors, const counters::AroundLaunch& around);

struct KernelRun {
  sim::AttentionOutputs outputs;
  std::int64_t peak_bytes = 0;             ///< peak bytes of device memory
  std::vector<dev::LaunchReport> reports;  ///< one per launch of the plan, from a traced device
};

/// Runs every launch of the plan with the matching kernel of the family `kernel`; a backward pass alone first runs the
/// forward pass, which is not counted. Inputs must be rounded to the dtype. Throws dev::DeviceError, or sim::Error if
/// the family lacks a kernel. If `around` is set, it runs each launch of the plan, between two waits for the device.
KernelRun run(dev::Device& device, const sim::Plan& plan, std::string_view kernel, const sim::AttentionInputs& inputs,
              const counters::AroundLaunch& around = nullptr);

}  // namespace kernels

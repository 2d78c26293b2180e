// The files that `bench` leaves beside its recording, so that others can run the same inputs and compare results.
#pragma once
#include <filesystem>

#include "kernels/bench/drawn_inputs.h"
#include "kernels/tensors.h"
#include "viz/terminal/output_file.h"

namespace terminal {

/// Writes Q.npy, K.npy, V.npy and dO.npy into the folder, one dimension each: a scenario's tensor is the first of it.
/// `elements`: of the largest scenario.
void write_inputs(const std::filesystem::path& folder, bench::DrawnInputs& inputs, std::int64_t elements);

/// Writes a scenario's inputs and outputs as .npy files, (batch, heads, N, d) and L (batch, heads, N), and the scenario
/// as a link in scenario.txt. All of them or none.
void write_results(const std::filesystem::path& folder, const sim::Plan& plan, const kernels::Tensors& ran);

}  // namespace terminal

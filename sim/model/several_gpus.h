// Several GPUs that share each sequence: what each runs in which step, what it sends, and how long a step takes.
//
// There is no second machine. A GPU runs kernels of today, on the keys and values that it holds in a step, and each of
// these is one of a few problems ("kinds"), whose masks are causal or none:
//   ring      n x n causal on its own keys; n x n on those of an earlier GPU; nothing on those of a later one
//   zigzag    n x n causal; n x n/2: all queries and the front chunk of an earlier GPU; n/2 x n: the back chunk of
//             queries and all keys of a later one
//   striped   n x n causal on those of the same and of earlier GPUs; n x (n-1) causal (k < q) on those of later ones
//   gather    n x (r+1) n causal on GPU r, in one step, once all keys are there
//   ulysses   N x N causal on H / P heads, in one step
// with n = N / P tokens of each of P GPUs; without a causal mask there is one kind. A step takes as long as its slowest
// GPU computes, or as long as K and V travel meanwhile, whichever is longer; then the next begins. From the second
// computation on O and L are merged in fp32: 8 bytes an element, read and written at the rate of the HBM.
//
// The slowest is the one with the most pairs, of equals the one that takes longer. In every step it is the first or the
// last GPU, and one of both is so in all steps; counts are its own.
#pragma once
#include <vector>

#include "sim/model/kernel_meters.h"
#include "sim/programs/plan.h"

namespace sim {

struct AttentionInputs;
struct AttentionOutputs;

/// A run of several GPUs as a table of which problem each computes in which step.
struct GpuRun {
  Parallel parallel = Parallel::ring;
  std::int64_t gpus = 1, steps = 1;
  std::vector<Scenario> kinds;    ///< problems, each for one GPU
  Bytes sent_beside;              ///< by a GPU beside the computation of every step but the last
  Bytes sent_before, sent_after;  ///< by a GPU before its first and after its last computation
  Bytes held;                     ///< K and V in its memory at once
  Bytes kept;                     ///< beside a kind's tensors: a second copy of what travels, and O and L in fp32

  /// The kind that a GPU runs in a step, both from 0; -1 for none.
  int kind_of(std::int64_t step, std::int64_t gpu) const;
  Bytes sent() const { return sent_before + sent_after + sent_beside * (steps - 1); }
};

/// The run of a scenario with --gpus, which its plan has checked.
GpuRun gpu_run(const Scenario& scenario);

/// Visible pairs of queries and keys of a kind, over its heads and its batch.
std::int64_t pairs_of_kind(const Shape& shape);

/// Bytes of HBM by which a GPU merges O and L of one computation of a kind into what it has.
Bytes merged_bytes(const Shape& shape);

/// A kind, counted and measured once.
struct GpuKind {
  Plan plan;
  std::vector<Trace> traces;
  std::vector<KernelMeters> kernels;
  std::int64_t pairs = 0, elements = 0;  ///< visible pairs; elements of live tiles
  double microseconds = 0;               ///< of its kernels
  double merge_microseconds = 0;         ///< of merging its results
};

/// A step as long as its slowest GPU, and what travels beside it; steps of transfers alone have no kind.
struct GpuStep {
  int kind = -1;
  double compute = 0, transfer = 0;  ///< microseconds; compute includes the merge
  double exposed() const { return transfer > compute ? transfer - compute : 0; }
  double microseconds() const { return compute + exposed(); }
};

/// A run with its times and counts: those of the slowest GPU of each step.
struct GpuMeters {
  GpuRun run;
  std::vector<GpuKind> kinds;            ///< those that are the slowest in some step, and the others of run.kinds empty
  std::vector<std::int64_t> times;       ///< steps in which each kind is the slowest
  std::vector<GpuStep> timeline;         ///< in order, with transfers before and after
  std::int64_t pairs = 0, elements = 0;  ///< of the slowest, over all steps
  std::int64_t all_pairs = 0;            ///< of all GPUs
  Bytes merged;
  double merge_microseconds = 0, exposed_microseconds = 0;
  double balance() const;  ///< all pairs / (GPUs x those of the slowest)
};

/// Plans and measures each kind once, at about 1 ms a kind.
GpuMeters measure_gpus(const Scenario& scenario);

/// Microseconds that bytes take from one GPU to the next.
double transfer_microseconds(const DeviceSpec& gpu, Bytes bytes);

/// The kind that most of the time goes to: its plan is that of the run.
std::size_t main_kind(const GpuMeters& meters);

/// Values: every GPU computes its slices of the inputs, step by step, and merges O and L in fp32.
AttentionOutputs compute_on_gpus(const Scenario& scenario, const AttentionInputs& inputs);

/// Tokens of the whole sequence that a GPU owns, in the order in which it holds them.
std::vector<std::int64_t> tokens_of(const GpuRun& run, std::int64_t tokens, std::int64_t gpu);

}  // namespace sim

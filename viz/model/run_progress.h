// How much of a whole run lies behind the playhead, which stands in one CTA of one kernel.
//
// Inaccuracies: CTAs are told one after the other in issue order, as playback goes through them, each with the same
// part of its kernel. On the GPU they run side by side: when, the grid's timeline and the race say.
#pragma once
#include "viz/model/subject.h"

namespace explorer {

struct RunProgress {
  std::size_t kernel = 0;  ///< all kernels before it have ended
  double share = 0;        ///< of this one, 0 to 1

  /// What of a quantity, which is a sum over kernels, is behind the playhead. O(kernels).
  double of(const sim::Simulation& simulation, double (*quantity)(const sim::KernelMeters&)) const;
};

/// `part`: how far the CTA is that is looked at, 0 to 1, in what is counted.
RunProgress run_progress(const Subject& subject, double part);

}  // namespace explorer

// Recorded times as points that the timing model is checked against, next to the published ones.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kernels/measurements/recording.h"
#include "sim/model/published.h"

namespace measurements {

/// The points of a recording for `validate`.
struct RecordedPoints {
  std::vector<sim::PublishedPoint> points;
  std::map<std::string, std::int64_t> left_out;  ///< times of scenarios that published points do not have, by group
};

/// "h200" for folder/h200.csv: the group of its points.
std::string group_of(const Recording& recording);

/// The times with cold caches. Of two recordings with one group the later one counts.
/// - Scored: what the model of time describes, in fp16 and bf16: flash2_mma and PyTorch's flash backend as flash2,
///   PyTorch's math backend as standard-pytorch. Of the scored points of a group a fit takes the 1st, 3rd, 5th ...
///   Those with tiles set by hand are a group of their own: "h200-tiles".
/// - All others count by ratios only. In fp32 too: the plain kernels sum up an element per thread, where the model has
///   warps that share fragments.
/// Where the SM clock was recorded, the prediction is for that clock.
/// - Left out: another length of keys, a ragged batch, a window, tiles set by hand where the time is not scored, and a
///   kernel that has changed since.
/// Throws Error where a recording has the name of a published group.
RecordedPoints points_of(const std::vector<Recording>& recordings);

}  // namespace measurements

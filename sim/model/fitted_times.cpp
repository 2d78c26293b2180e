#include "sim/model/fitted_times.h"

#include <algorithm>
#include <iterator>

#include "sim/programs/programs.h"

namespace sim {

const FittedTimes* fitted_times(std::string_view group, std::string_view algorithm) {
  static const FittedTimes all[] = {{"h100-80gb-hbm3-2026-11-23-0709-bench", programs::flash2.name, true},
                                    {"h100-80gb-hbm3-2026-11-23-0709-tiles", programs::flash2.name, true},
                                    {"h100-80gb-hbm3-2026-11-23-0709-pytorch", programs::standard_pytorch.name, false}};
  const auto found = std::find_if(std::begin(all), std::end(all), [&](const FittedTimes& times) {
    return times.group == group && times.algorithm == algorithm;
  });
  return found == std::end(all) ? nullptr : &*found;
}

}  // namespace sim

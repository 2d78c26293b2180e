#include "kernels/dev/gpu_name.h"

#include <algorithm>

#include "sim/catalogue/typed_values.h"
#include "sim/machine/device_spec.h"

namespace kernels {

std::string gpu_called(std::string_view card_name) {
  const std::string gpu = sim::exact_value("gpu", std::string(card_name));
  const std::vector<std::string> known = sim::device_names();
  return std::find(known.begin(), known.end(), gpu) == known.end() ? "" : gpu;
}

}  // namespace kernels

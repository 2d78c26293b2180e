// The table of the kernels of one flavour.
#include "kernels/catalog.h"
#include "kernels/dev/dev.h"
#include "kernels/launches.h"

namespace kernels {
inline namespace DEV_FLAVOUR {

const std::vector<Twin>& all_twins() {
  static const std::vector<Twin> twins = {
      {"flash2", "flash2_forward", flash2_forward},
  };
  return twins;
}

}  // namespace DEV_FLAVOUR
}  // namespace kernels

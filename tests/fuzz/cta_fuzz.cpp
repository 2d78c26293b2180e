// --cta: any text is an Error, or a CTA's position that survives being written and parsed again, and has a trace or is
// outside the grid.
#include <cstdint>

#include "sim/catalogue/options.h"
#include "sim/machine/device_spec.h"
#include "sim/model/replayed_timeline.h"
#include "tests/fuzz/invariant.h"
#include "viz/terminal/trace_file.h"

namespace {

void check_place(const std::string& text) {
  const sim::CtaPlace place = terminal::parse_cta(text);
  const std::string written = sim::text(place.batch, ",", place.head, ",", place.row, ",", place.col);
  const sim::CtaPlace again = terminal::parse_cta(written);
  fuzz::check(
      again.batch == place.batch && again.head == place.head && again.row == place.row && again.col == place.col,
      "a place survives being written and read again");
  static const sim::Plan plan = sim::make_plan(sim::scenario_from(
      {{"batch", "2"}, {"heads", "3"}, {"seqlen", "100"}, {"head-dim", "16"}, {"br", "32"}, {"bc", "32"}},
      sim::built_in_gpu));
  const sim::Timeline timeline = sim::replay_timeline(plan, place);
  fuzz::check(!timeline.kernels.empty(), "a place in the grid has a trace");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  try {
    check_place({reinterpret_cast<const char*>(input), size});
  } catch (const sim::Error& error) {
    fuzz::check(*error.what() != '\0', "a message is not empty");
  }
  return 0;
}

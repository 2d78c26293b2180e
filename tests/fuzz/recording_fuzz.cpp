// parse_recording: any text is a recording that survives being written and read again, or an Error.
#include <cstdint>

#include "kernels/measurements/points.h"
#include "kernels/measurements/recorded.h"
#include "sim/base/check.h"
#include "tests/fuzz/invariant.h"

namespace {

void check_figures(const std::vector<measurements::Recording>& recordings) {
  const measurements::Recording& recording = recordings.front();
  for (const measurements::Figure& f : recording.figures) {
    fuzz::check(f.low <= f.value && f.value <= f.high && f.low >= 0, "a figure lies between its quartiles");
    fuzz::check(f.quantity != measurements::time_quantity || f.value > 0, "a time is positive");
    fuzz::check(!f.scenario || f.scenario->gpu->name == recording.gpu, "a scenario is of the recording's GPU");
    if (!f.scenario) continue;
    const auto found = measurements::recorded_of(recordings, *f.scenario, f.kernel);
    fuzz::check(!found.empty(), "a figure is found by its own scenario");
    for (const measurements::Beside& each : measurements::beside_program(found))
      fuzz::check(each.value >= 0, "what stands beside the program is a number of at least 0");
  }
}

/// Checks that writing twice gives the same text; written values have six digits, so the parsed text may differ.
void check_writing(const measurements::Recording& recording) {
  const std::string once = measurements::to_text(recording);
  const measurements::Recording again = measurements::parse_recording(once, recording.origin);
  fuzz::check(again.figures.size() == recording.figures.size(), "no figure is lost in writing");
  fuzz::check(measurements::to_text(again) == once, "a recording survives writing");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(input), size);
  try {
    const std::vector<measurements::Recording> recordings = {measurements::parse_recording(text, "fuzz.csv")};
    check_figures(recordings);
    measurements::points_of(recordings);
    check_writing(recordings.front());
  } catch (const sim::Error& error) {
    fuzz::check_message(error.what());
  }
  return 0;
}

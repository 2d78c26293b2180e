// Lists of scenarios, of `verify` and `bench`: any text is an Error, or a list whose scenarios survive being written
// and parsed again.
#include <cstdint>

#include "sim/base/check.h"
#include "sim/base/printable.h"
#include "sim/machine/device_spec.h"
#include "tests/fuzz/invariant.h"
#include "viz/terminal/verify/scenario_list.h"

namespace {

using terminal::ListedScenario;

/// Encodes a text as browsers encode links.
std::string encoded(const std::string& text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += digits[byte / 16];
    out += digits[byte % 16];
  }
  return out;
}

std::string written(const ListedScenario& scenario) {
  std::string line;
  for (const auto& [name, value] : scenario.options) line += (line.empty() ? "" : "&") + name + "=" + encoded(value);
  if (scenario.kernel) line += (line.empty() ? "" : "&") + ("kernel=" + encoded(*scenario.kernel));
  return line + "\n";
}

/// True if the text names a device file: the reader would look for it, and a fuzzer has none.
bool names_file(std::string_view text) {
  return text.find(".toml") != std::string_view::npos || text.find("%") != std::string_view::npos;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(input), size);
  if (names_file(text)) return 0;
  try {
    const auto list = terminal::parse_scenarios(text, "fuzz.list", {}, std::nullopt);
    std::string again;
    for (const ListedScenario& each : list) again += written(each);
    const auto same = terminal::parse_scenarios(again, "again.list", {}, std::nullopt);
    fuzz::check(same.size() == list.size(), "no scenario is lost in writing");
    for (std::size_t n = 0; n < list.size(); ++n)
      fuzz::check(same[n].options == list[n].options && same[n].kernel == list[n].kernel,
                  "a scenario survives writing");
  } catch (const sim::Error& error) {
    fuzz::check(std::string_view(error.what()).starts_with("fuzz.list:") ||
                    std::string_view(error.what()).starts_with("scenarios: "),
                "a message begins with the place");
  }
  return 0;
}

// Links: any text opens the explorer in a state whose link opens the same, and each ignored key is named.
#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "tests/fuzz/invariant.h"
#include "viz/model/comparison.h"
#include "viz/model/model.h"

namespace {

void check_link_errors(const std::vector<sim::Sentence>& link_errors) {
  for (const sim::Sentence& line : link_errors) fuzz::check_message(line.text());
}

void check_link(std::string_view text) {
  const explorer::Link link = explorer::read_link(text, sim::built_in_gpu);
  check_link_errors(link.link_errors);
  const explorer::Link again = explorer::read_link(explorer::to_link(link), sim::built_in_gpu);
  fuzz::check(again.link_errors.empty(), "what was read reads without complaints");
  fuzz::check(again.scenario == link.scenario && again.view == link.view, "a link says all that was read");
}

void check_comparison(std::string_view text) {
  const auto changes = explorer::read_comparison(text);
  if (!changes) return;
  fuzz::check(explorer::read_comparison(explorer::to_text(*changes)) == changes,
              "a comparison reads as it was written");
}

/// False for large scenarios, which take seconds and do not test the link.
bool is_small(std::string_view text) {
  std::size_t digits = 0, longest = 0;
  for (const char c : text) longest = std::max(longest, digits = c >= '0' && c <= '9' ? digits + 1 : 0);
  return longest < 4;
}

void check_state(std::string_view text) {
  explorer::Model model(sim::built_in_gpu), other(sim::built_in_gpu);
  model.follow(text);
  check_link_errors(model.link_errors);
  if (!model.world.error().empty()) return fuzz::check_message(model.world.error().text());
  other.follow(model.link());
  fuzz::check(other.link_errors.empty(), "the link of a state has no wrong keys");
  fuzz::check(other.link() == model.link(), "the link of a state opens that state");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(input), size);
  check_link(text);
  check_comparison(text);
  if (is_small(text)) check_state(text);
  return 0;
}

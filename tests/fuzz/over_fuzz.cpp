// --over of sweep, an axis per line: any text is an Error, or axes that survive being written and parsed again, whose
// points have rows with a cell per column.
#include <cstdint>
#include <nlohmann/json.hpp>

#include "sim/machine/device_spec.h"
#include "tests/fuzz/invariant.h"
#include "tests/fuzz/words.h"
#include "viz/results/sweep.h"

namespace {

using results::Axis;

const results::OptionFiles files{sim::built_in_gpu, results::plain_files().check, results::plain_files().model};

std::string written(const Axis& axis) {
  std::string text;
  for (const std::string& value : axis.values) text += (text.empty() ? axis.name + "=" : ",") + value;
  return text;
}

void check_axes(const std::vector<std::string>& texts) {
  std::vector<std::string> again;
  std::int64_t points = 1;
  for (const Axis& axis : results::parse_axes({texts.begin(), texts.end()}, {}, files)) {
    fuzz::check(!axis.values.empty(), "an axis has a value");
    points *= static_cast<std::int64_t>(axis.values.size());
    again.push_back(written(axis));
    const Axis same = results::parse_axis(again.back(), files);
    fuzz::check(same.name == axis.name && same.values == axis.values, "an axis survives being written and read again");
  }
  fuzz::check(points == results::point_count(results::parse_axes({again.begin(), again.end()}, {}, files)),
              "no point is lost");
  if (points > 4) return;
  const results::Sweep sweep({}, {again.begin(), again.end()}, {}, std::nullopt, {}, files);
  for (std::int64_t n = 0; n < sweep.rows(); ++n) {
    const auto row = nlohmann::json::parse(sweep.row(n));
    fuzz::check(row.is_array() && row.size() == sweep.columns().size(), "a row has a cell for each column");
  }
}

/// False for large shapes and millions of points, which take seconds and do not test the axes: 1000, 8k, 1e5.
bool is_small(std::string_view text) {
  for (std::size_t n = 1; n < text.size(); ++n) {
    const bool digit = text[n - 1] >= '0' && text[n - 1] <= '9';
    if (digit && std::string_view("kKmMgGeE").find(text[n]) != std::string_view::npos) return false;
  }
  return fuzz::longest_number(text) < 4;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(input), size);
  if (!is_small(text)) return 0;
  try {
    check_axes(fuzz::lines_of(text));
  } catch (const sim::Error& error) {
    fuzz::check(*error.what() != '\0', "a message is not empty");
  }
  return 0;
}

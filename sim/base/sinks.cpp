#include "sim/base/sinks.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <span>

#include "sim/base/check.h"
#include "sim/base/npy.h"
#include "sim/base/printable.h"
#include "sim/base/read_file.h"
#include "sim/base/text.h"

namespace sim {
namespace {

constexpr std::size_t most_sinks = std::size_t{1} << 20;
constexpr std::int64_t largest_sink_file = std::int64_t{1} << 24;

void check_sink(double logit, const std::string& what) {
  require(std::isfinite(static_cast<float>(logit)) || logit == -static_cast<double>(INFINITY), what,
          " is not a logit: allowed are numbers of fp32, and -inf, which is no sink");
}

float sink_in(std::string_view word) {
  const std::string digits(word);
  char* end = nullptr;
  const double logit = std::strtod(digits.c_str(), &end);
  require(!digits.empty() && *end == '\0', "sink: ", quoted(word),
          " is not a number: allowed are a logit for all heads, one for each as in 0.5,-1, or a .npy file of them");
  check_sink(logit, text("sink: ", digits));
  return static_cast<float>(logit);
}

std::vector<float> sinks_in_file(const std::string& path) {
  const std::string name = "sink: " + path, bytes = read_file(path, largest_sink_file, name);
  const NpyArray array = parse_npy(std::as_bytes(std::span(bytes)), name);
  require(array.shape.size() == 1, name, ": has ", array.shape.size(),
          " axes, allowed is one: a number per query head");
  if (array.beyond_float) check_sink(array.beyond_float->second, text(name, ": ", array.beyond_float->second));
  for (const float logit : array.values) check_sink(static_cast<double>(logit), text(name, ": ", logit));
  return array.values;
}

std::string digits_of_sink(float logit) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.9g", static_cast<double>(logit));
  char shorter[32];
  std::snprintf(shorter, sizeof shorter, "%.6g", static_cast<double>(logit));
  return std::strtof(shorter, nullptr) == logit ? shorter : digits;
}

}  // namespace

Sinks::Sinks(std::vector<float> logits, const ScoreFrame& frame) : logits_(std::move(logits)), frame_(frame) {
  const std::int64_t count = std::ssize(logits_);
  require(count == 1 || count == frame.heads, "sink: ", count, " numbers for ", frame.heads,
          " query heads: allowed are one for all heads, and one for each");
}

float Sinks::of(std::int64_t head, std::int64_t row) const {
  return logits_.size() == 1 ? logits_.front() : logits_[static_cast<std::size_t>(frame_.head_of(head, row))];
}

bool names_sink_file(std::string_view typed) { return in_lower_case(trimmed(typed)).ends_with(".npy"); }

std::vector<float> read_sinks(const std::string& typed) {
  if (names_sink_file(typed)) return sinks_in_file(std::string(trimmed(typed)));
  std::vector<float> logits;
  for (const std::string_view part : split(typed, ",")) logits.push_back(sink_in(trimmed(part)));
  require(logits.size() <= most_sinks, "sink: ", logits.size(), " numbers are more than ", most_sinks);
  return logits;
}

std::string text_of_sinks(const std::vector<float>& logits) {
  std::string all;
  for (const float logit : logits) all += (all.empty() ? "" : ",") + digits_of_sink(logit);
  return all;
}

}  // namespace sim

// Unit suffixes of typed numbers, in standard notation and as learners write them.
#include <algorithm>

#include "lessons/facts.h"
#include "sim/base/text.h"

namespace lessons {
namespace {

using std::string_view;

struct Suffix {
  string_view text, family;
  double factor;
};

constexpr Suffix suffixes[] = {{"B", "bytes", 1},
                               {"kB", "bytes", 1e3},
                               {"MB", "bytes", 1e6},
                               {"GB", "bytes", 1e9},
                               {"TB", "bytes", 1e12},
                               {"KiB", "bytes", 1024},
                               {"MiB", "bytes", 1024. * 1024},
                               {"GiB", "bytes", 1 << 30},
                               {"ns", "microseconds", 1e-3},
                               {"µs", "microseconds", 1},
                               {"ms", "microseconds", 1e3},
                               {"s", "microseconds", 1e6},
                               {"%", "percent", 0.01},
                               {"FLOP", "flops", 1},
                               {"MFLOP", "flops", 1e6},
                               {"GFLOP", "flops", 1e9},
                               {"TFLOP", "flops", 1e12},
                               {"FLOP/B", "intensity", 1},
                               {"x", "ratio", 1},
                               {"x", "number", 1},
                               {"elements", "number", 1},
                               {"GFLOP/s", "flop_rate", 1e9},
                               {"TFLOP/s", "flop_rate", 1e12},
                               {"GB/s", "byte_rate", 1e9},
                               {"TB/s", "byte_rate", 1e12}};

constexpr std::pair<string_view, double> counts[] = {{"k", 1e3}, {"K", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}};

string_view family_of(string_view unit) { return unit == "exact_bytes" || unit == "kibibytes" ? "bytes" : unit; }

/// Normalises a suffix to lower case and short names: "FLOPs/byte", "flop/b" and "FLOP/B" are equal.
std::string spelt(string_view suffix) {
  std::string text = sim::in_lower_case(suffix);
  constexpr std::pair<string_view, string_view> short_names[] = {
      {"bytes", "b"}, {"byte", "b"}, {"字节", "b"},  {"flops", "flop"}, {"毫秒", "ms"},    {"微秒", "µs"},
      {"sec", "s"},   {"μs", "µs"},  {"times", "x"}, {"倍", "x"},       {"个", "elements"}};
  for (const auto& [from, to] : short_names) {
    const std::size_t at = text.find(from);
    if (at != std::string::npos) text.replace(at, from.size(), to);
  }
  return text == "us" ? "µs" : text;
}

}  // namespace

double factor_of(string_view suffix, string_view unit) {
  const string_view family = family_of(unit);
  if (suffix.empty()) return unit == "percent" ? 0.01 : unit == "kibibytes" ? 1024 : 1;
  for (const Suffix& known : suffixes) {
    if (known.family == family && spelt(known.text) == spelt(suffix)) return known.factor;
  }
  for (const auto& [letter, factor] : counts) {
    if (letter == suffix) return factor;
  }
  return 0;
}

std::vector<std::string> suffixes_of(string_view unit) {
  std::vector<std::string> all;
  for (const Suffix& known : suffixes) {
    if (known.family == family_of(unit)) all.emplace_back(known.text);
  }
  return all;
}

}  // namespace lessons

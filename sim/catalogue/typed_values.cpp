#include "sim/catalogue/typed_values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

#include "sim/base/nearest.h"
#include "sim/base/text.h"
#include "sim/machine/device_override.h"

namespace sim {
namespace {

/// Names with aliases. One row per name; aliases are separated by commas.
struct ShortNames {
  std::string_view option, name, words;
};
constexpr std::array<ShortNames, 38> short_names = {{
    {"gpu", "t4", "tesla t4, nvidia t4"},
    {"gpu", "rtx-3090", "3090, geforce rtx 3090, nvidia geforce rtx 3090"},
    {"gpu", "a10", "nvidia a10"},
    {"gpu", "rtx-4090", "4090, geforce rtx 4090, nvidia geforce rtx 4090"},
    {"gpu", "l4", "nvidia l4"},
    {"gpu", "l40s", "nvidia l40s"},
    {"gpu", "rtx-5090", "5090, geforce rtx 5090, nvidia geforce rtx 5090"},
    {"gpu", "a100-sxm-40gb", "a100, a100-40gb, a100-sxm, a100-sxm4, a100-sxm4-40gb, nvidia a100-sxm4-40gb"},
    {"gpu", "a100-sxm-80gb", "a100-80gb, a100-sxm4-80gb, nvidia a100-sxm4-80gb"},
    {"gpu", "a100-pcie-40gb", "nvidia a100-pcie-40gb"},
    {"gpu", "a100-pcie-80gb", "nvidia a100 80gb pcie"},
    {"gpu", "h100-sxm", "h100, h100-80gb, h100-sxm5, h100-sxm-80gb, h100-sxm5-80gb, nvidia h100 80gb hbm3"},
    {"gpu", "h100-pcie", "h100-pcie-80gb, nvidia h100 pcie"},
    {"gpu", "h100-nvl", "h100-nvl-94gb, nvidia h100 nvl"},
    {"gpu", "h200", "h200-sxm, h200-141gb, nvidia h200"},
    {"gpu", "h200-nvl", "h200-nvl-141gb, nvidia h200 nvl"},
    {"gpu", "b200", "b200-sxm, nvidia b200"},
    {"gpu", "v100-sxm2-16gb", "v100, v100-16gb, v100-sxm2, tesla v100-sxm2-16gb"},
    {"gpu", "v100-sxm2-32gb", "v100-32gb, tesla v100-sxm2-32gb"},
    {"gpu", "rtx-2080-ti", "2080 ti, geforce rtx 2080 ti, nvidia geforce rtx 2080 ti"},
    {"gpu", "rtx-a6000", "a6000, nvidia rtx a6000"},
    {"gpu", "gh200-96gb", "gh200, gh200-480gb, nvidia gh200 480gb"},
    {"gpu", "mi300x", "amd instinct mi300x, instinct mi300x"},
    {"gpu", "h20", "h20-96gb, h20-sxm, nvidia h20"},
    {"gpu", "h800-sxm", "h800, h800-80gb, h800-sxm5, nvidia h800"},
    {"gpu", "a800-sxm-80gb", "a800, a800-80gb, a800-sxm, a800-sxm4-80gb, nvidia a800-sxm4-80gb"},
    {"gpu", "l20", "l20-48gb, nvidia l20"},
    {"gpu", "rtx-4080", "4080, geforce rtx 4080, nvidia geforce rtx 4080"},
    {"gpu", "rtx-a5000", "a5000, nvidia rtx a5000"},
    {"model", "llama-3-8b", "llama-3.1-8b"},
    {"model", "llama-3-70b", "llama-3.1-70b"},
    {"model", "llama-13b", "llama-1-13b"},
    {"pass", "forward", "fwd"},
    {"pass", "backward", "bwd"},
    {"pass", "forward+backward", "fwd+bwd, both"},
    {"dtype", "fp16", "float16, half, f16"},
    {"dtype", "bf16", "bfloat16"},
    {"dtype", "fp32", "float32, float, f32, single"},
}};

/// Returns the letters and digits of a name, in lower case.
std::string folded_name(std::string_view name) {
  std::string out = in_lower_case(name);
  std::erase_if(out, [](char c) { return c == '-' || c == '_' || c == ' '; });
  return out;
}

bool is_one_of(std::string_view words, const std::string& name) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(','), words.size());
    if (folded_name(words.substr(0, end)) == name) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

std::string exact_name(const ScenarioOption& option, const std::string& typed) {
  constexpr std::size_t longest = 60;
  const std::string name = typed.size() <= longest ? folded_name(typed) : "";
  if (name.empty()) return typed;
  const std::vector<std::string> names = option.words();
  for (const std::string& exact : names) {
    if (typed == exact) return typed;
  }
  for (const std::string& exact : names) {
    if (folded_name(exact) == name) return exact;
  }
  for (const ShortNames& row : short_names) {
    if (row.option == option.name && is_one_of(row.words, name)) return std::string(row.name);
  }
  if (option.name != "algorithm") return typed;
  for (const std::string& exact : all_program_names()) {
    if (folded_name(exact) == name) return exact;
  }
  for (const Program& program : built_in_programs()) {
    if (is_one_of(program.typed, name)) return std::string(program.name);
  }
  return typed;
}

/// Returns the factor of a suffix; empty if unknown.
std::optional<std::int64_t> factor_of(std::string_view suffix) {
  if (suffix.empty()) return 1;
  if (suffix == "k" || suffix == "K" || suffix == "ki" || suffix == "Ki") return std::int64_t{1} << 10;
  if (suffix == "M" || suffix == "Mi") return std::int64_t{1} << 20;
  if (suffix == "G" || suffix == "Gi") return std::int64_t{1} << 30;
  return std::nullopt;
}

/// Converts "1_048_576" to "1048576"; empty if a group does not have three digits.
std::optional<std::string> without_groups(std::string_view number) {
  const std::size_t first = std::min(number.find('_'), number.size());
  std::string digits(number.substr(0, first));
  if (first < number.size() && (first == 0 || first > 3)) return std::nullopt;
  for (std::string_view rest = number.substr(first); !rest.empty(); rest.remove_prefix(4)) {
    if (rest.size() < 4 || rest[0] != '_') return std::nullopt;
    digits += rest.substr(1, 3);
  }
  const bool only_digits = digits.find_first_not_of("0123456789") == std::string::npos;
  return only_digits && !digits.empty() ? std::optional(digits) : std::nullopt;
}

std::string exact_number(const std::string& typed) {
  const std::size_t end = std::min(typed.find_first_not_of("0123456789_"), typed.size());
  const auto digits = without_groups(std::string_view(typed).substr(0, end));
  const auto factor = factor_of(std::string_view(typed).substr(end));
  if (!digits || !factor) return typed;
  std::int64_t number = 0;
  const auto [stop, error] = std::from_chars(digits->data(), digits->data() + digits->size(), number);
  const bool fits = error == std::errc{} && number <= std::numeric_limits<std::int64_t>::max() / *factor;
  return fits ? std::to_string(number * *factor) : typed;
}

/// Converts "1.29G" to "1290000000": powers of 1,000, as in the fields of a device.
std::string exact_clock(const std::string& typed) {
  try {
    return std::to_string(parse_field(*find_device_field("clock_hz"), typed));
  } catch (const Error&) {
    return typed;  // its reader reports the error
  }
}

}  // namespace

std::string exact_value(std::string_view option, const std::string& typed) {
  const ScenarioOption* known = find_option(option);
  if (known == nullptr) return typed;
  if (known->name == "gpu") {
    const DeviceText device = split_device(typed);
    return exact_name(*known, device.name) + typed.substr(device.name.size());
  }
  if (known->name == "clock") return exact_clock(typed);
  if (known->kind == OptionKind::name) return exact_name(*known, typed);
  return known->kind == OptionKind::whole_number ? exact_number(typed) : typed;
}

std::string taken_as(std::string_view option, const std::string& typed, const std::string& exact) {
  const bool digit = !exact.empty() && exact.find_first_not_of("0123456789") == std::string::npos;
  return typed == exact || digit ? "" : text(option, ": \"", typed, "\" taken as ", exact);
}

std::vector<std::string> make_exact(OptionValues& values) {
  std::vector<std::string> notes;
  for (auto& [option, value] : values) {
    const std::string exact = exact_value(option, value), note = taken_as(option, value, exact);
    if (!note.empty()) notes.push_back(note);
    value = exact;
  }
  return notes;
}

}  // namespace sim

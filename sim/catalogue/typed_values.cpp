#include "sim/catalogue/typed_values.h"

#include <algorithm>
#include <utility>

#include "sim/base/nearest.h"
#include "sim/base/text.h"
#include "sim/machine/device_override.h"
#include "sim/programs/program.h"

namespace sim {
namespace {

/// Names with aliases. One row per name; aliases are separated by commas. Those of devices are in their files.
struct ShortNames {
  std::string_view option, name, words;
};
constexpr ShortNames short_names[] = {
    {"model", "llama-2-7b", "llama2"},
    {"model", "llama-3-8b", "llama-3.1-8b, llama3, llama-3.1"},
    {"model", "llama-3-70b", "llama-3.1-70b, llama-3.3-70b"},
    {"model", "llama-3.1-405b", "llama-3-405b"},
    {"model", "llama-13b", "llama-1-13b"},
    {"model", "mistral-7b", "mistral"},
    {"model", "qwen2.5-7b", "qwen2.5"},
    {"model", "gemma-2-9b", "gemma2"},
    {"model", "gpt-oss-20b", "gpt-oss"},
    {"pass", "forward", "fwd"},
    {"pass", "backward", "bwd"},
    {"pass", "forward+backward", "fwd+bwd, both"},
    {"dtype", "fp16", "float16, half, f16"},
    {"dtype", "bf16", "bfloat16"},
    {"dtype", "fp32", "float32, float, f32, single"},
    {"dtype", "e4m3", "float8_e4m3fn, float8, fp8, f8"},
};

/// Words for a flag.
constexpr ShortNames truth[] = {{"", "1", "true, on, yes"}, {"", "0", "false, off, no"}};

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
  const bool is_number = std::none_of(name.begin(), name.end(), is_letter);  // its sign counts: a sink of -1 is not 1
  for (const std::string& exact : names) {
    if (!is_number && folded_name(exact) == name) return exact;
  }
  for (const ShortNames& row : short_names) {
    if (row.option == option.name && is_one_of(row.words, name)) return std::string(row.name);
  }
  if (option.name == "gpu") {
    for (const std::string& exact : names) {
      if (is_one_of(device(exact).aliases, name)) return exact;
    }
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

std::string exact_number(const ScenarioOption& option, const std::string& typed) {
  if (option.name == "window" && typed.find(',') != std::string::npos) {  // the pair window_size
    std::vector<std::string> sides;
    for (const std::string_view side : split(typed, ","))
      sides.push_back(exact_number(option, std::string(trimmed(side))));
    return joined(sides, ",");
  }
  const auto whole = whole_amount(measure_of(option.number.unit), typed);
  const bool fits = whole && option.number.least <= *whole && *whole <= option.number.most;
  return fits ? std::to_string(*whole) : typed;  // its reader reports the error
}

/// An option that sets the size of a memory, and the field of a device that has its smallest plausible size.
struct SmallSize {
  std::string_view option, field;
};
constexpr SmallSize small_sizes[] = {{"l2", "l2_bytes"}, {"sram", "smem_bytes_per_cta"}};

/// Returns a note on a size that was typed without a suffix and is smaller than on any GPU; "" for others.
std::string note_on_size(std::string_view option, const std::string& typed) {
  for (const SmallSize& size : small_sizes) {
    if (size.option != option) continue;
    const std::int64_t least = find_device_field(size.field)->min;
    const auto bytes = whole_amount(Measure::count, typed);
    if (typed.find_first_not_of("0123456789_") != std::string::npos || !bytes || *bytes == 0 || *bytes >= least)
      return "";
    return text(option, ": ", typed, " is ", *bytes, *bytes == 1 ? " byte" : " bytes", ", less than any GPU has (",
                amount_text(Measure::bytes, least), ")",
                better_spelling(Measure::bytes, typed, least, find_device_field(size.field)->max));
  }
  return "";
}

std::string exact_flag(const std::string& typed) {
  for (const ShortNames& row : truth) {
    if (typed == row.name || (typed.size() < 10 && is_one_of(row.words, folded_name(typed))))
      return std::string(row.name);
  }
  return typed;
}

}  // namespace

std::string exact_value(std::string_view option, const std::string& typed) {
  const ScenarioOption* known = find_option(option);
  if (known == nullptr) return typed;
  if (known->name == "gpu") {
    const DeviceText device = split_device(typed);
    return exact_name(*known, device.name) + typed.substr(device.name.size());
  }
  if (known->kind == OptionKind::flag) return exact_flag(typed);
  if (known->kind == OptionKind::name) return exact_name(*known, typed);
  return known->kind == OptionKind::whole_number ? exact_number(*known, typed) : typed;
}

std::int64_t typed_whole_number(std::string_view option, std::string_view typed, std::int64_t least,
                                std::int64_t most) {
  const auto whole = whole_amount(Measure::count, typed);
  return parse_whole_number(option, whole ? std::to_string(*whole) : std::string(typed), least, most);
}

std::string taken_as(std::string_view option, const std::string& typed, const std::string& exact) {
  if (std::string note = note_on_size(option, typed); !note.empty()) return note;
  const bool digit = !exact.empty() && exact.find_first_not_of("0123456789") == std::string::npos;
  return typed == exact || digit ? "" : text(option, ": \"", typed, "\" taken as ", exact);
}

namespace {

/// Renames options that have a name of the field; returns the notes on them.
std::vector<std::string> make_names_exact(OptionValues& values) {
  std::vector<std::string> notes;
  OptionValues exact;
  for (const auto& [typed, value] : values) {
    const KnownAs known = find_option(typed) == nullptr ? known_as(typed) : KnownAs{};
    const bool renamed = find_option(known.option) != nullptr && known.value.empty();
    const std::string name = renamed ? known.option : typed;
    require(exact.emplace(name, value).second, name, ": is also given as ", typed);
    if (renamed) notes.push_back(text(typed, ": taken as ", name));
  }
  values = std::move(exact);
  return notes;
}

}  // namespace

std::vector<std::string> make_exact(OptionValues& values) {
  std::vector<std::string> notes = make_names_exact(values);
  for (auto& [option, value] : values) {
    const std::string exact = exact_value(option, value), note = taken_as(option, value, exact);
    if (!note.empty()) notes.push_back(note);
    value = exact;
  }
  return notes;
}

std::vector<std::string> make_lengths_exact(OptionValues& values) {
  const auto cumulative = values.find("cu-seqlens"), plain = values.find("seqlens");
  require(cumulative == values.end() || plain == values.end(),
          "cu-seqlens: the lengths are also given as --seqlens: leave out one of them");
  SequenceList list;
  if (plain != values.end()) list.note = read_sequence_list(plain->second).note;
  if (cumulative != values.end()) {
    list = read_cumulative_lengths(cumulative->second);
    values.erase(cumulative);
    values["seqlens"] = text_of(list.classes);
  }
  return list.note.empty() ? std::vector<std::string>() : std::vector{list.note};
}

}  // namespace sim

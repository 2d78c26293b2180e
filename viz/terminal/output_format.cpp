#include "viz/terminal/output_format.h"

#include <algorithm>
#include <filesystem>

#include "sim/base/check.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"

namespace terminal {
namespace {

struct Suffix {
  std::string_view end, format;
};
constexpr Suffix suffixes[] = {{".json", "json"}, {".csv", "csv"}, {".txt", "table"},      {".md", "markdown"},
                               {".tex", "latex"}, {".svg", "svg"}, {".npy", values_format}};

using Formats = std::initializer_list<std::string_view>;

bool has(Formats formats, std::string_view format) {
  return std::find(formats.begin(), formats.end(), format) != formats.end();
}

std::string suffix_list(Formats formats) {
  std::vector<std::string_view> ends;
  for (const Suffix& suffix : suffixes) {
    if (has(formats, suffix.format)) ends.push_back(suffix.end);
  }
  std::string list;
  for (const std::string_view end : ends)
    list += sim::text(list.empty() ? "" : end == ends.back() ? " and " : ", ", end);
  return list;
}

std::string suffix_of(const std::string& path) {
  return sim::in_lower_case(std::filesystem::path(path).extension().string());
}

}  // namespace

bool names_no_file(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  const bool other = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  return other || !std::filesystem::path(path).has_filename();
}

std::string format_by_suffix(const std::string& path, Formats formats) {
  const std::string suffix = suffix_of(path);
  const auto* const known =
      std::find_if(std::begin(suffixes), std::end(suffixes), [&](const Suffix& each) { return each.end == suffix; });
  if (known != std::end(suffixes) && has(formats, known->format)) return std::string(known->format);
  throw sim::Error("output: the suffix of ", sim::quoted(path, 200),
                   " names no format that can be written here: allowed ", formats.size() > 1 ? "are " : "is ",
                   suffix_list(formats));
}

std::string result_format(const Arguments& arguments, Formats formats, std::string_view otherwise,
                          std::string_view into_device) {
  const auto said = arguments.find("format"), path = arguments.find("output");
  if (!path) return said.value_or(std::string(otherwise));
  if (names_no_file(*path) || (suffix_of(*path).empty() && said)) return said.value_or(std::string(into_device));
  std::string format = format_by_suffix(*path, formats);
  sim::require(!said || *said == format || format == values_format, "format: ", said.value_or(""),
               " is not what the suffix of ", sim::quoted(*path, 200), " selects, ", format,
               ": leave --format out, or change the suffix");
  return format;
}

}  // namespace terminal
